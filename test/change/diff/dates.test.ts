import { renameSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { instantAt, type Instant } from "../../../build/base/instant.ts";
import type { Comparison } from "../../../build/change/diff/pages.ts";
import { diff } from "../../../build/change/diff/diff.ts";
import { human, markdown } from "../../../build/change/diff/reporters.ts";
import { dated, general, page, SITE, type Workplace } from "../../site/site.ts";
import { repository } from "./repository.ts";

let place: Workplace;

const idsOf = (pages: readonly { id: number }[]): string => pages.map(({ id }) => id).join(",");

const idsAt = async (at: Instant | undefined): Promise<string> => {
  const { added, removed, changed } = await diff({ content: place.content, at });
  return [added, removed, changed].map(idsOf).join(" ");
};

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0) });
  place = repository("dates", {
    "_site.json": SITE,
    "index.json": page(1, "home.HomePage", "Home"),
    "fair.json": dated(2, "Fair", { go_live_at: "2027-03-01T10:00:00+01:00" }),
    "show/index.json": general(3, "Show"),
    "show/room.json": general(4, "Room"),
    "show/halls/index.json": general(10, "Halls"),
    "show/halls/great.json": general(11, "Great hall"),
    "show/early.json": dated(12, "Early", { expire_at: "2027-02-01T00:00:00Z" }),
    "show/late.json": dated(13, "Late", { go_live_at: "2027-05-01T00:00:00Z" }),
    "show/_draft.json": general(14, "Draft"),
    "season/index.json": dated(15, "Season", { expire_at: "2027-03-01T00:00:00Z" }),
    "season/spring.json": general(16, "Spring"),
    "season/april.json": dated(17, "April", { go_live_at: "2027-04-01T00:00:00Z" }),
    "gone.json": dated(5, "Gone", { expire_at: "2027-03-01T00:00:00Z" }),
    "same.json": dated(6, "Same", { expire_at: "2027-03-01T00:00:00Z" }),
    "moved.json": dated(7, "Moved", { expire_at: "2027-03-01T00:00:00Z" }),
  });
  place.put("fair.json", dated(2, "Fair", { go_live_at: "2027-04-01T00:30:00+02:00" }));
  place.put("show/index.json", dated(3, "Show", { go_live_at: "2027-03-01T10:00:00+01:00" }));
  place.put("season/index.json", general(15, "Season"));
  place.put("gone.json", general(5, "Gone"));
  place.put("same.json", dated(6, "The same dates", { expire_at: "2027-03-01T00:00:00Z" }));
  place.put("new.json", dated(8, "New", { expire_at: "2027-03-01T10:00:30Z" }));
  place.put("_draft.json", dated(9, "Draft", { expire_at: "2027-03-01T10:00:30Z" }));
});

afterAll(() => {
  vi.useRealTimers();
});

describe("a comparison", () => {
  it("lists the dates that a change adds, moves and removes, and the subpages that go with them", async () => {
    const { dates } = await diff({ content: place.content });
    const all = dates.map(({ id, field, old, new: now, subpages }) => [id, field, old, now, idsOf(subpages)]);
    expect(all).toEqual([
      [2, "go_live_at", "2027-03-01T10:00:00+01:00", "2027-04-01T00:30:00+02:00", ""],
      [5, "expire_at", "2027-03-01T00:00:00Z", undefined, ""],
      [8, "expire_at", undefined, "2027-03-01T10:00:30Z", ""],
      // Page 17 goes live after this date, and now does not expire with page 15.
      [15, "expire_at", "2027-03-01T00:00:00Z", undefined, "17,16"],
      // Without page 12, which has expired by then, and page 13, which goes live later.
      [3, "go_live_at", undefined, "2027-03-01T10:00:00+01:00", "10,11,4"],
    ]);
  });

  it("shows them in the source's time zone and in UTC", async () => {
    const comparison = await diff({ content: place.content });
    for (const text of [human(comparison), markdown(comparison, {})]) {
      expect(text).toContain("goes live on 1 March 2027, 10:00 (09:00 UTC), with 3 subpages");
      expect(text).toContain(
        "goes live on 1 April 2027, 00:30 (31 March 2027, 22:30 UTC) instead of 1 March 2027, 10:00 (09:00 UTC)",
      );
      expect(text).toContain("does not expire on 1 March 2027, 00:00 UTC any more");
      expect(text).toContain("expires on 1 March 2027, 10:00:30 UTC");
    }
  });

  it("compares the sites as they are at an instant, including subpages without an edit", async () => {
    expect(await idsAt(instantAt(Date.UTC(2026, 0)))).toBe("8 3,12,10,11,4 6");
    expect(await idsAt(instantAt(Date.UTC(2027, 2, 15)))).toBe("5,15,16 2 3");
    expect(await idsAt(instantAt(Date.UTC(2027, 3, 15)))).toBe("5,15,17,16  2,3");
    expect(await idsAt(undefined)).toBe("8 3,12,10,11,4 2,6,3");
  });

  it("gives no warning for addresses and ids of pages that are merely not live", async () => {
    const { removed, ids, addresses, findings } = await diff({
      content: place.content,
      at: instantAt(Date.UTC(2026, 0)),
    });
    expect(removed.every(({ isNotLive }) => isNotLive)).toBe(true);
    expect([ids.vanished, addresses, findings]).toEqual([[], [], []]);
  });
});

