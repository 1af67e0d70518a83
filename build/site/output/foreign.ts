import { readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { Failure, Obstructed } from "../../base/failure.ts";
import { isOfLock } from "../../base/lock.ts";
import { isInside } from "../../base/paths.ts";
import { isFolder, statIfThere } from "../../base/file.ts";
import { obstacleTo, type Layout } from "./layout.ts";
import { BROWSE, BULK, obstacleToOwnFiles, WEBSITE } from "./own-files.ts";

/** Foreign entries in an output: files and folders that the build did not write. */

/** The files that are not pages, by their paths in the output. */
export type StaticFiles = ReadonlyMap<string, Uint8Array>;

/** The entries of the staging folder, except the lock. */
export const STAGED_PAGES = "pages";
export const CHANGED_PAGES = "changed";
/** All other files, named by numbers, because a path may be longer than a name is allowed to be. */
export const STAGED_FILES = "files";
/** A foreign entry that is being removed from the pages. */
export const REMOVED = "removed";
export const STAMP = "stamp";

/** The only file in a page's folder, and the only file next to the pages' folders. */
export const OF_A_PAGE = "index.json";
const AMONG_PAGES = "404.html";
export const OWN_NAMES: ReadonlySet<string> = new Set([OF_A_PAGE, AMONG_PAGES]);

/** The obstacle to a publication: a folder in the place of a file, a file in the place of a folder, or a foreign file. */
export function obstacleIn(layout: Layout, paths: readonly string[]): Failure | undefined {
  const obstacle = [BROWSE, BULK, WEBSITE]
    .filter(({ index }) => paths.includes(index))
    .map((own) => obstacleToOwnFiles(layout, own))
    .find((found) => found !== undefined);
  if (obstacle !== undefined) return obstacle;
  for (const path of paths) {
    // Among the pages, the build replaces a folder by a file.
    const found = isInside(join(layout.root, path), layout.pages) ? undefined : obstacleTo(layout, path);
    if (found !== undefined) return found;
  }
  const foreign = foreignInStaging(layout);
  return foreign === undefined ? undefined : new Obstructed(foreign, "only files that a build stages");
}

/** The entries of the folders in the staging folder that a build may have written. */
const STAGED: Record<string, (entry: Dirent) => boolean> = {
  [STAGED_PAGES]: (entry) =>
    isId(entry.name) &&
    entry.isDirectory() &&
    foreignAmong(
      join(entry.parentPath, entry.name),
      (file) => file.name === OF_A_PAGE && isReplaceable(file),
    ) === undefined,
  [CHANGED_PAGES]: (entry) =>
    entry.name.endsWith(".json") && isId(entry.name.slice(0, -".json".length)) && isReplaceable(entry),
  [STAGED_FILES]: (entry) => /^\d+$/.test(entry.name) && isReplaceable(entry),
  [REMOVED]: () => true,
};

/** The path of an entry of the staging folder that no build wrote. */
const foreignInStaging = ({ staging, lock }: Layout): string | undefined =>
  foreignAmong(staging, (entry) => {
    const isOwn = STAGED[entry.name];
    return isOwn === undefined
      ? (entry.name === STAMP || isOfLock(lock, entry.name)) && isReplaceable(entry)
      : entry.isDirectory() && foreignAmong(join(staging, entry.name), isOwn) === undefined;
  });

/** Whether an entry has no third-party files behind it, as a folder or a link may have. */
const isReplaceable = (entry: Dirent): boolean => !entry.isDirectory() && !entry.isSymbolicLink();

function foreignAmong(folder: string, isOwn: (entry: Dirent) => boolean): string | undefined {
  if (!isFolder(folder)) return undefined;
  const foreign = readdirSync(folder, { withFileTypes: true }).find((entry) => !isOwn(entry));
  return foreign && join(folder, foreign.name);
}

/** Whether a killed build left staged files. */
export const hasLeftovers = ({ staging, lock }: Layout): boolean =>
  foreignAmong(staging, ({ name }) => isOfLock(lock, name)) !== undefined;

const isId = (name: string): boolean => /^[1-9]\d{0,15}$/.test(name);

/**
 * The entries of the folder of pages that are neither a published page nor the error page. An entry of another kind with
 * the name of one of these is not foreign, because the build replaces it. Names are relative to the folder of pages.
 */
export const foreignEntries = (pages: string, isPublished: (id: number) => boolean): string[] =>
  readdirSync(pages).filter((name) => name !== AMONG_PAGES && !(isId(name) && isPublished(Number(name))));

/** The names in a page's folder, except its own file. */
export const foreignInPage = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name !== OF_A_PAGE);

/** The foreign entries of a page's folder, relative to the folder of pages, and the folder's ctime before the listing. */
export function lookIntoPage(pages: string, id: number): { ctime: number; foreign: string[] } {
  const folder = `${pages}/${id}`;
  const stat = statIfThere(folder);
  if (stat?.type !== "folder") return { ctime: 0, foreign: [] };
  return { ctime: stat.ctime, foreign: foreignInPage(folder).map((name) => `${id}/${name}`) };
}
