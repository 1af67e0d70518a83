import { existsSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { retire, withdraw } from "../../build/change/page-actions.ts";
import { check } from "../../build/site/check.ts";
import { runHere } from "../command.ts";
import { treeOf } from "../files.ts";
import { textsIn } from "../fixtures.ts";
import { general, page, placeWith, type Workplace } from "../site/site.ts";

const EVENT = "tides.TidePage";
let place: Workplace;
const run = (name: string, ...args: string[]) => runHere(name, ["--content", place.content, ...args]);

beforeEach(() => {
  place = placeWith("declared", textsIn("declared"));
});

describe("npm run new for a declared type", () => {
  it("finds the type that is named exactly, and gives lists the elements that they need", async () => {
    const parents = ["home.HomePage"];
    place.put("_types.json", {
      types: {
        "talks.TalkPage": { label: "Talk", parents },
        "talks.Talk2Page": { label: "Other talk", parents, fields: { tags: { list: "text", min: 2 } } },
      },
    });
    expect(await run("new", "talk2", "walk", "--title", "Walk")).toMatchObject({ status: 0 });
    expect(place.json("walk.json")).toMatchObject({ meta: { type: "talks.Talk2Page" }, tags: ["", ""] });
  });

  it("leaves the required fields empty, lists them, and has an error at each", async () => {
    const { status, stdout } = await run("new", "tide", "walk", "--id", "20", "--title", "Walk");
    expect(status).toBe(0);
    expect(place.json("walk.json")).toEqual({
      $schema: ".schema/page.json",
      id: 20,
      meta: {
        type: EVENT,
        show_in_menus: false,
        seo_title: "",
        search_description: "",
        locale: "",
        code: "",
      },
      title: "Walk",
      start_date: "",
      kind: "",
      is_free: null,
      price: null,
      venue: { id: null },
      speakers: [""],
      body: [],
    });
    const listed = Array.from(stdout.matchAll(/walk\.json:(\d+):\d+ {2}([\w.]+):/g));
    expect(listed.map(([, , field]) => field)).toEqual([
      "meta.locale",
      "meta.code",
      "start_date",
      "kind",
      "is_free",
      "price",
      "venue",
      "speakers",
      "body",
    ]);
    // Each is an error, and nothing else is.
    const { findings } = await check({ content: place.content });
    const lines = new Set(listed.map(([, line]) => Number(line)));
    expect(new Set(findings.map((one) => one.place.line))).toEqual(lines);
    expect(existsSync(place.file(".schema/page.json"))).toBe(true);
  });

  it("writes every field with --all-fields", async () => {
    await run("new", EVENT, "walk", "--id", "20", "--all-fields");
    expect(place.json("walk.json")).toMatchObject({ strapline: "", host: null, text: "", kind: "" });
  });

  it("lists the types of the site if there is none of the name", async () => {
    const { status, stderr } = await run("new", "artwork", "folly");
    expect(status).toBe(2);
    expect(stderr).toContain(
      "general (standardpages.GeneralPage), home (home.HomePage), tide (tides.TidePage)",
    );
    expect(stderr).not.toMatch(/artworks\.|project/);
  });
});

const event = (more: object) => ({
  ...page(20, EVENT, "Walk"),
  meta: { type: EVENT, locale: "en", code: "a" },
  start_date: "2026-05-01",
  kind: "Talk",
  is_free: true,
  price: 1,
  venue: { id: 1 },
  speakers: ["A"],
  body: [{ type: "number", value: 10 }],
  ...more,
});

describe("retire", () => {
  it.each([
    ["a field", { host: 10 }, "walk.json"],
    ["HTML", { text: '<p><a linktype="page" id="10">About</a></p>' }, "walk.json"],
    ["a field of a draft", { host: 10 }, "_walk.json"],
  ])("refuses a page that %s of another page refers to, and writes nothing", (_, more, file) => {
    place.put(file, event(more));
    const before = treeOf(place.content);
    expect(() => retire(place.content, "about", undefined)).toThrow(
      /walk\.json:\d+:\d+ refers to the page 10/,
    );
    expect(treeOf(place.content)).toEqual(before);
    place.put(file, event({}));
    expect(retire(place.content, "about", undefined).pages).toMatchObject([{ id: 10 }]);
  });

  it("keeps a page published to which published pages refer", () => {
    place.put("walk.json", event({ host: 10 }));
    expect(() => withdraw(place.content, "about.json")).toThrow(/walk\.json:\d+:\d+ refers to the page 10/);
    place.put("walk.json", event({}));
    place.put("_walk.json", event({ id: 21, host: 10 }));
    expect(withdraw(place.content, "about.json")).toMatchObject({ to: "_about.json" });
  });

  it("retires pages that refer to each other", () => {
    place.put("visit/index.json", general(30, "Visit"));
    place.put("_types.json", {
      types: { "standardpages.GeneralPage": { fields: { next: { kind: "page?" } } } },
    });
    place.put("visit/a.json", { ...general(31, "A"), next: 32 });
    place.put("visit/b.json", { ...general(32, "B"), next: 31 });
    expect(() => retire(place.content, "visit/a", undefined)).toThrow("visit/b.json:");
    expect(retire(place.content, "visit/", undefined).pages).toHaveLength(3);
  });
});
