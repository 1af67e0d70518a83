import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rollBack, checkRelease, listReleases, pruneReleases } from "../../build/release/releases.ts";
import { downloadRelease } from "../../build/release/download.ts";
import type { S3 } from "../../build/release/s3.ts";
import { treeOf } from "../files.ts";
import type { Workplace } from "../pipeline/site.ts";
import { openBucket, refused, type TestBucket } from "./s3.ts";
import { asked, deploy, open, reader, site, writePage } from "./site.ts";

let bucket: TestBucket;
let place: Workplace;
let store: S3;
let names: string[];

beforeAll(() => {
  place = site("releases");
});
afterAll(() => place.remove());

/** Three releases, of which page 1000 tells which one it is. */
beforeEach(async () => {
  bucket = await openBucket();
  store = open(bucket);
  names = [];
  for (const written of ["One", "Two", "Three"]) {
    writePage(place, 1000, written);
    names.unshift((await deploy(place, bucket)).release);
  }
  bucket.asked.length = 0;
  return async () => {
    store.close();
    await bucket.close();
  };
});

async function title(): Promise<unknown> {
  const { status, body } = await reader(store).answer(asked("/api/v2/pages/1000/"));
  return status === 200
    ? (JSON.parse(Buffer.from(body as Uint8Array).toString()) as { title: string }).title
    : status;
}

const puts = (): string[] => bucket.asked.filter(({ method }) => method === "PUT").map(({ key }) => key);
const removed = (): string[] =>
  bucket.asked.filter(({ method }) => method === "DELETE").map(({ key }) => key);

describe("releases in a bucket", () => {
  it("are listed newest first", async () => {
    const { listed } = await listReleases(store, 4);
    for (const { published = 0 } of listed) expect(Math.abs(published - Date.now())).toBeLessThan(600_000);
    expect(listed.map(({ name }) => name)).toEqual(names);
    expect(listed.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false]);
  });

  it("are gone back to with one put, and by name", async () => {
    expect(await rollBack(store)).toBe(names[1]);
    expect(puts()).toEqual(["current.json"]);
    expect(await title()).toBe("Two");
    await rollBack(store, names[2]?.slice(0, 12));
    expect(await title()).toBe("One");
    expect((await listReleases(store, 4)).listed.map(({ name }) => name)).toEqual([
      names[2],
      names[1],
      names[0],
    ]);
    await expect(rollBack(store, "0".repeat(64))).rejects.toThrow(/no former release/);
  });

  it("are not gone back to over somebody who publishes at the same time", async () => {
    writePage(place, 1000, "Four");
    let isFirst = true;
    bucket.faults.before = async ({ method, key }) => {
      if (method !== "PUT" || key !== "current.json" || !isFirst) return undefined;
      isFirst = false;
      await deploy(place, bucket);
      return undefined;
    };
    const patient = open(bucket, { patience: 30_000 });
    await expect(rollBack(patient)).rejects.toThrow(/Somebody published/);
    patient.close();
    expect(await title()).toBe("Four");
  });

  it("are not gone back to where somebody prunes them at the same time", async () => {
    let isFirst = true;
    bucket.faults.before = async ({ method, key }) => {
      if (method !== "PUT" || key !== "current.json" || !isFirst) return undefined;
      isFirst = false;
      const pruning = open(bucket);
      await pruneReleases(pruning, 0, -Infinity);
      pruning.close();
      return undefined;
    };
    const patient = open(bucket, { patience: 30_000 });
    await expect(rollBack(patient)).rejects.toThrow(/removed/);
    patient.close();
    expect(await title()).toBe("Three");
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
  });

  it("come back as an output folder, byte for byte", async () => {
    const folder = join(place.folder, `back-${names[0]?.slice(0, 8)}`);
    await downloadRelease(store, folder, 4);
    const published = treeOf(place.out);
    for (const path of Object.keys(published)) if (path.startsWith(".")) delete published[path];
    expect(treeOf(folder)).toEqual(published);
    await expect(downloadRelease(store, folder, 4)).rejects.toThrow(/empty folder/);
  });

  it("are pruned of nothing that is young, and then of nothing that a release needs", async () => {
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

  it("are pruned beside a publisher, who loses nothing", async () => {
    writePage(place, 1001, "While pruned");
    let isFirst = true;
    bucket.faults.before = async ({ method, key }) => {
      if (method !== "PUT" || key !== "current.json" || !isFirst) return undefined;
      isFirst = false;
      const pruning = open(bucket);
      await pruneReleases(pruning, 0);
      pruning.close();
      return undefined;
    };
    const { release } = await deploy(place, bucket, open(bucket, { patience: 30_000 }));
    expect((await listReleases(store, 4)).listed.map(({ name }) => name)).toEqual([release, names[0]]);
    expect((await checkRelease(store, 4)).problems).toEqual([]);
  });
});
