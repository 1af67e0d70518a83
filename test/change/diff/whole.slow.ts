import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printInstant, type Instant } from "../../../build/base/instant.ts";
import type { Comparison } from "../../../build/change/diff/pages.ts";
import { diff } from "../../../build/change/diff/diff.ts";
import { isError, type Finding } from "../../../build/findings/finding.ts";
import { build } from "../../../build/site/build.ts";
import { treeOf } from "../../files.ts";
import { apply, editsOf, INSTANTS, SOURCE_KINDS, type Edit } from "../../site/edits.ts";
import { dated, SITE, SMALL_SITE, WELSH_PAGES, workplace, type Workplace } from "../../site/site.ts";
import { MEMORY } from "../../scratch.ts";
import { git, repository } from "./repository.ts";
import { runsOf } from "../../runs.ts";

/** Edits of `_site.json` change every response: a comparison reports that in another way. */
const OTHERS = ["site", "breakSite", "restore", "published", "acquired"];
/** Without an instant, a comparison shows each page as it is when it is live. */
const OF_TIME = ["goLive", "expire", "dateSection"] as const;
const timeless = SOURCE_KINDS.filter((kind) => ![...OTHERS, ...OF_TIME].includes(kind));

const SOME = { minLength: 1, maxLength: 3 };
const edits = editsOf([timeless], SOME);
const editsInTime = editsOf([timeless, OF_TIME], SOME);

const editsOfLanguages = editsOf([timeless, ["translate", "translateApart", "translationOf"], OF_TIME], SOME);

const iso = (k: number): string => printInstant(INSTANTS[k] as Instant);

/** A section that goes live, one that expires, and a page in it. */
const DATED_SITE = {
  ...SMALL_SITE,
  "visit/rooms/index.json": dated(13, "Rooms", { go_live_at: iso(6) }),
  "projects/index.json": dated(20, "Projects", { expire_at: iso(10) }, "projects.ProjectIndexPage"),
  "projects/wet/index.json": dated(21, "Wet", { go_live_at: iso(4) }, "projects.ProjectPage"),
};

/** The languages of the pages in `WELSH_PAGES`. */
const LOCALES = { locales: { en: "English", cy: "Cymraeg" } };

interface Response {
  id: number;
  meta: { html_url: string };
}

/** The findings of a whole build, and its pages by id. */
async function whole(place: Workplace, at?: Instant) {
  const { published, ...checked } = await build({ ...place, at });
  if (published === undefined) return { ...checked, after: undefined };
  const pages = Object.entries(treeOf(join(place.out, "api/v2/pages"), /\/index\.json$/));
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

/**
 * A checkout of a repository in memory, like one of `git worktree`, but with an index of its own. `git status`
 * runs once, because otherwise git would regard every copy as changed, and the comparison would read them all.
 */
function checkout(base: Workplace): Workplace {
  const place = workplace("diff", MEMORY);
  cpSync(base.content, place.content, { recursive: true });
  writeFileSync(join(place.folder, ".git"), `gitdir: ${join(base.folder, ".git")}\n`);
  git(place.folder, "update-index", "-q", "--refresh");
  return place;
}

const indexOf = ({ folder }: Workplace): string => readFileSync(join(folder, ".git/index"), "latin1");

/** Compares an edited checkout with its commit, by `diff` and by two whole builds. */
async function compare(base: Workplace, before: Map<number, string>, some: Edit[], at?: Instant) {
  const place = checkout(base);
  try {
    for (const one of some) apply(place, one);
    const [sources, index] = [treeOf(place.folder), indexOf(base)];
    const comparison = await diff({ content: place.content, base: "main", at });
    expect(treeOf(place.folder)).toEqual(sources);
    expect(indexOf(base)).toBe(index);

    const { findings, pages, after } = await whole(place, at);
    expect(places(findings)).toEqual(expect.arrayContaining(places(comparison.findings)));
    if (after === undefined) return undefined;
    const ids = set([...before.keys(), ...after.keys()]).filter((id) => before.get(id) !== after.get(id));
    return { comparison, pages, after, ids };
  } finally {
    place.remove();
  }
}

describe("a comparison, which reads only changed files", () => {
  it("agrees with two whole builds", async () => {
    const base = repository("diff-base");
    const before = (await whole(base)).after ?? new Map<number, string>();
    await fc.assert(
      fc.asyncProperty(edits, async (someEdits) => {
        const compared = await compare(base, before, someEdits);
        if (compared === undefined) return;
        const { comparison, pages, after, ids } = compared;
        expect(idsIn(comparison)).toEqual(ids);
        expect(comparison.pages).toBe(pages);
        expect(set(comparison.ids.vanished.map(({ was }) => was.id))).toEqual(
          set([...before.keys()].filter((id) => !after.has(id))),
        );
        const [old, now] = [addresses(before), addresses(after)];
        expect(set(comparison.addresses.map(({ address }) => address))).toEqual(
          set([...old].filter((address) => !now.has(address))),
        );
      }),
      { numRuns: runsOf(15) },
    );
  });

  it.each([
    ["of one language", DATED_SITE, editsInTime],
    ["in Welsh", { ...DATED_SITE, ...WELSH_PAGES, "_site.json": { ...SITE, ...LOCALES } }, editsOfLanguages],
  ])("agrees with two whole builds at an instant, on a site %s", async (_, site, editsOfSite) => {
    const base = repository("diff-dated", site);
    const known = new Map<Instant, Map<number, string>>();
    await fc.assert(
      fc.asyncProperty(editsOfSite, fc.constantFrom(...INSTANTS), async (someEdits, at) => {
        const before = known.get(at) ?? (await whole(base, at)).after ?? new Map<number, string>();
        known.set(at, before);
        const compared = await compare(base, before, someEdits, at);
        expect(compared && idsIn(compared.comparison)).toEqual(compared?.ids);
        expect(compared?.comparison.pages).toBe(compared?.pages);
      }),
      { numRuns: runsOf(10) },
    );
  });
});
