import { exchange } from "./exchange.ts";
import { noReply, type HttpRequest, type Reply } from "./reply.ts";
import { retry } from "./retry.ts";
import { openTransfer } from "./transfer.ts";

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
  /** Maximum milliseconds in which no byte is sent or received. */
  idle?: number;
  /** Whether a 503 is asked for once more; false where the caller minds `Retry-After` itself. */
  secondTry?: boolean;
  /** After so many timeouts in a row nothing more is sent: the host hangs, and every request would cost the whole wait. */
  patience?: number;
}

const USER_AGENT = "static-page-api-verify";
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

export function openClient(url: URL, options: ClientOptions): Client {
  const { timeout, concurrency, bodyLimit = 32 * 2 ** 20, idle, secondTry = true, patience = 8 } = options;
  const transfer = openTransfer(url, {
    connections: concurrency,
    timeout,
    bodyLimit,
    ...(idle === undefined ? {} : { idle }),
  });
  const prefix = url.pathname.replace(/\/+$/, "");
  const own = LOOPBACK.test(url.hostname) ? { origin: url.origin } : {};
  let requests = 0;
  let timeouts = 0;

  const counted =
    (send: Send): Send =>
    async (request) => {
      if (timeouts >= patience) return noReply(request, "timeout", "not sent: the host stopped responding");
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

  const sender = (send: Send): Send => counted(secondTry ? patiently(send) : send);
  return {
    ...own,
    base: url.origin + prefix,
    send: sender((request) => transfer.send(request, true)),
    sendAlone: sender((request) => transfer.send(request, false)),
    sendBare: sender((request) => exchange(url, request, timeout)),
    requests: () => requests,
    close: () => transfer.close(),
  };
}

type Send = (request: HttpRequest) => Promise<Reply>;

/** “Service unavailable” may pass, and says nothing about the contract: the request is sent once more. */
const patiently =
  (send: Send): Send =>
  (request) =>
    retry(
      { attempts: 2, pause: () => MOMENT },
      () => send(request),
      (reply) => reply.kind === "answer" && reply.status === 503,
    );

/** Milliseconds. */
const MOMENT = 500;
