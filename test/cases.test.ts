import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogue } from "../build/findings/catalogue/index.ts";
import { programModel } from "../build/model/program-model.ts";
import { build } from "../build/site/build.ts";
import { check } from "../build/site/check.ts";
import { filesBelow, readJson } from "./files.ts";
import { FIXTURE_SITE } from "./fixtures.ts";
import { built, CASES, caseNames, placed, prepare, stated, update } from "./golden.ts";
import { TABLE } from "./mistakes/rows/index.ts";
import { expectValidPages } from "./response/pages.ts";
import { MEMORY, scratch } from "./scratch.ts";

const names = caseNames();

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
  expectValidPages(new Map(filesBelow(out).map((path) => [path, readFileSync(join(out, path), "utf8")])));
});

it("the cases and the rows of mistakes together show every finding code of the catalogue, and no other", () => {
  const shown = new Set<string>([
    ...names.flatMap((name) => stated(folderOf(name)).findings.map(({ code }) => code)),
    ...Object.values(TABLE).flatMap((rows) => rows.map(({ code }) => code)),
    // Needs a change of sources: test/change/diff/ shows it.
    "unrecorded-address",
    // Needs more than 25 MiB of pages: test/site/bulk.test.ts shows it.
    "bulk-shard-size",
  ]);
  expect([...shown].sort()).toEqual(Object.keys(catalogue).sort());
});
