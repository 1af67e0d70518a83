import { relative } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { instantAt, instantOf } from "../../build/base/instant.ts";
import { check } from "../../build/site/check.ts";
import { redirectsOf } from "../../build/change/redirects.ts";
import { runHere } from "../command.ts";
import { FIXTURES } from "../fixtures.ts";
import { dated, general, page, SITE, placeWith, write } from "../site/site.ts";

let content: string;

beforeAll(() => {
  ({ content } = placeWith("schedule", {
    "_site.json": SITE,
    "index.json": page(1, "home.HomePage", "Home"),
    "fair.json": dated(2, "Fair", {
      go_live_at: "2027-03-01T10:00:00+01:00",
      expire_at: "2027-06-01T00:00:00.5Z",
    }),
    "show/index.json": dated(3, "Show", { go_live_at: "2027-04-01T00:00:00Z" }),
    "show/room.json": dated(4, "Room", {
      go_live_at: "2027-01-01T00:00:00Z",
      expire_at: "2027-05-01T00:00:00Z",
    }),
    "show/past.json": dated(5, "Never live", { expire_at: "2027-03-01T00:00:00Z" }),
    "_draft.json": dated(6, "Draft", { go_live_at: "2027-03-01T00:00:00Z" }),
    "always.json": general(7, "Always"),
  }));
});

const schedule = async (...args: string[]) => {
  const { status, stdout } = await runHere("schedule", [...args, "--reporter", "json", "--content", content]);
  expect(status).toBe(0);
  return JSON.parse(stdout) as { events: { at: string; change: string; id: number }[]; next: string | null };
};

const printedBy = async (reporter: string, from: string, until: string): Promise<string> => {
  const args = ["--from", from, "--until", until, "--reporter", reporter, "--content", content];
  return (await runHere("schedule", args)).stdout;
};

describe("the schedule", () => {
  it("lists the pages that go live and expire, with their ancestors, in the order of time", async () => {
    const { events, next } = await schedule("--from", "2026-01-01T00:00:00Z");
    expect(events.map(({ at, change, id }) => `${at} ${change} ${id}`)).toEqual([
      "2027-03-01T09:00:00Z live 2",
      "2027-04-01T00:00:00Z live 3",
      "2027-04-01T00:00:00Z live 4",
      "2027-05-01T00:00:00Z expired 4",
      "2027-06-01T00:00:00.500Z expired 2",
    ]);
    expect(next).toBe("2027-03-01T09:00:00Z");
    expect(events[0]).toEqual({
      at: "2027-03-01T09:00:00Z",
      change: "live",
      id: 2,
      title: "Fair",
      file: relative(FIXTURES, `${content}/fair.json`),
      address: "https://www.example.org/fair/",
    });
  });

  it("includes its first instant but not its last; the next event may be later", async () => {
    const first = await schedule("--from", "2027-03-01T09:00:00Z", "--until", "2027-04-01T00:00:00Z");
    expect(first.events.map(({ id }) => id)).toEqual([2]);
    const none = await schedule("--from", "2027-03-01T09:00:01Z", "--until", "2027-04-01T00:00:00Z");
    expect(none).toEqual({ events: [], next: "2027-04-01T00:00:00Z" });
    expect(await schedule("--from", "2027-06-01T00:00:00.501Z")).toEqual({ events: [], next: null });
  });

  it.each([
    ["2027-03-01T10:00:00.123456+01:00", "2027-03-01T09:00:00.123456Z", "1 March 2027, 09:00:00.123456 UTC"],
    ["2027-03-01T10:00:00.0000001Z", "2027-03-01T10:00:00.0000001Z", "1 March 2027, 10:00:00.0000001 UTC"],
    ["9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z", "31 December 9999, 23:59:59.999999 UTC"],
    // In UTC, years that no date and time can have.
    ["9999-12-31T23:30:00-02:00", "9999-12-31T01:31:00-23:59", "1 January 10000, 01:30 UTC"],
    ["0000-01-01T00:30:00+01:00", "0000-01-01T23:29:00+23:59", "31 December -1, 23:30 UTC"],
  ])("prints the instant %s so that the commands read it", async (written, printed, spoken) => {
    const place = placeWith("precise", {
      "_site.json": SITE,
      "index.json": page(1, "home.HomePage", "Home"),
      "fair.json": dated(2, "Fair", { expire_at: written }),
    });
    const from = async (at: string, ...args: string[]) =>
      (await runHere("schedule", ["--from", at, ...args, "--content", place.content])).stdout;
    const asJson = async (at: string) => JSON.parse(await from(at, "--reporter", "json")) as object;
    expect(await asJson("0000-01-01T00:00:00+23:59")).toMatchObject({
      events: [{ at: printed }],
      next: printed,
    });
    expect(await asJson(printed)).toMatchObject({ events: [{ id: 2 }], next: printed });
    expect(await from(printed)).toContain(spoken);
    const pagesAt = async (at: string) => (await check({ ...place, at: instantOf(at) })).pages;
    expect(await pagesAt(printed)).toBe(1);
    expect(await pagesAt(printed.replace(/(?:\.\d+)?(?=[Z+]|-\d\d:\d\d$)/, ""))).toBe(
      /\./.test(printed) ? 2 : 1,
    );
  });

  it("is printed for people", async () => {
    const { stdout } = await runHere("schedule", ["--from", "2027-03-01T09:00:00Z", "--content", content]);
    expect(stdout).toMatch(/^1 March 2027, 09:00 UTC {2}goes live {2}“Fair” {2}\S+fair\.json {2}https:/);
    expect(await runHere("schedule", ["--from", "2027-03-01", "--content", content])).toMatchObject({
      status: 2,
    });
  });

  it("is printed for the summary and for the variables of a job", async () => {
    const [before, after] = ["2027-03-01T09:00:00Z", "2027-04-01T00:00:00Z"];
    expect(await printedBy("dotenv", before, after)).toBe(`events=1\nnext=${before}\n`);
    expect(await printedBy("dotenv", "2028-01-01T00:00:00Z", "2029-01-01T00:00:00Z")).toBe(
      "events=0\nnext=\n",
    );
    expect(await printedBy("markdown", before, after)).toMatch(
      /^### .*\n\n- 1 March 2027, 09:00 UTC: `Fair` goes live {2}\n {2}`\S+fair\.json` `https:\S+`\n$/,
    );
    expect(await printedBy("markdown", before, before)).toMatch(/^### .*\n\nNo page goes live/);
  });

  it("begins or ends now", async () => {
    vi.useFakeTimers({ now: Date.parse("2027-04-15T00:00:00Z"), toFake: ["Date"] });
    try {
      const ids = async (...args: string[]) => (await schedule(...args)).events.map(({ id }) => id);
      expect(await ids("--from", "2026-01-01T00:00:00Z", "--until", "now")).toEqual([2, 3, 4]);
      expect(await ids("--from", "now")).toEqual([4, 2]);
      expect(await ids()).toEqual([4, 2]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("has no redirects to a page until it is live", () => {
    write(content, "_history.json", { retired: [], moved: [{ id: 2, address: "/old/" }] });
    expect(redirectsOf(content, instantAt(Date.UTC(2027, 1))).redirects).toEqual([]);
    expect(redirectsOf(content, instantAt(Date.UTC(2027, 3))).redirects).toEqual([
      { from: "/old/", to: "/fair/" },
    ]);
  });
});
