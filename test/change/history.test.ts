import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { EARLIEST } from "../../build/base/instant.ts";
import { laid } from "../laid.ts";
import { Failure } from "../../build/base/failure.ts";
import { move } from "../../build/change/page-actions.ts";
import { REDIRECT_FORMATS, redirectsOf } from "../../build/change/redirects.ts";
import { retire } from "../../build/change/page-actions.ts";
import { check } from "../../build/site/check.ts";
import { runHere } from "../command.ts";
import { commit, init } from "./diff/repository.ts";
import { treeOf } from "../files.ts";
import {
  FITTING_SITE,
  general,
  page as pageOf,
  SITE,
  SMALL_SITE,
  work,
  placeWith,
  write,
} from "../site/site.ts";

let content: string;
beforeEach(() => {
  ({ content } = placeWith("history", FITTING_SITE));
});

const textOf = (file: string): string => readFileSync(join(content, file), "utf8");
const history = (): unknown => {
  const { $schema: _, ...rest } = JSON.parse(textOf("_history.json")) as Record<string, unknown>;
  return rest;
};
/** Codes of findings that the small site itself does not have. */
const errors = async (): Promise<string[]> =>
  (await check({ content })).findings
    .map(({ code }) => code)
    .filter((code) => code !== "unspecified-value" && code !== "dead-link");

