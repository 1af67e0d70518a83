import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  rollBack,
  checkRelease,
  listReleases,
  pruneReleases,
  downloadRelease,
} from "../../build/release/releases.ts";
import { readRelease, fileKey } from "../../build/release/format.ts";
import { Damaged, shardKey } from "../../build/outputs/shards/format.ts";
import { scratch } from "../scratch.ts";
import type { S3 } from "../../build/release/s3.ts";
import { treeOf } from "../files.ts";
import type { Workplace } from "../site/site.ts";
import { openBucket, refused, type TestBucket } from "./s3.ts";
import { beforePointer, deploy, site, titleIn, writePage } from "./site.ts";

let bucket: TestBucket;
let place: Workplace;
let store: S3;
let names: string[];

beforeAll(() => {
  place = site("releases");
});

/** Publishes three releases, which differ in the title of page 1000. */
beforeEach(async () => {
  bucket = await openBucket();
  ({ store } = bucket);
  names = [];
  for (const written of ["One", "Two", "Three"]) {
    writePage(place, 1000, written);
    names.unshift((await deploy(place, bucket)).release);
  }
  bucket.requests.length = 0;
  return bucket.close;
});

const title = (): Promise<unknown> => titleIn(store, 1000);

const puts = (): string[] => bucket.keys("PUT");
const removed = (): string[] => bucket.keys("DELETE");

