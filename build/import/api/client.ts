import { isUtf8 } from "node:buffer";
import { setTimeout as delay } from "node:timers/promises";
import { type JsonObject, isObject } from "../../json/object.ts";
import { Failure } from "../../base/failure.ts";
import { isTooDeep } from "../../json/depth.ts";
import { MAX_BYTES } from "../../json/parse.ts";
import { decoded } from "../../http/encoding.ts";
import { openClient, type Client as HttpClient } from "../../http/client.ts";
import { beginning, header, type Answer } from "../../http/reply.ts";
import { retry } from "../../http/retry.ts";
import type { ResponseCache } from "./cache.ts";
import type { SavedFile } from "./documents.ts";
import { shown } from "./values.ts";

/** What came of a question, after as many attempts as it took. */
export type Outcome =
  | { kind: "found"; value: JsonObject; saved: SavedFile }
  /** 404, 410 */
  | { kind: "missing" }
  /** Another status from 400 on: asking again would help nothing. */
  | { kind: "refused"; status: number; message: string }
  | { kind: "failed"; reason: string };

export interface ClientOptions {
  /** The address that `/api/v2/pages/` is below. */
  address: URL;
  cache: ResponseCache;
  concurrency: number;
  /** Milliseconds for a whole answer. */
  timeout?: number;
  /** Waits for so many milliseconds. */
  wait?: (milliseconds: number) => Promise<unknown>;
}

/** So often a question is put. */
const ATTEMPTS = 6;
/** The first wait between two of them, in milliseconds; each later one is twice as long. */
const FIRST_WAIT = 500;
/** After so many attempts without any success, the host is taken to be down. */
const MOST_FAILURES = 30;
/** So often a question is put to a host that asks to wait. */
const MOST_WAITS = 50;
/** The longest wait, in milliseconds, that a host can ask for. */
const LONGEST_WAIT = 15 * 60 * 1000;
const MOST_REDIRECTS = 5;

const RESUME = "Run the same command again: it goes on where it stopped.";

/** Asks a running API: politely, never more than it is told to, and stubbornly. */
export class ApiClient {
  private host: HttpClient;
  private origin: URL;
  private readonly prefix: string;
  private readonly options: Required<ClientOptions>;
  private hasAnswered = false;
  private failures = 0;
  /** A path that the host has answered well. */
  private sound: string | undefined;
  /** Nobody asks before. */
  private quiet: Promise<unknown> | undefined;

  constructor(options: ClientOptions) {
    this.options = { timeout: 60_000, wait: (milliseconds) => delay(milliseconds), ...options };
    this.origin = new URL(options.address.origin);
    this.prefix = options.address.pathname.replace(/\/+$/, "");
    this.host = this.open();
  }

  private open(): HttpClient {
    const { timeout, concurrency } = this.options;
    // What is asked again, and when a host is down, is decided here.
    const own = { secondTry: false, patience: Infinity };
    return openClient(this.origin, { timeout, concurrency, bodyLimit: MAX_BYTES, ...own });
  }

  /** The address that was given, without a slash at its end. */
  get address(): string {
    return `${this.options.address.origin}${this.prefix}`;
  }

  close(): void {
    this.host.close();
  }

  /**
   * What is at a path below the address. What the import under way has asked already is not asked again, unless
   * `key` tells the question from the one before.
   *
   * @throws Failure where the host cannot be reached, or not any more.
   */
  async ask(path: string, key = path): Promise<Outcome> {
    const { cache } = this.options;
    const known = cache.get(key);
    if (known?.isCurrent === true) {
      if (known.status !== 200) return { kind: "missing" };
      const value = objectIn(known.body);
      if (value !== undefined) return { kind: "found", value, saved: known.saved };
    }
    const answer = await this.askStubbornly(path, known?.etag);
    if (answer.kind !== "answer") return answer;
    if (answer.status === 304 && known !== undefined)
      return {
        kind: "found",
        value: objectIn(known.body) ?? {},
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
    const body = decoded(answer) as Buffer;
    const saved = cache.put(key, 200, header(answer, "ETag"), body);
    return { kind: "found", value: objectIn(body) ?? {}, saved };
  }

  /** Asks until there is an answer that can be used, or until there have been enough attempts. */
  private async askStubbornly(
    path: string,
    etag: string | undefined,
  ): Promise<Answer | Exclude<Outcome, { kind: "found" }>> {
    const { wait } = this.options;
    const waits = { left: MOST_WAITS - 1 };
    const reply = await retry(
      { attempts: ATTEMPTS, pause: (index) => FIRST_WAIT * 2 ** index, wait },
      () => this.attempt(path, etag, waits),
      (result) => typeof result === "string",
    );
    return typeof reply === "string"
      ? { kind: "failed", reason: `${reply} (asked ${ATTEMPTS} times)` }
      : reply;
  }

  /** The answer that can be used; or in words why there is none, when the host does not ask to wait. */
  private async attempt(
    path: string,
    etag: string | undefined,
    waits: { left: number },
  ): Promise<Answer | string> {
    await this.quiet;
    const reply = await this.askOnce(path, etag);
    const asksToWait = typeof reply === "string" ? undefined : waitOf(reply);
    if (asksToWait !== undefined && waits.left-- > 0) {
      await this.waitFor(asksToWait);
      return this.attempt(path, etag, waits);
    }
    const trouble = typeof reply === "string" ? reply : faultOf(reply, etag !== undefined);
    if (trouble !== undefined) {
      await this.countFailure(trouble);
      return trouble;
    }
    this.failures = 0;
    if (typeof reply !== "string" && reply.status === 200) this.sound ??= path;
    return reply;
  }

  /** The answer, redirects within the host followed; or in words why there is none. */
  private async askOnce(path: string, etag: string | undefined): Promise<Answer | string> {
    let target = this.prefix + path;
    for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
      const reply = await this.host.send({
        path: target,
        headers: { ...HEADERS, ...(etag === undefined ? {} : { "If-None-Match": etag }) },
      });
      if (reply.kind === "no-reply") {
        const { trouble, words } = reply;
        if (!this.hasAnswered && (trouble === "unreachable" || trouble === "tls"))
          throw new Failure(`${this.address}: ${words}`);
        return words;
      }
      this.hasAnswered = true;
      const location = header(reply, "Location");
      if (reply.status < 300 || reply.status > 399 || reply.status === 304 || location === undefined)
        return reply;
      const next = this.withinHost(location, target);
      if (next === undefined) return `it redirects to another host: ${shown(location)}`;
      target = next;
    }
    return "it redirects in a circle";
  }

