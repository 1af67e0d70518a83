import { Unavailable, type Condition, type ReadableStore, type ObjectStore } from "./format.ts";
import { Damaged } from "../outputs/shards/format.ts";

/** The used part of Cloudflare's binding of a bucket. */
export interface R2Bucket {
  get: (
    key: string,
    options?: { range: { suffix: number } | { offset: number; length: number } },
  ) => Promise<R2Body | null>;
  head: (key: string) => Promise<R2Object | null>;
  put: (key: string, value: Uint8Array, options?: { onlyIf: R2Condition }) => Promise<R2Object | null>;
  delete: (key: string) => Promise<void>;
  list: (options: {
    prefix: string;
    cursor?: string;
  }) => Promise<{ objects: R2Object[]; truncated: boolean; cursor?: string }>;
}

type R2Condition = { etagMatches: string } | { etagDoesNotMatch: string };

interface R2Object {
  key: string;
  size: number;
  etag: string;
  uploaded: Date;
}

interface R2Body extends R2Object {
  range?: { offset?: number; suffix?: number };
  arrayBuffer: () => Promise<ArrayBuffer>;
}

/** A bucket through the binding of a Worker. */
export const readR2 = (bucket: R2Bucket, prefix: string): ReadableStore => ({
  async get(key, range) {
    try {
      const found = await (range === undefined
        ? bucket.get(prefix + key)
        : bucket.get(prefix + key, {
            range: "last" in range ? { suffix: range.last } : { offset: range.start, length: range.length },
          }));
      if (found === null) return undefined;
      const bytes = new Uint8Array(await found.arrayBuffer());
      const isTail = range !== undefined && "last" in range;
      const start = range === undefined ? 0 : isTail ? found.size - bytes.length : range.start;
      return { bytes, start, size: found.size, etag: found.etag, put: found.uploaded.getTime() };
    } catch (cause) {
      if ((cause as Error).message.includes(NOT_SATISFIABLE)) throw new Damaged(key, "it is too short");
      throw new Unavailable(`The bucket cannot be read: ${(cause as Error).message}`);
    }
  },
});

/** Wrangler's local bucket, with all operations. Its clock is the clock of this machine. */
export const openR2 = (bucket: R2Bucket, prefix: string): ObjectStore => ({
  ...readR2(bucket, prefix),
  async head(key) {
    const found = await bucket.head(prefix + key);
    return found === null ? undefined : { key, size: found.size, age: ageOf(found) };
  },
  async put(key, bytes) {
    await bucket.put(prefix + key, copyOf(bytes));
  },
  async putIf(key, bytes, condition) {
    return (await bucket.put(prefix + key, copyOf(bytes), { onlyIf: conditionOf(condition) })) !== null;
  },
  keepsConditions: () => Promise.resolve(true),
  async *list(below) {
    let cursor: string | undefined;
    do {
      const listed = await bucket.list({
        prefix: prefix + below,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const one of listed.objects)
        yield { key: one.key.slice(prefix.length), size: one.size, age: ageOf(one) };
      cursor = listed.truncated ? listed.cursor : undefined;
    } while (cursor !== undefined);
  },
  remove: (key) => bucket.delete(prefix + key),
});

/** R2's code for a range that the object does not have. */
const NOT_SATISFIABLE = "(10039)";

/** A copy, because the local bucket would store the whole memory block of which a Buffer is a part. */
const copyOf = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);

const conditionOf = (condition: Condition): R2Condition =>
  condition === "absent" ? { etagDoesNotMatch: "*" } : { etagMatches: condition.etag };

const ageOf = ({ uploaded }: R2Object): number => Date.now() - uploaded.getTime();
