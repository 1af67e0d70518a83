import { lstatSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { isError } from "../../build/findings/finding.ts";
import { build } from "../../build/site/build.ts";
import { check } from "../../build/site/check.ts";
import { PROGRAM_HEADERS } from "../../build/base/folders.ts";
import { replaceCalls } from "../faults.ts";
import { treeOf } from "../files.ts";
import { general, SITE, SMALL_SITE, placeWith, workplace, type Workplace } from "./site.ts";

/** The order in which the file system lists the entries of a folder. */
const order = { seed: 0 };

replaceCalls((real) => {
  const list = real.readdirSync as (...args: unknown[]) => (string | { name: string })[];
  const shuffled = (...args: unknown[]): unknown => {
    const entries = list(...args);
    return order.seed === 0 ? entries : entries.sort((a, b) => rank(a) - rank(b));
  };
  return { readdirSync: shuffled as typeof real.readdirSync };
});

function rank(entry: string | { name: string }): number {
  let hash = order.seed;
  for (const byte of Buffer.from(typeof entry === "string" ? entry : entry.name))
    hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}

const ODD_NAMES = [
  ...".. .json ..json ...json _.json C:.json %2e%2e.json index.json.json _site.json".split(" "),
  ..."CON.json 0.json a:b.json a\\b.json \u202e.json é.json e\u0301.json \n.json".split(" "),
  `${"x".repeat(240)}.json`,
];

let place: Workplace;
beforeEach(() => {
  order.seed = 0;
  place = placeWith("output");
});

async function buildInto(name: string, content = place.content) {
  const out = join(place.folder, name);
  const { findings } = await build({ content, out, cache: join(place.folder, `${name}-cache`) });
  return { findings, tree: treeOf(out) };
}

describe("the output", () => {
  it("does not depend on the order in which folders are read", async () => {
    const plain = await buildInto("plain");
    expect(Object.keys(plain.tree).length).toBeGreaterThan(15);
    for (let seed = 1; seed <= 20; seed++) {
      order.seed = seed;
      const other = await buildInto(`order-${seed}`);
      expect(other).toEqual(plain);
    }
  });

  it("has the same findings in whatever order folders are read, also if there are many", async () => {
    for (const [i, path] of Object.keys(SMALL_SITE).entries())
      if (i % 3 === 2) place.put(path, '{"id": 0, "x": 1}');
    place.put("about/index.json", general(2, "About"));
    place.put("_x/about.json", general(10, "About"));
    const plain = await check(place);
    expect(plain.findings.some(isError)).toBe(true);
    for (let seed = 1; seed <= 20; seed++) {
      order.seed = seed;
      expect(await check(place)).toEqual(plain);
    }
  });

  it("is inside the output folder, at each page's own path, whatever the names of files", async () => {
    const name = fc.oneof(
      fc.constantFrom(...ODD_NAMES),
      fc.string({ minLength: 1, maxLength: 12 }).map((text) => `${text.replaceAll(/[/\0]/g, "_")}.json`),
      fc.stringMatching(/^[A-Za-z0-9._-]{1,8}$/).map((text) => `${text}.json`),
    );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 6 }), async (names) => {
        const hostile = workplace("hostile");
        try {
          hostile.putAll({ "_site.json": SITE, "index.json": SMALL_SITE["index.json"] });
          for (const [i, one] of names.entries())
            if (one !== ".." && one !== "_site.json") hostile.put(`./${one}`, general(100 + i, "Hostile"));
          await build(hostile);
          expect(
            readdirSync(hostile.folder).filter((entry) => entry !== "public" && entry !== "cache"),
          ).toEqual(["content"]);
          for (const path of Object.keys(hostile.tree()))
            expect(path).toMatch(
              /^(404\.html|_headers|_redirects|openapi\.json|schema\/page\.json|api\/v2\/pages\/(404\.html|[1-9]\d*\/index\.json))$/,
            );
        } finally {
          hostile.remove();
        }
      }),
      { numRuns: 60 },
    );
  });

  it("is not written again if nothing changed", async () => {
    const stats = (): [string, number, number, number][] =>
      readdirSync(join(place.out, "api"), { recursive: true, encoding: "utf8" })
        .map((path) => join("api", path))
        .concat("_headers", "_redirects", "api")
        .sort()
        .map((path) => {
          const { ino, mtimeMs, ctimeMs } = lstatSync(join(place.out, path));
          return [path, ino, mtimeMs, ctimeMs];
        });
    await build(place);
    const before = stats();
    expect(before.length).toBeGreaterThan(30);
    for (const options of [{}, { full: true }, {}]) {
      const { published } = await build({ ...place, ...options });
      expect(published).toMatchObject({ written: 0, removed: 0 });
      expect(stats()).toEqual(before);
    }
  });

  it("is not written again if nothing changed, with relative paths", async () => {
    const { content, out, cache } = place;
    await build(place);
    const { published } = await build({
      content: relative(".", content),
      out: relative(".", out),
      cache: relative(".", cache),
      headersFile: relative(".", PROGRAM_HEADERS),
    });
    expect(published).toMatchObject({ written: 0, removed: 0 });
  });

  it("has the subpages of a page with a new title rewritten, and no others", async () => {
    await build(place);
    place.put("visit/index.json", general(10, "Come and see"));
    const { published } = await build(place);
    // The page, two subpages in files, one of them in a grouping folder, and one in a folder. The subpages of the page
    // in the folder do not contain the changed title.
    expect(published).toMatchObject({ written: 4, removed: 0 });
  });

  it("is not published with a warning if warnings are errors", async () => {
    const { findings, published } = await build({ ...place, strict: true });
    expect(published).toBeUndefined();
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.every(isError)).toBe(true);
    expect(place.tree()).toEqual({});
  });
});