  /** The path that a redirect leads to on this host; from http to https, the host is asked so from then on. */
  private withinHost(location: string, from: string): string | undefined {
    if (!URL.canParse(location, this.origin.origin + from)) return undefined;
    const to = new URL(location, this.origin.origin + from);
    const isUpgrade = to.protocol === "https:" && this.origin.protocol === "http:";
    if (to.hostname !== this.origin.hostname || (to.origin !== this.origin.origin && !isUpgrade))
      return undefined;
    if (isUpgrade) {
      this.host.close();
      this.origin = new URL(to.origin);
      this.host = this.open();
    }
    return to.pathname + to.search;
  }

  /** Everybody waits: what is too much for the host is too much whoever asks. */
  private async waitFor(milliseconds: number): Promise<void> {
    if (milliseconds > LONGEST_WAIT)
      throw new Failure(
        `${this.address} asks not to be asked for ${Math.ceil(milliseconds / 60_000)} minutes. Then ${RESUME.slice(0, 1).toLowerCase()}${RESUME.slice(1)}`,
      );
    const quiet = this.options.wait(milliseconds).finally(() => {
      if (this.quiet === quiet) this.quiet = undefined;
    });
    this.quiet = quiet;
    await quiet;
  }

  /** After many failures: are these pages broken, or is the host down? */
  private async countFailure(words: string): Promise<void> {
    this.failures++;
    if (this.failures <= MOST_FAILURES) return;
    const reply = this.sound === undefined ? words : await this.askOnce(this.sound, undefined);
    if (typeof reply === "string" || reply.status >= 500)
      throw new Failure(`${this.address} does not answer any more: ${words}. ${RESUME}`);
    this.failures = 0;
  }
}

const HEADERS = {
  Accept: "application/json",
  "Accept-Encoding": "gzip",
  "User-Agent": "static-page-api-import",
};

/** Milliseconds that the host asks to wait: 429, or a time to come back. */
function waitOf(answer: Answer): number | undefined {
  const after = header(answer, "Retry-After");
  if (answer.status !== 429 && (answer.status !== 503 || after === undefined)) return undefined;
  const seconds = /^\d{1,9}$/.test(after ?? "")
    ? Number(after)
    : (Date.parse(after ?? "") - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 5000 : Math.max(FIRST_WAIT, seconds * 1000);
}

/** Why an answer cannot be used, where asking again may help. */
function faultOf(answer: Answer, hasTag: boolean): string | undefined {
  const { status } = answer;
  if (status >= 500) return `it answers ${status}`;
  if (status === 304 && hasTag) return undefined;
  if (status < 200 || (status > 200 && status < 400)) return `it answers ${status}`;
  if (status !== 200) return undefined;
  const body = decoded(answer);
  if (typeof body === "string") return body;
  if (body.length > MAX_BYTES) return `a body of more than ${MAX_BYTES / 2 ** 20} MiB`;
  if (objectIn(body) !== undefined) return undefined;
  return `it answers with ${beginning(body.toString("utf8", 0, 400))}, which is no JSON object, or one that is nested too deep`;
}

function objectIn(body: Buffer): JsonObject | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    const value: unknown = JSON.parse(body.toString());
    return isObject(value) && !isTooDeep(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function messageIn(answer: Answer): string {
  const body = decoded(answer);
  const { message, detail } = (typeof body === "string" ? undefined : objectIn(body)) ?? {};
  const words = message ?? detail;
  return typeof words === "string" ? shown(words, 200) : "";
}
