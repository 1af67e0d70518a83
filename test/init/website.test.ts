import { appendFileSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { MODULE, WEBSITE, writeWebsite } from "../../scripts/init/website.ts";
import { FIXTURE_SITE, NATURE_SITE } from "../fixtures.ts";
import { filesBelow, readJson } from "../files.ts";
import { scratch } from "../scratch.ts";

const site = scratch("website");
const content = join(site, "content");
cpSync(FIXTURE_SITE, content, { recursive: true });
const write = (): [string, string][] =>
  writeWebsite(site, content, () => undefined).map(({ path, state }) => [path, state]);
const settings = join(site, WEBSITE, "site.mjs");

it("init writes a website with the addresses of the site, and its module of types", () => {
  expect(new Set(write().map(([, state]) => state))).toEqual(new Set(["written"]));
  const { base_url, site_url } = readJson(content, "_site.json") as Record<string, string>;
  for (const url of [base_url, site_url])
    expect(readFileSync(settings, "utf8")).toContain(JSON.stringify(url));
  expect(readFileSync(join(site, MODULE), "utf8")).toContain("fetchAllPages");
  expect(existsSync(join(site, WEBSITE, ".gitignore"))).toBe(true);
});

it("init never overwrites a changed file of the website, and updates the others", () => {
  appendFileSync(settings, "// own\n");
  const own = readFileSync(settings, "utf8");
  expect(new Set(write().map(([, state]) => state))).toEqual(new Set(["unchanged"]));
  // An earlier version wrote another text in both files, which only one has still.
  const record = join(site, WEBSITE, ".init.json");
  const words = join(site, WEBSITE, "src/words.mjs");
  const digests = readJson(record) as Record<string, string>;
  const empty = "e3b0c44298fc1c14";
  writeFileSync(words, "");
  const earlier = { ...digests, "website/site.mjs": empty, "website/src/words.mjs": empty };
  writeFileSync(record, JSON.stringify(earlier));
  const states = new Map(write());
  expect([states.get("website/site.mjs"), states.get("website/src/words.mjs")]).toEqual([
    "changed by hand",
    "updated",
  ]);
  expect(readFileSync(settings, "utf8")).toBe(own);
  expect(readFileSync(words, "utf8")).toContain("Skip to content");
});

it("init names the fields of own types that hold ids of pages", () => {
  const folder = scratch("website-nature");
  cpSync(NATURE_SITE, join(folder, "content"), { recursive: true });
  writeWebsite(folder, join(folder, "content"), () => undefined);
  expect(readFileSync(join(folder, WEBSITE, "site.mjs"), "utf8")).toContain(
    'references = ["gallery","related"]',
  );
});

it("the website has at most 700 lines, and needs only Astro and Pagefind", () => {
  const folder = join(PROGRAM_FOLDER, "scripts/init/website");
  const lines = filesBelow(folder).map(
    (file) => readFileSync(join(folder, file), "utf8").split("\n").length - 1,
  );
  expect(lines.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(700);
  const { dependencies } = readJson(site, WEBSITE, "package.json") as { dependencies: object };
  expect(Object.keys(dependencies)).toEqual(["astro", "pagefind"]);
  expect(filesBelow(join(site, WEBSITE)).filter((file) => file.endsWith(".ts"))).toEqual(["src/page-api.ts"]);
});
