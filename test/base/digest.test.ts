import { appendFileSync, existsSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestOf } from "../../build/base/digest.mjs";
import { Copy, WAYS } from "./copy.ts";

let copy: Copy;
beforeAll(() => {
  copy = new Copy();
});
afterAll(() => copy.remove());

/** `build/` and every folder below it. */
function foldersBelow(folder: string): string[] {
  const below = readdirSync(copy.at(folder), { withFileTypes: true }).filter((item) => item.isDirectory());
  return [folder, ...below.flatMap(({ name }) => foldersBelow(`${folder}/${name}`))];
}

describe("the program's digest", () => {
  it("is another with a file more, anywhere below build/ and in a folder that is new", () => {
    const before = digestOf(copy.folder);
    const folders = foldersBelow("build");
    expect(folders.length).toBeGreaterThan(20);
    const seen = new Set([before]);
    for (const folder of [...folders, ...folders.map((path) => `${path}/added`)]) {
      const isNew = !existsSync(copy.at(folder));
      copy.write(`${folder}/added.ts`, "");
      seen.add(digestOf(copy.folder));
      rmSync(copy.at(isNew ? folder : `${folder}/added.ts`), { recursive: true });
    }
    expect(seen.size).toBe(1 + 2 * folders.length);
    expect(digestOf(copy.folder)).toBe(before);
  });

  it.each([
    ["a module changes", () => appendFileSync(copy.at("build/page/html/links.ts"), "\n")],
    ["a schema changes", () => appendFileSync(copy.at("build/contract/page.schema.json"), "\n")],
    [
      "a module has another name",
      () => renameSync(copy.at("build/pipeline/changes.ts"), copy.at("build/renamed.ts")),
    ],
    ["a module goes", () => rmSync(copy.at("build/manifest/page-table.ts"))],
    ["a command changes", () => appendFileSync(copy.at("scripts/build.ts"), "\n")],
    ["other packages are wanted", () => appendFileSync(copy.at("package-lock.json"), "\n")],
    [
      "other packages are there",
      () => {
        rmSync(copy.at("node_modules/.package-lock.json"));
        copy.write("node_modules/.package-lock.json", "{}");
      },
    ],
  ])("is another when %s", (_, change) => {
    const before = digestOf(copy.folder);
    change();
    expect(digestOf(copy.folder)).not.toBe(before);
  });

  it("is the same while nothing changes, whatever else an editor keeps there", () => {
    symlinkSync("nobody@nowhere", copy.at("build/.#lock"));
    expect(digestOf(copy.folder)).toBe(digestOf(copy.folder));
  });
});

describe.each(Object.entries(WAYS))("what a build remembers, run %s", { timeout: 240_000 }, (_, way) => {
  let own: Copy;
  beforeAll(() => {
    own = new Copy();
  });
  afterAll(() => own.remove());

  /** Builds, and tells whether it trusted what the build before remembers: one that does not writes that anew. */
  function trusts(): boolean {
    const builds = own.at(".cache", "builds");
    const manifest = (): string => join(builds, readdirSync(builds)[0] ?? "", "manifest");
    const before = existsSync(builds) ? statSync(manifest()).mtimeMs : undefined;
    expect(own.run(way, "build")).toMatchObject({ status: 0 });
    return statSync(manifest()).mtimeMs === before;
  }

  it("is trusted by the same program alone", () => {
    expect([trusts(), trusts()]).toEqual([false, true]);
    for (const file of [
      "build/page/html/more.ts",
      "build/more/more.ts",
      "build/more.mjs",
      "scripts/more.ts",
    ]) {
      own.write(file, "");
      expect([file, trusts(), trusts()]).toEqual([file, false, true]);
      rmSync(own.at(file));
      expect([file, trusts()]).toEqual([file, false]);
    }
  });

  it("is nothing where the program changes while it runs", () => {
    trusts();
    own.write(
      "scripts/cases.ts",
      `
import { writeFileSync } from "node:fs";
import { build } from "../build/pipeline/build.ts";
writeFileSync("build/new.ts", "");
const { manifestError } = await build({ content: "content", out: "other" });
console.log(manifestError === undefined ? "remembered" : "forgotten");
`,
    );
    // A bundle is what it was made of, whatever happens to that.
    const expected =
      way["NODE_OPTIONS"] === undefined && "as TypeScript" in WAYS ? "forgotten" : "remembered";
    expect(own.run(way, "cases")).toMatchObject({ status: 0, stdout: `${expected}\n` });
  });
});
