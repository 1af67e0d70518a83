import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BucketReader, readDirectory, readShard } from "../../build/release/reader.ts";
import { Damaged, type Shard } from "../../build/outputs/shards/format.ts";
import { nameOf, zip, type PageBytes } from "../../build/outputs/shards/zip.ts";
import { scratch } from "../scratch.ts";
import { bucketOf, pageOf, published, type MemoryBucket } from "./memory.ts";
import { reader, requestFor } from "./site.ts";

describe("a shard", () => {
  const pages = [1, 5, 9_007_199_254_740_991].map((id) => ({
    id,
    bytes: Buffer.from(JSON.stringify({ id, text: "é".repeat(id % 700) })),
  }));
  const shard = {
    key: "a",
    name: nameOf(pages),
    bytes: pages.reduce((sum, { bytes }) => sum + bytes.length, 0),
    remainder: 0,
    count: 1,
  };
  async function pagesIn(bytes: Buffer): Promise<PageBytes[]> {
    const found: PageBytes[] = [];
    await readShard(bucketOf([["a", bytes]]), shard, (page) => found.push(page));
    return found;
  }

  it("is the same file each time, named for its pages", async () => {
    const bytes = zip(pages);
    expect(zip(pages)).toEqual(bytes);
    expect(await pagesIn(bytes)).toEqual(pages);
    // The CRC of the first page, at its offset in a ZIP file's local header.
    expect(bytes.readUInt32LE(14)).toBe(crc32(pages[0]?.bytes ?? ""));
  });

  it("is opened by unzip", ({ skip }) => {
    const file = join(scratch("zip"), "shard.zip");
    writeFileSync(file, zip(pages));
    const tested = spawnSync("unzip", ["-tqq", file], { encoding: "utf8" });
    skip(tested.error !== undefined, "unzip is missing");
    expect(tested).toMatchObject({ status: 0, stderr: "" });
    expect(spawnSync("unzip", ["-p", file, "5.json"]).stdout).toEqual(pages[1]?.bytes);
  });

  it("is opened with the APIs of a browser", async () => {
    const bytes = new Uint8Array(zip(pages));
    const view = new DataView(bytes.buffer);
    const read: { id: number; bytes: Buffer }[] = [];
    for (let at = 0; view.getUint32(at, true) === 0x04034b50;) {
      const nameAt = at + 30;
      const dataAt = nameAt + view.getUint16(at + 26, true);
      const name = new TextDecoder().decode(bytes.subarray(nameAt, dataAt));
      at = dataAt + view.getUint32(at + 18, true);
      const packed = new Blob([bytes.subarray(dataAt, at)]).stream();
      const page = await new Response(
        packed.pipeThrough(new DecompressionStream("deflate-raw")),
      ).arrayBuffer();
      read.push({ id: Number.parseInt(name, 10), bytes: Buffer.from(page) });
    }
    expect(read).toEqual(pages);
  });
});

const readerOf = (bucket: MemoryBucket): BucketReader => reader(bucket, { now: () => 0 });

const gzip = { "accept-encoding": "gzip" };

/** The wrong responses of a new bucket server to requests of these ids, in this order. */
async function wrongIn(bucket: MemoryBucket, ids: readonly number[], pages: ReadonlySet<number>) {
  const one = readerOf(bucket);
  const wrong: string[] = [];
  for (const id of ids) {
    const { status, body } = await one.respond(requestFor(`/api/v2/pages/${id}/`, "GET", gzip));
    const isRight = status === 502 || (pages.has(id) ? status === 200 && isPage(id, body) : status === 404);
    if (!isRight) wrong.push(`${id}: ${status}`);
  }
  return wrong;
}

function isPage(id: number, body: unknown): boolean {
  try {
    return gunzipSync(body as Uint8Array).equals(pageOf(id).bytes);
  } catch {
    return false;
  }
}

/** The offset of the directory of a ZIP file. */
const directoryOf = (bytes: Buffer): number => bytes.readUInt32LE(bytes.length - 6);

