import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { takeLock } from "../../build/base/lock.ts";
import type { SyncHelpers } from "../../build/exchange/sync/helpers.ts";
import { type Records } from "../../build/exchange/sync/records.ts";
import { sync, type Sync, type SyncOptions } from "../../build/exchange/sync/sync.ts";
import { fingerprint, ownedValues, type SyncPage } from "../../build/exchange/sync/values.ts";
import { retire } from "../../build/change/page-actions.ts";
import { isError } from "../../build/findings/finding.ts";
import { check } from "../../build/site/check.ts";
import { modelOf } from "../../build/model/types.ts";
import { runHere } from "../command.ts";
import { readJson, treeOf } from "../files.ts";
import { general, pngOf, workplace, write, writeEmptySite, writeImage } from "../site/site.ts";

type Work = Record<string, string | undefined>;

const MODULE: Omit<Sync<Work>, "records"> = {
  name: "works",
  label: "the register",
  key: ({ key }) => key,
  page: ({ key, title, about }, { slug }): SyncPage => ({
    parent: "/",
    folder: "_works",
    slug: slug(title, key),
    meta: { type: "standardpages.GeneralPage", search_description: about },
    title,
  }),
};

function museum() {
  const { folder, content } = workplace("sync");
  writeEmptySite(content);
  const number = { kind: "text", unique: true };
  write(content, "_types.json", { types: { "standardpages.GeneralPage": { fields: { number } } } });
  const run = (
    records: Work[],
    options: Partial<SyncOptions> = {},
    module: Partial<Sync<Work>> | Sync = {},
  ) => {
    async function* all(): AsyncGenerator<Work> {
      yield* records;
    }
    const given: Records = all;
    return sync(
      { ...MODULE, records: given, ...module },
      { content, folder, model: modelOf(content), ...options },
    );
  };
  const change = (file: string, from: string, to: string): void => {
    const path = join(content, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
  };
  return { folder, content, run, change };
}

const works = (count: number): Work[] =>
  Array.from({ length: count }, (_, k) => ({ key: `N${k}`, title: `Mill ${k}`, about: `Mill, number ${k}` }));

const numbered: Sync<Work>["page"] = ({ key, number, parent = "/" }) => ({
  parent,
  slug: `s${key ?? ""}`,
  meta: { type: "standardpages.GeneralPage" },
  title: "Mill",
  number,
});

const everyFourth = (record: Work, k: number): Work =>
  k % 4 === 1 ? { ...record, [k % 8 === 1 ? "title" : "about"]: "Weir" } : record;

/** A field that only some records have. */
const withMenu: Sync<Work>["page"] = ({ menu, ...record }, helpers) => ({
  ...(MODULE.page(record, helpers) as SyncPage),
  ...(menu === undefined ? {} : { meta: { type: "standardpages.GeneralPage", seo_title: menu } }),
});

const adoptByTitle = ({ title }: Record<string, unknown>) =>
  /^N\d$/.test(String(title)) ? String(title) : "";

/** At the place that the record names. */
const anywhere: Sync<Work>["page"] = ({ parent = "", scan, slug, folder, ...record }, helpers) => {
  if (scan !== undefined) helpers.image(scan);
  const usual = MODULE.page(record, helpers) as SyncPage;
  return { ...usual, parent, slug: slug ?? usual.slug, folder: folder ?? usual.folder };
};

const withImages: Sync<Work>["page"] = (record, helpers) => {
  const [copied, linked] = ["scan.png", "https://example.org/a.jpg"].map((from) => helpers.image(from).url);
  return { ...(MODULE.page(record, helpers) as SyncPage), title: `${copied} ${linked}` };
};

it("fingerprints differ if values do, and only then", () => {
  const different =
    '[1] ["1"] [["1",""]] [["1"],""] [[1]] [{"a":1}] [{"a":"1"}] [{"b":1}] [["a",1]] [true] ["true"] [[null]] [["null"]]';
  const more = '["","1"] ["1",""] [1,"","2"] ["","1",2] [[{"a":1},{}]] [[{"a":1}]]';
  const all = `${different} ${more}`.split(" ").map((one) => fingerprint(JSON.parse(one) as unknown[]));
  expect(new Set(all).size).toBe(19);
  const [same, other] = [
    [{ a: 1, b: undefined }, undefined, [undefined]],
    [{ a: 1 }, "", [null]],
  ];
  expect(fingerprint(same)).toEqual(fingerprint(other));
});

it("a number that JSON does not have becomes a text, which its field refuses", () => {
  const sizes = [{ height: 1n, width: NaN, measured: new Date(0) }];
  const page = { parent: "/", slug: "n", meta: { type: "a.B", order: NaN }, weight: -Infinity, sizes };
  const asText = [{ height: "1", width: "NaN", measured: "1970-01-01T00:00:00.000Z" }];
  const values = { "meta.type": "a.B", "meta.order": "NaN", weight: "-Infinity", sizes: asText };
  expect(ownedValues(page)).toEqual(values);
});

describe("sync", () => {
  it("writes new pages once, then only fields that changed, and never a field of editors", async () => {
    const { content, run, change } = museum();
    expect((await run(works(3))).created.map(({ key }) => key)).toEqual(["N0", "N1", "N2"]);
    const before = treeOf(content);
    expect(await run(works(3))).toMatchObject({ created: [], changed: [], unchanged: 3 });
    expect(treeOf(content)).toEqual(before);

    change("_works/mill-1-n1.json", '"title"', '"meta": 0, "title"');
    change("_works/mill-1-n1.json", '"meta": 0, ', "");
    change("_works/mill-1-n1.json", '"external_id"', '"seo_title": "By an editor", "external_id"');
    const [first, second, third] = works(3);
    const { changed } = await run([
      { ...first, about: undefined },
      { ...second, title: "Weir" },
      { ...third },
    ]);
    expect(changed).toEqual([
      { key: "N0", file: "_works/mill-0-n0.json", fields: ["meta.search_description"] },
      { key: "N1", file: "_works/mill-1-n1.json", fields: ["title"] },
    ]);
    const edited = readFileSync(join(content, "_works/mill-1-n1.json"), "utf8");
    expect(edited).toContain('"seo_title": "By an editor"');
    expect(edited).toContain('"title": "Weir"');
    expect((await check({ content })).findings).toEqual([]);
  });

  it("changes ten files for ten changed records, by the lines of the changed fields", async () => {
    const { content, run } = museum();
    const all = works(40);
    await run(all);
    const before = treeOf(content);
    const fields = (await run(all.map(everyFourth))).changed.map((page) => page.fields[0]);
    expect(fields).toEqual(Array.from({ length: 10 }, (_, k) => ["title", "meta.search_description"][k % 2]));
    const files = Object.entries(treeOf(content)).filter(([path, text]) => before[path] !== text);
    const lines = files.map(([path, text]) => {
      const old = before[path]?.split("\n") ?? [];
      return text.split("\n").filter((line, k) => line !== old[k]).length;
    });
    expect(lines).toEqual(Array(10).fill(1));
  });

  it("names the fields of the collection system in _sync.json, and reads records again for a late one", async () => {
    const { content, run } = museum();
    const all = works(2);
    const [one, two] = all as [Work, Work];
    await run(all, {}, { page: withMenu });
    await run([one, { ...two, menu: "Menu" }], {}, { page: withMenu });
    const { works: written } = JSON.parse(readFileSync(join(content, "_sync.json"), "utf8")) as {
      works: { label: string; fields: string[] };
    };
    expect(written.label).toBe("the register");
    expect(written.fields).toEqual(["meta.search_description", "meta.seo_title", "meta.type", "title"]);
  });

  it("gives a field that the module returns no longer back to editors, with its values", async () => {
    const { content, run } = museum();
    const file = "_works/mill-0-n0.json";
    await run(
      works(2),
      {},
      {
        page: (record: Work, helpers: SyncHelpers) => {
          const { meta, ...rest } = MODULE.page(record, helpers) as SyncPage;
          return { ...rest, meta: { ...meta, seo_title: "Menu" } } as SyncPage;
        },
      },
    );
    const before = readFileSync(join(content, file), "utf8");
    expect(await run(works(2))).toMatchObject({ released: ["meta.seo_title"], unchanged: 2 });
    expect(readFileSync(join(content, file), "utf8")).toBe(before);
    expect(treeOf(content)["_sync.json"]).not.toContain("seo_title");
    expect((await run(works(2))).released).toEqual([]);
  });

  it("moves many pages together, also to addresses that others leave, and no page to one that is taken", async () => {
    const { content, run } = museum();
    await run(works(4));
    mkdirSync(join(content, "_works/mill-2-n2"));
    renameSync(join(content, "_works/mill-2-n2.json"), join(content, "_works/mill-2-n2/index.json"));
    write(content, "weir.json", general(9, "Weir"));
    // N0 gets the address of N1, and N3 that of another page.
    const slugs: Record<string, string> = { N0: "mill-1-n1", N1: "mill-5", N2: "mill-6", N3: "weir" };
    const page: Sync<Work>["page"] = (record, helpers) => ({
      ...(MODULE.page(record, helpers) as SyncPage),
      slug: slugs[record["key"] ?? ""] ?? "",
    });
    const before = treeOf(content);
    expect((await run(works(4), { move: true, dryRun: true }, { page })).misplaced).toHaveLength(4);
    expect(treeOf(content)).toEqual(before);
    const { misplaced, refused } = await run(works(4), { move: true }, { page });
    expect(misplaced.map(({ key }) => key)).toEqual(["N0", "N1", "N2"]);
    expect(misplaced[2]?.to).toBe("_works/mill-6/index.json");
    expect(readJson(content, "_works/mill-6/index.json")).toMatchObject({ title: "Mill 2" });
    expect(refused.map(({ key, findings }) => [key, findings[0]?.code, findings[0]?.place.line])).toEqual([
      ["N3", "slug-clash", 4],
    ]);
    expect(await run(works(4), {}, { page })).toMatchObject({ unchanged: 4, misplaced: [{ key: "N3" }] });
    expect(readJson(content, "_works/mill-1-n1.json")).toMatchObject({ title: "Mill 0" });
    expect((await check({ content })).findings.filter(isError)).toEqual([]);
  });

  it("does not bring back a page that an editor has retired, unless asked to, and then with its id", async () => {
    const { content, run } = museum();
    await run(works(2));
    const page = readFileSync(join(content, "_works/mill-1-n1.json"), "utf8");
    retire(content, join(content, "_works/mill-1-n1.json"), undefined);
    expect(await run(works(2))).toMatchObject({ created: [], returned: [{ key: "N1", line: 2 }] });
    await run(works(2), { restore: true });
    expect(readFileSync(join(content, "_works/mill-1-n1.json"), "utf8")).toBe(page);
    expect(treeOf(content)["_history.json"]).not.toContain("mill-1");
    expect(treeOf(content)["_sync.json"]).not.toContain("retired");
    expect((await check({ content })).findings).toEqual([]);
  });

  it("retires no page that has a subpage of editors", async () => {
    const { content, run } = museum();
    await run(works(2));
    const page = readJson(content, "_works/mill-1-n1.json") as object;
    rmSync(join(content, "_works/mill-1-n1.json"));
    write(content, "_works/mill-1-n1/index.json", page);
    write(content, "_works/mill-1-n1/essay.json", general(9, "Essay"));
    await expect(run(works(1), { retire: true })).rejects.toThrow(
      "essay.json. Move that page first. Nothing was",
    );
    expect(Object.keys(treeOf(content))).toContain("_works/mill-1-n1/essay.json");
  });

  it("takes pages over, and keeps their records through a move and a draft", async () => {
    const { content, run } = museum();
    write(content, "old.json", { ...general(9, "Mill 0"), title: "N0" });
    // Without a record, it stays a page of editors.
    write(content, "other.json", { ...general(8, "Mill"), title: "N8" });
    const adopted = await run(works(1), {}, { adopt: adoptByTitle });
    expect(adopted.gone).toEqual([]);
    expect(adopted.changed.map(({ file }) => file)).toEqual(["old.json"]);
    expect(adopted.misplaced).toEqual([{ key: "N0", file: "old.json", to: "_works/mill-0-n0.json" }]);
    await run(works(1), { move: true });
    expect(treeOf(content)["_history.json"]).toContain('"address": "/old/"');
    const moved = join(content, "_works/mill-0-n0.json");
    write(content, "_mill-0-n0.json", readFileSync(moved, "utf8"));
    rmSync(moved);
    expect(await run(works(1))).toMatchObject({ created: [], unchanged: 1 });
  });

  it("does not write a page with an error, names its record, and writes the others", async () => {
    const { folder, content, run } = museum();
    const wrong: [Work, string][] = [
      [{ key: "N9" }, "missing-field"],
      [{ key: "n0", title: "MILL 0 " }, "slug-clash"],
      [{ key: "N8", title: "Weir", parent: "/none/" }, "index-missing"],
      [{ key: "N7", title: "Weir", slug: "index" }, "bad-slug"],
      [{ key: "N6", title: "Weir", slug: "con" }, "reserved-name"],
      [{ key: "N5", title: "Weir", scan: "none.jpg" }, "media-missing"],
      [{ key: "N3", title: "Weir", scan: "text.jpg" }, "media-content"],
      [{ key: "N1_", title: "Weir", scan: "scan.PNG" }, "media-file"],
      [{ key: "N0_", title: "Weir", scan: "#.png" }, "media-name"],
      [{ key: "N0__", title: "Weir", scan: "mill.png" }, "media-clash"],
      [{ key: "N2", title: "Weir", folder: "works" }, "bad-slug"],
    ];
    for (const name of ["text.jpg", "scan.PNG", "#.png", "mill.png"]) write(folder, name, "no image");
    writeImage(content, "Mill.png");
    const { created, refused } = await run(
      [...works(2), ...wrong.map(([record]) => record)],
      {},
      { page: anywhere },
    );
    expect(created).toHaveLength(2);
    expect(refused.map(({ key, findings }) => [key, findings[0]?.code, findings[0]?.place.line])).toEqual(
      wrong.map(([{ key }, code], k) => [key, code, k + 3]),
    );
    expect(refused[2]?.findings[0]?.args).toEqual({ folder: "none" });
    const below: Work = { key: "N4", title: "Weir", parent: "mill-0-n0" };
    await expect(run([below], { yes: true }, { page: anywhere })).rejects.toThrow(
      "page-api move _works/mill-0-n0 _works/mill-0-n0/\nNothing was written.",
    );
  });

  it("does not write a page with a value that another page of its language has", async () => {
    const { content, run } = museum();
    const site = readJson(content, "_site.json") as object;
    write(content, "_site.json", { ...site, locales: { en: "English", cy: "Cymraeg" } });
    write(content, "cy/index.json", { ...general(9, "Cartref"), meta: { type: "home.HomePage" } });
    const [first, second] = [
      { key: "1", number: "N 1" },
      { key: "2", number: "N2" },
    ];
    const others: Work[] = [
      { key: "3", number: "n1" },
      { key: "4", number: "N1", parent: "/cy/" },
    ];
    const refusedOf = async (...records: Work[]): Promise<unknown> =>
      (await run(records, {}, { page: numbered })).refused.map(({ key, findings }) => [
        key,
        findings[0]?.code,
      ]);
    expect(await refusedOf(first, second, ...others)).toEqual([["3", "value-clash"]]);
    expect(await refusedOf(first, { ...second, number: "n1" }, ...others)).toEqual([
      ["2", "value-clash"],
      ["3", "value-clash"],
    ]);
    expect(await refusedOf({ ...first, number: "N4" }, second, ...others)).toEqual([]);
    expect((await check({ content })).findings).toEqual([]);
  });

  it("lists gone records, retires their pages on request, and does not bring them back by itself", async () => {
    const { content, run } = museum();
    await run(works(40));
    expect((await run(works(39))).gone).toEqual([{ key: "N39", file: "_works/mill-39-n39.json" }]);
    expect((await run(works(39), { retire: true })).gone).toHaveLength(1);
    expect(treeOf(content)["_history.json"]).toContain("/mill-39-n39/");
    expect(await run(works(40))).toMatchObject({ created: [], returned: [{ key: "N39" }] });
    expect((await run(works(40), { restore: true })).created).toHaveLength(1);
    await run(works(38), { retire: true });
    expect((await run(works(40))).returned.map(({ key }) => key)).toEqual(["N38", "N39"]);
    expect((await check({ content })).findings).toEqual([]);
  });

  it("retires no page while another page refers to one of them", async () => {
    const { content, run } = museum();
    await run(works(3));
    const { id } = JSON.parse(readFileSync(join(content, "_works/mill-2-n2.json"), "utf8")) as { id: number };
    write(content, "_types.json", {
      types: { "standardpages.GeneralPage": { fields: { mill: { kind: "page?" } } } },
    });
    write(content, "about.json", { ...general(9, "About"), mill: id });
    const before = treeOf(content);
    await expect(run(works(1), { retire: true, yes: true })).rejects.toThrow(/about.json[^]*Nothing was/);
    expect(treeOf(content)).toEqual(before);
    expect((await run(works(3))).unchanged).toBe(3);
  });

  it.each<[string, Work[], RegExp]>([
    ["no records", [], /no records/],
    [
      "a renamed column of keys",
      works(3).map(({ key, title, about }) => ({ title, about, number: key })),
      /for each of 3 records.*title, about, number/,
    ],
    ["a list instead of records", [[] as never], /The first record is a list: name the member/],
    ["a record without a key", [...works(3), { title: "Weir" }], /for 1 of 4 records/],
    ["a key of two records", [...works(3), ...works(1)], /two records have the key N0/],
    [
      "a key that is written in another way",
      [{ ...works(1)[0], key: "n-0" }, ...works(40).slice(1)],
      /N0 is written n-0/,
    ],
    ["more than 5 % of the records gone", works(37), /lacks the records of 3 of 40 pages/],
    [
      "a renamed column",
      works(40).map(({ key = "", title = "" }) => ({ key, title })),
      /no record has a value for meta.search_description/,
    ],
  ])("ends before anything is written because of %s", async (_, records, words) => {
    const { content, run } = museum();
    await run(works(40));
    const before = treeOf(content);
    await expect(run(records)).rejects.toThrow(words);
    expect(treeOf(content)).toEqual(before);
  });

  it.each<[string, Partial<Sync<Work>>, RegExp]>([
    ["key() fails", { key: ({ no }) => (no as string).trim() }, /key\(\) fails for records:1: .*trim/],
    ["key() returns a promise", { key: (() => Promise.resolve("N1")) as never }, /an object for records:1/],
    [
      "adopt() throws a text",
      {
        adopt: () => {
          throw "no";
        },
      },
      /adopt\(\) fails for index\.json:1: no\. Look/,
    ],
    [
      "page() fails",
      { page: ({ no }) => ({ slug: (no as string).trim() }) as never },
      /page\(\) fails for records:1/,
    ],
    [
      "an image has no name",
      { page: (_, { image }) => image("") as never },
      /records:1: image\(\) takes .* an empty text/,
    ],
    ["page() returns a text", { page: (() => "Mill") as never }, /returns the text “Mill” .* records:1/],
    [
      "page() returns no slug",
      { page: () => ({ parent: "/", meta: { type: "standardpages.GeneralPage" } }) as never },
      /no text as “slug”/,
    ],
    [
      "the records end in an error",
      {
        records: async function* () {
          yield* works(1);
          throw new Error("no database");
        },
      },
      /The records cannot be read: no database\. Nothing was written/,
    ],
    ["the records are none", { records: [{ key: "N1" }] as never }, /a list of these, or a function/],
  ])("ends, with the place of the record, if %s", async (_, module, words) => {
    const { content, run } = museum();
    const before = treeOf(content);
    await expect(run(works(1), {}, module)).rejects.toThrow(words);
    expect(treeOf(content)).toEqual(before);
  });

  it.each([
    ["export default null;", "no object as its default export"],
    ['throw new SyntaxError("no");', "node --check"],
    ['throw "no";', "works.mjs: no"],
  ])("refuses the module “%s”", async (text, words) => {
    const { folder, content } = museum();
    write(folder, "works.mjs", text);
    const { status, stderr } = await runHere("sync", [join(folder, "works.mjs"), "--content", content]);
    expect(stderr).toContain(words);
    expect(status).toBe(2);
  });

  it("finds the pages of a large site on two threads", async () => {
    const { content, run } = museum();
    const all = works(2100);
    await run(all);
    expect((await run(all.map(everyFourth))).changed).toHaveLength(525);
    expect(await run(all.map(everyFourth).reverse())).toMatchObject({
      unchanged: 2100,
      changed: [],
      gone: [],
    });
    write(content, "twice.json", readJson(content, "_works/mill-7-n7.json"));
    await expect(run(all)).rejects.toThrow("twice.json and _works/mill-7-n7.json have the same record, N7");
  });

  it("ends if the export has another encoding than the last one", async () => {
    const { folder, run } = museum();
    const table = (bytes: Uint8Array) => (
      writeFileSync(join(folder, "a.csv"), bytes),
      run([], {}, { records: "a.csv" })
    );
    await table(Buffer.from("key,title\nN1,Été\n"));
    await table(Buffer.from("key,title\nN1,Ete\n"));
    await expect(table(Buffer.from("key,title\nN1,Été\n", "latin1"))).rejects.toThrow(
      /windows-1252, and the last one was in utf-8/,
    );
  });

  it("copies an image into _media/ once", async () => {
    const { folder, content, run } = museum();
    writeFileSync(join(folder, "scan.png"), pngOf(3, 4));
    expect((await run(works(2), {}, { page: withImages })).images).toBe(1);
    expect((await run(works(2), {}, { page: withImages })).images).toBe(0);
    expect(Object.keys(treeOf(content))).toContain("_media/scan.png");
    expect(treeOf(content)["_works/mill-0-n0.json"]).toContain('"/scan.png https://example.org/a.jpg"');
  });

  it("keeps the fields of the collection system while all images are missing", async () => {
    const { content, run } = museum();
    await run(works(1));
    const before = treeOf(content);
    const { refused, released } = await run(works(1), {}, { page: withImages });
    expect([refused.length, released]).toEqual([1, []]);
    expect(treeOf(content)).toEqual(before);
  });

  it("copies no two images whose names differ only in case", async () => {
    const { folder, run } = museum();
    for (const name of ["a.png", "A.png"]) writeFileSync(join(folder, name), pngOf(3, 4));
    const scans = ["a.png", "A.png"].map((scan, k) => ({ key: `N${k}`, title: "Mill", scan }));
    await expect(run(scans, {}, { page: anywhere })).rejects.toThrow("have the same name");
  });

  it("waits for a form that is being saved, and keeps what it saved", async () => {
    const { content, run, change } = museum();
    await run(works(2));
    mkdirSync(join(content, ".editing"));
    const saved = takeLock(join(content, ".editing", "lock"));
    const renamedWorks = works(2);
    for (const work of renamedWorks) work.title += "!";
    const running = run(renamedWorks);
    // The lock is released only after the run has had time to place its files.
    await setTimeout(500);
    change("_works/mill-0-n0.json", "Mill 0", "Saved in the form");
    saved();
    expect(await running).toMatchObject({ lost: [{ key: "N0" }], changed: [{ key: "N1" }] });
    expect(treeOf(content)["_works/mill-0-n0.json"]).toContain('"title": "Saved in the form"');
    expect(treeOf(content)["_works/mill-1-n1.json"]).toContain('"title": "Mill 1!"');
  });

  it("makes pages of the elements of XML, and names one without a title by its line", async () => {
    const { folder, content, run } = museum();
    const elements = [
      '<x:work x:no="7"><x:title>Mill <![CDATA[& weir]]></x:title></x:work>',
      '<x:work x:no="8"/>',
    ];
    write(folder, "works.xml", `<x:all xmlns:x="urn:x">\n${elements.join("\n")}\n</x:all>`);
    const { created, refused } = await run(
      [],
      {},
      {
        records: "works.xml",
        element: "x:work",
        key: (one: Work) => one["@x:no"],
        page: (one: Work, helpers: SyncHelpers) =>
          MODULE.page({ key: one["@x:no"], title: one["x:title"] }, helpers),
      },
    );
    expect(created.map(({ key }) => key)).toEqual(["7"]);
    const places = refused.map(({ key, findings }) => [key, findings[0]?.code, findings[0]?.place.line]);
    expect(places).toEqual([["8", "missing-field", 3]]);
    expect(readJson(content, "_works/mill-weir-7.json")).toMatchObject({ title: "Mill & weir" });
  });

  it("writes nothing in a dry run", async () => {
    const { content, run } = museum();
    const before = treeOf(content);
    expect((await run(works(2), { dryRun: true })).created).toHaveLength(2);
    expect(treeOf(content)).toEqual(before);
  });
});
