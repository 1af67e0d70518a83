import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type TateReport, summary } from "../../build/exchange/tate/report.ts";
import { DEFAULT_SITE } from "../../build/exchange/tate/tate.ts";
import { importTate } from "../../build/exchange/tate/tate.ts";
import { formatJson } from "../../build/source/json/format.ts";
import { runHere } from "../command.ts";
import { treeOf } from "../files.ts";
import { ARTISTS, WORK, checkout } from "./works.ts";

function data(files: Record<string, unknown>): { from: string; to: string } {
  const from = checkout({ ...ARTISTS, ...files });
  return { from, to: join(from, "out", "content") };
}

function imported(files: Record<string, unknown>): { report: TateReport; written: Record<string, string> } {
  const { from, to } = data(files);
  const report = importTate(from, to, DEFAULT_SITE, () => undefined);
  return { report, written: treeOf(to) };
}

const work = (id: number, changes: Record<string, unknown> = {}): Record<string, unknown> => {
  const acno = `K${String(id).padStart(5, "0")}`;
  const url = `http://www.tate.org.uk/art/artworks/mill-${acno.toLowerCase()}`;
  return { ...WORK, id, acno, url, ...changes };
};

const artist = (n: number, fc: string, date?: string): object => ({
  id: 7,
  fc,
  ...(date === undefined ? {} : { date }),
  url: `http://www.tate.org.uk/art/artists/${n}`,
});

const run = (...args: string[]) => runHere("import:tate", args);

/** The last character of the address of the work's only contributor. */
const addressDigit = (contributor: object): unknown => {
  const { written } = imported({
    "artists/a/1.json": artist(1, "Cy Weir", "1900–1980"),
    "artists/a/2.json": artist(2, "Cyrus Weir"),
    "artists/a/3.json": artist(3, "Cyrus Weir", "1900–1980"),
    "artists/a/4.json": "{",
    "artists/a/5.json": { id: 8, url: "javascript:alert(1)" },
    "artworks/k.json": work(1, { contributors: [{ id: 7, role: "artist", ...contributor }] }),
  });
  const page = JSON.parse(written["art/artworks/_k00/mill-k00001.json"] ?? "") as {
    contributors: { url: string }[];
  };
  return page.contributors[0]?.url.at(-1);
};

describe("importTate", () => {
  test("writes the works in grouping folders by accession number, below the pages that a site needs", () => {
    const { report, written } = imported({
      "artworks/k/000/k00017-17.json": work(17),
      "artworks/k/021/k02100-2100.json": work(2100),
      "artworks/README.txt": "no work",
    });
    expect(Object.keys(written)).toEqual([
      "_site.json",
      "art/artworks/_k00/mill-k00017.json",
      "art/artworks/_k02/mill-k02100.json",
      "art/artworks/index.json",
      "art/index.json",
      "index.json",
    ]);
    expect(JSON.parse(written["_site.json"] ?? "")).toEqual({ ...DEFAULT_SITE, append_slash: false });
    expect(written["index.json"]).toBe(
      formatJson({ id: 1_000_000, meta: { type: "home.HomePage" }, title: "Home" }),
    );
    expect(report).toMatchObject({ works: 2, written: 2, notWritten: [], contributorsWithoutAddress: 2 });
  });

  test("accounts for every work: damaged ones, ones that do not fit, and duplicates of an id or an address", () => {
    const { report, written } = imported({
      "artworks/k/a.json": work(1),
      "artworks/k/b.json": '{"id": 2, ',
      "artworks/k/c.json": new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]),
      "artworks/k/d.json": [],
      "artworks/k/e.json": work(1, { url: "http://www.tate.org.uk/art/artworks/other" }),
      "artworks/k/f.json": work(6, { url: "http://www.tate.org.uk/art/artworks/MILL-k00001" }),
      "artworks/k/g.json": work(1_000_002, { acno: "K00007" }),
      "artworks/k/h.json": work(8, { dateRange: null, classification: null }),
      "artworks/k/i.json": work(9),
    });
    expect(report.notWritten.map(({ file, reasons }) => [file.at(-6), reasons.map((r) => r.code)])).toEqual([
      ["b", ["damaged-file"]],
      ["c", ["damaged-file"]],
      ["d", ["damaged-file"]],
      ["e", ["id-taken"]],
      ["f", ["slug-taken"]],
      ["g", ["id-taken"]],
      ["h", ["no-date-range", "unclassified"]],
    ]);
    expect(report.written + report.notWritten.length).toBe(report.works);
    expect(Object.keys(written).filter((path) => path.includes("_k00"))).toHaveLength(report.written);
  });

  test("the counts add up, even if several reasons apply to a work", () => {
    const [dateRange, acquisitionYear] = [null, null];
    const { report } = imported({
      "artworks/1.json": work(1, { dateRange }),
      "artworks/2.json": work(2, { dateRange, acquisitionYear }),
      "artworks/3.json": work(3, { acquisitionYear }),
      "artworks/4.json": work(4),
    });
    expect(summary(report)).toMatch(/^ *1 .*\n *2 .*\n *1 .*\n *4 /);
    expect(summary(report)).toContain("no acquisition year (2 works in all, 1 of them counted above)");
  });

  test("of two artists with one id, uses the address of the one with the contributor's name and dates", () => {
    expect(addressDigit({ fc: "Cyrus Weir", date: null })).toBe("2");
    expect(addressDigit({ fc: "Cyrus Weir", date: "1900–1980" })).toBe("3");
    expect(addressDigit({ fc: "Cyrus Weir", date: "1901" })).toBe("2");
    expect(addressDigit({ fc: "C. Weir" })).toBe("1");
  });

  test("an artist without a usable file is reported, and the works stay", () => {
    const { report } = imported({
      "artists/a/4.json": "{",
      "artists/a/5.json": { id: 8, url: "javascript:alert(1)" },
      "artworks/k.json": work(1),
    });
    expect(report.damagedArtists.map((a) => a.file)).toEqual(["artists/a/4.json", "artists/a/5.json"]);
    expect(report.written).toBe(1);
  });
});

