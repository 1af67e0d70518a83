import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { anchorsOf, DOCUMENTS, proseOf, REFERENCES, WRITTEN } from "./documents.ts";

/** The links of a document to the project's files and headings: `[path, anchor]`. */
function linksOf(path: string, text: string): [string, string | undefined][] {
  return [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = "", anchor] = target.split("#");
      return [file === "" ? path : normalize(join(dirname(path), file)), anchor];
    });
}

describe("links", () => {
  it.each(DOCUMENTS)("of $path lead to files and headings that exist", ({ path, text }) => {
    const broken = linksOf(path, text).filter(([file, anchor]) => {
      const at = join(PROGRAM_FOLDER, file);
      if (!existsSync(at)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(at, "utf8")).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it("of comments lead to headings that exist", () => {
    const headings = new Map(DOCUMENTS.map(({ path, text }) => [path, text.match(/^#+ .*$/gm) ?? []]));
    const broken = REFERENCES.filter(
      ({ page, section }) => !headings.get(page)?.some((heading) => heading.replace(/^#+ /, "") === section),
    );
    expect(broken).toEqual([]);
    expect(REFERENCES.length).toBeGreaterThan(10);
  });

  it("are found, with and without anchors", () => {
    expect(linksOf("docs/a.md", "[x](b.md#c) ![y](../d.png) [z](#e) [w](https://example.org)")).toEqual([
      ["docs/b.md", "c"],
      ["d.png", undefined],
      ["docs/a.md", "e"],
    ]);
    expect(anchorsOf("# A “b”: `c:d`\n## A b\n## A b\n")).toEqual(new Set(["a-b-cd", "a-b", "a-b-1"]));
  });

  it("of the index lead to every page of docs/", () => {
    const index = DOCUMENTS.find(({ path }) => path === "docs/README.md")?.text ?? "";
    const listed = new Set(linksOf("docs/README.md", index).map(([file]) => file));
    const pages = DOCUMENTS.map(({ path }) => path).filter((path) => /^docs\/(?!README)/.test(path));
    expect(pages.filter((path) => !listed.has(path))).toEqual([]);
    expect(WRITTEN.length).toBeGreaterThan(10);
  });
});
