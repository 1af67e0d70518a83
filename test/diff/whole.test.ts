import { cpSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Comparison } from "../../build/diff/comparison.ts";
import { diff } from "../../build/diff/diff.ts";
import { isError, type Finding } from "../../build/findings/finding.ts";
import { build, check } from "../../build/pipeline.ts";
import { treeOf } from "../files.ts";
import { apply, KINDS, type Edit } from "../pipeline/edits.ts";
import { workplace, type Workplace } from "../pipeline/site.ts";
import { git, repository } from "./repository.ts";

/** Edits of `_site.json` change every response, which a comparison says in another way. */
const kinds = KINDS.filter((kind) => !["site", "breakSite", "restore"].includes(kind));
const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(...kinds),
  a: fc.nat(1000),
  b: fc.nat(1000),
});

interface Response {
  id: number;
  meta: { html_url: string };
}

/** By id, what a whole build publishes. */
async function published(place: Workplace): Promise<Map<number, string> | undefined> {
  const out = join(place.folder, "built");
  const built = await build({ content: place.content, out, cache: join(place.folder, "built-cache") });
  if (built.published === undefined) return undefined;
  const pages = Object.entries(treeOf(join(out, "api/v2/pages"))).filter(([path]) =>
    path.endsWith("/index.json"),
  );
  return new Map(
    pages.map(([path, text]) => [Number(path.split("/")[0]), Buffer.from(text, "latin1").toString("utf8")]),
  );
}

const addresses = (pages: Map<number, string>): Set<string> =>
  new Set([...pages.values()].map((text) => (JSON.parse(text) as Response).meta.html_url));

/** Sorted, each once. */
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
  before = (await published(base)) ?? new Map();
});
afterAll(() => base.remove());

describe("a comparison, which reads only what changed", () => {
  it("says what two whole builds say", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 5 }), async (edits) => {
        const place = workplace("diff");
        try {
          for (const name of [".git", "content"])
            cpSync(join(base.folder, name), join(place.folder, name), { recursive: true });
          for (const one of edits) apply(place, one);
          const status = git(place.folder, "status", "--porcelain");
          const comparison = diff({ content: place.content });
          expect(git(place.folder, "status", "--porcelain")).toBe(status);

          const checked = await check({ content: place.content });
          expect(places(checked.findings)).toEqual(expect.arrayContaining(places(comparison.findings)));
          expect(comparison.pages).toBe(checked.pages);
          const after = await published(place);
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
