import type { Socket } from "node:net";
import { openSocket, throughProxy } from "./proxy.ts";
import { noReply, noReplyFrom, type Headers, type HttpRequest, type Reply } from "./reply.ts";

/**
 * The wait for a body that should not exist, if a server ignores `Connection: close`: `times` as long as the
 * head took, within these bounds in milliseconds.
 */
const QUIET = { times: 10, atLeast: 100, atMost: 500 };
/** Maximum bytes to read of a response. */
const MAX_RESPONSE_BYTES = 2 ** 20;

interface Head {
  status: number;
  headers: Headers;
  length: number;
}

/**
 * Sends one request over a socket of its own and reads until the server closes it or sends no more. An HTTP
 * client would hide the body of a response that must not have one.
 */
export async function exchange(url: URL, request: HttpRequest, timeout: number): Promise<Reply> {
  try {
    return await exchangeOver(await openSocket(url, timeout), url, request, timeout);
  } catch (cause) {
    return noReplyFrom(request, cause);
  }
}

function exchangeOver(socket: Socket, url: URL, request: HttpRequest, timeout: number): Promise<Reply> {
  return new Promise((resolve) => {
    const start = performance.now();
    let received = Buffer.alloc(0);
    let headTook: number | undefined;
    let quiet: NodeJS.Timeout | undefined;
    let settled = false;

    const finish = (reply: Reply): void => {
      if (settled) return;
      settled = true;
      clearTimeout(deadline);
      clearTimeout(quiet);
      socket.destroy();
      resolve(reply);
    };
    const done = (): void => {
      const head = headOf(received);
      if (head === undefined)
        return finish(noReply(request, "closed", "the connection was closed before the end of the response"));
      if (head === "garbage") return finish(noReply(request, "garbage", "the response is not HTTP"));
      const body = received.subarray(head.length);
      finish({ kind: "response", request, status: head.status, headers: head.headers, body });
    };
    const deadline = setTimeout(() => {
      if (typeof headOf(received) === "object") return done();
      finish(noReply(request, "timeout", `no complete response within ${timeout / 1000} s`));
    }, timeout);

    socket.on("error", (cause) => finish(noReplyFrom(request, cause)));
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const head = headOf(received);
      if (head === "garbage" || received.length > MAX_RESPONSE_BYTES) return done();
      if (head === undefined) return;
      clearTimeout(quiet);
      headTook ??= performance.now() - start;
      quiet = setTimeout(done, Math.min(Math.max(QUIET.times * headTook, QUIET.atLeast), QUIET.atMost));
    });
    socket.on("end", done);
    socket.on("close", done);
    socket.write(printed(url, request));
  });
}

function printed(url: URL, { method = "GET", path, headers = {} }: HttpRequest): string {
  const { target, headers: more } = throughProxy(url, path);
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${target} HTTP/1.1`, `Host: ${url.host}`, "Connection: close", ...lines, "", ""].join(
    "\r\n",
  );
}

/** The head of the final response, once it is complete. Skips interim responses (1xx). */
function headOf(received: Buffer, from = 0): Head | "garbage" | undefined {
  const end = received.indexOf("\r\n\r\n", from);
  if (end < 0) {
    const start = received.subarray(from, from + 5).toString("latin1");
    return "HTTP/".startsWith(start) || start === "HTTP/" ? undefined : "garbage";
  }
  const [first = "", ...lines] = received.subarray(from, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1] ?? 0);
  if (status === 0) return "garbage";
  if (status < 200) return headOf(received, end + 4);
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) return "garbage";
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  return { status, headers, length: end + 4 };
}
