import { API, pathOf } from "../../base/api.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { MAX_IDS, countIds, idsIn, type IdRange } from "../../base/id-ranges.ts";
import { plural, thousands } from "../../base/numbers.ts";
import { isObject } from "../../source/json/object.ts";
import { NAMING } from "../../model/declared-values.ts";
import type { PageTypes } from "../../model/page-types.ts";
import type { Progress } from "../report.ts";
import type { ApiClient, Outcome } from "./client.ts";
import type { Excluded, Responses, SavedResponse } from "./documents.ts";
import type { ImportReport } from "./report.ts";
import { addressAbove, idOf, inShort, isId, withoutSlash } from "./values.ts";
import { Failure } from "../../base/failure.ts";

interface ListOptions {
  /** Undefined if all pages are meant. */
  types: PageTypes | undefined;
  client: ApiClient;
  concurrency: number;
  report: ImportReport;
  progress: Progress;
}

/** The number of pages per request at first. `learnLimit` lowers it to the host's maximum. */
const FIRST_LIMIT = 100;
/** Maximum number of readings of a list that changes while it is read. */
const MAX_READINGS = 3;

/**
 * Reads the list of a host: each type with all fields, then all pages without them. The second reading finds
 * pages that were missed, because pages that are added or removed between two requests shift the others.
 *
 * @throws Failure if the host has no list.
 */
async function readList(options: ListOptions) {
  const { types, client } = options;
  const reader = openList(options);
  const total = await reader.learnLimit();
  if (typeof total === "string")
    throw new Failure(
      `${client.address} has no list endpoint at ${API}: ${total}. Give the pages to request with --ids: the ids of the lowest pages are enough, as the import finds their parents.`,
    );
  /** The pages that are listed with all their fields, with their summaries. */
  const full = new Map<number, string>();
  const files: SavedResponse[] = [];
  const rounds = types === undefined ? 3 : 2;
  let done = 0;
  const advance = (items: number): void => options.progress((done += items), rounds * total);
  const names = types?.names ?? (await reader.readTypes(advance));
  for (const type of names) {
    const read = await reader.read(`type=${type}&fields=*&`, "", ({ items }) => {
      for (const item of items) if (isId(item["id"])) full.set(item["id"], inShort(item));
      advance(items.length);
    });
    for (const file of read.files) files.push(file);
  }
  for (let reading = 1; ; reading++) {
    /** The ids of this reading, and those of pages with one of the API's types. */
    const [all, listed] = [new Set<number>(), new Set<number>()];
    const totals = new Set<number>();
    /** Pages whose summary changed after they were listed with all fields. */
    const changed: number[] = [];
    const addresses = new Set<string>();
    const parents: [id: number, parentAddress: string][] = [];
    const { files: others, isWhole } = await reader.read("", reading === 1 ? "" : `#${reading}`, (part) => {
      for (const item of part.items) {
        const { id, meta } = item;
        if (!isId(id)) continue;
        all.add(id);
        const before = full.get(id);
        if (before !== undefined && before !== inShort(item)) changed.push(id);
        const { html_url: address, type } = isObject(meta) ? meta : {};
        const isKnown = typeof type === "string" && names.includes(type);
        if (isKnown) listed.add(id);
        if (typeof address !== "string") continue;
        addresses.add(withoutSlash(address));
        if (!isKnown || types?.isRoot(type) !== true) parents.push([id, addressAbove(address)]);
      }
      totals.add(part.total);
      options.progress((rounds - 1) * total + all.size, rounds * total);
    });
    const isStable = totals.size === 1 && totals.has(all.size);
    if (!isStable && isWhole && reading < MAX_READINGS) continue;
    const counts = `it counts ${[...totals].join(" or ")} pages, but returned ${thousands(all.size)}`;
    if (!isStable && isWhole && all.size < Math.min(...totals))
      options.report.leave(
        "unavailable",
        null,
        API,
        `the list endpoint does not return all pages: ${counts}`,
      );
    else if (!isStable) options.report.notes.push(`the list changed while it was being read: ${counts}.`);
    /** Pages that are requested one by one. */
    const doubtful = new Set([
      // They are new, or may be removed.
      ...[...listed].filter((id) => !full.has(id)),
      ...[...full.keys()].filter((id) => !all.has(id)),
      ...changed,
      // Of pages whose parents' addresses are not in the list, these responses show the parents.
      ...parents.flatMap(([id, above]) => (addresses.has(above) || !full.has(id) ? [] : [id])),
    ]);
    const childOfRoot = async () => (await readIds("child_of=root&"))?.[0];
    const shows = { readSiblings, languages: { childOfRoot, translationsOf } };
    return { all, doubtful, files: [...files, ...others], shows };
  }

  /**
   * Reads the lists of the pages below each parent, which are in the order of the host's tree. Returns the places of pages
   * among their siblings, by id.
   */
  async function readSiblings(parents: ReadonlySet<number>): Promise<Map<number, number>> {
    const places = new Map<number, number>();
    let unknown = 0;
    await forEachConcurrent(parents, options.concurrency, async (parent) => {
      const ids = await readIds(`child_of=${parent}&`);
      if (ids === undefined) unknown++;
      else for (const [i, id] of ids.entries()) places.set(id, i);
    });
    if (unknown > 0)
      options.report.notes.push(
        `the order of the subpages of ${plural(unknown, "page")} is not known, because the host does not list them: they come by id.`,
      );
    return places;
  }

  /** In the order of the host; undefined if it does not list them. */
  async function readIds(filter: string): Promise<number[] | undefined> {
    const ids: number[] = [];
    const { isWhole } = await reader.read(filter, "", ({ items }, offset) => {
      for (const [i, { id }] of items.entries()) if (isId(id)) ids[offset + i] = id;
    });
    return isWhole ? ids.filter((id) => id > 0) : undefined;
  }

  async function translationsOf(pages: readonly number[]): Promise<Map<number, number[]>> {
    const found = new Map<number, number[]>();
    // A host that refuses the first list has no such lists.
    let isListed = true;
    await forEachConcurrent(pages, options.concurrency, async (page) => {
      const ids = isListed ? await readIds(`translation_of=${page}&`) : undefined;
      if (ids === undefined) isListed = false;
      else found.set(page, ids);
    });
    return found;
  }
}

