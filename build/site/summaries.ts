import { createHash } from "node:crypto";
import { join } from "node:path";
import { bytesOf, sharedBytes, TextColumn, type TextList } from "../base/columns.ts";
import type { Period } from "../base/instant.ts";
import { languageAt } from "../model/languages.ts";
import { ownPeriod } from "../model/schedule.ts";
import type { Site } from "../model/site.ts";
import { addressesOf, detailUrl } from "../model/tree.ts";
import { isObject } from "../source/json/object.ts";
import { SourceReader, type KnownSource } from "../source/read.ts";
import { SourceIndex, type SourceIndexColumns } from "../source/source-index.ts";
import { pageTable, setSource, type PageTable } from "./manifest/page-table.ts";

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
  /** `[number of files that are taken]` */
  shared: Int32Array;
  facts: Pick<Summaries, "ids" | "of" | "types" | "digests">;
  /** Receives the stats of the sources: a page must be printed from the version whose facts others show. */
  stats: PageTable;
}

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

export const summaryJob = (given: Omit<SummaryJob, "facts" | "stats" | "shared">): SummaryJob => ({
  ...given,
  shared: new Int32Array(new SharedArrayBuffer(4)),
  facts: columns(given.listing.names.length),
  stats: pageTable(given.listing.names.length),
});

/** Number of files that a thread takes at a time. */
const BATCH_SIZE = 64;

export function summarisePages(job: SummaryJob): SummaryPart {
  const { content, site, typeNames, sources, toRead, shared, facts, stats } = job;
  const listing = new SourceIndex(job.listing);
  const addressOf = addressesOf(listing, site);
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
      const { bytes, stat } = reader.readBytes(join(content, file), file, sources.get(i));
      setSource(stats, i, stat);
      const page = bytes && summaryIn(bytes);
      if (page === undefined) continue;
      const { id, meta, title } = page;
      const { type, translation_of: of } = meta;
      const shownMeta = {
        type,
        locale: languageAt(file, site)?.code,
        detail_url: detailUrl(site, id),
        html_url: addressOf(i),
      };
      const text = JSON.stringify({ id, meta: shownMeta, title });
      facts.ids[i] = id;
      facts.of[i] = typeof of === "number" ? of : 0;
      facts.types[i] = typeNames.indexOf(type) + 1;
      facts.digests[i] = createHash("sha1").update(text).digest().readUIntBE(0, 6) + 1;
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
  title: string;
}

/** Maximum bytes of the beginning of a source that mostly has these facts. */
const MAX_HEAD = 2048;

/** The beginning of a source in the layout that the program writes, with a `meta` of simple values. */
const HEAD =
  /^\{\s*(?:"\$schema":\s*"[^"\\]*",\s*)?"id":\s*(\d+),\s*"meta":\s*(\{[^{}]*\}),\s*"title":\s*("(?:[^"\\]|\\.)*")/;

/** Undefined if the source has mistakes. */
function summaryIn(bytes: Buffer): TranslatedFacts | undefined {
  const head = HEAD.exec(bytes.toString("utf8", 0, MAX_HEAD));
  const parts = head && valueOf(`{"id":${head[1]},"meta":${head[2]},"title":${head[3]}}`);
  return parts ?? valueOf(bytes.toString());
}

function valueOf(json: string): TranslatedFacts | undefined {
  let page: unknown;
  try {
    page = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isObject(page) || !isObject(page["meta"])) return undefined;
  const { id, title, meta } = page;
  return typeof id === "number" && typeof title === "string" && typeof meta["type"] === "string"
    ? { id, meta: meta as TranslatedFacts["meta"], title }
    : undefined;
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