describe("move", () => {
  test("a page: the file, its old address, and the links to it, with query and fragment", async () => {
    const link = String.raw`<a href=\"/visit/cafe/?a=1&amp;b=2#top\">\u00e9</a> <a href='/visit/cafe'>b</a>`;
    const absolute = String.raw`<a href=\"https://www.example.org/visit/cafe/#x\">c</a><a href=\"/visit/cafes/\">d</a>`;
    const page = JSON.stringify(work(80, "Linking", { description: "HERE" }), undefined, 2);
    writeFileSync(join(content, "works/_b/linking.json"), page.replace("HERE", `${link} ${absolute}`));
    const before = textOf("works/_b/linking.json");
    const { addresses, links } = move(content, "visit/cafe", "about-the-cafe");
    expect(addresses).toEqual([
      { file: "about-the-cafe.json", before: "/visit/cafe/", after: "/about-the-cafe/" },
    ]);
    expect(history()).toEqual({ retired: [], moved: [{ id: 11, address: "/visit/cafe/" }] });
    expect(links.map(({ place, href }) => [place.file, href])).toEqual([
      ["works/_b/fen.json", "/visit/cafe/"],
      ["works/_b/linking.json", "/visit/cafe/?a=1&b=2#top"],
      ["works/_b/linking.json", "/visit/cafe"],
      ["works/_b/linking.json", "https://www.example.org/visit/cafe/#x"],
    ]);
    expect(textOf("works/_b/linking.json")).toBe(
      laid(
        before
          .replace("/visit/cafe/?a=1", "/about-the-cafe/?a=1")
          .replace("'/visit/cafe'", "'/about-the-cafe/'")
          .replace("org/visit/cafe/#x", "org/about-the-cafe/#x"),
      ),
    );
    expect(await errors()).toEqual([]);
  });

  const { raw } = String;
  test.each([
    [raw`<a HREF='\/visit\u002fcafe\/'>`, raw`<a HREF='/tea/'>`],
    [raw`<A hre\u0066=\"/visit/caf\u0065/?b=&amp;#c\">`, raw`<A hre\u0066=\"/tea/?b=&amp;#c\">`],
    [raw`\u003ca href=/visit/%63afe#&sect;>`, raw`\u003ca href=/tea/#&sect;>`],
    [raw`<a\nhref='&#x2F;visit/caf&#101;/?a=1&amp;b&#39;2'>`, raw`<a\nhref='/tea/?a=1&amp;b&#39;2'>`],
    [raw`<a href=\"/visit/cafes/?/visit/cafe/\">`, raw`<a href=\"/visit/cafes/?/visit/cafe/\">`],
  ])("changes a link as %s, and nothing else of the text", (link, changed) => {
    const page = JSON.stringify(work(80, "Linking", { description: "HERE" }), undefined, 2);
    writeFileSync(join(content, "works/_b/linking.json"), page.replace("HERE", `\\u00e9${link}\\/</a>`));
    move(content, "visit/cafe", "tea");
    expect(textOf("works/_b/linking.json")).toContain(`"\\u00e9${changed}\\/</a>"`);
  });

  test("to a slug that begins with “_”, and away from it", () => {
    expect(move(content, "visit/cafe", "visit/%5Fcafe").addresses).toMatchObject([
      { before: "/visit/cafe/", after: "/visit/_cafe/" },
    ]);
    expect(move(content, "visit/%5Fcafe", "visit/cafe").addresses).toMatchObject([
      { before: "/visit/_cafe/", after: "/visit/cafe/" },
    ]);
  });

  test("a section: all pages below it, also drafts and in grouping folders", async () => {
    write(content, "visit/rooms/_three.json", general(16, "Room three"));
    const { addresses } = move(content, "visit/rooms/", "rooms");
    expect(addresses.map(({ before, after }) => `${before} ${after}`).sort()).toEqual([
      "/visit/rooms/ /rooms/",
      "/visit/rooms/one/ /rooms/one/",
      "/visit/rooms/two/ /rooms/two/",
    ]);
    expect(existsSync(join(content, "visit/rooms"))).toBe(false);
    expect(existsSync(join(content, "rooms/_three.json"))).toBe(true);
    expect(await errors()).toEqual([]);
  });

  test("there and back leaves no old address, because the one in between was never published", async () => {
    move(content, "visit/rooms", "rooms");
    const { dropped } = move(content, "rooms", "visit/rooms");
    expect(dropped).toEqual(["/rooms/", "/rooms/one/", "/rooms/two/"]);
    expect(history()).toEqual({ retired: [], moved: [] });
    expect(await errors()).toEqual([]);
  });

  test("in a repository, only published addresses are kept", async () => {
    init(content);
    commit(content);
    move(content, "visit/cafe", "cafe");
    move(content, "cafe", "tea");
    move(content, "visit/_more/shop", "shop");
    move(content, "shop", "visit/shop");
    write(content, "new.json", general(70, "New"));
    move(content, "new", "newer");
    expect(history()).toEqual({ retired: [], moved: [{ id: 11, address: "/visit/cafe/" }] });
    // A page at the address `/about/` in the base does not publish this page there.
    move(content, "about", "other");
    move(content, "newer", "about");
    move(content, "about", "newest");
    expect(history()).toMatchObject({ moved: [{ id: 11 }, { id: 2, address: "/about/" }] });
    commit(content);
    move(content, "tea", "visit/cafe");
    expect(history()).toMatchObject({ moved: [{ id: 2 }, { id: 11, address: "/tea/" }] });
    expect(await errors()).toEqual([]);
  });

  test("in a repository, published addresses of each language are kept, whatever its path", async () => {
    const locales = { en: { label: "English", path: "/en/" }, cy: { label: "Cymraeg", path: "/cymraeg/" } };
    write(content, "_site.json", { ...SITE, owned_paths: [], locales });
    write(content, "cy/index.json", pageOf(81, "home.HomePage", "Hafan"));
    write(content, "cy/amdanom.json", general(82, "Amdanom"));
    init(content);
    commit(content);
    move(content, "about", "about-us");
    move(content, "cy/amdanom", "cy/amdanon-ni");
    write(content, "cy/new.json", general(83, "New"));
    move(content, "cy/new", "cy/newydd");
    expect(history()).toEqual({
      retired: [],
      moved: [
        { id: 2, address: "/en/about/" },
        { id: 82, address: "/cymraeg/amdanom/" },
      ],
    });
    expect(await errors()).toEqual([]);
  });

  test("a section changes its entries of owned_paths, and lays out _site.json", async () => {
    const text = `{ "base_url": "https://api.example.org", "site_url": "https://www.example.org",\r\n  "media_url": "https://media.example.org",
  "owned_paths": [ "/projects", "/visit/rooms/one/",\t"/visit/rooms" ] }`;
    writeFileSync(join(content, "_site.json"), text);
    expect(move(content, "visit/rooms", "rooms")).toMatchObject({
      owned: [
        { before: "/visit/rooms/one/", after: "/rooms/one/" },
        { before: "/visit/rooms", after: "/rooms" },
      ],
      isDisowned: false,
    });
    expect(textOf("_site.json")).toBe(
      laid(text.replace("/visit/rooms/one/", "/rooms/one/").replace('"/visit/rooms"', '"/rooms"')),
    );
    expect(await errors()).toEqual([]);
  });

  test("out of owned_paths is reported", async () => {
    const { status, stdout } = await runHere("move", ["visit/cafe", "cafe", "--content", content]);
    expect([status, stdout]).toEqual([0, expect.stringContaining("not below owned_paths")]);
    expect(move(content, "visit/rooms", "visit/halls").isDisowned).toBe(false);
  });

  test("a section that was renamed without the command is found by its owned path", async () => {
    renameSync(join(content, "visit"), join(content, "besuch"));
    expect(await errors()).toEqual(["empty-owned-path"]);
  });

  test("a second run changes nothing and is not an error", () => {
    move(content, "visit/rooms/", "rooms");
    const before = treeOf(content);
    expect(move(content, "visit/rooms/", "rooms")).toMatchObject({ to: "rooms/index.json", links: [] });
    expect(treeOf(content)).toEqual(before);
    expect(() => move(content, "visit/halls", "rooms")).toThrow("There is no page visit/halls");
  });

  test.each([
    ["into a folder of its own", "visit/cafe", "visit/cafe/", "visit/cafe/index.json"],
    ["into a group", "visit/cafe", "visit/_more/cafe", "visit/_more/cafe.json"],
    ["a draft", "_news", "visit/_news", "visit/_news.json"],
  ])("%s: no address changes, and no old address is kept", async (_, from, to, file) => {
    expect(move(content, from, to)).toMatchObject({ to: file, addresses: [], links: [] });
    expect(existsSync(join(content, "_history.json"))).toBe(false);
    expect(await errors()).toEqual([]);
  });

  test.each([
    ["the home page", "index.json", "visit/home"],
    ["no page", "visit/nothing", "visit/x"],
    ["onto a page", "visit/cafe", "visit/shop"],
    ["below itself", "visit", "visit/rooms/visit"],
    ["a work below a general page", "works/_a/marsh", "visit/marsh"],
    ["below no page", "visit/cafe", "nowhere/cafe"],
    ["into a draft", "visit/cafe", "visit/_coffee"],
    ["to the images", "visit/cafe", "_media/cafe"],
    ["out of the content folder", "visit/cafe", "../cafe"],
  ])("refuses %s, with nothing changed", (_, from, to) => {
    const before = treeOf(content);
    expect(() => move(content, from, to)).toThrow(Failure);
    expect(treeOf(content)).toEqual(before);
  });
});