describe("npx page-api import:tate", () => {
  test("prints the counts, writes the report, and uses the site's addresses", async () => {
    const { from, to } = data({
      "artworks/1.json": work(1),
      "artworks/2.json": work(2, { dateRange: null }),
    });
    const report = join(from, "report.json");
    const site = ["--base-url", "https://api.example.org/", "--site-url", "https://www.example.org"];
    const { status, stdout, stderr } = await run(from, "--content", to, "--report", report, ...site);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("1  written\n1  not written: no date range\n2  works\n");
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
      works: 2,
      written: 1,
      notWritten: 1,
      reasons: { "no-date-range": { works: 1, counted: 1 } },
      worksNotWritten: [
        { file: "artworks/2.json", id: 2, acno: "K00002", reasons: [{ code: "no-date-range" }] },
      ],
    });
    expect(JSON.parse(readFileSync(join(to, "_site.json"), "utf8"))).toMatchObject({
      base_url: "https://api.example.org",
      site_url: "https://www.example.org",
    });
  });

  test("refuses, and writes nothing, if it could overwrite files or cannot work", async () => {
    const { from, to } = data({ "artworks/1.json": work(1) });
    const full = join(from, "full");
    mkdirSync(full);
    writeFileSync(join(full, "index.json"), "mine");
    const empty = join(from, "empty");
    mkdirSync(empty);
    const refusals: [string[], string][] = [
      [[], "Name one folder"],
      [[from], "--content"],
      [[from, "--content", full], "not empty"],
      [[from, "--content", join(full, "index.json")], "this is a file"],
      [[full, "--content", to], "artworks/"],
      [[from, "--content", empty, "--report", join(empty, "report.json")], "among the sources"],
      [[from, "--content", to, "--report", join(from, "none", "report.json")], "does not exist"],
      [[from, "--content", to, "--site-url", "www.example.org"], "--site-url"],
      [[from, "--content", to, "--base-url", "https://example.org/?a"], "--base-url"],
      [[from, "--content", to, "--colour", "red"], "--colour"],
    ];
    for (const [args, words] of refusals) {
      const { status, stderr } = await run(...args);
      expect(stderr).toContain(words);
      expect(stderr).not.toContain("    at ");
      expect(status).toBe(2);
      expect(existsSync(to)).toBe(false);
    }
    expect(readFileSync(join(full, "index.json"), "utf8")).toBe("mine");
  });
});
