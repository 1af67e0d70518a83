import { beforeEach, describe, expect, it } from "vitest";
import { readRelease, parsePointer, type Pointer } from "../../build/release/format.ts";
import { changedPages, notify } from "../../build/release/notify.ts";
import { PublishConflict } from "../../build/release/publish.ts";
import { checkRelease, listReleases, pruneReleases, rollBack } from "../../build/release/releases.ts";
import type { S3 } from "../../build/release/s3.ts";
import { dated, general, page, SITE, placeWith, type Workplace } from "../site/site.ts";
import { noticeServer } from "./notices.ts";
import { openBucket, type TestBucket } from "./s3.ts";
import { beforePointer, requestFor, deploy, reader } from "./site.ts";

const DAY = 24 * 3_600_000;
const START = Date.UTC(2027, 0, 1, 9);
const day = (n: number): number => START + n * DAY;
const iso = (instant: number): string => new Date(instant).toISOString().replace(".000Z", "Z");

const SOURCES = {
  "_site.json": SITE,
  "index.json": page(1, "home.HomePage", "Home"),
  "fair.json": dated(2, "Fair", { go_live_at: iso(day(1)), expire_at: iso(day(3)) }),
  "show/index.json": dated(3, "Show", { go_live_at: iso(day(2)) }),
  "show/room.json": dated(4, "Room", { expire_at: iso(day(2)) }),
  "show/hall.json": dated(5, "Hall", { go_live_at: iso(day(1)) }),
  "far.json": dated(6, "Far", { go_live_at: iso(day(31)) }),
};

let bucket: TestBucket;
let place: Workplace;
let store: S3;

beforeEach(async () => {
  bucket = await openBucket();
  ({ store } = bucket);
  place = placeWith("timeline", SOURCES);
  return () => bucket.close().finally(place.remove);
});

const pointer = (): Promise<Pointer> => bucket.pointer();

/** The pages of a bucket server at an instant of its own clock. */
async function idsAt(instant: number): Promise<number[]> {
  const one = reader(store, { time: () => instant });
  const ids: number[] = [];
  for (const id of [1, 2, 3, 4, 5, 6, 7])
    if ((await one.respond(requestFor(`/api/v2/pages/${id}/`))).status === 200) ids.push(id);
  return ids;
}

const bytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));

const puts = (): string[] => bucket.keys("PUT");

