import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sameStat, statAt, statIfThere } from "../base/stat.ts";
import {
  browsedPage,
  changeDataFiles,
  pagesIn,
  type BrowsedPage,
  type PageChange,
} from "../browse/change.ts";
import { browseFiles } from "../browse/files.ts";
import type { PageIndex } from "../browse/indexer.ts";
import { makePageFiles, makeWordFiles } from "../browse/make.ts";
import { areDividedAlike, countsFor, type Counts } from "../browse/data-files.ts";
import type { BrowseState, Manifest } from "../manifest/manifest.ts";
import type { Layout } from "../output/layout.ts";
import { stageParts } from "../output/stage.ts";
import { OUTPUT } from "./changes.ts";
import type { Discovery } from "./discover.ts";
import type { Plan } from "./plan.ts";
import { hasSamePages, type Replacement } from "./replace.ts";

/** Maximum number of changed pages for which data files are changed page by page; with more, all are written again. */
const MAX_CHANGED = 1000;

const pageCount = ({ listing }: Discovery): number => {
  let count = 0;
  for (let i = 0; i < listing.count; i++) if (listing.kind(i) !== "draft") count++;
  return count;
};

/** The files of the browse UI that a site has, whatever its data files. */
export const browseFilesOf = (discovery: Discovery, bulk: boolean): Map<string, Uint8Array> =>
  browseFiles({
    bulk,
    counts: countsFor(pageCount(discovery)),
    home: discovery.parents[0]?.summary?.id ?? 0,
    siteUrl: discovery.site?.site_url ?? "",
  });

/** Whether the data files are the very files that a build wrote: they are what the next one changes. */
export const hasDataFiles = ({ root }: Layout, { browse }: Manifest): boolean =>
  browse !== undefined &&
  browse.files.every(([path, before]) => {
    const now = statIfThere(join(root, path));
    return now !== undefined && sameStat(now, before);
  });

/**
 * Whether the data files can be changed page by page: what a page was before is read from its published response, so all of
 * those must be what was written, and no others may be there. A build that was killed may have published its pages alone.
 */
export function canChangeDataFiles(
  layout: Layout,
  discovery: Discovery,
  { toRead, gone }: Plan,
  manifest: Manifest,
  changes: Uint8Array,
): boolean {
  const { browse } = manifest;
  return (
    browse !== undefined &&
    hasSamePages(layout, manifest) &&
    areDividedAlike(countsFor(pageCount(discovery)), browse.counts) &&
    toRead.length + gone.length <= MAX_CHANGED &&
    changes.every((change) => (change & OUTPUT) === 0)
  );
}

/** All words of a site, to be staged as data files. */
export interface WordFiles {
  layout: Layout;
  indexes: readonly PageIndex[];
  counts: Counts;
}

export const wordFilesOf = (
  layout: Layout,
  discovery: Discovery,
  indexes: readonly PageIndex[],
): WordFiles => ({ layout, indexes, counts: countsFor(pageCount(discovery)) });

/** Gives the paths of the files. */
export const stageWordFiles = ({ layout, indexes, counts }: WordFiles): string[] =>
  stageParts(layout, makeWordFiles(indexes, counts));

/**
 * Stages the data files of all pages or, if there were some before, those that change.
 *
 * @param wordFiles the paths of those that the second thread stages, if it does.
 * @returns their paths.
 */
export async function stageDataFiles(
  layout: Layout,
  discovery: Discovery,
  indexes: readonly PageIndex[],
  { added, changed, removed }: Replacement,
  manifest: Manifest | undefined,
  wordFiles: Promise<string[] | undefined> | undefined,
): Promise<string[]> {
  const { root, pages } = layout;
  const all = wordFilesOf(layout, discovery, indexes);
  const { counts } = all;
  if (manifest === undefined) {
    const paths = stageParts(layout, makePageFiles(indexes, counts));
    return paths.concat((await wordFiles) ?? stageWordFiles(all));
  }
  const fresh = new Map(indexes.flatMap((index) => Array.from(pagesIn(index), (page) => [page.id, page])));
  const published = (id: number): BrowsedPage | undefined => {
    try {
      return browsedPage(readFileSync(`${pages}/${id}/index.json`));
    } catch {
      return undefined;
    }
  };
  const changes: PageChange[] = added.map((id) => ({ before: undefined, after: fresh.get(id) }));
  for (const id of changed) changes.push({ before: published(id), after: fresh.get(id) });
  for (const name of removed)
    if (/^\d+$/.test(name)) changes.push({ before: published(Number(name)), after: undefined });
  const files = changeDataFiles(changes, counts, (path) => readFileSync(join(root, path), "utf8"));
  return stageParts(layout, files);
}

/** What is to be remembered once data files are published. */
export function browseState(
  { root }: Layout,
  discovery: Discovery,
  paths: readonly string[],
  before: BrowseState | undefined,
): BrowseState {
  const files = new Map(before?.files);
  for (const path of paths) files.set(path, statAt(join(root, path)));
  return { counts: countsFor(pageCount(discovery)), files: [...files].sort(([a], [b]) => (a < b ? -1 : 1)) };
}
