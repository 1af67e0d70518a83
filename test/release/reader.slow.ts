import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { HostResponse } from "../../build/hosting/responder.ts";
import { downloadRelease } from "../../build/release/releases.ts";
import type { S3 } from "../../build/release/s3.ts";
import { treeOf } from "../files.ts";
import { type Workplace } from "../site/site.ts";
import { openBucket, refused, type TestBucket } from "./s3.ts";
import type { BulkIndex, Shard } from "../../build/outputs/shards/format.ts";
import { published as inMemory } from "./memory.ts";
import { requestFor, deploy, open, reader, site, writePage } from "./site.ts";

let bucket: TestBucket;
let place: Workplace;
let store: S3;

beforeAll(async () => {
  bucket = await openBucket();
  place = site("reader");
  await deploy(place, bucket);
  store = open(bucket, { attempts: 2 });
});
afterAll(async () => {
  store.close();
  await bucket.close();
});
afterEach(() => {
  bucket.faults = {};
});

const bytesOf = ({ body = "" }: HostResponse): Buffer => Buffer.from(body as Uint8Array);
const published = (id: number): Buffer => readFileSync(join(place.out, `api/v2/pages/${id}/index.json`));

const wholeOf = async (key: string): Promise<Buffer> => Buffer.from((await store.get(key))?.bytes ?? []);

const address = (id: number | string): string => `/api/v2/pages/${id}/`;

