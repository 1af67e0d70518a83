import { Failure } from "../base/failure.ts";

/** Where releases lie: what an object store with an S3 interface gives, by keys below a prefix. */

/** Some of an object's bytes: from a place on, or the last of it. */
export type Range = { start: number; length: number } | { last: number };

export interface Found {
  bytes: Uint8Array;
  /** Where the bytes begin in the object. */
  start: number;
  /** Of the whole object. */
  size: number;
  etag: string;
}

export interface Seen {
  key: string;
  size: number;
  /** Milliseconds since it was put, by the store's own clock. */
  age: number;
}

/** A put that only counts where the object is still the one with this tag, or is not there. */
export type Condition = { etag: string } | "absent";

export interface ReadableStore {
  /** @throws Unavailable */
  get: (key: string, range?: Range) => Promise<Found | undefined>;
}

export interface Store extends ReadableStore {
  see: (key: string) => Promise<Seen | undefined>;
  /** Gives whether it was put: a condition may not hold. */
  put: (key: string, bytes: Uint8Array, condition?: Condition) => Promise<boolean>;
  list: (prefix: string) => AsyncIterable<Seen>;
  remove: (key: string) => Promise<void>;
}

/** The store does not answer, refuses, or has no such bucket. */
export class Unavailable extends Failure {}

/** An object is missing, or does not hold what its name says. */
export class Damaged extends Failure {
  readonly key: string;
  constructor(key: string, reason: string) {
    super(`${key}: ${reason}.`);
    this.key = key;
  }
}

export class Missing extends Damaged {
  constructor(key: string) {
    super(key, "there is no such object in the bucket");
  }
}
