import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { tate } from "../../scripts/tate.mjs";
import { runHere } from "../command.ts";
import { readJson, treeOf } from "../files.ts";
import { scratch } from "../scratch.ts";

type Data = Record<string, unknown>;

/** An invented work in the shape of Tate's open data, and the source that is made of it. */
const { data: WORK, source: SOURCE } = readJson(PROGRAM_FOLDER, "test/exchange/work.json") as Record<
  "data" | "source",
  Data
>;

const artist = (n: number, id: number, fc: string, date?: string): Data => ({
  id,
  fc,
  date,
  url: `http://www.tate.org.uk/art/artists/${n}`,
});

const ARTISTS = {
  "artists/q/501.json": {
    ...artist(0, 501, "Ada Quill"),
    url: "http://www.tate.org.uk/art/artists/ada-quill-501",
  },
  "artists/a/1.json": artist(1, 7, "Cy Weir", "1900–1980"),
  "artists/a/2.json": artist(2, 7, "Cyrus Weir"),
  "artists/a/3.json": artist(3, 7, "Cyrus Weir", "1900–1980"),
};

/** A checkout of the data in a folder of its own. Texts are written as they are, other values as JSON. */
function checkout(files: Record<string, unknown>): string {
  const root = scratch("import-tate");
  for (const [path, content] of Object.entries({ ...ARTISTS, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return root;
}

const module = tate(checkout({}));
const pageOf = (changes: Data = {}): Data | undefined => module.page({ ...WORK, ...changes });

test("a work becomes a source without derived fields, in the API's order", () => {
  const { parent, folder, slug, ...page } = pageOf() ?? {};
  expect([parent, folder, slug]).toEqual(["/art/artworks", "_k00", "quill-mill-at-dusk-k00017"]);
  const written = Object.entries(page).filter(([, value]) => value !== undefined && value !== "");
  expect(Object.fromEntries(written)).toEqual(SOURCE);
});

test.each([
  [{ fc: "Cyrus Weir", date: null }, "2"],
  [{ fc: "Cyrus Weir", date: "1900–1980" }, "3"],
  [{ fc: "Cyrus Weir", date: "1901" }, "2"],
  [{ fc: "C. Weir" }, "1"],
])("of artists with one id, %o has the address of the nearest", (contributor, digit) => {
  const page = pageOf({ contributors: [{ id: 7, role: "artist", ...contributor }] });
  expect(page).toMatchObject({ contributors: [{ url: `http://www.tate.org.uk/art/artists/${digit}` }] });
});

test.each<[string, Data]>([
  ["no-id", { id: 1.5 }],
  ["accession-number", { acno: "AR00017" }],
  ["no-title", { title: null }],
  ["no-address", { url: "http://www.tate.org.uk/art/artworks/a/b" }],
  ["no-address", { url: "http://www.tate.org.uk/art/artworks/index" }],
  ["no-date-range", { dateRange: null }],
  ["half-a-date", { dateRange: "1904" }],
  ["no-acquisition-year", { acquisitionYear: null }],
  ["unclassified", { classification: null }],
  ["unknown-classification", { classification: "constructor" }],
])("%s: %o has no page", (reason, changes) => {
  expect(pageOf(changes)).toBeUndefined();
  expect(module.withoutPage.at(-1)).toMatchObject({ reasons: [{ code: reason }] });
});

test("a work that is nested deeply, or has odd values, becomes a page all the same", () => {
  let subjects: object = { id: 1, name: "deep" };
  for (let i = 0; i < 20_000; i++) subjects = { id: 1, name: "deep", children: [subjects] };
  const page = pageOf({ subjects, medium: 7, contributors: ["Ada Quill", { fc: ["Bo"], role: "artist" }] });
  expect(page).toMatchObject({ medium: undefined, contributors: [{ role_display: "artist" }] });
  expect(page?.["subjects"]).toHaveLength(20_000);
});

const work = (id: number, changes: Data = {}): Data => {
  const acno = `K${String(id).padStart(5, "0")}`;
  return { ...WORK, id, acno, url: `http://www.tate.org.uk/art/artworks/mill-${acno}`, ...changes };
};

test("import:tate writes a new site, and accounts for every work", async () => {
  const from = checkout({
    "artworks/k/a.json": work(1),
    "artworks/k/b.json": '{"id": 2, ',
    "artworks/k/c.json": work(3, { id: 1_000_002 }),
    "artworks/k/d.json": work(4, { url: "http://www.tate.org.uk/art/artworks/MILL-k00001" }),
    "artworks/k/e.json": work(5, { dateRange: null }),
    "artworks/README.txt": "no work",
  });
  const [to, report] = [join(from, "out", "content"), join(from, "report.json")];
  const site = ["--base-url", "https://api.example.org/", "--site-url", "https://www.example.org"];
  const { status, stdout } = await runHere("import:tate", [
    from,
    "--content",
    to,
    "--report",
    report,
    ...site,
  ]);
  expect(status).toBe(0);
  expect(stdout).toBe(
    "1  written\n1  not written: the file is not a JSON object in UTF-8\n1  not written: no date range\n1  not written: an id that another page has\n1  not written: an address that another work has (upper and lower case count as the same)\n5  works\n",
  );
  expect(readJson(report)).toMatchObject({
    works: 5,
    written: 1,
    notWritten: 4,
    reasons: { "no-date-range": { works: 1, counted: 1 } },
  });
  const written = treeOf(to);
  expect(Object.keys(written)).toEqual([
    "_site.json",
    "_sync.json",
    "art/artworks/_k00/mill-K00001.json",
    "art/artworks/index.json",
    "art/index.json",
    "index.json",
  ]);
  expect(JSON.parse(written["_site.json"] ?? "")).toMatchObject({ base_url: "https://api.example.org" });
});

test("import:tate refuses, and writes nothing, if it could overwrite files or cannot work", async () => {
  const from = checkout({ "artworks/1.json": work(1), "full/index.json": "mine" });
  const [to, full] = [join(from, "out"), join(from, "full")];
  for (const [args, words] of [
    [[], "Give DIR"],
    [[from], "--content"],
    [[from, "--content", full], "not empty"],
    [[full, "--content", to], "artworks/"],
    [[from, "--content", to, "--report", join(from, "none", "report.json")], "does not exist"],
    [[from, "--content", to, "--site-url", "www.example.org"], "--site-url"],
  ] as const) {
    const { status, stderr } = await runHere("import:tate", [...args]);
    expect(stderr).toContain(words);
    expect(status).toBe(2);
    expect(existsSync(to)).toBe(false);
  }
});
