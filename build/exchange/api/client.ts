import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isUtf8 } from "node:buffer";
import { setTimeout as delay } from "node:timers/promises";
import { objectIn, type JsonObject } from "../../source/json/object.ts";
import type { SavedResponse } from "./documents.ts";
import { Failure } from "../../base/failure.ts";
import { isTooDeep, MAX_BYTES } from "../../source/json/parse.ts";
import { openFollowingClient, requestWithRetry, urlToGive } from "../../hosting/http/client.ts";
import {
  beginning,
  decoded,
  header,
  noReply,
  type HttpResponse,
  type Reply,
  type Trouble,
} from "../../hosting/http/reply.ts";
import { shown } from "./values.ts";

/** Maximum age of a response that needs no new request, in milliseconds: pages change. */
const MAX_RESPONSE_AGE_MS = 24 * 60 * 60 * 1000;
/** The file of a 404. */
const NO_PAGE = Buffer.from("null");

/** The responses of a host to an import, one file each. The same import continues with them if it is interrupted. */
export class ResponseCache {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Undefined if the request has to be sent. */
  get(request: string): Outcome | undefined {
    const path = this.pathOf(request);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined || Date.now() - stats.mtimeMs > MAX_RESPONSE_AGE_MS) return undefined;
    const body = readFileSync(path);
    if (body.equals(NO_PAGE)) return { kind: "missing" };
    // A full disk or a killed process may have cut the file off: then it is no JSON.
    const value = objectOf(body);
    return value && { kind: "found", value, saved: { path, name: request, start: 0 } };
  }

  put(request: string, body: Buffer): SavedResponse {
    const path = this.pathOf(request);
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(path, body);
    return { path, name: request, start: 0 };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private pathOf(request: string): string {
    return join(this.folder, hash("sha256", request, "hex").slice(0, 32));
  }
}

/** Removes the caches in a folder that have only responses of which no request is spared any more. */
export function pruneCaches(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    const isOld = Date.now() - mtimeMs > MAX_RESPONSE_AGE_MS;
    if (isOld) rmSync(path, { recursive: true, force: true });
  }
}

/** The result of a request, after all attempts. */
export type Outcome =
  | { kind: "found"; value: JsonObject; saved: SavedResponse }
  /** 404, 410 */
  | { kind: "missing" }
  /** Another status from 400 to 499: repeating the request would not help. */
  | { kind: "refused"; status: number; message: string }
  /** It redirects, to `elsewhere` if that can be an API. */
  | { kind: "moved"; reason: string; elsewhere: string | undefined }
  /** The response has more bytes than are read. */
  | { kind: "too-large"; reason: string }
  | { kind: "failed"; reason: string };

export interface ApiClientOptions {
  /** The URL in front of `/api/v2/pages/`. */
  address: URL;
  cache: ResponseCache;
  concurrency: number;
  /** Milliseconds for a whole response. */
  timeout?: number;
  wait?: (milliseconds: number) => Promise<unknown>;
}

/** Maximum number of attempts of a request. */
const MAX_ATTEMPTS = 6;
/** Milliseconds between the first two attempts; each later pause is twice as long. */
const FIRST_WAIT_MS = 500;
/** Maximum number of failed attempts in a row. After more, the client checks whether the host is down. */
const MAX_FAILURES = 30;
/** Maximum number of pages that redirect to another host or scheme, before any page is found. */
const MAX_REDIRECTED = 5;
/** Maximum number of times that one request is sent to a host that asks the client to wait. */
const MAX_WAITS = 50;
/** Maximum wait that a host can ask for, in milliseconds. A longer one ends the import. */
const MAX_WAIT_MS = 15 * 60 * 1000;

const RESUME = "Run the same command again: it continues where it stopped.";

