import { parseHeaders, type HeaderRule } from "../hosting/headers.ts";
import { readDatedRelease, readPointer } from "./current.ts";
import { currentAt, POINTER, releaseKey, type Pointer, type Release } from "./format.ts";
import { type Shard } from "../shards/format.ts";
import { Unavailable, type ReadableStore } from "./store.ts";
import { Troubles } from "./troubles.ts";
import { readDirectory, readShard } from "./read.ts";
import { DIRECTORY_BYTES, type Directory } from "../shards/unzip.ts";

export interface ReaderOptions {
  /** How many bytes of shards' directories are cached at most. */
  memory: number;
  /** Whether requests may wait for what another one reads: not in a Worker, where that ends with its own request. */
  isShared: boolean;
  /** Milliseconds of a clock that is never set. */
  now: () => number;
  /** The current time, by which the timeline is followed; the system's by default. */
  time?: () => number;
  /** Is given a line when the bucket or an object in it cannot be read, and when it can be read again. */
  report: (line: string) => void;
}

/** A release as it is cached in memory. */
export interface CachedRelease {
  name: string;
  release: Release;
  /** When it was put, in milliseconds, if the store says so. */
  put: number | undefined;
  rules: readonly HeaderRule[];
}

/** So old may be what is known of the pointer, and so old while another request asks for it. */
const FRESH_MS = 2000;
const STALE_MS = 4500;
/** However many requests find an object missing, the pointer is not asked for sooner than this. */
const MIN_MS = 250;

/** What a reader keeps in memory: one release, and directories of shards, of which the ones least used are dropped. */
export class Releases {
  readonly troubles: Troubles;
  private readonly store: ReadableStore;
  private readonly options: ReaderOptions;
  private cached: CachedRelease | undefined;
  private pointer: Pointer | undefined;
  /** When the pointer that led to it was asked for, and when it was last asked for at all. */
  private asked = -Infinity;
  private asking = -Infinity;
  private readonly pending = new Map<string, Promise<unknown>>();
  private readonly directories = new Map<string, Directory>();
  private entries = 0;

  constructor(store: ReadableStore, options: ReaderOptions) {
    this.store = store;
    this.options = options;
    this.troubles = new Troubles(options.report);
  }

  /** @throws Unavailable, Damaged */
  async current(): Promise<CachedRelease> {
    const now = this.options.now();
    if (this.pointer !== undefined) {
      const age = now - this.asked;
      if (isWithin(age, FRESH_MS) || (isWithin(age, STALE_MS) && isWithin(now - this.asking, FRESH_MS)))
        return this.releaseOf(this.pointer);
    }
    this.asking = now;
    return this.once("current", () => this.ask(now));
  }

  /** The release that the pointer leads to at this moment. */
  async latest(): Promise<CachedRelease> {
    const now = this.options.now();
    if (this.pointer !== undefined && isWithin(now - this.asked, MIN_MS)) return this.releaseOf(this.pointer);
    return this.once("current", () => this.ask(now));
  }

  private time(): number {
    return (this.options.time ?? Date.now)();
  }

  private async ask(now: number): Promise<CachedRelease> {
    const found = await readPointer(this.store);
    this.troubles.end(POINTER);
    if (found === undefined) throw new Unavailable("Nothing was ever published to this bucket.");
    const current = await this.load(currentAt(found.pointer, this.time()));
    this.troubles.end();
    // Another request, asking later, may have been answered sooner.
    if (now >= this.asked) [this.pointer, this.cached] = [found.pointer, current];
    this.asked = Math.max(now, this.asked);
    return current;
  }

  /** The current release of a pointer, which is another one once an instant of the timeline has passed. */
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
    this.troubles.end(releaseKey(name));
    return { name, release, put, rules: rulesOf(release.headers) };
  }

  /** The directory of a shard, as it was read. */
  async directory(shard: Shard): Promise<Directory> {
    const { key } = shard;
    const known = this.directories.get(key);
    if (known !== undefined) {
      // The one that was used last is dropped last.
      this.directories.delete(key);
      this.directories.set(key, known);
      return known;
    }
    return this.hold(key, await this.once(key, () => readDirectory(this.store, shard)));
  }

  /** The directory of a shard whose every byte has been read, so that a page that it lacks is not published. */
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

  /** Does what several requests need at the same time only once. */
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
const rulesOf = (text: string): HeaderRule[] => parseHeaders(text, "_headers").rules;

/** Not for a clock that was set back either. */
const isWithin = (age: number, limit: number): boolean => age >= 0 && age < limit;
