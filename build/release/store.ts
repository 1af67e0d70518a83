import { Failure } from "../base/failure.ts";
import { Damaged } from "../shards/format.ts";

/** Where releases lie: what an object store with an S3 interface gives, by keys below a prefix. */

/** Some of an object's bytes: from a place on, or the last of it. */
export type Range = { start: number; length: number } | { last: number };

export interface FoundObject {
  bytes: Uint8Array;
  /** Where the bytes begin in the object. */
  start: number;
  /** Of the whole object. */
  size: number;
  etag: string;
  /** When it was put, in milliseconds, if the store says so. */
  put?: number | undefined;
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
  get: (key: string, range?: Range) => Promise<FoundObject | undefined>;
}

export interface ObjectStore extends ReadableStore {
  see: (key: string) => Promise<Seen | undefined>;
  /** @throws Unavailable unless the object is stored. */
  put: (key: string, bytes: Uint8Array) => Promise<void>;
  /** Gives whether the object was put, which depends on the condition. */
  putIf: (key: string, bytes: Uint8Array, condition: Condition) => Promise<boolean>;
  /** Whether the store refuses a put whose condition is false. It is tried with the bytes that the object already has. */
  keepsConditions: (key: string, bytes: Uint8Array) => Promise<boolean>;
  list: (prefix: string) => AsyncIterable<Seen>;
  remove: (key: string) => Promise<void>;
}

/** The store does not answer, refuses, or has no such bucket. */
export class Unavailable extends Failure {}

/** The store has answered, and another request would be answered alike: no such bucket, no permission. */
export class Refused extends Unavailable {}

export class Missing extends Damaged {
  constructor(key: string) {
    super(key, "there is no such object in the bucket");
  }
}

export class NewerFormat extends Damaged {
  constructor(key: string) {
    super(
      key,
      "it has the format of a newer version of this program. Use that version; if the object is damaged, publish with npm run deploy -- --bucket … --full",
    );
  }
}
