import { isUtf8 } from "node:buffer";
import { setTimeout as delay } from "node:timers/promises";
import { objectIn, type JsonObject } from "../../json/object.ts";
import { Failure } from "../../base/failure.ts";
import { isTooDeep } from "../../json/depth.ts";
import { MAX_BYTES } from "../../json/parse.ts";
import { openFollowingClient, requestWithRetry, urlToGive, type FollowingClient } from "../../http/client.ts";
import {
  beginning,
  decoded,
  header,
  noReply,
  type HttpResponse,
  type Reply,
  type Trouble,
} from "../../http/reply.ts";
import type { ResponseCache } from "./cache.ts";
import type { SavedFile } from "./documents.ts";
import { shown } from "./values.ts";

/** The result of a request, after all attempts. */
export type Outcome =
  | { kind: "found"; value: JsonObject; saved: SavedFile }
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
/**
 * Maximum number of failed attempts in a row, of any requests. After more, the client checks whether the host is
 * down.
 */
const MAX_FAILURES = 30;
/** Maximum number of pages that redirect to another host or scheme, before any page is found. */
const MAX_REDIRECTED = 5;
/** Maximum number of times that one request is sent to a host that asks the client to wait. */
const MAX_WAITS = 50;
/** Maximum wait that a host can ask for, in milliseconds. A longer one ends the import. */
const MAX_WAIT_MS = 15 * 60 * 1000;

const RESUME = "Run the same command again: it continues where it stopped.";

/** Requests pages from a running API: waits when the host asks it to, and retries temporary failures. */
export class ApiClient {
  private readonly host: FollowingClient;
  private readonly options: Required<ApiClientOptions>;
  private hasAnswered = false;
  private failures = 0;
  private redirected = 0;
  /** The first path to which the host responded with 200. */
  private sound: string | undefined;
  /** The wait that the host asked for: all requests wait until it ends. */
  private quiet: Promise<unknown> | undefined;

  constructor(options: ApiClientOptions) {
    this.options = { timeout: 60_000, wait: (milliseconds) => delay(milliseconds), ...options };
    const { address, timeout, concurrency } = this.options;
    // This class itself decides about retries, and whether a host is down.
    const own = { secondTry: false, patience: Infinity };
    this.host = openFollowingClient(address, { timeout, concurrency, bodyLimit: MAX_BYTES, ...own });
  }

  /** The given address, without a slash at its end. */
  get address(): string {
    const { origin, pathname } = this.options.address;
    return `${origin}${pathname.replace(/\/+$/, "")}`;
  }

  close(): void {
    this.host.close();
  }

  /**
   * Requests the page or listing at a path below the address. If the running import has already cached a response
   * under `key`, that response is returned instead.
   *
   * @throws Failure if the host cannot be reached, or stops responding.
   */
  async request(path: string, key = path): Promise<Outcome> {
    const { cache } = this.options;
    const known = cache.get(key);
    if (known?.isCurrent === true) {
      if (known.status !== 200) return { kind: "missing" };
      const value = objectOf(known.body);
      if (value !== undefined) return { kind: "found", value, saved: known.saved };
    }
    const answer = await this.askStubbornly(path, known?.etag);
    if (answer.kind === "failed") return answer;
    if (answer.kind === "no-reply") {
      const { trouble, message: reason, elsewhere } = answer;
      if (trouble === "too-large") return { kind: "too-large", reason };
      if (this.sound === undefined && ++this.redirected >= MAX_REDIRECTED)
        this.failForRedirects(reason, elsewhere);
      return { kind: "moved", reason, elsewhere };
    }
    if (answer.status === 304 && known !== undefined)
      return {
        kind: "found",
        value: objectOf(known.body) ?? {},
        saved: cache.put(key, 200, known.etag, known.body),
      };
    if (answer.status === 404 || answer.status === 410) {
      cache.put(key, 404, undefined, Buffer.alloc(0));
      return { kind: "missing" };
    }
    if (answer.status !== 200) {
      const { status } = answer;
      return { kind: "refused", status, message: messageIn(answer) };
    }
    const { body } = answer;
    const saved = cache.put(key, 200, header(answer, "ETag"), body);
    return { kind: "found", value: objectOf(body) ?? {}, saved };
  }

  /** Repeats the request until a response is usable, or up to the maximum number of attempts. */
  private async askStubbornly(
    path: string,
    etag: string | undefined,
  ): Promise<Reply | Extract<Outcome, { kind: "failed" }>> {
    const { wait } = this.options;
    const waits = { left: MAX_WAITS - 1 };
    const reply = await requestWithRetry(
      { attempts: MAX_ATTEMPTS, firstPauseMs: FIRST_WAIT_MS, wait },
      () => this.attempt(path, etag, waits),
      (result) => typeof result === "string",
    );
    return typeof reply === "string"
      ? { kind: "failed", reason: `${reply} (requested ${MAX_ATTEMPTS} times)` }
      : reply;
  }

