import {
  isAfter,
  sameStat,
  statAt,
  statIfThere,
  hasReliableFolderTime,
  type FileStat,
} from "../base/file.ts";
import { indexIn } from "../base/columns.ts";
import type { Manifest } from "./manifest/manifest.ts";
import { setOutput, type PageTable } from "./manifest/page-table.ts";
import type { Layout } from "./output/layout.ts";
import { CHANGED_PAGES, foreignEntries, lookIntoPage, OF_A_PAGE, STAGED_PAGES } from "./output/foreign.ts";
import type { PageChanges, Publication } from "./output/publish.ts";
import type { Plan } from "./plan.ts";

/** The states of a file in a build: it was not read, only checked, or checked and staged (`Staged`). */
export const FILE_STATES = ["untouched", "checked", "same", "new", "changed"] as const;
export type FileState = (typeof FILE_STATES)[number];

/** By file: its state, as an index into `FILE_STATES`. */
export type FileStates = Uint8Array;

/** The file of a page's response before anything is renamed: the staged file, or the published one if it stays. */
export function responsePath({ pages, staging }: Layout, id: number, state = 0): string {
  const staged = FILE_STATES[state];
  if (staged === "new") return `${staging}/${STAGED_PAGES}/${id}/${OF_A_PAGE}`;
  return staged === "changed" ? `${staging}/${CHANGED_PAGES}/${id}.json` : `${pages}/${id}/${OF_A_PAGE}`;
}

export interface Replacement extends PageChanges {
  /** The files whose pages' folders change; empty if the output is new. */
  folders: Set<number>;
  /** The files whose published page changes. */
  changedFiles: Uint32Array;
  /** Whether the folder of pages itself does not change. */
  keepsPages: boolean;
}

export function replacementOf(
  layout: Layout,
  plan: Plan,
  states: FileStates,
  manifest: Manifest | undefined,
  publication: Publication,
): Replacement {
  const { table } = plan;
  const staged = (state: FileState): Uint32Array =>
    plan.toRead.filter((file) => FILE_STATES[states[file] ?? 0] === state);
  const files = { new: staged("new"), changed: staged("changed") };
  const { names, from } = publication.fresh
    ? { names: [], from: [] }
    : removalsFrom(layout, plan, states, manifest);
  const idsOf = (some: Uint32Array): Float64Array => Float64Array.from(some, (file) => table.id[file] ?? 0);
  return {
    added: idsOf(files.new),
    changed: idsOf(files.changed),
    removed: names,
    folders: new Set(publication.fresh ? [] : [...from, ...files.new, ...files.changed]),
    changedFiles: files.changed,
    keepsPages:
      manifest !== undefined &&
      hasSamePages(layout, manifest) &&
      !publication.changesAmongPages() &&
      files.new.length === 0 &&
      names.every((name) => name.includes("/")),
  };
}

/**
 * Removes foreign entries that appeared during the publication, and records the stats of changed pages in the table.
 *
 * @returns the stat of the folder of pages.
 */
export function settlePages(
  publication: Publication,
  table: PageTable,
  { folders, changedFiles, keepsPages }: Replacement,
  manifest: Manifest | undefined,
): FileStat {
  const { pages } = publication.layout;
  // Renaming a file changes its own times.
  for (const file of changedFiles) {
    const stat = statIfThere(`${pages}/${table.id[file]}/index.json`);
    if (stat !== undefined) setOutput(table, file, stat);
  }
  if (publication.fresh) return statAt(pages);
  for (const file of folders) table.folderCtime[file] = publication.tidyPage(table.id[file] ?? 0);
  return manifest !== undefined && keepsPages
    ? manifest.pagesStat
    : publication.tidyPages(publishedIds(table));
}

/** Removed pages, and foreign entries. The table gets the ctime of page folders without foreign entries. */
function removalsFrom(layout: Layout, plan: Plan, states: FileStates, manifest: Manifest | undefined) {
  const { table } = plan;
  const names =
    manifest !== undefined && hasSamePages(layout, manifest)
      ? Array.from(removedIds(plan, manifest), String)
      : foreignEntries(layout.pages, publishedIds(table));
  const from: number[] = [];
  for (const file of suspects(plan, states, manifest)) {
    const { ctime, foreign } = lookIntoPage(layout.pages, table.id[file] ?? 0);
    if (foreign.length > 0) from.push(file);
    else table.folderCtime[file] = ctime;
    for (const name of foreign) names.push(name);
  }
  return { names, from };
}

/** The files whose pages' folders may have foreign entries. */
function suspects(
  { table, toRead, matches, dirtyFolders }: Plan,
  states: FileStates,
  manifest: Manifest | undefined,
): Set<number> {
  const files = new Set(dirtyFolders);
  for (const file of toRead) {
    const state = FILE_STATES[states[file] ?? 0];
    const old = matches[file] ?? -1;
    const isKnown = old !== -1 && table.id[file] === manifest?.table.id[old];
    if (!isKnown && (state === "same" || state === "changed")) files.add(file);
  }
  return files;
}

/** A function that returns whether a published page has an id. A sorted column takes less memory than a set. */
function publishedIds(table: PageTable): (id: number) => boolean {
  const ids = table.id.filter((id) => id > 0).sort();
  return (id) => indexIn(ids, id) !== -1;
}

/** Whether the folder of pages has the same entries as after the manifest's build. */
export function hasSamePages(layout: Layout, { pagesStat, ended, table }: Manifest): boolean {
  const pages = statIfThere(layout.pages);
  return (
    pages !== undefined &&
    sameStat(pages, pagesStat) &&
    !isAfter(pages.ctime, ended) &&
    (hasReliableFolderTime(pages.ctime) || foreignEntries(layout.pages, publishedIds(table)).length === 0)
  );
}

/** The ids of the manifest that no page has now. */
function removedIds({ table, matches, toRead, removed }: Plan, { table: before }: Manifest): Set<number> {
  const ids = new Set(removed.map((old) => before.id[old] ?? 0));
  for (const file of toRead) {
    const old = matches[file] ?? -1;
    if (old !== -1 && table.id[file] !== before.id[old]) ids.add(before.id[old] ?? 0);
  }
  ids.delete(0);
  if (ids.size > 0) for (const id of table.id) ids.delete(id);
  return ids;
}