describe("the timeline of a bucket", () => {
  it("has a release for each instant in the days ahead, and leaves the current output as it is", async () => {
    const { release, then } = await deploy({ ...place, at: START }, bucket);
    expect(then.map(([from]) => from)).toEqual([iso(day(1)), iso(day(2)), iso(day(3))]);
    expect(await pointer()).toEqual({ format: 2, release, former: [], then });
    expect(Object.keys(place.tree()).filter((path) => path.startsWith("api/v2/pages/"))).toEqual([
      "api/v2/pages/1/index.json",
      "api/v2/pages/404.html",
    ]);
  });

  it("changes the release in the exact second, by the bucket server's own clock", async () => {
    await deploy({ ...place, at: START }, bucket);
    bucket.requests.length = 0;
    expect(await idsAt(START)).toEqual([1]);
    expect(await idsAt(day(1) - 1)).toEqual([1]);
    expect(await idsAt(day(1))).toEqual([1, 2]);
    expect(await idsAt(day(2) - 1)).toEqual([1, 2]);
    expect(await idsAt(day(2))).toEqual([1, 2, 3, 5]);
    // A bucket server that starts after several instants.
    expect(await idsAt(day(300))).toEqual([1, 3, 5]);
    expect(puts()).toEqual([]);
  });

  it("changes the release of a running bucket server, without a new pointer", async () => {
    await deploy({ ...place, at: START }, bucket);
    let clock = START;
    const one = reader(store, { now: () => 0, time: () => clock });
    const status = async (): Promise<number> => (await one.respond(requestFor("/api/v2/pages/2/"))).status;
    expect(await status()).toBe(404);
    bucket.requests.length = 0;
    clock = day(1);
    expect(await status()).toBe(200);
    clock = day(3);
    expect(await status()).toBe(404);
    expect(bucket.requests.filter(({ key }) => key === "current.json")).toEqual([]);
  });

  it("serves a page at no URL before its time", async () => {
    await deploy({ ...place, at: START, browse: true }, bucket);
    const { shards, files } = await readRelease(store, (await pointer()).then[0]?.[1] ?? "");
    const one = reader(store, { time: () => START });
    const paths = [
      "/api/v2/pages/2/",
      "/releases/" + ((await pointer()).then[0]?.[1] ?? "") + ".json",
      "/current.json",
      ...shards.flatMap((shard) =>
        shard === null ? [] : [`/shards/${shard[0]}.zip`, `/bulk/shards/${shard[0]}.zip`],
      ),
      ...Object.values(files).map(([name]) => `/files/${name}`),
    ];
    for (const path of paths)
      expect(`${path} ${(await one.respond(requestFor(path))).status}`).toBe(`${path} 404`);
    for (const path of ["/", ...Object.keys(files).map((name) => `/${name}`)]) {
      const { body } = await one.respond(requestFor(path));
      expect(Buffer.from((body ?? "") as Uint8Array).toString()).not.toContain("Fair");
    }
  });

  it("uploads only the shards that differ, and nothing if nothing changed", async () => {
    for (let id = 1000; id < 1400; id++) place.put(`_many/page-${id}.json`, general(id, `Page ${id}`));
    await deploy({ ...place, at: START }, bucket);
    // Four shards; then, for each instant, the shards of the pages that change.
    expect(puts().filter((key) => key.startsWith("shards/")).length).toBeLessThan(4 + 3 * 3);
    bucket.requests.length = 0;
    const { put } = await deploy({ ...place, at: START + 1000 }, bucket);
    expect({ put, puts: puts() }).toEqual({ put: 0, puts: [] });
  });

  it("counts past entries as previous releases if publishing is late", async () => {
    const { release, then } = await deploy({ ...place, at: START }, bucket);
    place.put("late.json", general(7, "Late"));
    const late = await deploy({ ...place, at: day(2) + 1000 }, bucket);
    expect(await pointer()).toMatchObject({
      release: late.release,
      former: [then[1]?.[1], then[0]?.[1], release],
      then: late.then,
    });
    expect(late.then.map(([from]) => from)).toEqual([iso(day(3)), iso(day(31))]);
    expect(await idsAt(day(2) + 2000)).toEqual([1, 2, 3, 5, 7]);
  });

  it("is cleared by a rollback, which starts at the release that is current by now", async () => {
    const { release, then } = await deploy({ ...place, at: START }, bucket);
    expect(await rollBack(store, undefined, day(1))).toEqual({ release, cleared: 2 });
    expect(await pointer()).toEqual({ format: 2, release, former: [then[0]?.[1]], then: [] });
    expect(await idsAt(day(300))).toEqual([1]);
  });

  it("is kept by prune, and checked", async () => {
    await deploy({ ...place, at: START }, bucket);
    place.put("new.json", general(7, "New"));
    await deploy({ ...place, at: START + 1000 }, bucket);
    const { removed } = await pruneReleases(store, 0, -Infinity, START + 2000);
    expect(removed).toBeGreaterThan(0);
    expect((await checkRelease(store, 4, undefined, START + 2000)).problems).toEqual([]);
    expect(await idsAt(day(2))).toEqual([1, 2, 3, 5, 7]);
    const last = (await pointer()).then.at(-1)?.[1] ?? "";
    await store.remove(`releases/${last}.json`);
    expect((await checkRelease(store, 4, undefined, START + 2000)).problems).toHaveLength(1);
    await expect(pruneReleases(store, 0, -Infinity, START + 2000)).rejects.toThrow(/no such object/);
  });

  it("is listed, with the release that is current by the clock", async () => {
    const { release, then } = await deploy({ ...place, at: START }, bucket);
    const { listed } = await listReleases(store, 4, day(1));
    expect(listed.map(({ name, isCurrent, from }) => ({ name, isCurrent, from }))).toEqual([
      { name: then[2]?.[1], isCurrent: false, from: iso(day(3)) },
      { name: then[1]?.[1], isCurrent: false, from: iso(day(2)) },
      { name: then[0]?.[1], isCurrent: true, from: undefined },
      { name: release, isCurrent: false, from: undefined },
    ]);
  });

  it("belongs to one publisher: the other fails, even with the same current release", async () => {
    await deploy({ ...place, at: START, days: 0 }, bucket);
    const other = { ...place, out: `${place.out}-other`, cache: `${place.cache}-other`, at: START, days: 2 };
    beforePointer(bucket, () => deploy(other, bucket));
    await expect(deploy({ ...place, at: START, days: 30 }, bucket)).rejects.toBeInstanceOf(PublishConflict);
    expect((await pointer()).then).toHaveLength(2);
  });

  it("gives every bucket server a complete release, although clocks differ by minutes", async () => {
    await deploy({ ...place, at: START }, bucket);
    // A publisher with a slow clock publishes after the instant has passed for bucket servers.
    place.put("new.json", general(7, "New"));
    await deploy({ ...place, at: day(1) - 120_000 }, bucket);
    expect(await idsAt(day(1) - 60_000)).toEqual([1, 7]);
    expect(await idsAt(day(1) + 60_000)).toEqual([1, 2, 7]);
    await pruneReleases(store, 0, -Infinity, day(1) + 120_000);
    for (const clock of [day(1) - 180_000, day(1) + 180_000]) expect(await idsAt(clock)).toEqual([1, 2, 7]);
  });

  it("may be missing: a pointer of format 1 is accepted, and a damaged one is not", () => {
    const release = "0".repeat(64);
    expect(parsePointer(bytes({ format: 1, release, former: [] }))).toEqual({
      format: 2,
      release,
      former: [],
      then: [],
    });
    for (const then of [undefined, [["soon", release]], [[iso(START), "x"]], [[iso(START)]]])
      expect(() => parsePointer(bytes({ format: 2, release, former: [], then }))).toThrow(/unexpected value/);
  });
});

