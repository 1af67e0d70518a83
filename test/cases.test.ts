import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogue } from "../build/findings/catalogue/index.ts";
import { programModel } from "../build/model/program-model.ts";
import { build } from "../build/site/build.ts";
import { check } from "../build/site/check.ts";
import { filesBelow, readJson, treeOf } from "./files.ts";
import { FIXTURE_SITE } from "./fixtures.ts";
import { built, CASES, casesIn, placed, prepare, stated, update } from "./golden.ts";
import { TABLE } from "./mistakes/rows/index.ts";
import { expectValidPages } from "./response/pages.ts";
import { page, write } from "./site/site.ts";
import { MEMORY, scratch } from "./scratch.ts";

const names = casesIn(CASES);

it("one case has an artwork with every field", () => {
  const file = join(CASES, "artwork-with-every-field/content/artworks/marsh.json");
  const written = readJson(file) as object;
  const fields = [...programModel.of("artworks.ArtworkPage").source.fields];
  const own = fields.filter(([, { kind }]) => kind !== "derived").map(([name]) => name);
  expect(Object.keys(written)).toEqual(expect.arrayContaining(own));
});

const folderOf = (name: string): string => join(CASES, name);

describe("a case", () => {
  it.each(names)("%s has the expected findings and pages", async (name) => {
    const folder = folderOf(name);
    const options = prepare(folder, scratch("case", MEMORY));
    if (process.env["UPDATE_CASES"] === "1") await update(folder, await built(folder, options));
    const expected = stated(folder);
    const { findings } = await check(options);
    expect(placed(options.content, findings)).toEqual(expected.findings);
    const outcome = await built(folder, options);
    expect(outcome).toEqual(expected);
    if (existsSync(join(folder, "expected"))) expectValidPages(outcome.files);
  });
});

it("the fixture site has valid pages", async () => {
  const out = scratch("fixture-site");
  const { findings } = await build({ content: FIXTURE_SITE, out, cache: scratch("cache") });
  expect(findings).toEqual([]);
  expectValidPages(new Map(filesBelow(out).map((path) => [path, text(out, path)])));
});

describe("the cases and the rows of mistakes together", () => {
  const shown = new Set<string>([
    ...names.flatMap((name) => stated(folderOf(name)).findings.map(({ code }) => code)),
    ...Object.values(TABLE).flatMap((rows) => rows.map(({ code }) => code)),
  ]);
  // Needs a change of sources: test/change/diff/ shows it.
  shown.add("unrecorded-address");

  // Needs more than 25 MiB of pages: test/site/bulk.test.ts shows it.
  shown.add("bulk-shard-size");

  it("show every finding code of the catalogue", () => {
    expect(Object.keys(catalogue).filter((code) => !shown.has(code))).toEqual([]);
  });

  it("contain only codes of the catalogue", () => {
    const known = Object.keys(catalogue);
    expect([...shown].filter((code) => !known.includes(code))).toEqual([]);
  });
});

const text = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8");

async function updated(folder: string): Promise<void> {
  await update(folder, await built(folder, prepare(folder, scratch("case"))));
  expect(await built(folder, prepare(folder, scratch("case")))).toEqual(stated(folder));
}

describe("an update of the cases", () => {
  const [refused, published] = ["not-an-object", "home-page-alone"] as const;

  /**
   * Copies of two cases with wrong expectations: one lacks an error and has a surplus one, the other has another title.
   */
  function wrongCases(): string {
    const root = scratch("cases");
    for (const name of [refused, published]) cpSync(folderOf(name), join(root, name), { recursive: true });
    const [, ...findings] = stated(folderOf(refused)).findings;
    const other = { ...findings.at(-1), code: "bad-form" };
    writeFileSync(join(root, refused, "findings.json"), JSON.stringify([...findings, other]));
    write(join(root, published, "content"), "index.json", page(1, "home.HomePage", "Another"));
    return root;
  }

  it("rewrites expectations in the same layout", async () => {
    const root = wrongCases();
    await updated(join(root, refused));
    await updated(join(root, published));
    const findings = `${refused}/findings.json`;
    expect(text(root, findings)).toBe(text(CASES, findings));
    const file = `${published}/expected/api/v2/pages/1/index.json`;
    expect(text(root, file)).toBe(text(CASES, file).replace('"title": "Home"', '"title": "Another"'));
  });

  it("leaves the cases as they are if nothing differs", async () => {
    const root = scratch("cases");
    for (const name of [refused, published]) {
      cpSync(folderOf(name), join(root, name), { recursive: true });
      await updated(join(root, name));
    }
    for (const name of [refused, published]) expect(treeOf(join(root, name))).toEqual(treeOf(folderOf(name)));
  });

  it("removes expected pages of a case that has errors", async () => {
    const folder = join(wrongCases(), published);
    write(join(folder, "content"), "index.json", "{");
    await updated(folder);
    expect(filesBelow(join(folder, "expected"))).toEqual([]);
  });
});
