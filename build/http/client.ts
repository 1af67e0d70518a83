import { exchange } from "./exchange.ts";
import { isLoopback } from "./proxy.ts";
import { noReply, type HttpRequest, type Reply } from "./reply.ts";
import { retry } from "./retry.ts";
import { openTransfer } from "./transfer.ts";

/**
 * Sends requests to a running host: with exact headers, unchanged paths and methods, and without following redirects.
 */
export interface Client {
  /** The given address, without a slash at its end. */
  base: string;
  /**
   * Set if the host is this machine: a preview responds only to websites of this machine, so each request has this
   * `Origin`.
   */
  origin?: string;
  /** Over a kept connection: only for simple requests, because a wrong response may spoil the next one. */
  send: (request: HttpRequest) => Promise<Reply>;
  /** Over a connection of its own. */
  sendAlone: (request: HttpRequest) => Promise<Reply>;
  /** Over a socket that is read to its end: `body` contains all bytes after the response's head, allowed or not. */
  sendBare: (request: HttpRequest) => Promise<Reply>;
  requests: () => number;
  close: () => void;
}

export interface ClientOptions {
  /** Milliseconds for a whole response. */
  timeout: number;
  concurrency: number;
  /**
   * Maximum bytes of a body (default: 32 MiB), so that an endless one ends. No host accepts pages larger than 25 MiB.
   */
  bodyLimit?: number;
  /** Maximum milliseconds in which no byte is sent or received. */
  idle?: number;
  /** Whether to repeat a request once after a 503; false if the caller handles `Retry-After` itself. */
  secondTry?: boolean;
  /**
   * Maximum number of timeouts in a row. Then the host hangs, so no more requests are sent: each would take the whole
   * timeout.
   */
  patience?: number;
}

const USER_AGENT = "static-page-api-verify";

export function openClient(url: URL, options: ClientOptions): Client {
  const { timeout, concurrency, bodyLimit = 32 * 2 ** 20, idle, secondTry = true, patience = 8 } = options;
  const transfer = openTransfer(url, {
    connections: concurrency,
    timeout,
    bodyLimit,
    ...(idle === undefined ? {} : { idle }),
  });
  const prefix = url.pathname.replace(/\/+$/, "");
  const own = isLoopback(url.hostname) ? { origin: url.origin } : {};
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
      // Reports name paths below the given address.
      return reply.kind === "answer" ? { ...reply, request, ...own } : { ...reply, request };
    };

  const sender = (send: Send): Send => counted(secondTry ? repeatedOnce(send) : send);
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

/** Repeats a request once after a 503: “Service unavailable” may be temporary, and shows nothing about the contract. */
const repeatedOnce =
  (send: Send): Send =>
  (request) =>
    retry(
      { attempts: 2, pause: () => PAUSE_MS },
      () => send(request),
      (reply) => reply.kind === "answer" && reply.status === 503,
    );

/** Pause before a request is repeated, in milliseconds. */
const PAUSE_MS = 500;
