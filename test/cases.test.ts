import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogue } from "../build/findings/catalogue/index.ts";
import { programModel } from "../build/model/program-model.ts";
import { check } from "../build/site/check.ts";
import { runHere } from "./command.ts";
import { filesBelow, readJson, treeOf } from "./files.ts";
import { built, CASES, casesIn, placed, prepare, stated } from "./golden.ts";
import { TABLE } from "./mistakes/rows/index.ts";
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
    const expected = stated(folder);
    const options = prepare(folder, scratch("case", MEMORY));
    const { findings } = await check(options);
    expect(placed(options.content, findings)).toEqual(expected.findings);
    expect(await built(folder, options)).toEqual(expected);
  });
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

const run = (root: string, ...args: string[]) => runHere("cases", ["--cases", root, ...args]);
const text = (folder: string, path: string): string => readFileSync(join(folder, path), "utf8");

describe("npm run cases", () => {
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

  it("lists each finding and file that differs, and writes nothing", async () => {
    const root = wrongCases();
    const before = treeOf(root);
    const { status, stdout } = await run(root);
    expect(status).toBe(1);
    expect(stdout.match(/found (no more|now): error [a-z-]+/g)).toEqual([
      "found no more: error bad-form",
      `found now: error ${stated(folderOf(refused)).findings[0]?.code}`,
    ]);
    expect(stdout.match(/\S+: differs/g)).toHaveLength(2);
    expect(treeOf(root)).toEqual(before);
  });

  it("rewrites them with --update in the same layout, and then reports no difference", async () => {
    const root = wrongCases();
    const { status, stdout } = await run(root, "--update");
    expect(status).toBe(0);
    expect(stdout.match(/\S+: written/g)).toHaveLength(2);
    const findings = `${refused}/findings.json`;
    expect(text(root, findings)).toBe(text(CASES, findings));
    const file = `${published}/expected/api/v2/pages/1/index.json`;
    expect(text(root, file)).toBe(text(CASES, file).replace('"title": "Home"', '"title": "Another"'));
    expect(await run(root)).toMatchObject({ status: 0 });
  });

  it("removes expected pages of a case that has errors", async () => {
    const root = wrongCases();
    write(join(root, published, "content"), "index.json", "{");
    expect((await run(root, "--update", published)).stdout).toMatch(
      /findings.json: written\n {2}found now: error .*\n.*removed/,
    );
    expect(filesBelow(join(root, published, "expected"))).toEqual([]);
    expect(await run(root, published)).toMatchObject({ status: 0 });
  });

  it("accepts names of cases", async () => {
    expect(await runHere("cases", ["no-such-case"])).toMatchObject({ status: 2, stdout: "" });
  });
});
