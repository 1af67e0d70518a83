import { chmodSync, cpSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fg from "fast-glob";
import { beforeEach, expect, test } from "vitest";
import { fix } from "../../build/change/fix.ts";
import { Failure } from "../../build/base/failure.ts";
import { build } from "../../build/site/build.ts";
import { runHere } from "../command.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { scratch } from "../scratch.ts";

let content: string;
beforeEach(() => {
  content = join(scratch("fix"), "content");
  cpSync(FIXTURE_SITE, content, { recursive: true });
});

const run = (...args: string[]) => runHere("fix", ["--content", content, ...args]);

const GOOD =
  '{\n  "id": 33,\n  "meta": { "type": "standardpages.GeneralPage", "slug": "contact" },\n  "title": "Contact"\n}\n';
const path = (file: string) => join(content, file);

test("fixes the named file, reports each change, and leaves the other files unchanged", async () => {
  writeFileSync(path("about/contact.json"), GOOD);
  const before = readFileSync(path("about/index.json"), "utf8");
  const done = await run("about/contact.json");
  expect(done).toMatchObject({ status: 0, stderr: "" });
  expect(done.stdout).toMatch(
    /about\/contact\.json\n {2}line 1: .*\$schema.*\n {2}line 3: .*meta\.slug.*\n1 file of 1 fixed/,
  );
  expect(readFileSync(path("about/contact.json"), "utf8")).not.toContain("slug");
  expect(readFileSync(path("about/index.json"), "utf8")).toBe(before);
  expect((await run("about/contact.json")).stdout).toContain("0 files of 1 fixed");
});

test("an added $schema leads to the schema, from every folder", () => {
  expect(fixed()[1].length).toBeGreaterThan(25);
  for (const [file, name] of [
    ["_site.json", "site.schema.json"],
    ["index.json", "page.schema.json"],
    ["art/artworks/_d00/lear-corfu-from-ascension-d00033.json", "page.schema.json"],
  ] as const) {
    const { $schema } = JSON.parse(readFileSync(path(file), "utf8")) as { $schema: string };
    expect(statSync(join(path(file), "..", $schema)).ino).toBe(statSync(join("build/contract", name)).ino);
  }
});

test("lists the remaining findings, only in the files that it processed", async () => {
  writeFileSync(path("about/contact.json"), GOOD.replace('"Contact"', '""'));
  writeFileSync(path("visit/access.json"), "{");
  const done = await run("about/contact.json");
  expect(done.status).toBe(1);
  expect(done.stderr).toContain("empty-field");
  expect(done.stderr).not.toContain("access.json");
});

test("lists the remaining findings of files that are no sources, if no file is named", async () => {
  writeFileSync(path("_media/notes.txt"), "");
  const done = await run();
  expect(done.status).toBe(1);
  expect(done.stderr).toContain("media-file");
});

test("a dry run writes nothing, and does not list findings that would be fixed", async () => {
  writeFileSync(path("about/contact.json"), GOOD);
  const done = await run("about/contact.json", "--dry-run");
  expect(done).toMatchObject({ status: 0, stderr: "" });
  expect(done.stdout).toContain("1 file of 1 would be fixed");
  expect(readFileSync(path("about/contact.json"), "utf8")).toBe(GOOD);
});

test("a file that is not JSON stays unchanged", async () => {
  const broken = '\ufeff{"id": 33 "x"}';
  writeFileSync(path("about/contact.json"), broken);
  expect((await run("about/contact.json", "--dry-run")).stderr).toContain("byte-order-mark");
  expect((await run("about/contact.json")).status).toBe(1);
  expect(readFileSync(path("about/contact.json"), "utf8")).toBe(broken);
});

/** The number of processed files, and the files that were fixed. */
const fixed = (...names: string[]): [processed: number, fixed: string[]] => {
  const files = [...fix({ content, names, layout: false, dryRun: false })];
  return [files.length, files.filter(({ fixes }) => fixes.length > 0).map(({ file }) => file)];
};

test("accepts patterns, folders, and names that contain pattern characters", () => {
  writeFileSync(path("about/contact.json"), GOOD);
  writeFileSync(path("about/_[a].json"), GOOD);
  const all = readdirSync(path("about"));
  expect(fixed("about/_[a].json")).toEqual([1, ["about/_[a].json"]]);
  expect(fixed("about/contact.json", join(content, "about/c*.json"))[1]).toContain("about/contact.json");
  expect(fixed("about")[0]).toBe(all.length);
  expect(fixed("about/*.json")).toEqual([all.length, []]);
});

test("refuses every path that is not a source below the content folder", () => {
  writeFileSync(path("../outside.json"), GOOD);
  writeFileSync(path("notes.txt"), "");
  symlinkSync("../outside.json", path("link.json"));
  symlinkSync("..", path("up"));
  for (const name of "../outside.json notes.txt nothing.json link.json up/outside.json no/*.json".split(" "))
    expect(() => fixed(name)).toThrow(Failure);
  expect(fixed()[1]).not.toContain("link.json");
  expect(readFileSync(path("../outside.json"), "utf8")).toBe(GOOD);
});

test("keeps the file's permissions, and leaves no other file", () => {
  writeFileSync(path("about/contact.json"), GOOD);
  chmodSync(path("about/contact.json"), 0o664);
  const before = readdirSync(path("about"));
  fixed("about");
  expect(statSync(path("about/contact.json")).mode & 0o777).toBe(0o664);
  expect(readdirSync(path("about"))).toEqual(before);
});

test("responses pasted over their sources are fixed to sources of the same responses", async () => {
  const [out, cache] = [path("../public"), path("../cache")];
  await build({ content, out, cache });
  const sources = fg.sync("**/*.json", { cwd: content, ignore: ["**/_*.json"] });
  for (const file of sources) {
    const { id } = JSON.parse(readFileSync(path(file), "utf8")) as { id: number };
    writeFileSync(path(file), readFileSync(join(out, `api/v2/pages/${id}/index.json`)));
  }
  const all = [...fix({ content, names: [], layout: false, dryRun: false })];
  expect(all.filter(({ fixes }) => fixes.length > 3).length).toBe(sources.length);
  const again = await build({ content, out, cache, full: true });
  expect(again.findings).toEqual([]);
  expect(again.published).toEqual({ written: 0, removed: 0, unchanged: sources.length });
});

test("changes no file if one of them cannot be written", () => {
  const files = ["about/contact.json", "visit/access.json"].map(path);
  for (const file of files) writeFileSync(file, GOOD);
  const tooLarge = `{"title": [${"1,".repeat(90_000)}1], "note": "${"x".repeat(4 * 2 ** 20 - 200_000)}"}`;
  writeFileSync(path("visit/zoo.json"), tooLarge);
  expect(() => fixed("about/contact.json", "visit/access.json", "visit/zoo.json")).toThrow(
    "zoo.json would be larger",
  );
  expect(files.map((file) => readFileSync(file, "utf8"))).toEqual([GOOD, GOOD]);
});
