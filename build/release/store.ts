import { Failure } from "../base/failure.ts";
import { Damaged } from "../outputs/shards/format.ts";

/** A range of an object's bytes: `length` bytes from `start`, or the `last` bytes. */
export type Range = { start: number; length: number } | { last: number };

export interface FoundObject {
  bytes: Uint8Array;
  /** The offset of the bytes in the object. */
  start: number;
  size: number;
  etag: string;
  /** When it was uploaded, in milliseconds, if the store reports that. */
  put?: number | undefined;
}

export interface ObjectInfo {
  key: string;
  size: number;
  /** Milliseconds since its upload, by the store's own clock. */
  age: number;
}

/** The condition of an upload: the object still has this tag, or does not exist. */
export type Condition = { etag: string } | "absent";

export interface ReadableStore {
  /** @throws Unavailable */
  get: (key: string, range?: Range) => Promise<FoundObject | undefined>;
}

/** An object store with an S3 interface. Keys are below a prefix. */
export interface ObjectStore extends ReadableStore {
  head: (key: string) => Promise<ObjectInfo | undefined>;
  /** @throws Unavailable unless the object is stored. */
  put: (key: string, bytes: Uint8Array) => Promise<void>;
  /** Uploads the object if the condition is true. @returns whether it did. */
  putIf: (key: string, bytes: Uint8Array, condition: Condition) => Promise<boolean>;
  /** Whether the store refuses an upload if the condition is false. It tries with the object's own bytes. */
  keepsConditions: (key: string, bytes: Uint8Array) => Promise<boolean>;
  list: (prefix: string) => AsyncIterable<ObjectInfo>;
  remove: (key: string) => Promise<void>;
}

/** The store cannot be reached or does not respond usefully. */
export class Unavailable extends Failure {}

/** The store refuses, and would refuse the same request again: there is no such bucket, or no permission. */
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