type ListPart = NonNullable<ReturnType<typeof partOf>>;

function openList({ client, report, concurrency }: ListOptions) {
  let currentLimit = FIRST_LIMIT;

  /**
   * Finds the host's maximum number of pages per response, from a refusal or a shorter response. Returns the
   * number of pages, or an explanation if the host lists none.
   */
  async function learnLimit(): Promise<number | string> {
    for (;;) {
      const path = pathOfList("", 0, currentLimit);
      // Cached under its own key: `read` requests this path again later, to see changes.
      const outcome = await client.request(path, `${path}#limit`);
      const part = partOf(outcome);
      if (part !== undefined) {
        const given = part.items.length;
        if (given > 0 && given < Math.min(currentLimit, part.total)) currentLimit = given;
        return part.total;
      }
      if (outcome.kind === "moved") client.failForRedirects(outcome.reason, outcome.elsewhere);
      const isCapped = outcome.kind === "refused" && outcome.status === 400;
      if ((!isCapped && outcome.kind !== "too-large") || currentLimit === 1) return reasonOf(outcome);
      const cap = isCapped ? Number(/\d+/.exec(outcome.message)?.[0] ?? 0) : 0;
      currentLimit = cap >= 1 && cap < currentLimit ? cap : Math.floor(currentLimit / 2);
    }
  }

  /** The names of the types of all pages, in the order of the lowest ids. */
  async function readTypes(advance: (items: number) => void): Promise<string[]> {
    const first = new Map<string, number>();
    await read("", "#types", ({ items }) => {
      for (const { id, meta } of items) {
        const type = isObject(meta) ? meta["type"] : undefined;
        if (isId(id) && typeof type === "string" && NAMING.type.is(type))
          first.set(type, Math.min(id, first.get(type) ?? id));
      }
      advance(items.length);
    });
    return [...first].sort(([, a], [, b]) => a - b).map(([type]) => type);
  }

  /** Reads one list to its end; returns its saved files in order, and whether every request succeeded. */
  async function read(filter: string, key: string, take: (part: ListPart, offset: number) => void) {
    const saved = new Map<number, SavedResponse>();
    let isWhole = true;
    const request = async (offset: number, limit: number): Promise<number> => {
      const path = pathOfList(filter, offset, limit);
      const outcome = await client.request(path, path + key);
      const part = partOf(outcome);
      if (outcome.kind === "too-large" && limit > 1) {
        // Later parts are not too large either.
        currentLimit = Math.min(currentLimit, Math.floor(limit / 2));
        let total = 0;
        for (const [from, size] of parts(offset, offset + limit)) total = await request(from, size);
        return total;
      }
      if (part === undefined) {
        isWhole = false;
        // The list of all pages contains the pages of each type, so only a gap in it is reported.
        if (filter === "")
          report.leave("unavailable", null, path, `a part of the list: ${reasonOf(outcome)}`);
        return 0;
      }
      take(part, offset);
      saved.set(offset, part.saved);
      return part.total;
    };
    const first = currentLimit;
    const total = await request(0, first);
    await forEachConcurrent(parts(first, total), concurrency, async (part) => void (await request(...part)));
    const files = [...saved].sort(([a], [b]) => a - b).map(([, file]) => file);
    return { files, isWhole };
  }

  function* parts(from: number, to: number): Generator<[offset: number, limit: number]> {
    for (let offset = from, size = 0; offset < to; offset += size) {
      size = currentLimit;
      yield [offset, size];
    }
  }

  return { learnLimit, readTypes, read };
}

