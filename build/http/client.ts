import { setTimeout as delay } from "node:timers/promises";
import {
  request as httpRequest,
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
} from "node:http";
import { request as httpsRequest, Agent as HttpsAgent } from "node:https";
import { exchange } from "./exchange.ts";
import { noReply, noReplyFrom, type Headers, type HttpRequest, type Reply } from "./reply.ts";

/** Sends requests to a running host: exact headers, redirects not followed, paths and methods untouched. */
export interface Client {
  /** The address given, without a slash at its end. */
  base: string;
  /** Set on this machine: a preview answers the pages of this machine alone, so it is asked as one of them. */
  origin?: string;
  /** Over a connection that is kept: for plain requests only, as a wrong answer may spoil what comes after it. */
  send: (request: HttpRequest) => Promise<Reply>;
  /** Over a connection of its own. */
  sendAlone: (request: HttpRequest) => Promise<Reply>;
  /** Over a socket, read to its end: `body` is whatever bytes follow the answer's head, allowed or not. */
  sendBare: (request: HttpRequest) => Promise<Reply>;
  requests: () => number;
  close: () => void;
}

export interface ClientOptions {
  /** Milliseconds for a whole answer. */
  timeout: number;
  concurrency: number;
  /** No page is larger on any host than 25 MiB; an endless body must end somewhere. */
  bodyLimit?: number;
  /** Whether a 503 is asked for once more; false where the caller minds `Retry-After` itself. */
  secondTry?: boolean;
  /** After so many timeouts in a row nothing more is sent: the host hangs, and every request would cost the whole wait. */
  patience?: number;
}

const USER_AGENT = "static-page-api-verify";
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
const HEADER_LIMIT = 64 * 1024;

export function openClient(url: URL, options: ClientOptions): Client {
  const { timeout, concurrency, bodyLimit = 32 * 2 ** 20, secondTry = true, patience = 8 } = options;
  const secure = url.protocol === "https:";
  const open = secure ? httpsRequest : httpRequest;
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: concurrency });
  const prefix = url.pathname.replace(/\/+$/, "");
  const own = LOOPBACK.test(url.hostname) ? { origin: url.origin } : {};
  let requests = 0;
  let timeouts = 0;

  const counted =
    (send: Send): Send =>
    async (request) => {
      if (timeouts >= patience) return noReply(request, "timeout", "not sent: the host stopped answering");
      requests++;
      const reply = await send({
        ...request,
        path: prefix + request.path,
        headers: {
          "User-Agent": USER_AGENT,
          Accept: "*/*",
          ...(own.origin === undefined ? {} : { Origin: own.origin }),
          ...request.headers,
        },
      });
      timeouts = reply.kind === "no-reply" && reply.trouble === "timeout" ? timeouts + 1 : 0;
      // The report speaks of paths below the address that was given.
      return reply.kind === "answer" ? { ...reply, request, ...own } : { ...reply, request };
    };

  const attempt = async (request: HttpRequest, sending: ClientRequest): Promise<Reply> => {
    let response: IncomingMessage | undefined;
    // A request that is destroyed once its response has begun would let the response seem to have ended.
    const deadline = setTimeout(() => (response ?? sending).destroy(new TimedOut()), timeout);
    try {
      const responds = responseTo(sending);
      sending.end(request.body);
      response = await responds;
      const body = await readBody(response, bodyLimit);
      if (body === undefined)
        return noReply(request, "too-large", `a body of more than ${bodyLimit / 2 ** 20} MiB`);
      const status = response.statusCode ?? 0;
      return { kind: "answer", request, status, headers: headersOf(response.rawHeaders), body };
    } finally {
      clearTimeout(deadline);
    }
  };

  const overHttp = async (request: HttpRequest, kept: boolean): Promise<Reply> => {
    let sending: ClientRequest | undefined;
    try {
      sending = open(url, {
        agent: kept ? agent : false,
        method: request.method ?? "GET",
        path: request.path,
        headers: withLength(request),
        maxHeaderSize: HEADER_LIMIT,
      });
      return await attempt(request, sending);
    } catch (cause) {
      if (cause instanceof TimedOut)
        return noReply(request, "timeout", `no complete answer within ${timeout / 1000} s`);
      // The server may close an idle connection just as it is used again: that is no fault of its answer.
      if (kept && sending?.reusedSocket === true && (cause as { code?: string }).code === "ECONNRESET")
        return overHttp(request, false);
      return noReplyFrom(request, cause);
    }
  };

  const sender = (send: Send): Send => counted(secondTry ? patiently(send) : send);
  return {
    ...own,
    base: url.origin + prefix,
    send: sender((request) => overHttp(request, true)),
    sendAlone: sender((request) => overHttp(request, false)),
    sendBare: sender((request) => exchange(url, request, timeout)),
    requests: () => requests,
    close: () => agent.destroy(),
  };
}

type Send = (request: HttpRequest) => Promise<Reply>;

/** “Service unavailable” may pass, and says nothing about the contract: the request is sent once more. */
const patiently =
  (send: Send): Send =>
  async (request) => {
    const reply = await send(request);
    if (reply.kind !== "answer" || reply.status !== 503) return reply;
    await delay(MOMENT);
    return await send(request);
  };

class TimedOut extends Error {}

/** Milliseconds. */
const MOMENT = 500;

function responseTo(sending: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sending.on("response", resolve);
    sending.on("error", reject);
    sending.on("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new Error("the host answers 101: it wants to switch to another protocol"));
    });
  });
}

const withLength = ({ headers, body }: HttpRequest): Record<string, string> =>
  body === undefined ? { ...headers } : { ...headers, "Content-Length": String(Buffer.byteLength(body)) };

/** The whole body, or nothing where it is larger than the limit. */
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

/** Every line of the head as it was sent; Node's own `headers` would join some and drop others. */
function headersOf(raw: readonly string[]): Headers {
  const headers = new Map<string, string[]>();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? "").toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), raw[i + 1] ?? ""]);
  }
  return headers;
}
