import { afterEach, describe, expect, it, vi } from "vitest";
import { instantAt, type Instant } from "../../build/base/instant.ts";
import { horizonOf } from "../../build/site/ahead.ts";
import { movedTo, printRelease, releaseKey, type ObjectStore } from "../../build/release/format.ts";
import { shardCount } from "../../build/outputs/shards/format.ts";
import { openReleases } from "../../build/release/reader.ts";
import { pruneReleases } from "../../build/release/releases.ts";
import { openS3, PUBLISHING } from "../../build/release/s3.ts";
import { runHere } from "../command.ts";
import { bucketOf, publishTo, type MemoryBucket } from "../release/memory.ts";
import { FITTING_SITE, placeWith } from "../site/site.ts";
import { served } from "./served.ts";

const HOUR = 3_600_000;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Builds a small site and publishes it without a cache of the bucket. */
async function published(store: ObjectStore): Promise<void> {
  const place = placeWith("limits", FITTING_SITE);
  await publishTo(store, place);
  place.remove();
}

const putsOf = (store: MemoryBucket, folder: string): number =>
  store.puts.filter((key) => key.startsWith(folder)).length;

describe("publishing", () => {
  it("relies on an object younger than 12 hours, and on no older one", async () => {
    const store = bucketOf();
    await published(store);
    const all = putsOf(store, "shards/") + putsOf(store, "files/");
    expect(all).toBeGreaterThan(0);
    for (const [age, count] of [
      [12 * HOUR - 1, 0],
      [12 * HOUR, all],
    ] as const) {
      store.objects.delete("current.json");
      store.puts.length = 0;
      store.age = age;
      await published(store);
      expect(putsOf(store, "shards/") + putsOf(store, "files/")).toBe(count);
    }
  });

  it("has 128 pages in a shard on average", () => {
    expect([1, 128, 129, 256, 257, 62_489].map(shardCount)).toEqual([1, 1, 2, 2, 4, 512]);
  });

  it("keeps 100 previous releases", () => {
    const releases = Array.from({ length: 102 }, (_, k) => String(k));
    expect(movedTo("new", { releases: releases.slice(0, 100) }).former).toHaveLength(100);
    expect(movedTo("new", { releases: releases.slice(0, 101) }).former).toEqual(releases.slice(0, 100));
  });
});

it("a bucket that sends Retry-After is waited for, for 20 seconds at most", async () => {
  const waits: number[] = [];
  const wait = (milliseconds: number) => Promise.resolve(waits.push(milliseconds));
  const bucket = { bucket: "pages", prefix: "", region: "auto", accessKeyId: "a", secretAccessKey: "b" };
  const pauses = ["19", "21", "1"];
  await served(
    (_, response) => void response.writeHead(503, { "Retry-After": pauses.shift() }).end(),
    async (endpoint) => {
      const store = openS3({ ...bucket, endpoint }, { ...PUBLISHING, attempts: 3, concurrency: 1, wait });
      await expect(store.head("files/a")).rejects.toThrow("503");
      store.close();
    },
  );
  expect(waits).toEqual([19_000, 20_000]);
});

const instants = (count: number): Instant[] => Array.from({ length: count }, (_, k) => instantAt(k + 1));
const horizon = (changes: Instant[], days: number) =>
  horizonOf({ changesAfter: () => changes }, instantAt(0), days);

describe("a timeline", () => {
  it("has 100 instants, and names the first one that is left out", () => {
    expect(horizon(instants(100), 1)).toEqual({ instants: instants(100), leftOut: undefined });
    expect(horizon(instants(101), 1)).toEqual({ instants: instants(100), leftOut: instantAt(101) });
  });

  it("ends after the number of days, which are of 24 hours", () => {
    const [first, last] = [instantAt(1), instantAt(30 * 24 * HOUR)];
    const next = instantAt(30 * 24 * HOUR + 1);
    expect(horizon([first, last, next], 30)).toEqual({ instants: [first, last], leftOut: next });
    expect(horizon([first], 0)).toEqual({ instants: [], leftOut: first });
  });

  it("has at most 3,650 days", async () => {
    const env = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
    const bucket = ["--bucket", "s3://bucket", "--endpoint", "http://127.0.0.1:1"];
    // Options are checked one after the other, and the last one is wrong.
    const wrong = async (days: string) => {
      const args = [...bucket, "--ahead", days, "--notify", "nowhere"];
      return (await runHere("deploy", args, { env })).stderr.split(":")[0];
    };
    expect(await wrong("3650")).toBe("--notify");
    expect(await wrong("3651")).toBe("--ahead");
    expect(await wrong("-1")).toBe("--ahead");
  });
});

it("a folder keeps at most 100 releases, and at least the current one", async () => {
  // Options are checked one after the other, and the last one is wrong.
  for (const [keep, wrong] of [
    ["100", "--notify"],
    ["101", "--keep"],
    ["1", "--notify"],
    ["0", "--keep"],
  ] as const) {
    const { stderr } = await runHere("deploy", ["--to", "a", "--keep", keep, "--notify", "nowhere"]);
    expect(stderr.split(":")[0]).toBe(wrong);
  }
});

it("prune removes objects older than 24 hours", async () => {
  const store = bucketOf();
  await published(store);
  const unused = `files/${"0".repeat(64)}`;
  store.objects.set(unused, Buffer.from("x"));
  store.age = 24 * HOUR;
  expect(await pruneReleases(store, 1)).toMatchObject({ removed: 0, young: 1 });
  store.age = 24 * HOUR + 1;
  expect(await pruneReleases(store, 1)).toMatchObject({ removed: 1, young: 0 });
  expect(store.removed).toEqual([unused]);
});

describe("the bucket server", () => {
  const { name, bytes } = printRelease({ format: 1, pages: 1, shards: [null], files: {}, headers: "" });

  function opened() {
    const store = bucketOf();
    store.objects.set("current.json", Buffer.from(JSON.stringify({ format: 1, release: name, former: [] })));
    store.objects.set(releaseKey(name), bytes);
    const clock = { now: 0 };
    const options = { memory: 1, isShared: false, now: () => clock.now, report: () => undefined };
    return { store, clock, releases: openReleases(store, options) };
  }

  it("requests the pointer again after two seconds", async () => {
    const { store, clock, releases } = opened();
    await releases.current();
    const first = store.reads.length;
    clock.now = 1999;
    await releases.current();
    expect(store.reads.length).toBe(first);
    clock.now = 2000;
    await releases.current();
    expect(store.reads.length).toBe(first + 1);
  });

  it("responds with its pointer for 4.5 seconds while another request loads a new one", async () => {
    const { store, clock, releases } = opened();
    await releases.current();
    // The first request waits for a slow response.
    clock.now = 3000;
    const get = vi.spyOn(store, "get").mockReturnValue(new Promise(() => undefined));
    void releases.current();
    expect(get).toHaveBeenCalledTimes(1);
    clock.now = 4499;
    expect(await releases.current()).toMatchObject({ name });
    expect(get).toHaveBeenCalledTimes(1);
    clock.now = 4500;
    void releases.current();
    expect(get).toHaveBeenCalledTimes(2);
  });
});
