import { PAGES, shardPath, HEADERS_NAME, BULK_INDEX, BULK_SHARDS } from "../base/api.ts";
import { childrenPath, parentInPath } from "../base/website.ts";
import { Damaged, sha256, shardAt, type Shard, type Shards, printIndex } from "../outputs/shards/format.ts";
import {
  bufferOf,
  openPage,
  openShard,
  parseDirectory,
  readEnd,
  type Directory,
  type UnzippedPage,
  DIRECTORY_BYTES,
  gzipOf,
} from "../outputs/shards/unzip.ts";
import type { PageBytes } from "../outputs/shards/zip.ts";
import {
  fileKey,
  type Release,
  Missing,
  type ReadableStore,
  readDatedRelease,
  readObject,
  readPointer,
  currentAt,
  POINTER,
  releaseKey,
  type Pointer,
  Unavailable,
  Refused,
} from "./format.ts";
import { Failure } from "../base/failure.ts";
import { parseHeaders, type HeaderRule } from "../hosting/headers.ts";
import { indexIn } from "../base/columns.ts";
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

/** Bytes at the end of a shard that are read first: the whole directory, if the shard has the usual size. */
const TAIL_BYTES = 16_384;

/** Reads a directory, with one read of the store; with two if the shard has very many pages. */
export async function readDirectory(store: ReadableStore, shard: Shard): Promise<Directory> {
  const { key } = shard;
  const tail = await readObject(store, key, { last: TAIL_BYTES });
  const bytes = bufferOf(tail.bytes);
  if (tail.start + bytes.length !== tail.size) throw new Damaged(key, "it changed while it was read");
  const end = readEnd(key, bytes, tail.size);
  const length = tail.start - end.start;
  if (length <= 0) return parseDirectory(shard, bytes.subarray(-length), end);
  const rest = await store.get(key, { start: end.start, length });
  if (rest?.bytes.length !== length) throw new Damaged(key, "it changed while it was read");
  return parseDirectory(shard, Buffer.concat([rest.bytes, bytes]), end);
}

/**
 * Reads a whole shard, with one read of the store, and compares its hash.
 *
 * @param use gets each page before the hash has been compared.
 * @throws Damaged
 */
export const readShard = async (
  store: ReadableStore,
  shard: Shard,
  use?: (page: PageBytes) => void,
): Promise<Directory> => openShard((await readObject(store, shard.key)).bytes, shard, use);

/** A file of a release, with one read of the store. @throws Damaged */
async function readFile(store: ReadableStore, name: string): Promise<Uint8Array> {
  const key = fileKey(name);
  const { bytes } = await readObject(store, key);
  if (sha256(bytes) !== name) throw new Damaged(key, "its hash does not match");
  return bytes;
}

/** Reads one page, with one read of the store. @throws Damaged if the page does not match the directory. */
export async function readPage(
  store: ReadableStore,
  key: string,
  directory: Directory,
  index: number,
): Promise<UnzippedPage> {
  const start = directory.starts[index] ?? 0;
  const length = (directory.starts[index + 1] ?? 0) - start;
  const { bytes } = await readObject(store, key, { start, length });
  return openPage(key, directory, index, bufferOf(bytes));
}

export interface ReleasePart {
  key: string;
  /** Compares the object's hash, after `use` got each output file in the object. @throws Damaged */
  read: (store: ReadableStore, use?: (path: string, bytes: Uint8Array) => void) => Promise<void>;
}

export function partsOf(release: Release): ReleasePart[] {
  const parts: ReleasePart[] = [];
  const addShards = (shards: Shards, pathOf: (id: number) => string, isBulk = false): void => {
    for (const remainder of shards.keys()) {
      const shard = shardAt({ shards }, remainder);
      if (shard === undefined) continue;
      parts.push({
        key: shard.key,
        read: async (store, use) => {
          const { bytes: zip } = await readObject(store, shard.key);
          openShard(zip, shard, ({ id, bytes }) => use?.(pathOf(id), bytes));
          if (isBulk) use?.(shardPath(shard.name), zip);
        },
      });
    }
  };
  addShards(release.shards, (id) => `${PAGES}/${id}/index.json`, release.bulk);
  addShards(release.index ?? [], childrenPath);
  for (const [path, [name]] of Object.entries(release.files))
    parts.push({
      key: fileKey(name),
      read: async (store, use) => {
        const bytes = await readFile(store, name);
        use?.(path, bytes);
      },
    });
  return parts;
}