describe("the bucket server", () => {
  it("serves a page with the headers of the release, and as gzip if that is accepted", async () => {
    const one = reader(store);
    const plain = await one.respond(requestFor(address(1000)));
    expect(plain).toMatchObject({
      status: 200,
      headers: {
        Allow: "GET, HEAD, OPTIONS",
        "Content-Type": "application/json",
        Vary: "Accept, Accept-Encoding",
      },
    });
    expect(bytesOf(plain)).toEqual(published(1000));
    const gzip = await one.respond(requestFor(address(1000), "GET", { "accept-encoding": "br, gzip;q=0.5" }));
    expect(gzip.headers["Content-Encoding"]).toBe("gzip");
    expect(gunzipSync(bytesOf(gzip))).toEqual(published(1000));
    for (const accepted of ["deflate", "gzip;q=0", "*", ""]) {
      const other = await one.respond(requestFor(address(1000), "GET", { "accept-encoding": accepted }));
      expect(other.headers["Content-Encoding"]).toBeUndefined();
    }
  });

  it.each(["999999/", "01000/", "%31000/", "1000/index.json", "1000/index.json/", "9007199254740993/", ""])(
    "responds to /api/v2/pages/%s with 404",
    async (path) => {
      expect((await reader(store).respond(requestFor(`/api/v2/pages/${path}`))).status).toBe(404);
    },
  );

  it("reads the store twice for a page of a new shard, and once for a page of a loaded shard", async () => {
    const one = reader(store, { now: () => 0 });
    await one.respond(requestFor(address(1000)));
    bucket.requests.length = 0;
    await one.respond(requestFor(address(1001)));
    expect(bucket.requests).toHaveLength(2);
    bucket.requests.length = 0;
    await one.respond(requestFor(address(1005)));
    expect(bucket.requests).toHaveLength(1);
    bucket.requests.length = 0;
    for (const id of [999_997, 999_993, 999_989]) await one.respond(requestFor(address(id)));
    expect(bucket.requests).toHaveLength(1);
  });

  it("requests the pointer and the release once, however many requests there are at a time", async () => {
    const one = reader(store, { now: () => 0 });
    bucket.requests.length = 0;
    await Promise.all(Array.from({ length: 50 }, () => one.respond(requestFor(address(1000)))));
    const kinds = bucket.requests.map(({ key }) => key.split("/")[0]);
    expect(kinds.filter((kind) => kind === "current.json")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "releases")).toHaveLength(1);
    expect(kinds.filter((kind) => kind === "shards")).toHaveLength(51);
  });

  it("caches at most the given number of directories", async () => {
    const one = reader(store, { memory: 24 * 150, now: () => 0 });
    for (const id of [1000, 1001, 1000, 1001]) await one.respond(requestFor(address(id)));
    bucket.requests.length = 0;
    await one.respond(requestFor(address(1001)));
    expect(bucket.requests).toHaveLength(1);
    await one.respond(requestFor(address(1000)));
    expect(bucket.requests).toHaveLength(3);
  });

  it("takes the requested bytes from a response with the whole object", async () => {
    const keys = new Map<string, Buffer>();
    for await (const { key } of store.list("shards/")) keys.set(key, await wholeOf(key));
    bucket.faults.after = ({ key, headers }, answered) => {
      const body = keys.get(key);
      if (body === undefined || headers.range === undefined) return undefined;
      const { "content-range": _, ...rest } = answered.headers;
      return { status: 200, headers: rest, body };
    };
    const one = reader(store);
    const gzip = { "accept-encoding": "gzip" };
    for (const id of [1000, 1001, 1398, 1399]) {
      const { status, body } = await one.respond(requestFor(address(id), "GET", gzip));
      expect(status).toBe(200);
      expect(gunzipSync(body as Uint8Array)).toEqual(published(id));
    }
    expect((await one.respond(requestFor(address(999_999)))).status).toBe(404);
  });

  it("responds with 502 if the store sends another range than requested", async () => {
    bucket.faults.after = ({ headers }, answered) => {
      const [, start = "", end = "", size = ""] =
        /^bytes (\d+)-(\d+)\/(\d+)$/.exec(String(answered.headers["content-range"])) ?? [];
      if (headers.range === undefined || start === "") return undefined;
      const range = `bytes ${Number(start) + 1}-${Number(end) + 1}/${size}`;
      return { ...answered, headers: { ...answered.headers, "content-range": range } };
    };
    expect((await reader(store).respond(requestFor(address(1000)))).status).toBe(502);
  });

  it.each(["http://api.example.org", "HTTP://api.example.org:3000", "https://[::1]:3000"])(
    "understands a target with the host, %s",
    async (host) => {
      const one = reader(store);
      expect(bytesOf(await one.respond(requestFor(`${host}${address(1000)}?a=b`)))).toEqual(published(1000));
      expect(await one.respond(requestFor(`${host}/api/v2/pages/1000?a`))).toMatchObject({
        status: 301,
        headers: { Location: "/api/v2/pages/1000/?a" },
      });
      expect((await one.respond(requestFor(`${host}/openapi.json`))).status).toBe(200);
      expect((await one.respond(requestFor(host, "OPTIONS"))).status).toBe(
        (await one.respond(requestFor("/", "OPTIONS"))).status,
      );
    },
  );

  it("reports once that the bucket is unavailable, and once that it is available again", async () => {
    const lines: string[] = [];
    const one = reader(store, { report: (line) => lines.push(line) });
    const ask = (): Promise<HostResponse> => one.respond(requestFor(address(1000)));
    await ask();
    expect(lines).toEqual([]);
    bucket.faults.before = () => "cut";
    for (let i = 0; i < 3; i++) expect((await ask()).status).toBe(503);
    expect(lines).toEqual([expect.stringMatching(/^The bucket pages at .* cannot be reached: .* 503\.$/)]);
    bucket.faults = {};
    for (let i = 0; i < 3; i++) await ask();
    expect(lines.slice(1)).toEqual(["The bucket can be read again."]);
  });

  it("reports a damaged object once, and its repair once", async () => {
    const lines: string[] = [];
    const one = reader(store, { memory: 0, now: () => 0, report: (line) => lines.push(line) });
    bucket.faults.after = ({ key }, answered) =>
      key.startsWith("shards/") ? { ...answered, body: Buffer.from(answered.body).fill(0) } : undefined;
    for (let i = 0; i < 3; i++) await one.respond(requestFor(address(1000)));
    expect(lines).toEqual([expect.stringMatching(/^shards\/.* 502\.$/)]);
    bucket.faults = {};
    for (let i = 0; i < 3; i++) await one.respond(requestFor(address(1000)));
    expect(lines.slice(1)).toEqual([expect.stringMatching(/^shards\/.* can be read again\.$/)]);
  });

  it("does not open a bucket that does not exist, but opens one that is unavailable or empty", async () => {
    const lines: string[] = [];
    const options = { memory: 0, now: () => 0, report: (line: string) => lines.push(line) };
    const missing = open({ ...bucket, bucket: { ...bucket.bucket, bucket: "nothing" } });
    await expect(reader(missing, options).open()).rejects.toThrow(/does not exist/);
    missing.close();
    bucket.faults.before = () => refused(403, "InvalidAccessKeyId");
    await expect(reader(store, options).open()).rejects.toThrow(/refuses the credentials/);
    expect(lines).toEqual([]);
    bucket.faults.before = () => "cut";
    await reader(store, options).open();
    bucket.faults.before = () => refused(404, "NoSuchKey");
    await reader(store, options).open();
    expect(lines).toEqual([
      expect.stringMatching(/cannot be reached/),
      expect.stringMatching(/^Nothing was ever published/),
    ]);
  });

  it("responds with 503 and Retry-After if the bucket cannot be read, and recovers by itself", async () => {
    const one = reader(store);
    bucket.faults.before = () => refused(500, "InternalError");
    expect(await one.respond(requestFor(address(1000)))).toMatchObject({
      status: 503,
      headers: { "Retry-After": "5" },
    });
    bucket.faults.before = () => refused(404, "NoSuchBucket");
    expect((await one.respond(requestFor(address(1000)))).status).toBe(503);
    bucket.faults = {};
    expect((await one.respond(requestFor(address(1000)))).status).toBe(200);
  });

  it("reads a shard again that was packed differently, and continues after a release was pruned", async () => {
    const one = reader(store, { now: () => 0 });
    await one.respond(requestFor(address(1000)));
    let isFirst = true;
    bucket.faults.before = ({ key }) => {
      if (!key.startsWith("shards/") || !isFirst) return undefined;
      isFirst = false;
      return refused(404, "NoSuchKey");
    };
    const reply = await one.respond(requestFor(address(1000)));
    expect(bytesOf(reply)).toEqual(published(1000));
    const [{ bucket: memory }, next] = [inMemory([1, 2], 1), inMemory([1, 2, 7], 1)];
    let now = 0;
    const other = reader(memory, { now: () => now });
    const before = bytesOf(await other.respond(requestFor(address(1))));
    memory.objects = next.bucket.objects;
    now = 1500;
    expect(bytesOf(await other.respond(requestFor(address(1))))).toEqual(before);
  });
});

