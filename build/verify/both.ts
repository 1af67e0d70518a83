import { isTemporary, pauseAfter, requestWithRetry, type Client } from "../http/client.ts";
import { decoded, type HttpRequest, type HttpResponse, type Reply } from "../http/reply.ts";
import { objectIn, type JsonObject } from "../json/object.ts";
import { isTooDeep } from "../json/parse.ts";

/** The same requests to two APIs. */

export interface NamedChange {
  /** The name by which the difference is accepted: a field, a header or another subject. */
  name: string;
  /** Both values; missing for an API without a value. */
  old?: string;
  new?: string;
}

export type Hosts = readonly [old: Client, now: Client];

/** Maximum number of attempts of a request, if the host asks to wait or fails temporarily. */
const MAX_ATTEMPTS = 4;
/** Milliseconds before the second attempt; each later pause is twice as long. */
const PAUSE_MS = 500;

export const sendTo = (host: Client, request: HttpRequest): Promise<Reply> =>
  requestWithRetry(
    { attempts: MAX_ATTEMPTS, firstPauseMs: PAUSE_MS },
    () => host.send(request),
    (reply) => {
      if (reply.kind === "no-reply") return true;
      return isCut(reply) ? pauseAfter(reply) : isTemporary(reply);
    },
  );

export const sendToBoth = (hosts: Hosts, request: HttpRequest): Promise<[Reply, Reply]> =>
  Promise.all([sendTo(hosts[0], request), sendTo(hosts[1], request)]);

/** Whether a page's response is no page: cut off, or HTML of a server in front of the API. */
const isCut = (reply: HttpResponse): boolean =>
  reply.status === 200 && (reply.request.method ?? "GET") === "GET" && bodyOf(reply).value === undefined;

export interface Body {
  text: string;
  value?: JsonObject;
}

export function bodyOf(response: HttpResponse): Body {
  const body = decoded(response);
  if (typeof body === "string") return { text: body };
  const text = body.toString("utf8");
  const value = objectIn(text);
  return value === undefined || isTooDeep(value) ? { text } : { text, value };
}