export interface ReaderOptions {
  /** Maximum bytes of cached directories of shards. */
  memory: number;
  /** Whether a request may wait for another's read: not in a Worker, where a read ends with its request. */
  isShared: boolean;
  /** Maximum number of reads for a list. */
  maxReads?: number;
  /** Milliseconds of a monotonic clock, if there is one. */
  now: () => number;
  /** The current time, for the timeline; the system's by default. */
  time?: () => number;
  /** Called with a line when the bucket or an object cannot be read, and when it can be read again. */
  report: (line: string) => void;
}

interface CachedRelease {
  name: string;
  release: Release;
  /** When it was uploaded, in milliseconds, if the store reports that. */
  put: number | undefined;
  rules: readonly HeaderRule[];
}

/** Maximum milliseconds since the last read of the pointer. */
const FRESH_MS = 2000;
/** Maximum milliseconds since that read, while another request is reading the pointer again. */
const STALE_MS = 4500;
/** Minimum milliseconds between two reads of the pointer, however many requests find an object missing. */
const MIN_INTERVAL_MS = 250;

/** The memory of a bucket server: one release, and the most recently used directories of shards. */
export function openReleases(store: ReadableStore, options: ReaderOptions) {
  const { memory, isShared, now: clock, time = Date.now } = options;
  const failures = openFailures(options.report);
  let cached: CachedRelease | undefined;
  let pointer: Pointer | undefined;
  /** When the request for the cached pointer began, and when the latest request for a pointer began. */
  let [request, asking] = [-Infinity, -Infinity];
  const pending = new Map<string, Promise<unknown>>();
  const directories = new Map<string, Directory>();
  let entries = 0;

  /** Shares work that several requests need at the same time. */
  function once<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (!isShared) return work();
    const known = pending.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const begun = work().finally(() => pending.delete(key));
    pending.set(key, begun);
    return begun;
  }

  async function load(name: string): Promise<CachedRelease> {
    if (cached?.name === name) return cached;
    const { release, put } = await readDatedRelease(store, name);
    failures.end(releaseKey(name));
    return { name, release, put, rules: rulesOf(release.headers) };
  }

  async function releaseOf(of: Pointer): Promise<CachedRelease> {
    const name = currentAt(of, time());
    if (cached?.name === name) return cached;
    const current = await once(releaseKey(name), () => load(name));
    if (pointer === of) cached = current;
    return current;
  }

  async function ask(now: number): Promise<CachedRelease> {
    const found = await readPointer(store);
    failures.end(POINTER);
    if (found === undefined) throw new Unavailable("Nothing was ever published to this bucket.");
    const current = await load(currentAt(found.pointer, time()));
    failures.end();
    // A request that began later may have finished before.
    if (now >= request) [pointer, cached] = [found.pointer, current];
    request = Math.max(now, request);
    return current;
  }

  function forget(key: string): void {
    entries -= directories.get(key)?.ids.length ?? 0;
    directories.delete(key);
  }

  function hold(key: string, read: Directory): Directory {
    forget(key);
    directories.set(key, read);
    entries += read.ids.length;
    for (const [oldest] of directories) {
      if (entries * DIRECTORY_BYTES <= memory || oldest === key) break;
      forget(oldest);
    }
    return read;
  }

  return {
    failures,
    forget,
    hold,
    isHeld: (shard: Shard): boolean => directories.has(shard.key),
    /** @throws Unavailable, Damaged */
    async current(): Promise<CachedRelease> {
      const now = clock();
      if (pointer !== undefined) {
        const age = now - request;
        if (isWithin(age, FRESH_MS) || (isWithin(age, STALE_MS) && isWithin(now - asking, FRESH_MS)))
          return releaseOf(pointer);
      }
      asking = now;
      return once("current", () => ask(now));
    },
    /** The current release by a pointer that is at most `MIN_INTERVAL_MS` old. */
    async latest(): Promise<CachedRelease> {
      const now = clock();
      if (pointer !== undefined && isWithin(now - request, MIN_INTERVAL_MS)) return releaseOf(pointer);
      return once("current", () => ask(now));
    },
    async directory(shard: Shard): Promise<Directory> {
      const { key } = shard;
      const known = directories.get(key);
      if (known === undefined) return hold(key, await once(key, () => readDirectory(store, shard)));
      // Moves it to the end: the directory at the beginning is dropped first.
      directories.delete(key);
      directories.set(key, known);
      return known;
    },
    /** The directory after the hash of the whole shard was compared: a page that it lacks is not published. */
    async proven(shard: Shard): Promise<Directory> {
      return hold(shard.key, await once(`whole ${shard.key}`, () => readShard(store, shard)));
    },
  };
}

