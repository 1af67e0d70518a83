import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Comparison } from "../../build/diff/comparison.ts";
import { diff } from "../../build/diff/diff.ts";
import { isError, type Finding } from "../../build/findings/finding.ts";
import { build } from "../../build/pipeline/build.ts";
import type { CheckedSite } from "../../build/pipeline/outcome.ts";
import { treeOf } from "../files.ts";
import { apply, SOURCE_KINDS, type Edit } from "../pipeline/edits.ts";
import { workplace, type Workplace } from "../pipeline/site.ts";
import { MEMORY } from "../scratch.ts";
import { git, repository } from "./repository.ts";

/**
 * Edits whose comparison differs from two whole builds: edits of `_site.json` change every response, and dates change
 * which pages are live.
 */
const OTHERS = new Set(["site", "breakSite", "restore", "goLive", "expire", "published", "acquired"]);
const kinds = SOURCE_KINDS.filter((kind) => !OTHERS.has(kind));
const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(...kinds),
  a: fc.nat(1000),
  b: fc.nat(1000),
});

interface Response {
  id: number;
  meta: { html_url: string };
}

/** The findings of a whole build, and its pages by id. */
async function whole(place: Workplace): Promise<CheckedSite & { after: Map<number, string> | undefined }> {
  const { published, ...checked } = await build(place);
  if (published === undefined) return { ...checked, after: undefined };
  const pages = Object.entries(treeOf(join(place.out, "api/v2/pages"))).filter(([path]) =>
    path.endsWith("/index.json"),
  );
  const responses = pages.map(
    ([path, text]) => [Number(path.split("/")[0]), Buffer.from(text, "latin1").toString("utf8")] as const,
  );
  return { ...checked, after: new Map(responses) };
}

const addresses = (pages: Map<number, string>): Set<string> =>
  new Set([...pages.values()].map((text) => (JSON.parse(text) as Response).meta.html_url));

/** The distinct values, sorted. */
const set = <T extends number | string>(values: Iterable<T>): T[] =>
  [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));

const idsIn = ({ added, removed, changed, moved, children }: Comparison): number[] =>
  set(
    [...added, ...removed, ...changed, ...moved, ...children.flatMap(({ pages }) => pages)].map(
      ({ id }) => id,
    ),
  );

const places = (findings: Finding[]): string[] =>
  findings.filter(isError).map(({ code, place }) => `${code} ${place.file}:${place.line}:${place.column}`);

let base: Workplace;
let before: Map<number, string>;
beforeAll(async () => {
  base = repository("diff-base");
  before = (await whole(base)).after ?? new Map();
});

/**
 * A checkout of the same repository in memory, like one of `git worktree`, but with an index of its own. `git status`
 * runs once, because otherwise git would regard every copy as changed, and the comparison would read them all.
 */
function checkout(): Workplace {
  const place = workplace("diff", MEMORY);
  cpSync(base.content, place.content, { recursive: true });
  writeFileSync(join(place.folder, ".git"), `gitdir: ${join(base.folder, ".git")}\n`);
  git(place.folder, "update-index", "-q", "--refresh");
  return place;
}

const indexOf = ({ folder }: Workplace): string => readFileSync(join(folder, ".git/index"), "latin1");

describe("a comparison, which reads only changed files", () => {
  it("agrees with two whole builds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
        const place = checkout();
        try {
          for (const one of edits) apply(place, one);
          const [sources, index] = [treeOf(place.folder), indexOf(base)];
          const comparison = await diff({ content: place.content, base: "main" });
          expect(treeOf(place.folder)).toEqual(sources);
          expect(indexOf(base)).toBe(index);

          const { findings, pages, after } = await whole(place);
          expect(places(findings)).toEqual(expect.arrayContaining(places(comparison.findings)));
          expect(comparison.pages).toBe(pages);
          if (after === undefined) return;

          const ids = set([...before.keys(), ...after.keys()]);
          expect(idsIn(comparison)).toEqual(ids.filter((id) => before.get(id) !== after.get(id)));
          expect(set(comparison.ids.vanished.map(({ was }) => was.id))).toEqual(
            set([...before.keys()].filter((id) => !after.has(id))),
          );
          const [old, now] = [addresses(before), addresses(after)];
          expect(set(comparison.addresses.map(({ address }) => address))).toEqual(
            set([...old].filter((address) => !now.has(address))),
          );
        } finally {
          place.remove();
        }
      }),
      { numRuns: Number(process.env["EDIT_RUNS"] ?? 40) },
    );
  });
});
