import { API } from "../base/api.ts";
import { printable } from "../findings/printable.ts";
import { NOT_FOUND } from "./errors.ts";

/** Maximum milliseconds that a program is given to answer. */
const TIMEOUT_MS = 1000;
/** Maximum characters of the name that a server gives itself. */
const MAX_NAME = 60;

/** The sort of program that has a port, in words, as far as the program can be asked. */
export async function occupantOf(port: number): Promise<string> {
  // A program may be listening at one of the two addresses only.
  const found = await Promise.all(
    ["127.0.0.1", "[::1]"].map((host) => serverAt(`http://${host}:${port}${API}`)),
  );
  return found.find((one) => one !== undefined) ?? "another program";
}

/** Undefined if nothing answers as a web server does. */
async function serverAt(url: string): Promise<string | undefined> {
  try {
    const { headers, body } = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // The first part is enough, and a body may have no end.
    const reader = body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    void reader?.cancel().catch(() => undefined);
    if (value !== undefined && Buffer.from(value).equals(Buffer.from(NOT_FOUND)))
      return "another server of this API, such as npm start or npm run dev";
    const name = headers.get("server") ?? headers.get("x-powered-by") ?? "";
    return name === "" ? "a web server" : `a web server (${printable(name.slice(0, MAX_NAME))})`;
  } catch {
    return undefined;
  }
}