const PAST = "2020-01-01T00:00:00Z";
const FUTURE = "2090-03-01T10:00:00+01:00";

/** A site that a change takes pages of down, and back. */
function turned(): Workplace {
  const hall = repository("dates-turned", {
    "_site.json": SITE,
    "index.json": page(1, "home.HomePage", "Home"),
    "past.json": general(2, "Past"),
    "future.json": general(3, "Future"),
    "show/index.json": general(4, "Show"),
    "show/room.json": general(5, "Room"),
    "show/over.json": dated(6, "Over", { expire_at: "2019-01-01T00:00:00Z" }),
    "show/_draft.json": general(7, "Draft"),
    "back/index.json": dated(8, "Back", { expire_at: PAST }),
    "back/room.json": general(9, "Back room"),
    "gone/index.json": dated(10, "Gone", { expire_at: PAST }),
    "wanders.json": general(11, "Wanders"),
    "later.json": dated(12, "Later", { go_live_at: FUTURE }),
  });
  hall.put("past.json", dated(2, "The past", { expire_at: PAST }));
  hall.put("future.json", dated(3, "Future", { go_live_at: FUTURE }));
  hall.put("show/index.json", dated(4, "Show", { expire_at: PAST }));
  hall.put("back/index.json", general(8, "Back"));
  renameSync(hall.file("wanders.json"), hall.file("gone/wanders.json"));
  hall.put("later.json", dated(12, "Later on", { go_live_at: FUTURE }));
  hall.put("new.json", dated(13, "New", { expire_at: PAST }));
  hall.put("gone/never.json", dated(15, "Never", { go_live_at: FUTURE }));
  return hall;
}

describe("a change that makes pages live, or not live, at once", () => {
  let hall: Workplace;
  let now: Comparison;
  beforeAll(async () => {
    hall = turned();
    now = await diff({ content: hall.content });
  });

  it("lists these pages with the reason, and their subpages without an edit", async () => {
    const { removed, added, moved, changed, ids, addresses, findings, unaffectedFiles } = now;
    expect(
      removed.map(({ id, isNotLive, expire_at, go_live_at }) => [id, isNotLive, expire_at, go_live_at]),
    ).toEqual([
      [3, true, undefined, "2090-03-01T09:00:00Z"],
      [2, true, PAST, undefined],
      [4, true, PAST, undefined],
      [5, true, PAST, undefined],
      [11, true, PAST, undefined],
    ]);
    expect(
      added.map(({ id, wasNotLive, isNotLive, expire_at }) => [id, wasNotLive, isNotLive, expire_at]),
    ).toEqual([
      [8, true, undefined, undefined],
      [9, true, undefined, undefined],
      [15, undefined, true, undefined],
      [13, undefined, true, PAST],
    ]);
    // As when they are live.
    expect([idsOf(changed), idsOf(moved)]).toEqual(["3,12,2", "11"]);
    expect([ids.vanished, unaffectedFiles]).toEqual([[], []]);
    // Only the move.
    expect(addresses.map(({ id }) => id)).toEqual([11]);
    expect(findings.map(({ code }) => code)).toEqual(["unrecorded-address"]);
  });

  it("reports that clients get 404, with past events in the past tense", async () => {
    for (const text of [human(now), markdown(now, { preview: "https://pr-7.example.org" })]) {
      expect(text).toContain("Pages: 2 added, 2 now live, 5 no longer live, 3 changed, 1 moved.");
      expect(text).toContain("No longer live: the API returns 404");
      expect(text).toContain("Now live");
      expect(text).toContain("expired on 1 January 2020, 00:00 UTC, with 1 subpage");
      expect(text).toContain("does not expire on 1 January 2020, 00:00 UTC any more");
      expect(text).not.toContain("expires on 1 January 2020");
      expect(text).not.toMatch(/Removed(?: \(\d+\))?\n/);
    }
    expect(human(now)).toContain(
      "  - 2  Past  (standardpages.GeneralPage)\n      https://www.example.org/past/\n      past.json\n" +
        "      expired on 1 January 2020, 00:00 UTC\n",
    );
    const text = markdown(now, { preview: "https://pr-7.example.org" });
    expect(text).toContain(
      "- **3** `Future`  \n  `https://www.example.org/future/`  \n  goes live on 1 March 2090, 09:00 UTC\n",
    );
    expect(text).toContain(
      "- **13** `New`  \n  `https://www.example.org/new/`  \n  expired on 1 January 2020, 00:00 UTC\n",
    );
    expect(text).toContain("- [**9**](https://pr-7.example.org/api/v2/pages/9/) `Back room`");
  });

  it("gives no date for a page that can never be live", async () => {
    const never = now.added.find(({ id }) => id === 15);
    expect([never?.isNotLive, never?.go_live_at, never?.expire_at]).toEqual([true, undefined, undefined]);
    expect(human(now)).toContain("never live, because its section expires first");
  });
});