  /** A final response, or the reason for another attempt. If the host asks to wait, it waits and tries again. */
  private async attempt(
    path: string,
    etag: string | undefined,
    waits: { left: number },
  ): Promise<Reply | string> {
    await this.quiet;
    const reply = await this.askOnce(path, etag);
    const asksToWait = reply.kind === "no-reply" ? undefined : waitOf(reply);
    if (asksToWait !== undefined && waits.left-- > 0) {
      await this.waitFor(asksToWait);
      return this.attempt(path, etag, waits);
    }
    const trouble = faultOf(reply, etag !== undefined);
    if (trouble !== undefined) {
      await this.countFailure(trouble);
      return trouble;
    }
    this.failures = 0;
    if (reply.kind === "response" && reply.status === 200) this.sound ??= path;
    return reply;
  }

  private async askOnce(path: string, etag: string | undefined): Promise<Reply> {
    const reply = await this.host.send({
      path,
      headers: { ...HEADERS, ...(etag === undefined ? {} : { "If-None-Match": etag }) },
    });
    if (!this.hasAnswered && reply.kind === "no-reply" && UNREACHED.has(reply.trouble))
      throw new Failure(`${this.address}: ${reply.message}`);
    this.hasAnswered ||= reply.kind === "response" || FINAL.has(reply.trouble);
    return reply.kind === "response" ? unpacked(reply) : reply;
  }

  /** Ends the import from a host that only redirects. */
  failForRedirects(reason: string, elsewhere: string | undefined): never {
    throw new Failure(`${this.address} is not the URL of the API: ${reason}. ${urlToGive(elsewhere)}`);
  }

  /** All requests wait: a host that is overloaded is overloaded for each of them. */
  private async waitFor(milliseconds: number): Promise<void> {
    if (milliseconds > MAX_WAIT_MS)
      throw new Failure(
        `${this.address} requires a pause of ${Math.ceil(milliseconds / 60_000)} minutes. Then ${RESUME.slice(0, 1).toLowerCase()}${RESUME.slice(1)}`,
      );
    const quiet = this.options.wait(milliseconds).finally(() => {
      if (this.quiet === quiet) this.quiet = undefined;
    });
    this.quiet = quiet;
    await quiet;
  }

  /**
   * Counts a failed attempt. After many, it repeats a request that succeeded, to see if only some pages fail or the
   * host is down.
   */
  private async countFailure(words: string): Promise<void> {
    this.failures++;
    if (this.failures <= MAX_FAILURES) return;
    const reply = this.sound === undefined ? undefined : await this.askOnce(this.sound, undefined);
    if (reply?.kind !== "response" || reply.status >= 500)
      throw new Failure(`${this.address} has stopped responding: ${words}. ${RESUME}`);
    this.failures = 0;
  }
}

const HEADERS = {
  Accept: "application/json",
  "Accept-Encoding": "gzip",
  "User-Agent": "static-page-api-import",
};

const UNREACHED: ReadonlySet<Trouble> = new Set(["unreachable", "tls"]);
/** Another attempt would have the same result. */
const FINAL: ReadonlySet<Trouble> = new Set(["redirect", "too-large"]);

/** The response with a body that is not compressed. */
function unpacked(answer: HttpResponse): Reply {
  const body = decoded(answer);
  if (typeof body === "string")
    return answer.status === 200 ? noReply(answer.request, "garbage", body) : answer;
  if (body.length > MAX_BYTES)
    return noReply(answer.request, "too-large", `a body of more than ${MAX_BYTES / 2 ** 20} MiB`);
  return { ...answer, body };
}

/** The milliseconds that the host asks the client to wait, by a 429, or by a 503 with `Retry-After`. */
function waitOf(answer: HttpResponse): number | undefined {
  const after = header(answer, "Retry-After");
  if (answer.status !== 429 && (answer.status !== 503 || after === undefined)) return undefined;
  const seconds = /^\d{1,9}$/.test(after ?? "")
    ? Number(after)
    : (Date.parse(after ?? "") - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 5000 : Math.max(FIRST_WAIT_MS, seconds * 1000);
}

/** The reason why a response cannot be used, if another attempt may help. */
function faultOf(answer: Reply, hasTag: boolean): string | undefined {
  if (answer.kind === "no-reply") return FINAL.has(answer.trouble) ? undefined : answer.message;
  const { status } = answer;
  if (status >= 500) return `it responds with ${status}`;
  if (status === 304 && hasTag) return undefined;
  if (status < 200 || (status > 200 && status < 400)) return `it responds with ${status}`;
  if (status !== 200) return undefined;
  const { body } = answer;
  if (objectOf(body) !== undefined) return undefined;
  return `it responds with ${beginning(body.toString("utf8", 0, 400))}, which is not a JSON object, or is nested too deeply`;
}

function objectOf(body: Buffer): JsonObject | undefined {
  const value = isUtf8(body) ? objectIn(body.toString()) : undefined;
  return isTooDeep(value) ? undefined : value;
}

function messageIn(answer: HttpResponse): string {
  const { message, detail } = objectOf(answer.body) ?? {};
  const words = message ?? detail;
  return typeof words === "string" ? shown(words, 200) : "";
}
