import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fg from "fast-glob";
import { expect, test } from "vitest";
import { fix } from "../../build/edit/fix.ts";
import { build } from "../../build/pipeline/build.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { scratch } from "../scratch.ts";

test("responses pasted over their sources are fixed to sources of the same responses", async () => {
  const folder = scratch("paste");
  const [content, out, cache] = ["content", "public", "cache"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  cpSync(FIXTURE_SITE, content, { recursive: true });
  await build({ content, out, cache });
  const sources = fg.sync("**/*.json", { cwd: content, ignore: ["**/_*.json"] });
  for (const file of sources) {
    const { id } = JSON.parse(readFileSync(join(content, file), "utf8")) as { id: number };
    writeFileSync(join(content, file), readFileSync(join(out, `api/v2/pages/${id}/index.json`)));
  }
  const fixed = [...fix({ content, names: [], format: false, dryRun: false })];
  expect(fixed.filter(({ fixes }) => fixes.length > 3).length).toBe(sources.length);
  const again = await build({ content, out, cache, full: true });
  expect(again.findings).toEqual([]);
  expect(again.published).toEqual({ written: 0, removed: 0, unchanged: sources.length });
});
