import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { callbackify } from "node:util";
import { NEEDS_CREDENTIALS, openSocket, ProxyError, proxyFor, throughProxy } from "./proxy.ts";
import { noReply, noReplyFrom, type Headers, type HttpRequest, type Reply } from "./reply.ts";

export interface TransferOptions {
  concurrency: number;
  /** Milliseconds for a whole response, from the moment that the request has a connection. */
  timeout: number;
  /** Maximum milliseconds in which no byte is sent or received. */
  idle?: number;
  /** Minimum speed of sending a body, in bytes per millisecond: it lengthens the timeout. */
  slowest?: number;
  /** Maximum bytes of a body that is received. */
  bodyLimit?: number;
}

/** Maximum bytes of a response's headers. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Sends each request once, exactly as it is. */
export function openTransfer(url: URL, options: TransferOptions) {
  const { concurrency, timeout, idle, slowest = Infinity, bodyLimit = Infinity } = options;
  const isSecure = url.protocol === "https:";
  const open = isSecure ? httpsRequest : httpRequest;
  const isProxied = proxyFor(url) !== undefined;
  const agentThat = (keepAlive: boolean): HttpAgent => {
    const made = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive, maxSockets: concurrency });
    if (isProxied)
      made.createConnection = (_, done) => {
        callbackify(openSocket)(url, timeout, (cause, socket) => done?.(cause, socket));
        return undefined;
      };
    return made;
  };
  const agent = agentThat(true);

  /** @param isKept whether the request may reuse a connection, and leave its own to later requests. */
  const send = async (request: HttpRequest, isKept: boolean): Promise<Reply> => {
    const { method = "GET", path, body } = request;
    const bytes = body === undefined ? 0 : Buffer.byteLength(body);
    let deadline: NodeJS.Timeout | undefined;
    let isReused = false;
    try {
      const { target, headers } = throughProxy(url, path);
      const sending = open(url, {
        agent: isKept ? agent : agentThat(false),
        method,
        path: target,
        headers: {
          ...request.headers,
          ...headers,
          ...(body === undefined ? {} : { "Content-Length": `${bytes}` }),
        },
        maxHeaderSize: MAX_HEADER_BYTES,
        ...(idle === undefined ? {} : { timeout: idle }),
      });
      let response: IncomingMessage | undefined;
      // Destroying the request after its response has begun would make the response seem complete.
      const cut = (words: string) => void (response ?? sending).destroy(new TimedOut(words));
      sending.once("timeout", () => cut("the transfer stalled"));
      // The wait for a connection does not count.
      sending.once("socket", () => {
        isReused = sending.reusedSocket;
        const whole = timeout + bytes / slowest;
        deadline = setTimeout(() => cut(`no complete response within ${whole / 1000} s`), whole);
      });
      response = await new Promise<IncomingMessage>((resolve, reject) => {
        sending.on("response", resolve);
        sending.on("error", reject);
        sending.on("upgrade", (_response, socket) => {
          socket.destroy();
          reject(new Error("the host responds with 101: it wants to switch to another protocol"));
        });
        sending.end(body);
      });
      const received = await readBody(response, bodyLimit);
      if (received === undefined)
        return noReply(request, "too-large", `a body of more than ${bodyLimit / 2 ** 20} MiB`);
      const { statusCode: status = 0, rawHeaders } = response;
      if (isProxied && status === 407)
        throw new ProxyError(`the proxy responds with 407: ${NEEDS_CREDENTIALS}`);
      return { kind: "response", request, status, headers: headersOf(rawHeaders), body: received };
    } catch (cause) {
      if (cause instanceof TimedOut) return noReply(request, "timeout", cause.message);
      // The server may close an idle connection just as it is reused: that is no fault of the response.
      if (isReused && (cause as { code?: string }).code === "ECONNRESET") return await send(request, false);
      return noReplyFrom(request, cause);
    } finally {
      clearTimeout(deadline);
    }
  };
  return { send, close: () => agent.destroy() };
}

class TimedOut extends Error {}

/** The whole body; undefined if it is larger than the limit. */
async function readBody(response: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > limit) return undefined;
  }
  return Buffer.concat(chunks);
}

/** Every header line as it was sent. Node's own `headers` joins some lines and drops others. */
function headersOf(raw: readonly string[]): Headers {
  const headers = new Map<string, string[]>();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? "").toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), raw[i + 1] ?? ""]);
  }
  return headers;
}