describe("retire", () => {
  test("keeps the id and the address, and lists the links to the page", async () => {
    const { pages, links } = retire(content, "visit/cafe", "/visit/");
    expect(pages).toEqual([{ file: "visit/cafe.json", id: 11, address: "/visit/cafe/", to: "/visit/" }]);
    expect(links.map(({ place }) => place.file)).toEqual(["works/_b/fen.json"]);
    expect(history()).toEqual({ retired: [{ id: 11, address: "/visit/cafe/", to: "/visit/" }], moved: [] });
    expect(await errors()).toEqual([]);
    write(content, "again.json", SMALL_SITE["visit/cafe.json"]);
    expect(await errors()).toEqual(["retired-id"]);
  });

  test("a second run changes nothing and is not an error", () => {
    retire(content, "visit/rooms/", "/visit/");
    const before = treeOf(content);
    expect(retire(content, "visit/rooms/", "/visit/").pages.map(({ id }) => id)).toEqual([13, 14, 15]);
    expect(treeOf(content)).toEqual(before);
    expect(() => retire(content, "visit/rooms/", "/about/")).toThrow("There is no page");
  });

  test("a section with all pages below it", async () => {
    expect(retire(content, "visit/rooms/", undefined).pages.map(({ id }) => id)).toEqual([13, 14, 15]);
    expect(existsSync(join(content, "visit/rooms"))).toBe(false);
    expect(await errors()).toEqual([]);
  });

  test.each([
    ["the home page", "index.json", undefined],
    ["a draft", "_news", undefined],
    ["an invalid address", "visit/cafe", "visit"],
    ["its own address", "visit/cafe", "/visit/cafe"],
    ["its own address in full", "visit/cafe", "https://www.example.org/visit/cafe/?a#b"],
    ["its own address in another spelling", "visit/cafe", "/visit/x/../%63afe/"],
    ["the address of a page below it", "visit/rooms/", "/visit/rooms/one/"],
    ["an address that no page has", "visit/cafe", "/visit/tea/"],
  ])("refuses %s, with nothing changed", (_, path, to) => {
    const before = treeOf(content);
    expect(() => retire(content, path, to)).toThrow(Failure);
    expect(treeOf(content)).toEqual(before);
  });

  test("refuses an address that redirects to the page itself, or to a retired page", () => {
    move(content, "visit/cafe", "tea");
    retire(content, "visit/rooms/", undefined);
    const before = treeOf(content);
    expect(() => retire(content, "tea", "/visit/cafe/")).toThrow("/tea/ → /visit/cafe/ → /tea/");
    expect(() => retire(content, "tea", "/visit/rooms/")).toThrow("no page has this address");
    expect(treeOf(content)).toEqual(before);
    // Outside owned_paths, another site may have the page.
    retire(content, "tea", "/somewhere/");
  });

  test("redirects from an address that another page had before", () => {
    move(content, "visit/cafe", "tea");
    write(content, "visit/cafe.json", general(60, "The new café"));
    retire(content, "visit/cafe", "/visit/");
    expect(found()).toEqual({ "/visit/cafe/": "/visit/" });
    // The redirect of the address leads to the page that had it last.
    write(content, "visit/cafe.json", general(61, "The newest café"));
    move(content, "visit/cafe", "coffee");
    expect(found()).toEqual({ "/visit/cafe/": "/coffee/" });
    move(content, "coffee", "coffees");
    expect(found()).toEqual({ "/visit/cafe/": "/coffees/", "/coffee/": "/coffees/" });
  });

  test("refuses a section with drafts in it", () => {
    write(content, "visit/rooms/_three.json", { id: 90 });
    expect(() => retire(content, "visit/rooms", undefined)).toThrow("visit/rooms/_three.json");
  });
});

