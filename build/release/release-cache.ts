import { Failure } from "../base/failure.ts";
import { HEADERS_NAME } from "../base/api.ts";
import { parseHeaders, type HeaderRule } from "../hosting/headers.ts";
import { readDatedRelease, readPointer } from "./current.ts";
import { currentAt, POINTER, releaseKey, type Pointer, type Release } from "./format.ts";
import { Damaged, type Shard } from "../outputs/shards/format.ts";
import { Unavailable, type ReadableStore } from "./store.ts";
import { readDirectory, readShard } from "./read.ts";
import { DIRECTORY_BYTES, type Directory } from "../outputs/shards/unzip.ts";

export interface ReaderOptions {
  /** Maximum bytes of cached directories of shards. */
  memory: number;
  /** Whether a request may wait for another's read: not in a Worker, where a read ends with its request. */
  isShared: boolean;
  /** Milliseconds of a monotonic clock, if there is one. */
  now: () => number;
  /** The current time, for the timeline; the system's by default. */
  time?: () => number;
  /** Called with a line when the bucket or an object cannot be read, and when it can be read again. */
  report: (line: string) => void;
}

export interface CachedRelease {
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
