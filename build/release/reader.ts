import { BULK_INDEX, BULK_SHARDS } from "../base/api.ts";
import { indexIn } from "../base/columns.ts";
import type { HeaderRule } from "../hosting/headers.ts";
import { originForm, pathIn } from "../hosting/paths.ts";
import {
  contentType,
  errorHeaders,
  fileOfPath,
  headersFor,
  isRead,
  respond,
  type HostResponse,
} from "../hosting/responder.ts";
import { openReleases, type CachedRelease, type ReaderOptions } from "./release-cache.ts";
import { fileKey } from "./format.ts";
import { Missing, Refused, type ReadableStore } from "./store.ts";
import { parentInPath } from "../base/website.ts";
import { Damaged, printIndex, sha256, shardAt, type Shards } from "../outputs/shards/format.ts";
import { readPage } from "./read.ts";
import { gzipOf, openShard } from "../outputs/shards/unzip.ts";

/** A request. Its target is unchanged, with or without the host (RFC 9112, section 3.2). */
export interface BucketRequest {
  method: string;
  target: string;
  header: (name: string) => string | undefined;
}

const HOME = "index.html";

/**
 * Responds to requests from the current release; each response comes from one release only. Requests and
 * responses are plain data, so that both Node's server and a Worker can use it.
 */
export function openReader(store: ReadableStore, options: ReaderOptions) {
  const releases = openReleases(store, options);

  /**
   * Reads the current release before the first request. Failures that may end are only reported.
   * @throws Refused if the store would refuse every request.
   */
  async function open(): Promise<void> {
    try {
      await releases.current();
    } catch (cause) {
      if (cause instanceof Refused) throw cause;
      releases.failures.begin(cause);
    }
  }

  async function respondTo(received: BucketRequest): Promise<HostResponse> {
    const request = { ...received, target: originForm(received.target) };
    let rules: readonly HeaderRule[] = [];
    try {
      const cached = await releases.current();
      rules = cached.rules;
      return await respondFrom(cached, request).catch(async (cause: unknown) => {
        if (!(cause instanceof Damaged)) throw cause;
        // The shard may have been uploaded again with other compression, or pruned with an old release.
        const now = cause instanceof Missing ? await releases.latest() : cached;
        releases.forget(cause.key);
        return respondFrom(now, request);
      });
    } catch (cause) {
      releases.failures.begin(cause);
      return failed(cause instanceof Damaged, pathIn(request.target), rules);
    }
  }

  function respondFrom(cached: CachedRelease, request: BucketRequest): Promise<HostResponse> {
    return respond(request, cached.rules, {
      page: (id, headers) => respondPage(cached, Number(id), headers, request),
      file: (path, headers) => respondFile(cached, path, headers, request),
      index: {
        read: async (path) => {
          const found = await (await fileAt(cached, `/${path}`))?.read();
          return found && Buffer.from(found).toString();
        },
        page: async (id) => {
          const found = await pageAt(cached, id);
          return found && Buffer.from(found.bytes).toString();
        },
      },
    });
  }

  async function find(shards: Shards, id: number) {
    const shard = Number.isSafeInteger(id) ? shardAt({ shards }, id % shards.length) : undefined;
    if (shard === undefined) return undefined;
    let directory = await releases.directory(shard);
    // Damage may have changed the id in the directory, so a 404 needs a proven directory.
    if (indexIn(directory.ids, id) === -1 && !directory.isProven) directory = await releases.proven(shard);
    const index = indexIn(directory.ids, id);
    if (index !== -1) return { key: shard.key, directory, index };
    releases.failures.end(shard.key);
    return undefined;
  }

  async function pageAt({ release: { shards } }: CachedRelease, id: number) {
    const found = await find(shards, id);
    if (found === undefined) return undefined;
    const page = await readPage(store, found.key, found.directory, found.index);
    releases.failures.end(found.key);
    return page;
  }

  async function respondPage(
    cached: CachedRelease,
    id: number,
    headers: Record<string, string>,
    request: BucketRequest,
  ): Promise<HostResponse | undefined> {
    const page = await pageAt(cached, id);
    if (page === undefined) return undefined;
    const varied = { ...headers, Vary: withEncoding(headers["Vary"]) };
    if (!acceptsGzip(request.header("accept-encoding")))
      return { status: 200, headers: varied, body: page.bytes };
    return { status: 200, headers: { ...varied, "Content-Encoding": "gzip" }, body: gzipOf(page) };
  }

  async function respondFile(
    cached: CachedRelease,
    path: string,
    headers: Record<string, string>,
    request: BucketRequest,
  ): Promise<HostResponse | undefined> {
    const found = await fileAt(cached, path);
    if (found === undefined) return undefined;
    const own = {
      "Content-Type": contentType(path === "/" ? HOME : path),
      "Cache-Control": "public, max-age=0, must-revalidate",
      "X-Content-Type-Options": "nosniff",
      ETag: `"${found.tag}"`,
      ...(found.put === undefined ? {} : { "Last-Modified": new Date(found.put).toUTCString() }),
      ...headers,
    };
    const allow = { Allow: "GET, HEAD, OPTIONS" };
    if (request.method === "OPTIONS") return { status: 204, headers: { ...own, ...allow } };
    if (!isRead(request.method)) return { status: 405, headers: { ...own, ...allow } };
    if (isKnown(request.header("if-none-match"), own.ETag)) return { status: 304, headers: own };
    return { status: 200, headers: own, body: await found.read() };
  }

  const fileAt = async (cached: CachedRelease, path: string): Promise<PublishedFile | undefined> =>
    published(cached, path) ?? bulk(cached, path) ?? (await subpages(cached, path));

  /** A file of the pages below a page, which is in a shard. */
  async function subpages(
    { release: { index = [] } }: CachedRelease,
    path: string,
  ): Promise<PublishedFile | undefined> {
    const id = parentInPath(path.slice(1));
    const found = id === undefined ? undefined : await find(index, id);
    if (found === undefined) return undefined;
    const { key, directory } = found;
    const read = async (): Promise<Uint8Array> => {
      const { bytes } = await readPage(store, key, directory, found.index);
      releases.failures.end(key);
      return bytes;
    };
    return { tag: `${key.replace(/^.*\/|\.zip$/g, "")}-${id}`, read };
  }

  function published({ release: { files } }: CachedRelease, path: string): PublishedFile | undefined {
    const name = path === "/" ? HOME : (fileOfPath(path) ?? "");
    const named = Object.hasOwn(files, name) && !name.endsWith("404.html") ? files[name] : undefined;
    if (named === undefined) return undefined;
    const [tag] = named;
    const read = (bytes: Uint8Array): void => {
      if (sha256(bytes) !== tag) throw new Damaged(fileKey(tag), "its hash does not match");
    };
    return { tag, read: () => readWhole(fileKey(tag), read) };
  }

  /** A file of the bulk download: its index, or one of the release's own shards. */
  function bulk({ name, release, put }: CachedRelease, path: string): PublishedFile | undefined {
    if (release.bulk !== true) return undefined;
    if (path === `/${BULK_INDEX}`)
      return { tag: name, put, read: () => Promise.resolve(printIndex(release)) };
    const tag = path.startsWith(`/${BULK_SHARDS}/`)
      ? /^[\da-f]{64}(?=\.zip$)/.exec(path.slice(BULK_SHARDS.length + 2))?.[0]
      : undefined;
    const remainder = tag === undefined ? -1 : release.shards.findIndex((named) => named?.[0] === tag);
    const shard = shardAt(release, remainder);
    if (tag === undefined || shard === undefined) return undefined;
    return { tag, read: () => readWhole(shard.key, (bytes) => void openShard(bytes, shard)) };
  }

  /** @param verify compares the object's hash. */
  async function readWhole(key: string, verify: (bytes: Uint8Array) => void): Promise<Uint8Array> {
    const found = await store.get(key);
    if (found === undefined) throw new Missing(key);
    verify(found.bytes);
    releases.failures.end(key);
    return found.bytes;
  }

  return { open, respond: respondTo };
}

