import { Failure } from "../base/failure.ts";
import { HEADERS_NAME } from "../base/api.ts";
import { parseHeaders, type HeaderRule } from "../hosting/headers.ts";
import { readDatedRelease, readPointer } from "./current.ts";
import { currentAt, POINTER, releaseKey, type Pointer, type Release } from "./format.ts";
import { Damaged, type Shard } from "../shards/format.ts";
import { Unavailable, type ReadableStore } from "./store.ts";
import { readDirectory, readShard } from "./read.ts";
import { DIRECTORY_BYTES, type Directory } from "../shards/unzip.ts";

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
export class Releases {
  readonly failures: Failures;
  private readonly store: ReadableStore;
  private readonly options: ReaderOptions;
  private cached: CachedRelease | undefined;
  private pointer: Pointer | undefined;
  /** When the request for the cached pointer began, and when the latest request for a pointer began. */
  private request = -Infinity;
  private asking = -Infinity;
  private readonly pending = new Map<string, Promise<unknown>>();
  private readonly directories = new Map<string, Directory>();
  private entries = 0;

  constructor(store: ReadableStore, options: ReaderOptions) {
    this.store = store;
    this.options = options;
    this.failures = new Failures(options.report);
  }

  /** @throws Unavailable, Damaged */
  async current(): Promise<CachedRelease> {
    const now = this.options.now();
    if (this.pointer !== undefined) {
      const age = now - this.request;
      if (isWithin(age, FRESH_MS) || (isWithin(age, STALE_MS) && isWithin(now - this.asking, FRESH_MS)))
        return this.releaseOf(this.pointer);
    }
    this.asking = now;
    return this.once("current", () => this.ask(now));
  }

  /** The current release by a pointer that is at most `MIN_INTERVAL_MS` old. */
  async latest(): Promise<CachedRelease> {
    const now = this.options.now();
    if (this.pointer !== undefined && isWithin(now - this.request, MIN_INTERVAL_MS))
      return this.releaseOf(this.pointer);
    return this.once("current", () => this.ask(now));
  }

  private time(): number {
    return (this.options.time ?? Date.now)();
  }

  private async ask(now: number): Promise<CachedRelease> {
    const found = await readPointer(this.store);
    this.failures.end(POINTER);
    if (found === undefined) throw new Unavailable("Nothing was ever published to this bucket.");
    const current = await this.load(currentAt(found.pointer, this.time()));
    this.failures.end();
    // A request that began later may have finished before.
    if (now >= this.request) [this.pointer, this.cached] = [found.pointer, current];
    this.request = Math.max(now, this.request);
    return current;
  }

  private async releaseOf(pointer: Pointer): Promise<CachedRelease> {
    const name = currentAt(pointer, this.time());
    if (this.cached?.name === name) return this.cached;
    const current = await this.once(releaseKey(name), () => this.load(name));
    if (this.pointer === pointer) this.cached = current;
    return current;
  }

  private async load(name: string): Promise<CachedRelease> {
    if (this.cached?.name === name) return this.cached;
    const { release, put } = await readDatedRelease(this.store, name);
    this.failures.end(releaseKey(name));
    return { name, release, put, rules: rulesOf(release.headers) };
  }

  async directory(shard: Shard): Promise<Directory> {
    const { key } = shard;
    const known = this.directories.get(key);
    if (known !== undefined) {
      // Moves it to the end: the directory at the beginning is dropped first.
      this.directories.delete(key);
      this.directories.set(key, known);
      return known;
    }
    return this.hold(key, await this.once(key, () => readDirectory(this.store, shard)));
  }

  /** The directory after the hash of the whole shard was compared: a page that it lacks is not published. */
  async proven(shard: Shard): Promise<Directory> {
    const { key } = shard;
    return this.hold(key, await this.once(`whole ${key}`, () => readShard(this.store, shard)));
  }

  private hold(key: string, read: Directory): Directory {
    this.forget(key);
    this.directories.set(key, read);
    this.entries += read.ids.length;
    for (const [oldest] of this.directories) {
      if (this.entries * DIRECTORY_BYTES <= this.options.memory || oldest === key) break;
      this.forget(oldest);
    }
    return read;
  }

  forget(key: string): void {
    this.entries -= this.directories.get(key)?.ids.length ?? 0;
    this.directories.delete(key);
  }

  /** Shares work that several requests need at the same time. */
  private once<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (!this.options.isShared) return work();
    const known = this.pending.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const begun = work().finally(() => this.pending.delete(key));
    this.pending.set(key, begun);
    return begun;
  }
}

/** The build has checked the text. */
const rulesOf = (text: string): HeaderRule[] => parseHeaders(text, HEADERS_NAME).rules;

/** False also for a negative age, if the clock was set back. */
const isWithin = (age: number, limit: number): boolean => age >= 0 && age < limit;

/** Reports each failure to the operator when it begins and when it ends, not with every request. */
class Failures {
  private readonly report: (line: string) => void;
  /** Keys of damaged objects, and `STORE`. */
  private readonly known = new Set<string>();

  constructor(report: (line: string) => void) {
    this.report = report;
  }

  begin(cause: unknown): void {
    const about = cause instanceof Damaged ? cause.key : STORE;
    if (this.known.has(about)) return;
    if (this.known.size === MAX_FAILURES) this.known.clear();
    this.known.add(about);
    // Any other error is a mistake in the program, so its stack is reported.
    const { message, stack = message } = cause as Error;
    const status = cause instanceof Damaged ? 502 : 503;
    this.report(`${cause instanceof Failure ? message : stack} The affected requests get status ${status}.`);
  }

  /** @param about the key of an object that was read; by default the store as a whole. */
  end(about = STORE): void {
    if (!this.known.delete(about)) return;
    this.report(`${about === STORE ? "The bucket" : about} can be read again.`);
  }
}

const STORE = "";
/** Maximum number of failures that are remembered. */
const MAX_FAILURES = 1000;
