import { chmodSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Comparison } from "../../../build/change/diff/pages.ts";
import { diff } from "../../../build/change/diff/diff.ts";
import { withPaths } from "../../../build/change/diff/reporters.ts";
import { page, SITE, write } from "../../site/site.ts";
import { printed, repository } from "./repository.ts";

const NEW_SITE = { ...SITE, base_url: "https://pages.example.org" };

let comparison: Comparison;
beforeAll(async () => {
  const { content } = repository("images", {
    "_site.json": SITE,
    "index.json": page(1, "home.HomePage", "Home"),
    // Only their names make these files images here.
    "_media/linked.png": "linked",
    "_media/touched.png": "touched",
    "_media/works/fen.png": "fen",
    "_media/works/reed.png": "reed",
  });
  const image = (path: string): string => join(content, "_media", path);
  write(content, "_site.json", NEW_SITE);
  write(content, "_media/new.png", "new");
  write(content, "_media/two reeds.png", "two reeds");
  write(content, "_media/works/fen.png", "Fen");
  rmSync(image("works/reed.png"));
  utimesSync(image("touched.png"), new Date(), new Date(Date.now() + 5000));
  chmodSync(image("touched.png"), 0o755);
  rmSync(image("linked.png"));
  symlinkSync("works/fen.png", image("linked.png"));
  for (const path of ["notes.txt", "marsh.PNG", ".hidden.png", "_draft/marsh.png", "~$marsh.png"])
    write(content, `_media/${path}`, "not published");
  write(content, "marsh.png", "not published");
  comparison = withPaths(await diff({ content }), (file) => `content/${file}`);
});

const at = (path: string, { base_url }: { base_url: string }) => ({
  file: `content/_media/${path}`,
  address: `${base_url}/media/${encodeURI(path)}`,
});

describe("the images of _media/", () => {
  it("are listed with their addresses if a change adds them or changes their content", () => {
    expect(comparison.images.added).toEqual([at("new.png", NEW_SITE), at("two reeds.png", NEW_SITE)]);
    expect(comparison.images.changed).toEqual([at("works/fen.png", NEW_SITE)]);
  });

  it("are listed with their former addresses if a change removes them, or replaces them by a link", () => {
    expect(comparison.images.removed).toEqual([at("linked.png", SITE), at("works/reed.png", SITE)]);
  });

  it("do not count as files without effect", () => {
    expect(comparison.withoutEffect).toBe(0);
  });

  it("are counted and listed in every report", () => {
    const [human = "", markdown = "", json = ""] = ["human", "markdown", "json"].map((name) =>
      printed(name, comparison),
    );
    const reed = at("works/reed.png", SITE);
    expect(human).toContain(
      "\nImages\n  + content/_media/new.png\n      https://pages.example.org/media/new.png\n",
    );
    expect(human).toContain(`  ~ content/_media/works/fen.png\n`);
    expect(human).toContain(`  - ${reed.file}\n      ${reed.address}\n`);
    expect(markdown).toContain("#### Images (5)\n");
    expect(markdown).toContain(`- removed: \`${reed.file}\`  \n  \`${reed.address}\`\n`);
    for (const text of [human, markdown])
      expect(text).toContain("2 images added, 1 image changed, 2 images removed.");
    expect(JSON.parse(json)).toMatchObject({ images: comparison.images });
  });
});