const pathOfList = (filter: string, offset: number, limit: number): string =>
  `${API}?${filter}limit=${limit}&offset=${offset}`;

function partOf(outcome: Outcome) {
  if (outcome.kind !== "found") return undefined;
  const { meta, items } = outcome.value;
  const total = isObject(meta) ? meta["total_count"] : undefined;
  const isCount = typeof total === "number" && Number.isInteger(total) && total >= 0 && total <= MAX_IDS;
  if (!Array.isArray(items) || !isCount) return undefined;
  return { items: (items as unknown[]).filter(isObject), total, saved: outcome.saved };
}

/** The reason why a response is not a part of a list. */
function reasonOf(outcome: Outcome): string {
  if ("reason" in outcome) return outcome.reason;
  if (outcome.kind === "refused") return `it responds with ${outcome.status} ${outcome.message}`.trim();
  return outcome.kind === "missing" ? "it responds with 404" : "it is not a list";
}

interface CrawlOptions extends ListOptions {
  /** The pages to request; if it is missing, the pages in the host's list. */
  ids?: readonly IdRange[] | undefined;
}

/**
 * Saves the responses of a running API.
 *
 * @throws Failure if the host stops responding, has no list endpoint, or has no page.
 */
export async function crawl(options: CrawlOptions): Promise<Responses> {
  const { client, report, ids } = options;
  const pages = openCrawl(options);
  const list = ids === undefined ? await readList(options) : undefined;
  if (list === undefined) {
    await pages.requestRanges(ids ?? []);
    await pages.requestParents(new Set());
    for (const [id, { code, reason }] of pages.excluded) report.leave(code, id, pathOf(id), reason);
  } else {
    await pages.requestAll(list.doubtful);
    await pages.requestParents(list.all);
    report.notes.push(
      "the responses come from the list endpoint, which has no meta.parent, so the addresses determine the parent pages. Compare the new API with the old one: npx page-api verify OLD --against NEW.",
    );
  }
  const files = [...pages.savedFiles(), ...(list?.files ?? [])];
  if (files.length === 0) throw new Failure("No page was found.");
  const { missing, excluded } = pages;
  return { files, crawled: { address: client.address, missing, excluded }, ...list?.shows };
}

/** Maximum number of levels above a page: four times Wagtail's own limit. */
const MAX_LEVELS = 250;

function openCrawl({ client, concurrency, report, progress }: CrawlOptions) {
  const details = new Map<number, { saved: SavedResponse; parent: number | null }>();
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
    await requestEach(idsIn(ranges), take, advance);
    if (absent > 0)
      report.notes.push(
        `${thousands(absent)} of the requested ids ${absent === 1 ? "has" : "have"} no page.`,
      );
  }

  const requestAll = (ids: Iterable<number>): Promise<void> =>
    requestEach(ids, (id, exclusion) => void excluded.set(id, exclusion));

  /** Requests the parents of the requested pages, up to the home page or to a known page. */
  async function requestParents(known: ReadonlySet<number>): Promise<void> {
    for (let level = 0; level < MAX_LEVELS; level++) {
      const parents = new Set<number>();
      for (const { parent } of details.values())
        if (parent !== null && ![details, missing, known].some((ids) => ids.has(parent))) parents.add(parent);
      if (parents.size === 0) return;
      await requestEach(parents, (id, exclusion) => {
        missing.add(id);
        if (exclusion.code !== "missing") excluded.set(id, exclusion);
      });
    }
  }

  /** Requests pages and keeps their responses. `exclude` receives the pages without one, and the reasons. */
  function requestEach(
    ids: Iterable<number>,
    exclude: (id: number, exclusion: Excluded) => void,
    advance?: () => void,
  ): Promise<void> {
    return forEachConcurrent(ids, concurrency, async (id) => {
      const outcome = await client.request(pathOf(id));
      advance?.();
      if (outcome.kind === "found") {
        const { value, saved } = outcome;
        details.set(id, { saved, parent: idOf(isObject(value["meta"]) ? value["meta"]["parent"] : null) });
      } else exclude(id, exclusionOf(outcome));
    });
  }

  const savedFiles = (): SavedResponse[] =>
    [...details].sort(([a], [b]) => a - b).map(([, { saved }]) => saved);
  return { missing, excluded, savedFiles, requestRanges, requestAll, requestParents };
}

function exclusionOf(outcome: Exclude<Outcome, { kind: "found" }>): Excluded {
  if (outcome.kind === "missing")
    return { code: "missing", reason: "the host listed it, but no longer has such a page (404)" };
  const reason =
    outcome.kind === "refused"
      ? `the host refuses it: ${outcome.status} ${outcome.message}`.trim()
      : `the host does not return it: ${outcome.reason}`;
  return { code: "unavailable", reason };
}
