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
  const address = "http://www.tate.org.uk/art/artworks";
  const left: [file: string, work: Data | string, reason: string][] = [
    ["b", '{"id": 2, ', "damaged-file"],
    ["c", work(3, { id: 1_000_002 }), "id-clash"],
    ["d", work(4, { url: `${address}/MILL-k00001` }), "slug-clash"],
    ["e", work(5, { dateRange: null }), "start_year: missing-field"],
    ["f", work(6, { dateRange: { startYear: 1904 } }), "end_year: missing-field"],
    ["g", work(7, { id: 1.5 }), "id: bad-id"],
    ["h", work(8, { acno: "AR00017" }), "acno: bad-form"],
    ["i", work(9, { title: null }), "title: missing-field"],
    ["j", work(10, { url: `${address}/a/b` }), "bad-slug"],
    ["k", work(11, { url: `${address}/index` }), "bad-slug"],
    ["l", work(12, { acquisitionYear: null }), "acquisitionYear: missing-field"],
    ["m", work(13, { classification: null }), "classification.id: bad-id"],
    ["n", work(14, { classification: "constructor" }), "classification.id: bad-id"],
  ];
  const from = checkout({
    "artworks/k/a.json": work(1),
    ...Object.fromEntries(left.map(([file, data]) => [`artworks/k/${file}.json`, data])),
    "artworks/README.txt": "no work",
  });
  const [to, report] = [join(from, "out", "content"), join(from, "report.json")];
  const site = ["--base-url", "https://api.example.org/", "--site-url", "https://www.example.org"];
  const args = [from, "--content", to, "--report", report, ...site];
  const { status, stdout } = await runHere("import:tate", args);
  expect(status).toBe(0);
  const reasons = new Set(left.map(([, , reason]) => reason));
  expect(stdout.split("\n")).toEqual([
    " 1  written",
    ...Array.from(reasons, (reason) => {
      const count = left.filter(([, , one]) => one === reason).length;
      return ` ${count}  not written: ${reason}`;
    }),
    "14  works",
    "",
  ]);
  expect(readJson(report)).toMatchObject({
    works: 14,
    written: 1,
    notWritten: 13,
    worksNotWritten: expect.arrayContaining([
      { key: "K00003", reasons: [expect.objectContaining({ code: "id-clash" })] },
    ]) as unknown,
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
  const twice = checkout({ "artworks/1.json": work(1), "artworks/2.json": work(1) });
  for (const [args, words] of [
    [[], "Give DIR"],
    [[from], "--content"],
    [[from, "--content", full], "not empty"],
    [[full, "--content", to], "artworks/"],
    [[from, "--content", to, "--report", join(from, "none", "report.json")], "does not exist"],
    [[from, "--content", to, "--site-url", "www.example.org"], "--site-url"],
    [[twice, "--content", to], "two records have the key K00001"],
  ] as const) {
    const { status, stderr } = await runHere("import:tate", [...args]);
    expect(stderr).toContain(words);
    expect(status).toBe(2);
    expect(existsSync(to)).toBe(false);
  }
});