describe("a notice", () => {
  it("has three attempts, also if no host responds", async () => {
    const waits: number[] = [];
    const wait = (milliseconds: number): Promise<unknown> => Promise.resolve(waits.push(milliseconds));
    const { url, received, statuses, close } = await noticeServer();
    statuses.push(500, 503);
    const failed: unknown[] = [];
    for (const host of [url, "http://127.0.0.1:1/"])
      failed.push(await notify(host, { at: iso(START) }, undefined, wait));
    expect(failed).toEqual([undefined, expect.any(String)]);
    await close();
    expect(received).toHaveLength(3);
    expect(waits).toEqual([1000, 2000, 1000, 2000]);
  });

  it("lists the pages that the timeline has changed, in the next publication", async () => {
    const days = 5;
    await deploy({ ...place, days, at: START }, bucket);
    const next = await deploy({ ...place, days, at: day(1) + 1000, notifies: true }, bucket);
    expect(next.put).toBe(1);
    expect(await changedPages(store, next.unnotified?.since, next.after, 4)).toEqual({
      changed: [2],
      removed: [],
      addresses: {},
    });
    expect((await deploy({ ...place, days, at: day(1) + 2000 }, bucket)).put).toBe(0);
  });

  it("lists the changed, added and removed pages", async () => {
    const first = await deploy({ ...place, at: START }, bucket);
    expect(await changedPages(store, undefined, first.after, 4)).toMatchObject({ changed: [1] });
    place.put("new.json", general(7, "New"));
    await deploy({ ...place, at: START }, bucket);
    const later = await deploy({ ...place, at: day(2), notifies: true }, bucket);
    expect(await changedPages(store, later.unnotified?.since, later.after, 4)).toEqual({
      changed: [2, 3, 5],
      removed: [],
      addresses: {},
    });
    expect(await changedPages(store, first.after, later.after, 4)).toMatchObject({
      changed: [2, 3, 5, 7],
      removed: [],
    });
    const removed = await changedPages(store, later.after, first.after, 4);
    expect(removed).toMatchObject({ changed: [], removed: [2, 3, 5, 7] });
    expect(Object.keys(removed.addresses)).toEqual(["2", "3", "5", "7"]);
    expect(removed.addresses["7"]).toMatch(/^https:.*\/new\/$/);
  });
});
