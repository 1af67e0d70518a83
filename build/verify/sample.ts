import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PAGES } from "../base/api.ts";
import { Failure } from "../base/failure.ts";
import { readBytes, readText } from "../base/file.ts";
import { grouped } from "../base/grouped.ts";
import { currentInstant } from "../base/instant.ts";
import { filesNotLive } from "../change/schedule.ts";
import { isObject, objectIn } from "../source/json/object.ts";
import type { PageModel } from "../model/page.ts";
import { SourceReader } from "../source/read.ts";
import { findSources } from "../source/find.ts";

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

/** The pages to request from a host, and how. */
export interface HostRequests {
  /** The build's output, its sources, or the ids, which tell what pages there are. */
  out?: string | undefined;
  content?: string | undefined;
  ids?: readonly number[];
  /** The page types of the site; the program's own by default. */
  model?: PageModel;
  /** Request every page, not only several of each type. */
  all?: boolean;
  /** Seconds for a complete response (default: 10). */
  timeout?: number;
  /** Maximum number of simultaneous requests (default: 6, or 4 to compare two hosts). */
  concurrency?: number;
  progress?: ((done: number, total: number) => void) | undefined;
}

export function choosePages({ out, content, ids = [] }: HostRequests): PageSample {
  if (out !== undefined) return { ...fromOutput(out, content), ...(ids.length > 0 && { sample: ids }) };
  if (ids.length > 0) return { ids, sample: ids, complete: false, drafts: [] };
  if (content !== undefined) return fromContent(content);
  throw new Failure(
    "Give the pages to request: a build's output (--out DIR), the sources (--content DIR), or ids (--id N).",
  );
}

interface TypedPage {
  id: number;
  type: string;
}

/** Bytes at the beginning of a response that contain its type: whole bodies need not be read. */
const TYPE_BYTES = 256;

function fromOutput(out: string, content: string | undefined): PageSample {
  const folder = join(out, PAGES);
  if (!existsSync(folder))
    throw new Failure(`${folder}: there is no such folder; build first (npm run build).`);
  const path = (id: number): string => join(folder, String(id), "index.json");
  const pages = readdirSync(folder)
    .filter((name) => /^[1-9]\d*$/.test(name))
    .map(Number)
    .flatMap((id): TypedPage[] => {
      const text = readText(path(id), TYPE_BYTES);
      return text === undefined ? [] : [{ id, type: /"type"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? "" }];
    });
  if (pages.length === 0)
    throw new Failure(`${folder}: there are no pages in this folder; build first (npm run build).`);
  return {
    // An output contains no drafts, but its sources do.
    ...completeSample(pages, content === undefined ? [] : fromContent(content).drafts),
    file: (id) => {
      const bytes = readBytes(path(id));
      if (bytes === undefined) throw new Failure(`${path(id)}: there is no such file.`);
      return bytes;
    },
  };
}

/** Reads only ids, types and dates: the build reports errors in sources. */
function fromContent(content: string): PageSample {
  if (!existsSync(content))
    throw new Failure(
      `${content}: there is no such folder; give a build's output with --out DIR, or ids with --id N.`,
    );
  const published: TypedPage[] = [];
  const drafts: number[] = [];
  const reader = new SourceReader();
  const { listing } = findSources(content);
  const notLive = filesNotLive(content, listing, currentInstant());
  for (let i = 0; i < listing.count; i++) {
    const source = pageIn(reader.textOf(join(content, listing.path(i))) ?? "");
    if (source === undefined) continue;
    if (listing.kind(i) === "draft") drafts.push(source.id);
    else if (!notLive.has(listing.path(i))) published.push(source);
  }
  if (published.length === 0) throw new Failure(`${content}: there are no page sources in this folder.`);
  return completeSample(published, drafts);
}

function pageIn(text: string): TypedPage | undefined {
  const { id, meta } = objectIn(text) ?? {};
  return Number.isSafeInteger(id) && (id as number) > 0
    ? { id: id as number, type: String(isObject(meta) ? meta["type"] : undefined) }
    : undefined;
}

/** The sample has the first, a middle and the last page of each type: mistakes are likely at the ends of an order. */
function completeSample(all: readonly TypedPage[], drafts: readonly number[]): PageSample {
  const pages = [...all].sort((a, b) => a.id - b.id);
  const ids = pages.map(({ id }) => id);
  const known = new Set(ids);
  const byType = [...grouped(pages, ({ type }) => type).values()];
  const chosen = byType.flatMap((of) => [of[0], of[of.length >> 1], of.at(-1)]);
  return {
    ids,
    sample: [...new Set(chosen.flatMap((page) => page?.id ?? []))].sort((a, b) => a - b),
    complete: true,
    drafts: drafts.filter((id) => !known.has(id)),
  };
}
