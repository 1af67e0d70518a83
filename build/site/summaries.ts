import { hash } from "node:crypto";
import { bytesOf, sharedBytes, TextColumn, type TextList } from "../base/columns.ts";
import type { Period } from "../base/instant.ts";
import { languageAt } from "../model/languages.ts";
import { ownPeriod } from "../model/schedule.ts";
import type { Site } from "../model/site.ts";
import { addressesOf, detailUrl } from "../model/tree.ts";
import { isObject } from "../source/json/object.ts";
import { SourceReader, type KnownSource, SourceIndex, type SourceIndexColumns } from "../source/read.ts";
import { pageTable, setSource, sourceStat, type PageTable } from "./manifest/page-table.ts";

/** The facts of each source that the responses of its translations depend on, by file; an id of 0 if it has none. */
export interface Summaries {
  ids: Float64Array;
  /** `meta.translation_of`; 0 if there is none. */
  of: Float64Array;
  /** Page types, by their numbers in `PageTypes`. */
  types: Uint8Array;
  /** Digests of the texts. */
  digests: Float64Array;
  /** The pages as their translations show them, as JSON. */
  texts: TextList;
  /** The pages that have dates of their own. */
  live: [file: number, period: Period][];
}

/** The reading of these facts. It can be passed to another thread. */
export interface SummaryJob {
  content: string;
  listing: SourceIndexColumns;
  site: Site;
  typeNames: readonly string[];
  /** By file, sources that were read before. */
  sources: ReadonlyMap<number, KnownSource>;
  toRead: Uint32Array;
  /** `[number of files that are taken, number of bytes that are kept]` */
  shared: Int32Array;
  facts: Pick<Summaries, "ids" | "of" | "types" | "digests">;
  /** Receives the sources: a page must be printed from the version whose facts others show. */
  kept: KeptSources;
}

/** Sources that were read for their facts, so that most need not be opened again. */
export interface KeptSources {
  stats: PageTable;
  bytes: Uint8Array;
  /** By file: the place of its bytes, counted from 2; 1 if they are not kept, 0 if the source was not read. */
  starts: Uint32Array;
}

/** Maximum bytes of all sources that are kept, so that memory does not grow with the site. */
const MAX_KEPT_BYTES = 1 << 26;
/** A guess, to reserve space; unused space takes no memory. */
const BYTES_PER_SOURCE = 1 << 13;

export interface SummaryPart extends Pick<Summaries, "texts" | "live"> {
  /** The files of the texts. */
  files: Uint32Array;
}

const columns = (count: number): SummaryJob["facts"] => {
  const doubles = (): Float64Array => new Float64Array(new SharedArrayBuffer(8 * count));
  return {
    ids: doubles(),
    of: doubles(),
    digests: doubles(),
    types: new Uint8Array(new SharedArrayBuffer(count)),
  };
};

export function summaryJob(given: Omit<SummaryJob, "facts" | "kept" | "shared">): SummaryJob {
  const count = given.listing.names.length;
  return {
    ...given,
    shared: new Int32Array(new SharedArrayBuffer(8)),
    facts: columns(count),
    kept: {
      stats: pageTable(count),
      bytes: sharedBytes(Math.min(MAX_KEPT_BYTES, BYTES_PER_SOURCE * given.toRead.length)),
      starts: new Uint32Array(new SharedArrayBuffer(4 * count)),
    },
  };
}

function keep(
  { shared, kept: { bytes: all, starts } }: SummaryJob,
  i: number,
  bytes: Buffer | undefined,
): void {
  starts[i] = 1;
  if (bytes === undefined || Atomics.load(shared, 1) >= all.length) return;
  const start = Atomics.add(shared, 1, bytes.length);
  if (start + bytes.length > all.length) return;
  all.set(bytes, start);
  starts[i] = start + 2;
}

/** Undefined if the source was not read. */
export function keptSource({ stats, bytes, starts }: KeptSources, i: number): KnownSource | undefined {
  const start = starts[i] ?? 0;
  if (start === 0) return undefined;
  const stat = sourceStat(stats, i);
  return start === 1 ? { stat } : { stat, bytes: bytes.subarray(start - 2, start - 2 + stat.size) };
}

/** Number of files that a thread takes at a time. */
const BATCH_SIZE = 64;