/** A store's response that lists these objects, all of them old. */
const listOf = (keys: string[]): Buffer =>
  Buffer.from(
    `<ListBucketResult>${keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size><LastModified>2001-01-01T00:00:00Z</LastModified></Contents>`).join("")}</ListBucketResult>`,
  );

describe("releases in a bucket", () => {
  it("are rolled back with one PUT request, also by name", async () => {
    expect(await rollBack(store)).toEqual({ release: names[1], cleared: 0 });
    expect(puts()).toEqual(["current.json"]);
    expect(await title()).toBe("Two");
    await rollBack(store, names[2]?.slice(0, 12));
    expect(await title()).toBe("One");
    const { listed } = await listReleases(store, 4);
    for (const { published = 0 } of listed) expect(Math.abs(published - Date.now())).toBeLessThan(600_000);
    expect(listed).toMatchObject([
      { name: names[2], isCurrent: true },
      { name: names[1], isCurrent: false },
      { name: names[0], isCurrent: false },
    ]);
    await expect(rollBack(store, "0".repeat(64))).rejects.toThrow(/no former release/);
  });

  it("are not rolled back if another publisher publishes at the same time", async () => {
    writePage(place, 1000, "Four");
    beforePointer(bucket, () => deploy(place, bucket));
    await expect(rollBack(store)).rejects.toThrow(/Another publish ran/);
    expect(await title()).toBe("Four");
  });

  it("are not rolled back if they are pruned at the same time", async () => {
    beforePointer(bucket, () => pruneReleases(store, 0, -Infinity));
    await expect(rollBack(store)).rejects.toThrow(/removed/);
    expect(await title()).toBe("Three");
  });

  it("are not rolled back while one of their objects is missing or empty, whether or not others need it", async () => {
    const { shards, files } = await readRelease(store, names[1] ?? "");
    const keys = [
      ...shards.flatMap((shard) => (shard === null ? [] : [shardKey(shard[0])])),
      ...Object.values(files).map(([name]) => fileKey(name)),
    ];
    for (const key of keys) {
      const { bytes = Buffer.alloc(0) } = (await store.get(key)) ?? {};
      for (const damage of [() => store.remove(key), () => store.put(key, Buffer.alloc(0))]) {
        await damage();
        await expect(rollBack(store)).rejects.toThrow(key);
      }
      await store.put(key, bytes);
    }
    expect(puts()).not.toContain("current.json");
    expect(await rollBack(store)).toEqual({ release: names[1], cleared: 0 });
  });

  it("are listed, checked and rolled back by name if the pointer is damaged", async () => {
    await store.put("current.json", Buffer.from('{"format":1,'));
    const { listed, damage } = await listReleases(store, 4);
    expect(listed.map(({ name, isCurrent }) => `${name} ${isCurrent}`).sort()).toEqual(
      names.map((name) => `${name} false`).sort(),
    );
    expect(damage?.message).toBe("current.json: it is not JSON.");
    expect(await checkRelease(store, 4)).toEqual({ objects: 1, problems: ["current.json: it is not JSON."] });
    await expect(pruneReleases(store, 0, -Infinity)).rejects.toThrow(Damaged);
    expect(removed()).toEqual([]);
    await expect(rollBack(store)).rejects.toThrow(/Name the release/);
    expect(await rollBack(store, names[1])).toEqual({ release: names[1], cleared: 0 });
    expect(await title()).toBe("Two");
    expect((await listReleases(store, 4)).listed).toHaveLength(3);
  });

  it("are checked object by object", async () => {
    expect(await checkRelease(store, 4)).toMatchObject({ problems: [] });
    bucket.faults.after = ({ key }, answered) => {
      if (!key.startsWith("shards/")) return undefined;
      const body = Buffer.from(answered.body);
      body[60] = (body[60] ?? 0) ^ 1;
      return { ...answered, body };
    };
    expect((await checkRelease(store, 4)).problems).toHaveLength(4);
    bucket.faults = {
      before: ({ key }) => (key.startsWith("files/") ? refused(404, "NoSuchKey") : undefined),
    };
    expect((await checkRelease(store, 4)).problems.length).toBeGreaterThan(0);
    bucket.faults = {
      before: ({ key }) => (key.startsWith("files/") ? refused(403, "AccessDenied") : undefined),
    };
    await expect(checkRelease(store, 4)).rejects.toThrow(/read files\//);
  });

  it("leave no part of an output if an object is damaged, and can be downloaded after its repair", async () => {
    const there = scratch("download");
    const absent = join(there, "a", "b");
    bucket.faults.after = ({ key }, answered) =>
      key.startsWith("files/") ? { ...answered, body: Buffer.from("damaged") } : undefined;
    for (const folder of [there, absent])
      await expect(downloadRelease(store, folder, 4)).rejects.toThrow(Damaged);
    expect(readdirSync(there)).toEqual([]);
    bucket.faults = {};
    await downloadRelease(store, absent, 4);
    const whole = treeOf(absent);
    expect(Object.keys(whole)).toContain("_headers");
    rmSync(join(there, "a"), { recursive: true });
    // The state after a download that was killed while it moved its files into place.
    mkdirSync(join(there, ".downloading", "files"), { recursive: true });
    writeFileSync(join(there, ".downloading", "placing"), '["_headers", "old"]');
    mkdirSync(join(there, "old"));
    writeFileSync(join(there, "mine"), "");
    await expect(downloadRelease(store, there, 4)).rejects.toThrow(/not empty/);
    rmSync(join(there, "mine"));
    await downloadRelease(store, there, 4);
    expect(treeOf(there)).toEqual(whole);
  });

  it("do not lose third-party objects when they are pruned, such as an object with the key of another site", async () => {
    const foreign = [
      "shards/../../b/current.json",
      "shards/../current.json",
      "shards/notes.txt",
      "files/a/../b",
    ];
    bucket.faults.after = ({ query }, answered) =>
      query.get("prefix") === "shards/" ? { ...answered, body: listOf(foreign) } : undefined;
    expect(await pruneReleases(store, 2, 1000)).toMatchObject({ removed: 0, foreign: foreign.length });
    expect(removed()).toEqual([]);
    bucket.faults = {};
    for (const name of foreign.slice(0, 2)) {
      await expect(store.remove(name)).rejects.toThrow(/cannot be requested/);
      await expect(store.get(name)).rejects.toThrow(/cannot be requested/);
    }
    expect(removed()).toEqual([]);
    expect(await title()).toBe("Three");
  });

  it("are pruned, except for young objects and objects that a release needs", async () => {
    expect(await pruneReleases(store, 1)).toMatchObject({ removed: 0, young: 2 });
    expect(removed()).toEqual([]);
    await expect(rollBack(store, names[2])).rejects.toThrow(/no former release/);
    expect(await pruneReleases(store, 1, -Infinity)).toMatchObject({ removed: 2 });
    const kinds = removed().map((key) => key.split("/")[0]);
    expect(new Set(kinds)).toEqual(new Set(["releases", "shards"]));
    expect(kinds).toHaveLength(2);
    expect((await checkRelease(store, 4)).problems).toEqual([]);
    await rollBack(store);
    expect((await checkRelease(store, 4)).problems).toEqual([]);
    expect(await title()).toBe("Two");
  });

  it("are pruned beside a publisher without losing its objects", async () => {
    writePage(place, 1001, "While pruned");
    beforePointer(bucket, () => pruneReleases(store, 0));
    const { release } = await deploy(place, bucket);
    expect((await listReleases(store, 4)).listed.map(({ name }) => name)).toEqual([release, names[0]]);
    expect((await checkRelease(store, 4)).problems).toEqual([]);
  });
});