/** Requests pages from a running API: waits when the host asks it to, and retries temporary failures. */
export function openApiClient({
  address: url,
  cache,
  concurrency,
  timeout = 60_000,
  wait = (milliseconds) => delay(milliseconds),
}: ApiClientOptions) {
  const host = openFollowingClient(url, {
    timeout,
    concurrency,
    bodyLimit: MAX_BYTES,
    // This module itself decides about retries, and whether a host is down.
    secondTry: false,
    patience: Infinity,
  });
  const address = `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  let hasResponded = false;
  let failures = 0;
  let redirected = 0;
  /** The first path to which the host responded with 200. */
  let validPath: string | undefined;
  /** Ends with the pause that the host requires, for all requests. */
  let pause: Promise<unknown> | undefined;

  /**
   * Requests the page or listing at a path below the address. If the running import has already cached a
   * response under `key`, that response is returned instead.
   *
   * @throws Failure if the host cannot be reached, or stops responding.
   */
  async function request(path: string, key = path): Promise<Outcome> {
    const known = cache.get(key);
    if (known !== undefined) return known;
    let pauses = 0;
    const response = await requestWithRetry(
      { attempts: MAX_ATTEMPTS, firstPauseMs: FIRST_WAIT_MS, wait },
      async () => {
        for (;;) {
          await pause;
          const reply = await send(path);
          const required = reply.kind === "response" ? pauseOf(reply) : undefined;
          if (required === undefined || ++pauses >= MAX_WAITS) return checked(reply, path);
          await pauseFor(required);
        }
      },
      (reply) => typeof reply === "string",
    );
    if (typeof response === "string")
      return { kind: "failed", reason: `${response} (requested ${MAX_ATTEMPTS} times)` };
    if (response.kind === "no-reply") {
      const { trouble, message: reason, elsewhere } = response;
      if (trouble === "too-large") return { kind: "too-large", reason };
      if (validPath === undefined && ++redirected >= MAX_REDIRECTED) failForRedirects(reason, elsewhere);
      return { kind: "moved", reason, elsewhere };
    }
    const { status, body } = response;
    if (status === 404 || status === 410) {
      cache.put(key, NO_PAGE);
      return { kind: "missing" };
    }
    if (status !== 200) return { kind: "refused", status, message: messageIn(response) };
    return { kind: "found", value: objectOf(body) ?? {}, saved: cache.put(key, body) };
  }

  /** A response that no other attempt would change, or the reason for another attempt. */
  async function checked(reply: Reply, path: string): Promise<Reply | string> {
    const fault = faultOf(reply);
    if (fault !== undefined) {
      await countFailure(fault);
      return fault;
    }
    failures = 0;
    if (reply.kind === "response" && reply.status === 200) validPath ??= path;
    return reply;
  }

  async function send(path: string): Promise<Reply> {
    const reply = await host.send({ path, headers: HEADERS });
    if (!hasResponded && reply.kind === "no-reply" && UNREACHED.has(reply.trouble))
      throw new Failure(`${address}: ${reply.message}`);
    hasResponded ||= reply.kind === "response" || FINAL.has(reply.trouble);
    return reply.kind === "response" ? unpacked(reply) : reply;
  }

  function failForRedirects(reason: string, elsewhere: string | undefined): never {
    throw new Failure(`${address} is not the URL of the API: ${reason}. ${urlToGive(elsewhere)}`);
  }

  /** All requests wait: a host that is overloaded is overloaded for each of them. */
  async function pauseFor(milliseconds: number): Promise<void> {
    if (milliseconds > MAX_WAIT_MS)
      throw new Failure(
        `${address} requires a pause of ${Math.ceil(milliseconds / 60_000)} minutes. Then ${RESUME.slice(0, 1).toLowerCase()}${RESUME.slice(1)}`,
      );
    const own = wait(milliseconds).finally(() => {
      if (pause === own) pause = undefined;
    });
    pause = own;
    await own;
  }

  /** Counts a failure. After many, repeats a request that succeeded, to see whether the host is down. */
  async function countFailure(fault: string): Promise<void> {
    failures++;
    if (failures <= MAX_FAILURES) return;
    const reply = validPath === undefined ? undefined : await send(validPath);
    if (reply?.kind !== "response" || reply.status >= 500)
      throw new Failure(`${address} has stopped responding: ${fault}. ${RESUME}`);
    failures = 0;
  }

  return { address, request, failForRedirects, close: host.close };
}

export type ApiClient = ReturnType<typeof openApiClient>;

const HEADERS = {
  Accept: "application/json",
  "Accept-Encoding": "gzip",
  "User-Agent": "static-page-api-import",
};

const UNREACHED: ReadonlySet<Trouble> = new Set(["unreachable", "tls"]);
/** Another attempt would have the same result. */
const FINAL: ReadonlySet<Trouble> = new Set(["redirect", "too-large"]);

function unpacked(response: HttpResponse): Reply {
  const body = decoded(response);
  if (typeof body === "string")
    return response.status === 200 ? noReply(response.request, "garbage", body) : response;
  if (body.length > MAX_BYTES)
    return noReply(response.request, "too-large", `a body of more than ${MAX_BYTES / 2 ** 20} MiB`);
  return { ...response, body };
}

/** The milliseconds that the host asks the client to wait, by a 429, or by a 503 with `Retry-After`. */
function pauseOf(response: HttpResponse): number | undefined {
  const after = header(response, "Retry-After");
  if (response.status !== 429 && (response.status !== 503 || after === undefined)) return undefined;
  const seconds = /^\d{1,9}$/.test(after ?? "")
    ? Number(after)
    : (Date.parse(after ?? "") - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 5000 : Math.max(FIRST_WAIT_MS, seconds * 1000);
}

/** The reason why a response cannot be used, if another attempt may help. */
function faultOf(reply: Reply): string | undefined {
  if (reply.kind === "no-reply") return FINAL.has(reply.trouble) ? undefined : reply.message;
  const { status, body } = reply;
  // Another attempt would not change a refusal.
  if (status >= 400 && status < 500) return undefined;
  if (status !== 200) return `it responds with ${status}`;
  if (objectOf(body) !== undefined) return undefined;
  return `it responds with ${beginning(body.toString("utf8", 0, 400))}, which is not a JSON object, or is nested too deeply`;
}

function objectOf(body: Buffer): JsonObject | undefined {
  const value = isUtf8(body) ? objectIn(body.toString()) : undefined;
  return isTooDeep(value) ? undefined : value;
}

function messageIn(response: HttpResponse): string {
  const { message, detail } = objectOf(response.body) ?? {};
  const text = message ?? detail;
  return typeof text === "string" ? shown(text, 200) : "";
}
