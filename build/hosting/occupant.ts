import { API } from "../base/api.ts";
import { printable } from "../findings/printable.ts";
import { NOT_FOUND } from "./paths.ts";

/** Maximum milliseconds to wait for a program's response. */
const TIMEOUT_MS = 1000;
/** Maximum characters of a server's name in a message. */
const MAX_NAME = 60;

export async function occupantOf(port: number): Promise<string> {
  // A program may be listening at one of the two addresses only.
  const found = await Promise.all(
    ["127.0.0.1", "[::1]"].map((host) => serverAt(`http://${host}:${port}${API}`)),
  );
  return found.find((one) => one !== undefined) ?? "another program";
}

async function serverAt(url: string): Promise<string | undefined> {
  try {
    const { headers, body } = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Reads only the first chunk, because a body may be endless.
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