const PAGES = [7, 12];
describe("a bucket server with a damaged shard", () => {
  // These tests throw thousands of errors, and need no stack traces.
  const { stackTraceLimit } = Error;
  beforeAll(() => void (Error.stackTraceLimit = 0));
  afterAll(() => void (Error.stackTraceLimit = stackTraceLimit));

  it("gives the correct response or 502 for every changed bit and every length of every shard", async () => {
    const ids = [2, 7, 12, 131];
    const { bucket, shards } = published(ids, 2);
    for (const { key } of shards) {
      const valid = bucket.objects.get(key) as Buffer;
      const damaged = Buffer.from(valid);
      bucket.objects.set(key, damaged);
      const wrong: string[] = [];
      for (let bit = 0; bit < 8 * valid.length; bit++) {
        const at = bit >> 3;
        damaged[at] = (valid[at] ?? 0) ^ (1 << (bit & 7));
        for (const one of await wrongIn(bucket, [3, 4, ...ids], new Set(ids))) wrong.push(`${bit} ${one}`);
        damaged[at] = valid[at] ?? 0;
      }
      for (let length = 0; length < valid.length; length++) {
        bucket.objects.set(key, valid.subarray(0, length));
        for (const one of await wrongIn(bucket, [3, 4, ...ids], new Set(ids))) wrong.push(`${length} ${one}`);
      }
      bucket.objects.set(key, valid);
      expect(wrong).toEqual([]);
    }
  });

  it("does not accept the shard of another release with the same size if a page is missing", async () => {
    const { bucket, shards } = published([1, 3], 1);
    const { key } = shards[0] as Shard;
    bucket.objects.set(key, zip([pageOf(1), { id: 4, bytes: pageOf(3).bytes }]));
    const { status } = await readerOf(bucket).respond(requestFor("/api/v2/pages/3/"));
    expect(status).toBe(502);
  });
});

describe("a bucket server with a valid shard", () => {
  it("reads the shard once as a whole before the first 404, and not for later ones", async () => {
    const { bucket } = published(PAGES, 1);
    const one = readerOf(bucket);
    expect((await one.respond(requestFor("/api/v2/pages/7/"))).status).toBe(200);
    bucket.reads.length = 0;
    for (const id of ["8", "9", "9007199254740993"])
      expect((await one.respond(requestFor(`/api/v2/pages/${id}/`))).status).toBe(404);
    expect(bucket.reads).toHaveLength(1);
    await one.respond(requestFor("/api/v2/pages/12/"));
    expect(bucket.reads).toHaveLength(2);
  });
});

describe("a ZIP bomb in place of a shard", () => {
  const [pages, mebibytes] = [600, 1];
  /** 600 KB that inflate to pages of 600 MiB, according to its directory but not to the release. */
  function bomb(): Buffer {
    const bytes = Buffer.alloc(mebibytes * 2 ** 20, 0x20);
    const deflated = deflateRawSync(bytes, { level: 9 });
    const valid = zip([{ id: 1, bytes }]);
    const local = valid.subarray(0, 30);
    const central = valid.subarray(directoryOf(valid), directoryOf(valid) + 46);
    const [parts, directory]: Buffer[][] = [[], []];
    let offset = 0;
    for (let id = 1; id <= pages; id++) {
      const name = Buffer.from(`${id}.json`);
      const [own, entry] = [Buffer.from(local), Buffer.from(central)];
      own.writeUInt32LE(deflated.length, 18);
      own.writeUInt16LE(name.length, 26);
      entry.writeUInt32LE(deflated.length, 20);
      entry.writeUInt16LE(name.length, 28);
      entry.writeUInt32LE(offset, 42);
      parts?.push(own, name, deflated);
      directory?.push(entry, name);
      offset += own.length + name.length + deflated.length;
    }
    const listed = Buffer.concat(directory ?? []);
    const end = Buffer.from(valid.subarray(-22));
    end.writeUInt16LE(pages, 8);
    end.writeUInt16LE(pages, 10);
    end.writeUInt32LE(listed.length, 12);
    end.writeUInt32LE(offset, 16);
    return Buffer.concat([...(parts ?? []), listed, end]);
  }

  it("is refused before any part of it is inflated", async () => {
    const packed = bomb();
    expect(packed.length).toBeLessThan(800_000);
    const shard: Shard = { key: "shards/a.zip", name: "a", bytes: 50_000, remainder: 0, count: 1 };
    const bucket = bucketOf([[shard.key, packed]]);
    let inflated = 0;
    await expect(readShard(bucket, shard, ({ bytes }) => (inflated += bytes.length))).rejects.toThrow(
      Damaged,
    );
    await expect(readDirectory(bucket, shard)).rejects.toThrow(Damaged);
    expect(inflated).toBe(0);
    // With a release that states this size, the shard is valid.
    const isSo = { ...shard, bytes: pages * mebibytes * 2 ** 20 };
    expect((await readDirectory(bucket, isSo)).ids).toHaveLength(pages);
  });
});