export type BucketReader = ReturnType<typeof openReader>;

interface PublishedFile {
  /** A hash of the content. */
  tag: string;
  /** When it was published, in milliseconds. */
  put?: number | undefined;
  read: () => Promise<Uint8Array>;
}

const DAMAGED = JSON.stringify({ message: "The object for this address is damaged." });
const UNAVAILABLE = JSON.stringify({ message: "The pages cannot be read at the moment." });

function failed(isDamaged: boolean, path: string, rules: readonly HeaderRule[]): HostResponse {
  const headers = errorHeaders(path, headersFor(path, rules));
  return isDamaged
    ? { status: 502, headers, body: DAMAGED }
    : { status: 503, headers: { ...headers, "Retry-After": "5" }, body: UNAVAILABLE };
}

const withEncoding = (vary: string | undefined): string =>
  vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`;

/** Whether `If-None-Match` contains the tag; weak tags count too. */
const isKnown = (has: string | undefined, tag: string): boolean =>
  has !== undefined &&
  has.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag);

/** Whether gzip is named and not refused. `*` does not count: all clients understand plain responses. */
const acceptsGzip = (accepted: string | undefined): boolean =>
  accepted !== undefined &&
  accepted.split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
    return name === "gzip" && !parameters.some((word) => /^q=0(?:\.0*)?$/.test(word));
  });
