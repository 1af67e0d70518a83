import { cpSync, readdirSync, readFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { build } from "../../build/site/build.ts";
import { schemaFault } from "../../build/verify/body.ts";
import type { PageType } from "../../build/model/page-types.ts";
import { filesBelow } from "../files.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { scratch } from "../scratch.ts";
import { addedTo, fieldsOf, wrongFields } from "./interface.ts";
import { programModel } from "../../build/model/program-model.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CASES = join(ROOT, "test/cases");

const work = scratch("output");

interface Page {
  id: number;
  meta: { type: PageType; detail_url: string; html_url: string; parent: Summary | null };
  title: string;
}
interface Summary {
  id: number;
  meta: { type: string; detail_url: string; html_url: string };
  title: string;
}

const sites = [
  ["the fixture site", FIXTURE_SITE],
  ...readdirSync(CASES)
    .filter((name) => existsSync(join(CASES, name, "expected")))
    .map((name) => [name, join(CASES, name, "content")]),
] as [name: string, content: string][];

describe.each(sites)("the output of %s", (name, source) => {
  const pages = new Map<string, { text: string; page: Page }>();

  beforeAll(async () => {
    const folder = join(work, name);
    const [content, out] = [join(folder, "content"), join(folder, "out")];
    cpSync(source, content, { recursive: true });
    const headersFile = join(source, "..", "_headers");
    const { published } = await build({
      content,
      out,
      cache: join(folder, "cache"),
      ...(existsSync(headersFile) && { headersFile }),
    });
    if (published === undefined) throw new Error(`nothing is published of ${name}`);
    for (const path of filesBelow(join(out, "api/v2/pages"))) {
      if (!path.endsWith("/index.json")) continue;
      const text = readFileSync(join(out, "api/v2/pages", path), "utf8");
      pages.set(path, { text, page: JSON.parse(text) as Page });
    }
  });

  it("has pages", () => {
    expect(pages.size).toBeGreaterThan(0);
  });

  it("matches the response schema", () => {
    for (const { page } of pages.values()) {
      expect(schemaFault({ ...page }, programModel), `page ${page.id}`).toBeUndefined();
    }
  });

  it("has the fields of the API contract, in its order", () => {
    for (const { page } of pages.values())
      expect(
        [...wrongFields(page, fieldsOf(page.meta.type), addedTo(page.meta.type))],
        `page ${page.id}`,
      ).toEqual([]);
  });

  it("has each parent's values from the parent's own response", () => {
    for (const { page } of pages.values()) expect(page.meta.parent).toEqual(summaryOf(page.meta.parent?.id));
    const withoutParent = [...pages.values()].filter(({ page }) => page.meta.parent === null);
    expect(withoutParent.map(({ page }) => page.meta.type)).toEqual(["home.HomePage"]);
  });

  function summaryOf(id: number | undefined): Summary | null {
    const page = pages.get(`${id}/index.json`)?.page;
    if (page === undefined) return null;
    const { type, detail_url, html_url } = page.meta;
    return { id: page.id, meta: { type, detail_url, html_url }, title: page.title };
  }

  it("has each file at the path of its own address", () => {
    for (const [path, { page }] of pages) {
      expect(path).toBe(`${page.id}/index.json`);
      expect(page.meta.detail_url.endsWith(`/api/v2/pages/${page.id}/`)).toBe(true);
    }
  });

  it("has no unneeded white space", () => {
    for (const { text } of pages.values())
      expect(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "")).not.toMatch(/\s/);
  });
});