/** The build has checked the text. */
const rulesOf = (text: string): HeaderRule[] => parseHeaders(text, HEADERS_NAME).rules;

/** False also for a negative age, if the clock was set back. */
const isWithin = (age: number, limit: number): boolean => age >= 0 && age < limit;

/** Reports each failure to the operator when it begins and when it ends, not with every request. */
function openFailures(report: (line: string) => void) {
  /** Keys of damaged objects, and `STORE`. */
  const known = new Set<string>();
  return {
    begin(cause: unknown): void {
      const about = cause instanceof Damaged ? cause.key : STORE;
      if (known.has(about)) return;
      if (known.size === MAX_FAILURES) known.clear();
      known.add(about);
      // Any other error is a mistake in the program, so its stack is reported.
      const { message, stack = message } = cause as Error;
      const status = cause instanceof Damaged ? 502 : 503;
      report(`${cause instanceof Failure ? message : stack} The affected requests get status ${status}.`);
    },
    /** @param about the key of an object that was read; by default the store as a whole. */
    end(about = STORE): void {
      if (known.delete(about)) report(`${about === STORE ? "The bucket" : about} can be read again.`);
    },
  };
}

const STORE = "";
/** Maximum number of failures that are remembered. */
const MAX_FAILURES = 1000;

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
          const found = (await pageOfShard(cached, id)) ?? (await pageAt(cached, id));
          return found && Buffer.from(found.bytes).toString();
        },
        ...(options.maxReads !== undefined && { maxReads: options.maxReads }),
      },
    });
  }

  /** A page, or a file of the pages below one, which is in a shard. */
  async function inShard(shards: Shards, id: number) {
    const shard = Number.isSafeInteger(id) ? shardAt({ shards }, id % shards.length) : undefined;
    if (shard === undefined) return undefined;
    let directory = await releases.directory(shard);
    // Damage may have changed the id in the directory, so a 404 needs a proven directory.
    if (indexIn(directory.ids, id) === -1 && !directory.isProven) directory = await releases.proven(shard);
    const index = indexIn(directory.ids, id);
    if (index === -1) {
      releases.failures.end(shard.key);
      return undefined;
    }
    const read = (): Promise<UnzippedPage> =>
      readable(shard.key, readPage(store, shard.key, directory, index));
    return { tag: `${shard.name}-${id}`, read };
  }

  const pageAt = async ({ release: { shards } }: CachedRelease, id: number) =>
    (await inShard(shards, id))?.read();

  /** A page of a list, with one read: of its whole shard. Undefined if its directory is known, or lacks the page. */
  async function pageOfShard({ release }: CachedRelease, id: number) {
    const shard = shardAt(release, id % release.shards.length);
    if (shard === undefined || releases.isHeld(shard)) return undefined;
    const bytes = bufferOf((await readObject(store, shard.key)).bytes);
    const end = readEnd(shard.key, bytes, bytes.length);
    const directory = releases.hold(shard.key, parseDirectory(shard, bytes.subarray(end.start), end));
    const index = indexIn(directory.ids, id);
    if (index === -1) return undefined;
    const entry = bytes.subarray(directory.starts[index], directory.starts[index + 1]);
    const page = openPage(shard.key, directory, index, entry);
    releases.failures.end(shard.key);
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
    const found = id === undefined ? undefined : await inShard(index, id);
    return found && { tag: found.tag, read: async () => (await found.read()).bytes };
  }

  function published({ release: { files } }: CachedRelease, path: string): PublishedFile | undefined {
    const name = path === "/" ? HOME : (fileOfPath(path) ?? "");
    const named = Object.hasOwn(files, name) && !name.endsWith("404.html") ? files[name] : undefined;
    if (named === undefined) return undefined;
    const [tag] = named;
    return { tag, read: () => readable(fileKey(tag), readFile(store, tag)) };
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
    const read = async (): Promise<Uint8Array> => {
      const { bytes } = await readObject(store, shard.key);
      openShard(bytes, shard);
      return bytes;
    };
    return { tag, read: () => readable(shard.key, read()) };
  }

  /** The result of reading an object, which ends its failure. */
  async function readable<T>(key: string, reading: Promise<T>): Promise<T> {
    const found = await reading;
    releases.failures.end(key);
    return found;
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
