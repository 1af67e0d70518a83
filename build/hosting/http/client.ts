import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../../base/failure.ts";
import { exchange } from "./exchange.ts";
import { isLoopback } from "./proxy.ts";
import { excerpt, header, noReply, type HttpRequest, type HttpResponse, type Reply } from "./reply.ts";
import { openTransfer, type TransferOptions } from "./transfer.ts";

/** The position of the API's own path at the end of a URL's path: /api, /api/v2, or /api/v2/ and more. */
export const apiPathAt = (path: string): number => path.search(/\/api(?:\/v2(?:\/.*)?)?\/?$/);

/** Validates the URL that all paths are below. A page's own URL, or one with a query, is an easy mistake. */
export function addressOf(url: URL): URL {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new Failure(`${url.href}: expected an address that begins with http:// or https://.`);
  if (url.username !== "" || url.password !== "")
    throw new Failure("Leave the user name or password out of the address.");
  const at = apiPathAt(url.pathname);
  if (at >= 0)
    throw new Failure(
      `${url.href}: give the URL in front of /api/v2/pages/: ${url.origin}${url.pathname.slice(0, at)}`,
    );
  if (url.search !== "" || url.hash !== "")
    throw new Failure(`${url.href}: give the URL without “?” or “#” and the part after it.`);
  return url;
}

export interface Retries {
  /** Maximum number of attempts. */
  attempts: number;
  /** Milliseconds before the second attempt; each later pause is twice as long. */
  firstPauseMs: number;
  /** Whether pauses are shortened at random, so that failed requests are not repeated together. */
  isSpread?: boolean;
  wait?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Repeats a request while another attempt may succeed; returns the result of the last attempt.
 *
 * @param again whether another attempt may succeed, or the milliseconds after which it may.
 */
export async function requestWithRetry<T>(
  { attempts, firstPauseMs, isSpread = false, wait = delay }: Retries,
  attempt: () => Promise<T>,
  again: (result: T) => boolean | number,
): Promise<T> {
  for (let index = 0; ; index++) {
    const result = await attempt();
    const after = index + 1 < attempts && again(result);
    if (after === false) return result;
    const pause = firstPauseMs * 2 ** index * (isSpread ? 0.5 + Math.random() / 2 : 1);
    await wait(after === true ? pause : after);
  }
}

/** Maximum milliseconds to wait for a host that sends `Retry-After`. */
const MAX_WAIT_MS = 60_000;

/** Whether a response may be temporary; if so with `Retry-After`, the milliseconds to wait. */
export function isTemporary(response: HttpResponse): boolean | number {
  if (response.status !== 429 && response.status < 500) return false;
  return pauseAfter(response);
}

/** The milliseconds to wait as `Retry-After` requires; true if the client chooses the pause. */
export function pauseAfter(response: HttpResponse, most = MAX_WAIT_MS): number | true {
  const after = header(response, "Retry-After") ?? "";
  return /^\d{1,6}$/.test(after) ? Math.min(most, Math.max(1, Number(after)) * 1000) : true;
}

/** Sends requests with exact headers, unchanged paths and methods, and without following redirects. */
export interface Client {
  base: string;
  /** Set if the host is this machine: a preview responds only to websites of this machine. */
  origin?: string;
  /** Over a kept connection: only for simple requests, because a wrong response may spoil the next one. */
  send: (request: HttpRequest) => Promise<Reply>;
  sendAlone: (request: HttpRequest) => Promise<Reply>;
  /** Over a socket that is read to its end: `body` has all bytes after the head, allowed or not. */
  sendBare: (request: HttpRequest) => Promise<Reply>;
  requests: () => number;
  close: () => void;
}

/** By default, a body has at most 32 MiB, so that an endless one ends: no host accepts pages above 25 MiB. */
export interface ClientOptions extends Omit<TransferOptions, "slowest"> {
  /** Whether to repeat a request once after a 503; false if the caller handles `Retry-After` itself. */
  secondTry?: boolean;
  /** Maximum number of timeouts in a row: after them, the host hangs, and no more requests are sent. */
  patience?: number;
}

const USER_AGENT = "static-page-api-verify";

type Send = (request: HttpRequest) => Promise<Reply>;

export function openClient(url: URL, options: ClientOptions): Client {
  const { timeout, bodyLimit = 32 * 2 ** 20, secondTry = true, patience = 8 } = options;
  const transfer = openTransfer(url, { ...options, bodyLimit });
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
      return reply.kind === "response" ? { ...reply, request, ...own } : { ...reply, request };
    };
  const sender = (send: Send): Send => counted(secondTry ? repeatedOnce(send) : send);
  return {
    ...own,
    base: url.origin + prefix,
    send: sender((request) => transfer.send(request, true)),
    sendAlone: sender((request) => transfer.send(request, false)),
    sendBare: sender((request) => exchange(url, request, timeout)),
    requests: () => requests,
    close: transfer.close,
  };
}

/** A 503 may be temporary, and shows nothing about the contract. */
const repeatedOnce =
  (send: Send): Send =>
  (request) =>
    requestWithRetry(
      { attempts: 2, firstPauseMs: PAUSE_MS },
      () => send(request),
      (reply) => reply.kind === "response" && reply.status === 503,
    );

/** Pause before a request is repeated, in milliseconds. */
const PAUSE_MS = 500;

/** Maximum number of redirects per request. */
const MAX_REDIRECTS = 5;

/** A client that follows redirects within the host. After one from http to https, it only uses https. */
export function openFollowingClient(address: URL, options: ClientOptions) {
  const prefix = address.pathname.replace(/\/+$/, "");
  let origin = new URL(address.origin);
  let host = openClient(origin, options);
  let requests = 0;

  const pathWithin = (location: string, from: string): string | undefined => {
    if (!URL.canParse(location, origin.origin + from)) return undefined;
    const to = new URL(location, origin.origin + from);
    const isUpgrade = to.protocol === "https:" && origin.protocol === "http:";
    if (to.hostname !== origin.hostname || (to.origin !== origin.origin && !isUpgrade)) return undefined;
    if (isUpgrade) {
      host.close();
      origin = new URL(to.origin);
      host = openClient(origin, options);
    }
    return to.pathname + to.search;
  };

  return {
    async send(request: HttpRequest): Promise<Reply> {
      let path = prefix + request.path;
      for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
        requests++;
        const reply = await host.send({ ...request, path });
        if (reply.kind === "no-reply") return reply;
        const location = header(reply, "Location");
        if (reply.status < 300 || reply.status > 399 || reply.status === 304 || location === undefined)
          return reply;
        const next = pathWithin(location, path);
        if (next === undefined)
          return {
            ...noReply(request, "redirect", `it redirects to another host or scheme: ${excerpt(location)}`),
            elsewhere: addressBefore(request.path, location),
          };
        path = next;
      }
      return noReply(request, "redirect", "it redirects in a circle");
    },
    requests: () => requests,
    close: () => host.close(),
  };
}

/** The URL that a path is below, by the target of its redirect. */
function addressBefore(path: string, location: string): string | undefined {
  const at = /^https?:/i.test(location) ? location.lastIndexOf(path) : -1;
  return at > 0 ? excerpt(location.slice(0, at)) : undefined;
}

export const urlToGive = (elsewhere: string | undefined): string =>
  elsewhere === undefined
    ? "Give the URL of the API itself, in front of /api/v2/pages/."
    : `Give this URL instead: ${elsewhere}`;
