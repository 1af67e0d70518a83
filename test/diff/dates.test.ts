import { beforeAll, describe, expect, it } from "vitest";
import { diff } from "../../build/diff/diff.ts";
import { human } from "../../build/diff/reporters/human.ts";
import { markdown } from "../../build/diff/reporters/markdown.ts";
import { general, page, SITE, write, type Workplace } from "../pipeline/site.ts";
import { repository } from "./repository.ts";

const dated = (id: number, title: string, dates: object) => ({
  ...general(id, title),
  meta: { type: "standardpages.GeneralPage", ...dates },
});

let place: Workplace;

const idsAt = async (at: number | undefined): Promise<string> => {
  const { added, removed, changed } = await diff({ content: place.content, at });
  const ids = [added, removed, changed].map((pages) => pages.map(({ id }) => id).join(","));
  return ids.join(" ");
};

beforeAll(() => {
  place = repository("dates", {
    "_site.json": SITE,
    "index.json": page(1, "home.HomePage", "Home"),
    "fair.json": dated(2, "Fair", { go_live_at: "2027-03-01T10:00:00+01:00" }),
    "show/index.json": general(3, "Show"),
    "show/room.json": general(4, "Room"),
    "gone.json": dated(5, "Gone", { expire_at: "2027-03-01T00:00:00Z" }),
    "same.json": dated(6, "Same", { expire_at: "2027-03-01T00:00:00Z" }),
    "moved.json": dated(7, "Moved", { expire_at: "2027-03-01T00:00:00Z" }),
  });
  write(place.content, "fair.json", dated(2, "Fair", { go_live_at: "2027-04-01T00:30:00+02:00" }));
  write(place.content, "show/index.json", dated(3, "Show", { go_live_at: "2027-03-01T10:00:00+01:00" }));
  write(place.content, "gone.json", general(5, "Gone"));
  write(place.content, "same.json", dated(6, "The same dates", { expire_at: "2027-03-01T00:00:00Z" }));
  write(place.content, "new.json", dated(8, "New", { expire_at: "2027-03-01T10:00:30Z" }));
  write(place.content, "_draft.json", dated(9, "Draft", { expire_at: "2027-03-01T10:00:30Z" }));
});

describe("a comparison", () => {
  it("lists the dates that a change adds, moves and removes, with the number of affected subpages", async () => {
    const { dates } = await diff({ content: place.content });
    expect(dates.map(({ id, field, old, new: now, below }) => [id, field, old, now, below])).toEqual([
      [2, "go_live_at", "2027-03-01T10:00:00+01:00", "2027-04-01T00:30:00+02:00", 0],
      [5, "expire_at", "2027-03-01T00:00:00Z", undefined, 0],
      [8, "expire_at", undefined, "2027-03-01T10:00:30Z", 0],
      [3, "go_live_at", undefined, "2027-03-01T10:00:00+01:00", 1],
    ]);
  });

  it("shows them in the source's time zone and in UTC", async () => {
    const comparison = await diff({ content: place.content });
    for (const text of [human(comparison), markdown(comparison, {})]) {
      expect(text).toContain("goes live on 1 March 2027, 10:00 (09:00 UTC), with 1 subpage");
      expect(text).toContain(
        "goes live on 1 April 2027, 00:30 (31 March 2027, 22:30 UTC) instead of 1 March 2027, 10:00 (09:00 UTC)",
      );
      expect(text).toContain("does not expire on 1 March 2027, 00:00 UTC any more");
      expect(text).toContain("expires on 1 March 2027, 10:00:30 UTC");
    }
  });

  it("compares the sites at a given instant", async () => {
    expect(await idsAt(Date.UTC(2026, 0))).toBe("8 3 6");
    expect(await idsAt(Date.UTC(2027, 2, 15))).toBe("5 2 3");
  });
});