const kept = (retired: object[], moved: object[]) => write(content, "_history.json", { retired, moved });
const found = (): Record<string, string | undefined> =>
  Object.fromEntries(redirectsOf(content, EARLIEST).redirects.map(({ from, to }) => [from, to]));

describe("redirects", () => {
  test("lead directly to the end of a chain", () => {
    kept(
      [
        { id: 500, address: "/a/", to: "/b/" },
        { id: 501, address: "/b/", to: "/c/?x=1" },
        { id: 502, address: "/gone/" },
        { id: 503, address: "/d/", to: "https://www.example.org/was/cafe" },
        { id: 504, address: "/e/", to: "https://shop.example.org/" },
        { id: 505, address: "/about/", to: "/x/" },
      ],
      [
        { id: 11, address: "/was/cafe/" },
        { id: 502, address: "/was/gone/" },
        { id: 3, address: "/was/news/" },
      ],
    );
    expect(found()).toEqual({
      "/a/": "/c/?x=1",
      "/b/": "/c/?x=1",
      "/gone/": undefined,
      "/d/": "/visit/cafe/",
      "/e/": "https://shop.example.org/",
      "/was/cafe/": "/visit/cafe/",
      "/was/gone/": undefined,
    });
  });

  test("an endless or dead redirect is reported, by the check and by the command, which prints the others", async () => {
    kept(
      [
        { id: 500, address: "/a/", to: "/b/" },
        { id: 501, address: "/b/", to: "https://www.example.org/a" },
        { id: 502, address: "/c/", to: "/a/" },
        { id: 503, address: "/d/", to: "/visit/" },
        // A loop through its own old address.
        { id: 504, address: "/e/", to: "/was/e/" },
        { id: 505, address: "/f/", to: "/visit/tea/" },
        { id: 506, address: "/g/", to: "/f/" },
        // A page has this address, so the entry is not used.
        { id: 507, address: "/about/", to: "/about/" },
      ],
      [{ id: 504, address: "/was/e/" }],
    );
    const { findings } = await check({ content });
    const wrong = findings.filter(({ code }) => /redirect/.test(code));
    const loops = wrong.map(({ code, place }) => [code, place.line]);
    expect(loops).toEqual([
      ["redirect-loop", 6],
      ["redirect-loop", 11],
      ["redirect-loop", 26],
      ["dead-redirect", 31],
    ]);
    const { status, stdout, stderr } = await runHere("redirects", ["--content", content, "--format", "csv"]);
    expect([status, stdout]).toEqual([1, "from,to,status\n/d/,/visit/,301\n/d,/visit/,301\n"]);
    expect(stderr.match(/^error (?:redirect-loop|dead-redirect)/gm)).toHaveLength(4);
  });

  test("an entry with a replacement precedes a moved page, which precedes an entry without a replacement", () => {
    kept(
      [
        { id: 500, address: "/a/", to: "/visit/" },
        { id: 501, address: "/b/" },
      ],
      [
        { id: 11, address: "/a/" },
        { id: 11, address: "/b/" },
      ],
    );
    expect(found()).toEqual({ "/a/": "/visit/", "/b/": "/visit/cafe/" });
  });

  test("are escaped, so that an address cannot add directives or patterns", () => {
    const redirects = [
      { from: "/a.b/$x/", to: '/c/";return/$host' },
      { from: "/*/:id", to: "/é" },
      { from: "/gone/" },
    ];
    const written = Object.fromEntries(
      Object.entries(REDIRECT_FORMATS).map(([format, lines]) => [format, lines(redirects)]),
    );
    expect(written).toEqual({
      cloudflare: [
        "# gone: /gone/",
        "/a.b/%24x/ /c/%22;return/%24host 301",
        "/%2A/%3Aid /%C3%A9 301",
        "/a.b/%24x /c/%22;return/%24host 301",
        "/%2A/%3Aid/ /%C3%A9 301",
      ],
      nginx: [
        'location = "/a.b/$x/" { return 301 "/c/%22;return/%24host"; }',
        'location = "/*/:id" { return 301 "/%C3%A9"; }',
        'location = "/gone/" { return 410; }',
        'location = "/a.b/$x" { return 301 "/c/%22;return/%24host"; }',
        'location = "/*/:id/" { return 301 "/%C3%A9"; }',
        'location = "/gone" { return 410; }',
      ],
      apache: [
        String.raw`RedirectMatch 301 "^/a\.b/\$x/?$" "/c/\";return/\\$host"`,
        String.raw`RedirectMatch 301 "^/\*/:id/?$" "/é"`,
        'RedirectMatch 410 "^/gone/?$"',
      ],
      csv: [
        "from,to,status",
        '/a.b/$x/,"/c/"";return/$host",301',
        "/*/:id,/é,301",
        "/gone/,,410",
        '/a.b/$x,"/c/"";return/$host",301',
        "/*/:id/,/é,301",
        "/gone,,410",
      ],
    });
  });
});
