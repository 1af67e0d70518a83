import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { PAGES } from "../base/api.ts";
import { Failure } from "../base/failure.ts";
import { findSources } from "../sources/find.ts";
import { SourceReader } from "../sources/read.ts";

/** The pages to request. */
export interface PageSample {
  /** Every id that is known to be published: `all` requests each. */
  ids: readonly number[];
  /** Several pages of each type, which are requested in every way. */
  sample: readonly number[];
  /** Whether `ids` are complete, so that no other id is published. */
  complete: boolean;
  /** Ids of drafts, which must not be served. */
  drafts: readonly number[];
  /** The build's file of a page, if there is a build. */
  file?: (id: number) => Buffer;
}

export interface Sources {
  out?: string;
  content?: string;
  ids?: readonly number[];
}

export function choosePages({ out, content, ids }: Sources): PageSample {
  if (out !== undefined) {
    const pages = narrowed(fromOutput(out), ids);
    // An output contains no drafts, but its sources do.
    return content === undefined ? pages : { ...pages, drafts: draftsOf(content, pages.ids) };
  }
  if (ids !== undefined && ids.length > 0) return { ids, sample: ids, complete: false, drafts: [] };
  if (content !== undefined) return fromContent(content);
  throw new Failure(
    "Give the pages to request: a build's output (--out DIR), the sources (--content DIR), or ids (--id N).",
  );
}

const draftsOf = (content: string, published: readonly number[]): number[] => {
  const known = new Set(published);
  return fromContent(content).drafts.filter((id) => !known.has(id));
};

const narrowed = (pages: PageSample, ids: readonly number[] | undefined): PageSample =>
  ids === undefined || ids.length === 0 ? pages : { ...pages, sample: ids };

function fromOutput(out: string): PageSample {
  const folder = join(out, PAGES);
  if (!existsSync(folder))
    throw new Failure(`${folder}: there is no such folder; build first (npm run build).`);
  const path = (id: number): string => join(folder, String(id), "index.json");
  const pages = readdirSync(folder, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && /^[1-9]\d*$/.test(entry.name) && existsSync(path(Number(entry.name))),
    )
    .map((entry) => Number(entry.name))
    .sort((a, b) => a - b)
    .map((id) => ({ id, type: typeIn(beginningOf(path(id))) }));
  if (pages.length === 0)
    throw new Failure(`${folder}: there are no pages in this folder; build first (npm run build).`);
  return {
    ids: pages.map(({ id }) => id),
    sample: sampleOf(pages),
    complete: true,
    drafts: [],
    file: (id) => {
      if (!existsSync(path(id))) throw new Failure(`${path(id)}: there is no such file.`);
      return readFileSync(path(id));
    },
  };
}

/** The beginning of a response, with the type: choosing from a large site need not read whole bodies. */
function beginningOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(256);
    return start.toString("utf8", 0, readSync(file, start));
  } finally {
    closeSync(file);
  }
}

const typeIn = (text: string): string => /"type"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? "";

interface SampledSource {
  id: number;
  type: string;
  draft: boolean;
}

/** Reads only ids and types: the build reports errors in sources. */
function fromContent(content: string): PageSample {
  if (!existsSync(content))
    throw new Failure(
      `${content}: there is no such folder; give a build's output with --out DIR, or ids with --id N.`,
    );
  const sources: SampledSource[] = [];
  const reader = new SourceReader();
  const { listing } = findSources(content);
  for (let i = 0; i < listing.count; i++) {
    const source = sourceIn(reader.textOf(join(content, listing.path(i))) ?? "");
    if (source !== undefined) sources.push({ ...source, draft: listing.kind(i) === "draft" });
  }
  const published = sources.filter(({ draft }) => !draft).sort((a, b) => a.id - b.id);
  if (published.length === 0) throw new Failure(`${content}: there are no page sources in this folder.`);
  const ids = published.map(({ id }) => id);
  const known = new Set(ids);
  return {
    ids,
    sample: sampleOf(published),
    complete: true,
    drafts: sources.filter(({ id, draft }) => draft && !known.has(id)).map(({ id }) => id),
  };
}

function sourceIn(text: string): { id: number; type: string } | undefined {
  try {
    const { id, meta } = JSON.parse(text) as {
      id?: unknown;
      meta?: { type?: unknown };
    };
    return typeof id === "number" && Number.isSafeInteger(id) && id > 0
      ? { id, type: String(meta?.type) }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The first, a middle and the last page of each type: mistakes are likely at the ends of an order. */
function sampleOf(pages: readonly { id: number; type: string }[]): number[] {
  const byType = new Map<string, number[]>();
  for (const { id, type } of pages) {
    const ids = byType.get(type);
    if (ids === undefined) byType.set(type, [id]);
    else ids.push(id);
  }
  const chosen = [...byType.values()].flatMap((ids) => [
    ids[0] ?? 0,
    ids[ids.length >> 1] ?? 0,
    ids.at(-1) ?? 0,
  ]);
  return [...new Set(chosen)].sort((a, b) => a - b);
}
