import { asBytes, sharedBytes, TextColumn, type TextList } from "../base/columns.ts";
import type { Period } from "../base/instant.ts";
import { ownPeriod } from "../model/schedule.ts";
import { headOf, type SourceHead } from "../source/head.ts";
import { isObject, objectIn } from "../source/json/object.ts";
import { SourceReader, type KnownSource } from "../source/read.ts";
import { SourceIndex, type SourceIndexColumns } from "../source/source-index.ts";
import { pageTable, setSource, sourceStat, type PageTable } from "./manifest/page-table.ts";

/** The facts of each source that the responses of its translations depend on, by file; an id of 0 if it has none. */
export interface Summaries {
  ids: Float64Array;
  /** `meta.translation_of`; 0 if there is none. */
  of: Float64Array;
  /** Page types, by their numbers in `PageTypes`. */
  types: Uint8Array;
  /** As JSON. */
  titles: TextList;
  /** The pages that have dates of their own. */
  live: [file: number, period: Period][];
}

/** The reading of these facts. It can be passed to another thread. */
export interface SummaryJob {
  content: string;
  listing: SourceIndexColumns;
  typeNames: readonly string[];
  /** By file, sources that were read before. */
  sources: ReadonlyMap<number, KnownSource>;
  toRead: Uint32Array;
  /** `[number of files that are taken, number of bytes that are kept]` */
  shared: Int32Array;
  facts: Pick<Summaries, "ids" | "of" | "types">;
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

/** The pages that are translations of each other. It can be passed to another thread. */
export interface Groups {
  /** By file: the place of its group in `members`; 0 if it has no translation. */
  starts: Uint32Array;
  /** For each group the number of its pages that are live, and their files, in the order of languages. */
  members: Uint32Array;
}

export interface SummaryPart extends Pick<Summaries, "titles" | "live"> {
  /** The files of the titles. */
  files: Uint32Array;
}

const columns = (count: number): SummaryJob["facts"] => ({
  ids: new Float64Array(new SharedArrayBuffer(8 * count)),
  of: new Float64Array(new SharedArrayBuffer(8 * count)),
  types: new Uint8Array(new SharedArrayBuffer(count)),
});

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
  return start === 1
    ? { stat }
    : { stat, bytes: Buffer.from(bytes.buffer, bytes.byteOffset + start - 2, stat.size) };
}

/** Number of files that a thread takes at a time. */
const BATCH_SIZE = 64;

export function summarisePages(job: SummaryJob): SummaryPart {
  const { content, typeNames, sources, toRead, shared, facts, kept } = job;
  const listing = new SourceIndex(job.listing);
  const numbers = new Map(typeNames.map((name, k) => [name, k + 1]));
  const reader = new SourceReader();
  const titles = new TextColumn(toRead.length);
  const files: number[] = [];
  const live: SummaryPart["live"] = [];
  for (;;) {
    const from = Atomics.add(shared, 0, BATCH_SIZE);
    if (from >= toRead.length) return { titles: titles.finish(), files: Uint32Array.from(files), live };
    for (let k = from; k < Math.min(from + BATCH_SIZE, toRead.length); k++) {
      const i = toRead[k] as number;
      const file = listing.path(i);
      const { bytes, stat } = reader.readBytes(`${content}/${file}`, file, sources.get(i));
      setSource(kept.stats, i, stat);
      keep(job, i, bytes?.length === stat.size ? bytes : undefined);
      const page = bytes && factsIn(bytes);
      if (page === undefined) continue;
      const { of, period } = page;
      facts.ids[i] = page.id;
      if (of !== 0) facts.of[i] = of;
      facts.types[i] = numbers.get(page.type) ?? 0;
      titles.push(page.title, "latin1");
      files.push(i);
      if (period !== undefined) live.push([i, period]);
    }
  }
}

/** Undefined if the source has mistakes. */
function factsIn(bytes: Buffer): (SourceHead & { period?: Period | undefined }) | undefined {
  // Most need no parsing.
  const head = headOf(bytes);
  if (head !== undefined) return head;
  const { id: own, title: named, meta: written } = objectIn(bytes.toString()) ?? {};
  if (!isObject(written)) return undefined;
  if (typeof own !== "number" || typeof named !== "string" || typeof written["type"] !== "string")
    return undefined;
  const { translation_of: of } = written;
  return {
    id: own,
    type: written["type"],
    title: asBytes(JSON.stringify(named)),
    of: typeof of === "number" ? of : 0,
    period: ownPeriod(written),
  };
}

/** Brings the parts of both threads into the order of files, with what is kept of a former build. */
export function joinSummaries(
  { facts }: SummaryJob,
  parts: readonly SummaryPart[],
  former: Summaries | undefined,
  matches: Int32Array,
  isRead: Uint8Array,
): Summaries {
  const count = facts.ids.length;
  const lists = [...parts.map(({ titles }) => titles), ...(former ? [former.titles] : [])];
  /** By file: the list of its title, and its place there. */
  const [list, at] = [new Uint8Array(count).fill(lists.length), new Uint32Array(count)];
  for (const [p, { files }] of parts.entries())
    for (let k = 0; k < files.length; k++) {
      at[files[k] as number] = k;
      list[files[k] as number] = p;
    }
  const now = new Map<number, number>();
  if (former !== undefined)
    for (let i = 0; i < count; i++) {
      const old = matches[i] ?? -1;
      if (old === -1 || isRead[i] === 1) continue;
      at[i] = old;
      list[i] = parts.length;
      if (former.live.length > 0) now.set(old, i);
      for (const name of ["ids", "of", "types"] as const) facts[name][i] = former[name][old] ?? 0;
    }
  const ends = new Uint32Array(new SharedArrayBuffer(4 * count));
  const bytes = sharedBytes(lists.reduce((sum, one) => sum + one.bytes.length, 0));
  let end = 0;
  for (let from = 0, to = 0; from < count; from = to) {
    const [l, first] = [list[from] as number, at[from] as number];
    const titles = lists[l];
    to = from + 1;
    if (titles === undefined) {
      ends[from] = end;
      continue;
    }
    // Consecutive titles are copied together.
    while (to < count && list[to] === l && at[to] === first + to - from) to++;
    const start = first === 0 ? 0 : (titles.ends[first - 1] as number);
    bytes.set(titles.bytes.subarray(start, titles.ends[first + to - from - 1]), end);
    for (let i = from; i < to; i++) ends[i] = end + (titles.ends[first + i - from] as number) - start;
    end = ends[to - 1] as number;
  }
  const kept = (former?.live ?? []).flatMap(([old, period]): Summaries["live"] => {
    const file = now.get(old);
    return file === undefined ? [] : [[file, period]];
  });
  return {
    ...facts,
    titles: { bytes: bytes.subarray(0, end), ends },
    live: [...parts.flatMap(({ live }) => live), ...kept],
  };
}
