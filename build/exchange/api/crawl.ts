import { API, pathOf } from "../../base/api.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { Failure } from "../../base/failure.ts";
import { countIds, idsIn, type IdRange } from "../../base/ids.ts";
import { thousands } from "../../base/numbers.ts";
import { isObject, type JsonObject } from "../../source/json/object.ts";
import type { SavedResponse } from "./documents.ts";
import { readList, type ListedLanguages, type ListOptions, type ReadSiblings } from "./list-endpoint.ts";
import type { CrawlNotes, Excluded } from "./outline.ts";
import { inShort, isId } from "./values.ts";

interface CrawlOptions extends ListOptions {
  /** The pages to request; if it is missing, the pages in the host's list. */
  ids?: readonly IdRange[] | undefined;
}

/**
 * Saves the responses of a running API.
 *
 * @throws Failure if the host stops responding, has no list endpoint, or has no page.
 */
export async function crawl(options: CrawlOptions) {
  const { client, report, ids } = options;
  const pages = openCrawl(options);
  const lists: SavedResponse[] = [];
  let readSiblings: ReadSiblings | undefined;
  let languages: ListedLanguages | undefined;
  if (ids === undefined) {
    const list = await readList(options);
    if (typeof list === "string")
      throw new Failure(
        `${client.address} has no list endpoint at ${API}: ${list}. Give the pages to request with --ids: the ids of the lowest pages are enough, as the import finds their parents.`,
      );
    // Pages that only the last reading lists are new, and pages that it lacks may be removed: both are requested one by
    // one.
    await pages.requestAll([...list.listed].filter((id) => !list.full.has(id)));
    await pages.requestAll([...list.full.keys()].filter((id) => !list.all.has(id)));
    await pages.requestAll(list.changed);
    // The detail responses of these pages show their parents, and whether the pages are published.
    await pages.requestAll(list.orphans.filter((id) => list.full.has(id)));
    await pages.requestParents(list.all);
    await pages.settle();
    report.notes.push(
      "the responses come from the list endpoint, which has no meta.parent, so the addresses determine the parent pages. Compare the new API with the old one: npx page-api verify OLD --against NEW.",
    );
    for (const file of list.files) lists.push(file);
    ({ readSiblings, languages } = list);
  } else {
    await pages.requestRanges(ids);
    await pages.requestParents(new Set());
    await pages.settle();
    for (const [id, { code, reason }] of pages.excluded) report.leave(code, id, pathOf(id), reason);
  }
  const files = [...pages.savedFiles(), ...lists];
  if (files.length === 0) throw new Failure("No page was found.");
  const { missing, excluded } = pages;
  const crawled: CrawlNotes = { address: client.address, missing, excluded };
  return { files, crawled, readSiblings, languages };
}

/** Maximum number of levels above a page: four times Wagtail's own limit. */
const MAX_LEVELS = 250;

function openCrawl({ client, concurrency, report, progress }: CrawlOptions) {
  const details = new Map<number, ReturnType<typeof detailOf>>();
  const missing = new Set<number>();
  const excluded = new Map<number, Excluded>();

  async function requestRanges(ranges: readonly IdRange[]): Promise<void> {
    const single = new Set(ranges.filter(({ from, to }) => from === to).map(({ from }) => from));
    const of = countIds(ranges);
    let done = 0;
    let absent = 0;
    const advance = (): void => progress(++done, of);
    const take = (id: number, exclusion: Excluded): void => {
      if (exclusion.code !== "missing") excluded.set(id, exclusion);
      else if (single.has(id)) excluded.set(id, { ...exclusion, reason: "the host has no such page (404)" });
      else absent++;
    };
    await requestEach(idsIn(ranges), take, { advance });
    if (absent > 0)
      report.notes.push(
        `${thousands(absent)} of the requested ids ${absent === 1 ? "has" : "have"} no page.`,
      );
  }

  const requestAll = (ids: readonly number[]): Promise<void> =>
    requestEach(ids, (id, exclusion) => void excluded.set(id, exclusion));

  /** Requests the parents of the requested pages, up to the home page or to a known page. */
  async function requestParents(known: ReadonlySet<number>): Promise<void> {
    for (let level = 0; level < MAX_LEVELS; level++) {
      const parents = new Set<number>();
      for (const { parent } of details.values())
        if (parent !== undefined && ![details, missing, known].some((ids) => ids.has(parent)))
          parents.add(parent);
      if (parents.size === 0) return;
      await requestEach(parents, (id, exclusion) => {
        missing.add(id);
        if (exclusion.code !== "missing") excluded.set(id, exclusion);
      });
    }
  }

  /** Requests a page and its subpage again if they differ about the page: it changed between the requests. */
  async function settle(): Promise<void> {
    for (let round = 1; round <= 2; round++) {
      const doubtful = new Set<number>();
      for (const [id, { parent, above }] of details) {
        const own = parent === undefined ? undefined : details.get(parent)?.own;
        if (parent === undefined || own === undefined || above === own) continue;
        doubtful.add(id).add(parent);
      }
      await requestEach(
        doubtful,
        (id, exclusion) => {
          // If a page is unavailable now, its first response stays.
          if (exclusion.code !== "missing") return;
          missing.add(id);
          excluded.set(id, exclusion);
        },
        { round },
      );
    }
  }

  /** Requests pages and keeps their responses. `exclude` receives the pages without one, and the reasons. */
  function requestEach(
    ids: Iterable<number>,
    exclude: (id: number, exclusion: Excluded) => void,
    { round = 0, advance }: { round?: number; advance?: () => void } = {},
  ): Promise<void> {
    return forEachConcurrent(ids, concurrency, async (id) => {
      const exclusion = await request(id, round);
      advance?.();
      if (exclusion !== undefined) exclude(id, exclusion);
    });
  }

  async function request(id: number, round: number): Promise<Excluded | undefined> {
    const path = pathOf(id);
    const outcome = await client.request(path, round === 0 ? path : `${path}#${round}`);
    if (outcome.kind === "found") {
      details.set(id, detailOf(outcome.value, outcome.saved));
      return undefined;
    }
    if (outcome.kind === "missing") {
      details.delete(id);
      return { code: "missing", reason: "the host listed it, but no longer has such a page (404)" };
    }
    const reason =
      outcome.kind === "refused"
        ? `the host refuses it: ${outcome.status} ${outcome.message}`.trim()
        : `the host does not return it: ${outcome.reason}`;
    return { code: "unavailable", reason };
  }

  const savedFiles = (): SavedResponse[] =>
    [...details].sort(([a], [b]) => a - b).map(([, { saved }]) => saved);
  return { missing, excluded, savedFiles, requestRanges, requestAll, requestParents, settle };
}

function detailOf(value: JsonObject, saved: SavedResponse) {
  const meta = isObject(value["meta"]) ? value["meta"] : {};
  const parent = isObject(meta["parent"]) ? meta["parent"] : undefined;
  return {
    saved,
    parent: isId(parent?.["id"]) ? parent["id"] : undefined,
    /** Hashes of the page's summary, and of its parent's summary in the same response. */
    own: inShort(value),
    above: parent && inShort(parent),
  };
}