describe("the bucket server, for a bulk download", () => {
  const INDEX = "/bulk/index.json";

  it("serves the index and the shards of the current release, and no other objects", async () => {
    const own = site("bulk-reader");
    const objects = await openBucket();
    const { put } = await deploy({ ...own, bulk: true }, objects);
    const without = await deploy({ ...own, bulk: false, full: true }, objects);
    expect(put).toBe(without.put);
    const { store: one } = objects;
    try {
      expect((await reader(one).respond(requestFor(INDEX))).status).toBe(404);
      await deploy({ ...own, bulk: true }, objects);
      const found = await reader(one).respond(requestFor(INDEX));
      expect(found).toMatchObject({
        status: 200,
        headers: {
          "Cache-Control": "no-store",
          "Content-Type": "application/json",
          "Access-Control-Allow-Origin": "*",
        },
      });
      expect(Date.parse(found.headers["Last-Modified"] ?? "")).toBeGreaterThan(Date.now() - 3_600_000);
      expect(bytesOf(found)).toEqual(readFileSync(join(own.out, "bulk/index.json")));
      const { shards } = JSON.parse(bytesOf(found).toString()) as BulkIndex;
      const paths = shards.flatMap((named) => (named === null ? [] : [`/bulk/shards/${named[0]}.zip`]));
      for (const path of paths) {
        const shard = await reader(one).respond(requestFor(path));
        expect(shard).toMatchObject({
          status: 200,
          headers: {
            "Cache-Control": "public, max-age=31536000, immutable",
            "Content-Type": "application/zip",
            "Access-Control-Allow-Origin": "*",
          },
        });
        expect(bytesOf(shard)).toEqual(readFileSync(join(own.out, path)));
        const tag = shard.headers["ETag"] ?? "";
        expect((await reader(one).respond(requestFor(path, "GET", { "if-none-match": tag }))).status).toBe(
          304,
        );
      }
      const back = join(own.folder, "back");
      await downloadRelease(one, back, 4);
      expect(treeOf(join(back, "bulk"))).toEqual(treeOf(join(own.out, "bulk")));
      writePage(own, 1000, "Another title");
      await deploy({ ...own, bulk: true }, objects);
      const after = await Promise.all(paths.map((path) => reader(one).respond(requestFor(path))));
      const gone = after.filter(({ status }) => status === 404);
      expect(gone.map(({ headers }) => headers["Cache-Control"])).toEqual(["no-store"]);
    } finally {
      await objects.close();
    }
  });

  it("serves no damaged shard", async () => {
    const { bucket: memory, shards } = inMemory([1, 2, 7], 1, { bulk: true });
    const { key } = shards[0] as Shard;
    const one = reader(memory, { now: () => 0 });
    expect((await one.respond(requestFor(`/bulk/${key}`))).status).toBe(200);
    const valid = memory.objects.get(key) as Buffer;
    memory.objects.set(key, Buffer.from(valid).fill(0, 40, 44));
    const reply = await one.respond(requestFor(`/bulk/${key}`));
    expect(reply.status).toBe(502);
    expect(reply.headers["Cache-Control"]).toBe("no-store");
    memory.objects.delete(key);
    expect((await one.respond(requestFor(`/bulk/${key}`))).status).toBe(502);
  });
});
