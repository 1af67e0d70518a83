import { METHOD_NOT_ALLOWED, NOT_FOUND } from "../hosting/errors.ts";
import { API, originForm, PAGE_ID } from "../hosting/paths.ts";
import { acceptsGzip, gzipOf } from "./gzip.ts";
import { contentType, headersFor, type HeaderRules } from "./headers.ts";
import { Releases, type Held, type ReaderOptions } from "./held.ts";
import { fileKey, sha256, shardAt } from "./format.ts";
import { Damaged, Missing, Refused, type ReadableStore } from "./store.ts";
import { indexOf, readPage } from "./unzip.ts";

/** A request; its target is as it was sent, with or without the host (RFC 9112, section 3.2). */
export interface Asked {
  method: string;
  target: string;
  /** The value of a header. */
  header: (name: string) => string | undefined;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Left out where there is none, and for HEAD by who sends it. */
  body?: Uint8Array | string;
}

const PAGE = new RegExp(`^${API}(${PAGE_ID})(/?)$`);

/** For the root of the host; for serve and Cloudflare the output has other files that are no addresses. */
const HOME = "index.html";

/**
 * Answers as every host must (DESIGN, section 5), out of the release that is current: each answer of one release alone. It
 * knows neither Node's server nor a Worker's: what it is given and what it answers are data.
 */
export class Reader {
  private readonly store: ReadableStore;
  private readonly releases: Releases;

  constructor(store: ReadableStore, options: ReaderOptions) {
    this.store = store;
    this.releases = new Releases(store, options);
  }

  /**
   * Reads the current release before the first request.
   *
   * @throws Refused if the store will answer no request. Other troubles are reported, and may pass.
   */
  async open(): Promise<void> {
    try {
      await this.releases.current();
    } catch (cause) {
      if (cause instanceof Refused) throw cause;
      this.releases.troubles.begin(cause);
    }
  }

  async answer(request: Asked): Promise<Answer> {
    const asked = { ...request, target: originForm(request.target) };
    let rules: HeaderRules = [];
    try {
      const held = await this.releases.current();
      rules = held.rules;
      return await this.answerFrom(held, asked).catch(async (cause: unknown) => {
        if (!(cause instanceof Damaged)) throw cause;
        // The shard may have been put again meanwhile, packed otherwise, or pruned with a release that is no longer current.
        const now = cause instanceof Missing ? await this.releases.latest() : held;
        this.releases.forget(cause.key);
        return this.answerFrom(now, asked);
      });
    } catch (cause) {
      this.releases.troubles.begin(cause);
      const path = pathOf(asked.target);
      return cause instanceof Damaged ? damaged(path, rules) : unavailable(path, rules);
    }
  }

  private async answerFrom(held: Held, asked: Asked): Promise<Answer> {
    // As it was sent: nothing that is encoded is an address of ours, so no spelling leads elsewhere.
    const path = pathOf(asked.target);
    const headers = headersFor(path, held.rules);
    if (!path.startsWith(API)) return this.file(held, path, headers, asked);
    if (asked.method === "OPTIONS") return { status: 204, headers };
    if (!isRead(asked)) return { status: 405, headers, body: METHOD_NOT_ALLOWED };
    const [, id, slash] = PAGE.exec(path) ?? [];
    if (id === undefined) return missing(headers);
    if (slash === "")
      return {
        status: 301,
        headers: { ...headers, Location: `${path}/${asked.target.slice(path.length)}` },
      };
    return this.page(held, Number(id), headers, asked);
  }

  private async page(
    { release }: Held,
    id: number,
    headers: Record<string, string>,
    asked: Asked,
  ): Promise<Answer> {
    const shard = Number.isSafeInteger(id) ? shardAt(release, id % release.shards.length) : undefined;
    if (shard === undefined) return missing(headers);
    let directory = await this.releases.directory(shard);
    // Damage may have turned the id into another one: no page is missing by the word of a directory alone.
    if (indexOf(directory, id) === -1 && !directory.isProven) directory = await this.releases.proven(shard);
    const index = indexOf(directory, id);
    const page = index === -1 ? undefined : await readPage(this.store, shard.key, directory, index);
    this.releases.troubles.end(shard.key);
    if (page === undefined) return missing(headers);
    const varied = { ...headers, Vary: withEncoding(headers["Vary"]) };
    if (!acceptsGzip(asked.header("accept-encoding")))
      return { status: 200, headers: varied, body: page.bytes };
    return { status: 200, headers: { ...varied, "Content-Encoding": "gzip" }, body: gzipOf(page) };
  }

  private async file(
    { release: { files } }: Held,
    path: string,
    headers: Record<string, string>,
    asked: Asked,
  ): Promise<Answer> {
    const name = path === "/" ? HOME : path.slice(1);
    const named = Object.hasOwn(files, name) && !name.endsWith("404.html") ? files[name] : undefined;
    if (named === undefined) return missing(headers);
    const own = {
      "Content-Type": contentType(name),
      "Cache-Control": "public, max-age=0, must-revalidate",
      "X-Content-Type-Options": "nosniff",
      ETag: `"${named[0]}"`,
      ...headers,
    };
    const allow = { Allow: "GET, HEAD, OPTIONS" };
    if (asked.method === "OPTIONS") return { status: 204, headers: { ...own, ...allow } };
    if (!isRead(asked)) return { status: 405, headers: { ...own, ...allow } };
    if (isKnown(asked.header("if-none-match"), own.ETag)) return { status: 304, headers: own };
    const key = fileKey(named[0]);
    const found = await this.store.get(key);
    if (found === undefined) throw new Missing(key);
    if (sha256(found.bytes) !== named[0]) throw new Damaged(key, "its hash is another");
    this.releases.troubles.end(key);
    return { status: 200, headers: own, body: found.bytes };
  }
}

const pathOf = (target: string): string => target.split("?", 1)[0] ?? "";

const isRead = ({ method }: Asked): boolean => method === "GET" || method === "HEAD";

const missing = (headers: Record<string, string>): Answer => ({
  status: 404,
  headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  body: NOT_FOUND,
});

const failed = (path: string, rules: HeaderRules, message: string): Omit<Answer, "status"> => ({
  headers: { "Cache-Control": "no-store", ...headersFor(path, rules), "Content-Type": "application/json" },
  body: JSON.stringify({ message }),
});

const damaged = (path: string, rules: HeaderRules): Answer => ({
  status: 502,
  ...failed(path, rules, "What is stored for this address is damaged."),
});

const RETRY_AFTER = "5";

function unavailable(path: string, rules: HeaderRules): Answer {
  const { headers, body } = failed(path, rules, "The pages cannot be read at the moment.");
  return { status: 503, headers: { ...headers, "Retry-After": RETRY_AFTER }, ...(body && { body }) };
}

const withEncoding = (vary: string | undefined): string =>
  vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`;

/** Whether one of the tags that a client has is this one; weak ones count too. */
const isKnown = (has: string | undefined, tag: string): boolean =>
  has !== undefined &&
  has.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag);
