import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isError } from "../../build/findings/finding.ts";
import { parseJson } from "../../build/json/parse.ts";
import type { Site } from "../../build/page/site.ts";
import { checkBelow } from "../../build/check/parent.ts";
import { PROJECT } from "../../build/base/project.ts";
import { render } from "../../build/response/render.ts";
import { openFastPath } from "../../build/response/fast-path.ts";
import { claimsIn } from "../../build/check/site.ts";
import { ClaimCollector } from "../../build/check/claims.ts";
import { discover } from "../../build/pipeline/discover.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { parentOf, positionOf } from "../../build/sources/tree.ts";

const cases = join(PROJECT, "test", "cases");
const contents = [
  FIXTURE_SITE,
  ...readdirSync(cases)
    .map((name) => join(cases, name, "content"))
    .filter((content) => existsSync(join(content, "index.json"))),
];

/** The results of both paths for each page of a content folder. */
async function bothPaths(content: string) {
  const discovery = await discover({ content, headersFile: join(PROJECT, "_headers") }, undefined);
  const { listing, parents, site } = discovery;
  const pages: {
    path: string;
    fast: string | undefined;
    full: string | undefined;
    claims: [unknown, unknown];
  }[] = [];
  if (site === undefined) return pages;
  // Without owned paths, the fast path takes pages with links.
  const plain: Site = { ...site, owned_paths: [] };
  for (let i = 0; i < listing.count; i++) {
    if (listing.kind(i) === "draft") continue;
    const bytes = readFileSync(join(content, listing.path(i)));
    const parent = parentOf(listing, parents, i);
    const claims = new ClaimCollector();
    const fast = openFastPath(plain, claims).take(bytes, parent, listing.slug(i))?.bytes.toString();
    claims.endFile(0);
    const parsed = parseJson("page.json", bytes);
    const { page, findings, nodes } = checkBelow(parsed, parent, plain);
    const at = positionOf(listing, parents, i, plain);
    const isSound = page !== undefined && at !== undefined && !findings.some(isError);
    const full = isSound ? render(page, at, plain, nodes).toString() : undefined;
    const { hashes } = claims.part();
    const judged = parsed.root === undefined ? [] : [...claimsIn(parsed.root)].map(({ hash }) => hash);
    if (fast !== undefined && findings.length > 0)
      throw new Error(`${listing.path(i)}: taken in spite of a finding`);
    pages.push({
      path: listing.path(i),
      fast,
      full,
      claims: [new Set(hashes), new Set(fast === undefined ? [] : judged)],
    });
  }
  return pages;
}

describe("the fast path", () => {
  it("prints the same bytes as the full path, and makes the same claims, for every page that it takes", async () => {
    let taken = 0;
    for (const content of contents) {
      for (const { path, fast, full, claims } of await bothPaths(content)) {
        if (fast === undefined) continue;
        taken++;
        expect(fast, `${content}/${path}`).toBe(full);
        expect(claims[0], `${content}/${path}`).toEqual(claims[1]);
      }
    }
    expect(taken).toBeGreaterThan(100);
  });

  it("takes the ordinary pages of a site, including those with images, resources and exhibitions", async () => {
    const pages = await bothPaths(FIXTURE_SITE);
    const left = pages.filter(({ fast }) => fast === undefined);
    // The full path prints the fields that the API contract leaves unspecified.
    expect(left.every(({ full }) => full?.includes('"location":[{}]'))).toBe(true);
    expect(left.length).toBeLessThan(pages.length / 10);
  });
});
