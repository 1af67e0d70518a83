import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { summary } from "../../build/change/diff/reporters.ts";
import { pageChanges, summaryOfChanges } from "../../build/editor/changes.ts";
import { programModel } from "../../build/model/program-model.ts";
import { changesByOwner } from "../../build/model/ownership.ts";
import type { Site } from "../../build/model/site.ts";
import type { JsonObject } from "../../build/source/json/object.ts";
import { eachInRepository, git, printed } from "../change/diff/repository.ts";
import { dated, general, work } from "../site/site.ts";

const { here, source, put, compare } = eachInRepository("changes");

/** A page with three subpages, of which one has two. */
const VISIT = 10;

/** Makes the page and its subpages drafts, or publishes them again. */
const withdraw = (): void => renameSync(source("visit/index.json"), source("visit/_index.json"));
const publish = (): void => renameSync(source("visit/_index.json"), source("visit/index.json"));

function commit(): void {
  const { folder } = here();
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "Change pages");
}

/** The changes since the commit, as the editor has them. */
function changes(sections: readonly string[] = [], sync?: JsonObject) {
  const { content, folder } = here();
  const files = git(folder, "status", "--porcelain", "--no-renames", "--untracked-files=all", "-z")
    .split("\0")
    .flatMap((line) => (line === "" ? [] : [line.slice(3 + "content/".length)]));
  const now = (file: string): string | null =>
    existsSync(join(content, file)) ? readFileSync(join(content, file), "utf8") : null;
  const before = (file: string): string | null => {
    const { length } = git(folder, "ls-tree", "HEAD", `content/${file}`);
    return length === 0 ? null : git(folder, "show", `HEAD:content/${file}`);
  };
  const site = JSON.parse(now("_site.json") ?? "") as Site;
  const found = files.map((file) => ({ file, before: before(file), after: now(file) }));
  return pageChanges(found, { pages: programModel, site, at: "2026-11-26T12:00:00Z", sections, sync });
}

const ordered = (file: string, order: number, { meta, ...rest }: ReturnType<typeof general>): void =>
  put(file, { ...rest, meta: { ...meta, order } });

const EDITS: Record<string, () => void> = {
  nothing: () => undefined,
  "one page": () => put("about.json", general(2, "About us")),
  "a page with subpages": () => put("visit/index.json", general(10, "Plan a visit")),
  "a new page, and a draft": () => {
    put("visit/tea.json", general(90, "Tea"));
    put("visit/_cake.json", general(91, "Cake"));
  },
  "a page with errors": () => put("about.json", general(2, "")),
  "a moved page": () => renameSync(source("visit/cafe.json"), source("cafe.json")),
  "a page that becomes a draft": () => renameSync(source("about.json"), source("_about.json")),
  "a page that becomes a draft with its subpages": withdraw,
  "a page that becomes a draft with its subpages, of which one changes": () => {
    withdraw();
    put("visit/cafe.json", general(11, "Coffee"));
  },
  "changed and new pages in a draft section": () => {
    withdraw();
    commit();
    put("visit/cafe.json", general(11, "Coffee"));
    put("visit/tea.json", general(90, "Tea"));
  },
  "a published draft section with changed and new pages": () => {
    withdraw();
    commit();
    publish();
    put("visit/cafe.json", general(11, "Coffee"));
    put("visit/tea.json", general(90, "Tea"));
  },
  "a published draft": () => renameSync(source("_news.json"), source("news.json")),
  "a page that gets a folder": () => {
    mkdirSync(source("about"));
    renameSync(source("about.json"), source("about/index.json"));
  },
  "a removed page": () => rmSync(source("about.json")),
  dates: () => {
    const meta = { expire_at: "2999-06-01T00:00:00+02:00" };
    put("about.json", dated(2, "About", meta));
  },
  "the order of subpages": () => {
    ordered("visit/cafe.json", 2, general(11, "Café"));
    ordered("visit/_more/shop.json", 1, general(12, "The shop"));
    ordered("about.json", 1, general(2, "About"));
    ordered("_news.json", 1, general(3, "A draft"));
    ordered("visit/tea.json", 3, general(90, "Tea"));
  },
};

it.each(Object.entries(EDITS))("says the same as the comment on a pull request: %s", async (_, edit) => {
  edit();
  const found = changes(existsSync(source("visit/_index.json")) ? ["visit/"] : []);
  const changed = found.filter(({ file }) => file === "visit/cafe.json").length;
  const below = found.map(({ id, isOfParent, withSubpages }) =>
    id !== VISIT ? 0 : isOfParent ? 3 : withSubpages === undefined ? 0 : 5 - changed,
  );
  expect(summaryOfChanges(found, below)).toBe(summary(await compare("HEAD")));
});

it("says what becomes of a page whose file has another name", () => {
  withdraw();
  EDITS["a published draft"]?.();
  EDITS["a page that gets a folder"]?.();
  renameSync(source("projects/wet/notes.json"), source("projects/wet/dry.json"));
  const kinds = changes().map(({ title, kind }) => [title, kind]);
  expect(Object.fromEntries(kinds)).toEqual({
    About: "changed",
    "A draft": "published",
    Visit: "unpublished",
    Notes: "moved",
  });
});

it("shows a new classification by its id, as the form does", () => {
  const type = "artworks.Classification";
  put("works/_a/reeds.json", work(32, "The reeds", { classification: { id: 7, meta: { type } } }));
  const [page] = changes();
  expect(page?.fields).toContainEqual({ label: "Classification", new: "7" });
});

it("shows each changed field by its label, with its old and its new value", () => {
  put("works/_a/marsh.json", work(31, "The marsh", { medium: "Ink" }));
  const [page] = changes();
  expect(page).toMatchObject({ kind: "changed", id: 31, title: "The marsh", errors: 0 });
  expect(page?.fields).toContainEqual({ label: "Medium", new: "Ink" });
  expect(page?.fields.find(({ label }) => label === "Title")?.new).toBe("The marsh");
});

it("counts the works that a collection system changed, in the same words as diff", async () => {
  const sync = { works: { label: "the collection system", fields: ["medium", "dateText"] } };
  const make = (...all: [title: string, medium: string, dateText?: string][]): void =>
    all.forEach(([title, medium, dateText = ""], k) => {
      const { meta, ...rest } = work(41 + k, title, { medium, dateText });
      put(`works/_a/w${k}.json`, { ...rest, meta: { ...meta, external_id: `works:${k}` } });
    });
  put("_sync.json", sync);
  make(["One", "Ink"], ["Two", "Ink"], ["Three", "Ink"]);
  commit();
  make(["One", "Oil"], ["Two", "Oil", "1815"], ["Third", "Oil"]);
  const line = "2 works changed by the collection system: medium 2, dateText 1";
  const found = changes([], sync);
  expect(changesByOwner(found.flatMap(({ owned }) => owned ?? []))).toEqual([line]);
  const comparison = await compare("HEAD");
  for (const reporter of ["human", "markdown"]) {
    const text = printed(reporter, comparison);
    expect(text).toContain(`${line}\n`);
    expect(text.match(/Medium|medium/g)).toHaveLength(2);
    expect(text).toContain("Third");
  }
  expect(printed("json", comparison).match(/"field":"medium"/g)).toHaveLength(3);
});