export function summarisePages(job: SummaryJob): SummaryPart {
  const { content, site, typeNames, sources, toRead, shared, facts, kept } = job;
  const listing = new SourceIndex(job.listing);
  const addressOf = addressesOf(listing, site);
  const locales = listing.folders.map(({ path }) => languageAt(`${path}/`, site)?.code);
  const reader = new SourceReader();
  const texts = new TextColumn(toRead.length);
  const files: number[] = [];
  const live: SummaryPart["live"] = [];
  for (;;) {
    const from = Atomics.add(shared, 0, BATCH_SIZE);
    if (from >= toRead.length) return { texts: texts.finish(), files: Uint32Array.from(files), live };
    for (let k = from; k < Math.min(from + BATCH_SIZE, toRead.length); k++) {
      const i = toRead[k] as number;
      const file = listing.path(i);
      const { bytes, stat } = reader.readBytes(`${content}/${file}`, file, sources.get(i));
      setSource(kept.stats, i, stat);
      keep(job, i, bytes?.length === stat.size ? bytes : undefined);
      const page = bytes && summaryIn(bytes);
      if (page === undefined) continue;
      const { id, meta, title } = page;
      const { type, translation_of: of } = meta;
      const [url, address] = [detailUrl(site, id), JSON.stringify(addressOf(i))];
      const where = `"locale":"${locales[listing.folderOf[i] ?? 0]}","detail_url":"${url}","html_url":${address}`;
      const text = `{"id":${id},"meta":{"type":${JSON.stringify(type)},${where}},"title":${title}}`;
      facts.ids[i] = id;
      facts.of[i] = typeof of === "number" ? of : 0;
      facts.types[i] = typeNames.indexOf(type) + 1;
      facts.digests[i] = Number.parseInt(hash("sha1", text).slice(0, 12), 16) + 1;
      texts.push(text);
      files.push(i);
      const period = ownPeriod(meta);
      if (period !== undefined) live.push([i, period]);
    }
  }
}

interface TranslatedFacts {
  id: number;
  meta: Record<string, unknown> & { type: string };
  /** As JSON. */
  title: string;
}

/** Maximum bytes of the beginning of a source that mostly has these facts. */
const MAX_HEAD = 2048;

/**
 * The beginning of a source in the layout that the program writes, with a `meta` of simple values and a title that is
 * written as in a response.
 */
const HEAD =
  /^\{\s*(?:"\$schema":\s*"[^"\\]*",\s*)?"id":\s*([1-9]\d*),\s*"meta":\s*(\{[^{}]*\}),\s*"title":\s*("[ !#-[\]-\ufffc]*")/;

/** Undefined if the source has mistakes. */
function summaryIn(bytes: Buffer): TranslatedFacts | undefined {
  const [, id, meta, title] = HEAD.exec(bytes.toString("utf8", 0, MAX_HEAD)) ?? [];
  const quick = meta === undefined || title === undefined ? undefined : factsIn(Number(id), valueOf(meta));
  if (quick !== undefined && title !== undefined) return { ...quick, title };
  const page = valueOf(bytes.toString());
  if (!isObject(page) || typeof page["title"] !== "string") return undefined;
  const facts = factsIn(page["id"], page["meta"]);
  return facts && { ...facts, title: JSON.stringify(page["title"]) };
}

function valueOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const factsIn = (id: unknown, meta: unknown): Omit<TranslatedFacts, "title"> | undefined =>
  typeof id === "number" && isObject(meta) && typeof meta["type"] === "string"
    ? { id, meta: meta as TranslatedFacts["meta"] }
    : undefined;

/** Brings the parts of both threads into the order of files, with what is kept of a former build. */
export function joinSummaries(
  { facts }: SummaryJob,
  parts: readonly SummaryPart[],
  former: Summaries | undefined,
  matches: Int32Array,
  isRead: Uint8Array,
): Summaries {
  const count = facts.ids.length;
  const lists = [...parts.map(({ texts }) => texts), ...(former ? [former.texts] : [])];
  const at = new Uint32Array(count);
  const list = new Uint8Array(count).fill(lists.length);
  for (const [p, { files }] of parts.entries())
    for (const [k, file] of files.entries()) {
      at[file] = k;
      list[file] = p;
    }
  const now = new Map<number, number>();
  if (former !== undefined)
    for (let i = 0; i < count; i++) {
      const old = matches[i] ?? -1;
      if (old === -1 || isRead[i] === 1) continue;
      at[i] = old;
      list[i] = parts.length;
      now.set(old, i);
      for (const name of ["ids", "of", "types", "digests"] as const) facts[name][i] = former[name][old] ?? 0;
    }
  const ends = new Uint32Array(new SharedArrayBuffer(4 * count));
  const bytes = sharedBytes(lists.reduce((sum, one) => sum + one.bytes.length, 0));
  let end = 0;
  for (let i = 0; i < count; i++) {
    const from = lists[list[i] ?? 0];
    if (from !== undefined) {
      const text = bytesOf(from, at[i] ?? 0);
      bytes.set(text, end);
      end += text.length;
    }
    ends[i] = end;
  }
  const kept = (former?.live ?? []).flatMap(([old, period]): Summaries["live"] => {
    const file = now.get(old);
    return file === undefined ? [] : [[file, period]];
  });
  return {
    ...facts,
    texts: { bytes: bytes.subarray(0, end), ends },
    live: [...parts.flatMap(({ live }) => live), ...kept],
  };
}
