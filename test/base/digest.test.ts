import { appendFileSync, existsSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestOf } from "../../build/base/digest.mjs";
import { Copy } from "./copy.ts";

let copy: Copy;
beforeAll(() => {
  copy = new Copy();
});
afterAll(() => copy.remove());

function foldersBelow(folder: string): string[] {
  const below = readdirSync(copy.at(folder), { withFileTypes: true }).filter((item) => item.isDirectory());
  return [folder, ...below.flatMap(({ name }) => foldersBelow(`${folder}/${name}`))];
}

// digest.slow.ts tests the builds that depend on the digest.
describe("the program's digest", () => {
  it("changes with an added file, anywhere below build/ and in a new folder", () => {
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
    ["a module changes", () => appendFileSync(copy.at("build/model/html.ts"), "\n")],
    ["a schema changes", () => appendFileSync(copy.at("build/contract/page.schema.json"), "\n")],
    [
      "a module has another name",
      () => renameSync(copy.at("build/site/changes.ts"), copy.at("build/renamed.ts")),
    ],
    ["a module is removed", () => rmSync(copy.at("build/site/manifest/page-table.ts"))],
    ["a command changes", () => appendFileSync(copy.at("scripts/build.ts"), "\n")],
    ["the lock file changes", () => appendFileSync(copy.at("package-lock.json"), "\n")],
    [
      "other packages are installed",
      () => {
        rmSync(copy.at("node_modules/.package-lock.json"));
        copy.write("node_modules/.package-lock.json", "{}");
      },
    ],
  ])("changes when %s", (_, change) => {
    const before = digestOf(copy.folder);
    change();
    expect(digestOf(copy.folder)).not.toBe(before);
  });

  it("is the same in a second reading, also with an editor's lock file", () => {
    symlinkSync("user@elsewhere", copy.at("build/.#lock"));
    expect(digestOf(copy.folder)).toBe(digestOf(copy.folder));
  });
});
