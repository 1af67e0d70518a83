import { readdirSync, type Dirent } from "node:fs";
import { dirname, join } from "node:path";
import { isFolder, statIfThere } from "../base/stat.ts";
import { Failure, Obstructed } from "../base/failure.ts";
import { FOLDER, INDEX, isOwnName } from "../browse/files.ts";
import { BULK_INDEX } from "../base/api.ts";
import { isInside } from "../base/paths.ts";
import { isShardFile, obstacleToBulk } from "./bulk.ts";
import type { Layout } from "./layout.ts";
import { obstacleToPage } from "./page.ts";
import { isOfLock } from "../base/lock.ts";

/** What lies in an output that the build has not put there. */

/** The files beside the pages, by their path in the output. */
export type StaticFiles = ReadonlyMap<string, Uint8Array>;

/** How a file beside the pages is named while it is staged. */
export const stagedName = (path: string): string => path.replaceAll("/", "!");

/** What lies in the folder for staging beside the lock and the files that wait to be placed beside the pages. */
export const STAGED_PAGES = "pages";
export const CHANGED_PAGES = "changed";
export const STAGED_PARTS = "browse";
export const STAGED_SHARDS = "shards";
/** What is on its way out of the pages, whatever it is. */
export const REMOVED = "removed";
export const STAMP = "stamp";

/** The file in a page's folder, and the one beside the pages' folders. */
export const OF_A_PAGE = "index.json";
const AMONG_PAGES = "404.html";
export const OWN_NAMES: ReadonlySet<string> = new Set([OF_A_PAGE, AMONG_PAGES]);

/** What is in the way of a publication: a folder where a file belongs, or in the folder for staging what is not staged. */
export function obstacleIn(layout: Layout, staticPaths: readonly string[]): Failure | undefined {
  const files = staticPaths.map((path) => join(layout.root, path));
  const page = staticPaths.includes(INDEX) ? obstacleToPage(layout) : undefined;
  if (page !== undefined) return page;
  const bulk = staticPaths.includes(BULK_INDEX) ? obstacleToBulk(layout) : undefined;
  if (bulk !== undefined) return bulk;
  // A link to a folder is none: the build does not write through it.
  const noFolder = files
    .map(dirname)
    .find((folder) => !isInside(folder, layout.pages) && existsAsOther(folder));
  if (noFolder !== undefined) return new Obstructed(noFolder, "a folder");
  const folder = files.find((path) => !isInside(path, layout.pages) && isFolder(path));
  if (folder !== undefined) return new Obstructed(folder, "a file");
  const foreign = foreignInStaging(layout, staticPaths);
  return foreign === undefined ? undefined : new Obstructed(foreign, "only what a build stages");
}

function existsAsOther(folder: string): boolean {
  const stat = statIfThere(folder);
  return stat !== undefined && stat.type !== "folder";
}

/** Something in the folder for staging that no build has put there. */
function foreignInStaging({ staging, lock }: Layout, staticPaths: readonly string[]): string | undefined {
  const files = new Set(staticPaths.map(stagedName).concat(STAMP, INDEX, stagedName(BULK_INDEX)));
  return foreignAmong(staging, (entry) => {
    const path = join(staging, entry.name);
    if (entry.name === STAGED_PAGES)
      return entry.isDirectory() && foreignAmong(path, isStagedPage(path)) === undefined;
    if (entry.name === STAGED_PARTS)
      return entry.isDirectory() && foreignAmong(path, isStagedPart) === undefined;
    if (entry.name === STAGED_SHARDS)
      return entry.isDirectory() && foreignAmong(path, isStagedShard) === undefined;
    if (entry.name === REMOVED) return entry.isDirectory();
    if (entry.name === CHANGED_PAGES)
      return entry.isDirectory() && foreignAmong(path, isChangedPage) === undefined;
    return (
      (files.has(entry.name) || isOfLock(lock, entry.name) || isStagedPart(entry)) && holdsNoOthers(entry)
    );
  });
}

const isStagedPage = (folder: string) => (entry: Dirent) =>
  isId(entry.name) &&
  entry.isDirectory() &&
  foreignAmong(join(folder, entry.name), (file) => file.name === OF_A_PAGE && holdsNoOthers(file)) ===
    undefined;

const isStagedPart = (entry: Dirent): boolean =>
  entry.name.startsWith(stagedName(`${FOLDER}/`)) &&
  isOwnName(entry.name.replaceAll("!", "/").slice(FOLDER.length + 1)) &&
  holdsNoOthers(entry);

const isStagedShard = (entry: Dirent): boolean => isShardFile(entry.name) && holdsNoOthers(entry);

const isChangedPage = (entry: Dirent): boolean =>
  entry.name.endsWith(".json") && isId(entry.name.slice(0, -".json".length)) && holdsNoOthers(entry);

const holdsNoOthers = (entry: Dirent): boolean => !entry.isDirectory() && !entry.isSymbolicLink();

function foreignAmong(folder: string, isOwn: (entry: Dirent) => boolean): string | undefined {
  if (!isFolder(folder)) return undefined;
  const foreign = readdirSync(folder, { withFileTypes: true }).find((entry) => !isOwn(entry));
  return foreign && join(folder, foreign.name);
}

/** Whether a build that was killed left something that was to be published. */
export const hasLeftovers = ({ staging, lock }: Layout): boolean =>
  foreignAmong(staging, ({ name }) => isOfLock(lock, name)) !== undefined;

const isId = (name: string): boolean => /^[1-9]\d{0,15}$/.test(name);

/**
 * What lies among the pages and belongs to no page and is not the page of errors. What lies in the place of one, though it is no
 * folder or no file, is replaced by it and not removed. Names are relative to the pages.
 */
export const foreignEntries = (pages: string, isPublished: (id: number) => boolean): string[] =>
  readdirSync(pages).filter((name) => name !== AMONG_PAGES && !(isId(name) && isPublished(Number(name))));

/** The names of what stands in a page's folder beside its file. */
export const foreignInPage = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name !== OF_A_PAGE);

/** What stands in a page's folder beside its file, by names relative to the pages; and the folder's ctime before that. */
export function lookIntoPage(pages: string, id: number): { ctime: number; foreign: string[] } {
  const folder = `${pages}/${id}`;
  const stat = statIfThere(folder);
  if (stat?.type !== "folder") return { ctime: 0, foreign: [] };
  return { ctime: stat.ctime, foreign: foreignInPage(folder).map((name) => `${id}/${name}`) };
}
