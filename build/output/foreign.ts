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

/** Foreign entries in an output: files and folders that the build did not write. */

/** The files that are not pages, by their paths in the output. */
export type StaticFiles = ReadonlyMap<string, Uint8Array>;

/** The name of a staged file that is not a page. */
export const stagedName = (path: string): string => path.replaceAll("/", "!");

/** The entries of the staging folder, except the lock and staged static files. */
export const STAGED_PAGES = "pages";
export const CHANGED_PAGES = "changed";
export const STAGED_DATA_FILES = "browse";
export const STAGED_SHARDS = "shards";
export const STAGED_IMAGES = "images";
/** A foreign entry that is being removed from the pages. */
export const REMOVED = "removed";
export const STAMP = "stamp";

/** The only file in a page's folder, and the only file next to the pages' folders. */
export const OF_A_PAGE = "index.json";
const AMONG_PAGES = "404.html";
export const OWN_NAMES: ReadonlySet<string> = new Set([OF_A_PAGE, AMONG_PAGES]);

/** The obstacle to a publication: a folder in the place of a file, a file in the place of a folder, or a foreign file. */
export function obstacleIn(layout: Layout, staticPaths: readonly string[]): Failure | undefined {
  const files = staticPaths.map((path) => join(layout.root, path));
  const page = staticPaths.includes(INDEX) ? obstacleToPage(layout) : undefined;
  if (page !== undefined) return page;
  const bulk = staticPaths.includes(BULK_INDEX) ? obstacleToBulk(layout) : undefined;
  if (bulk !== undefined) return bulk;
  // A link to a folder does not count as a folder: the build does not write through links.
  const noFolder = files
    .map(dirname)
    .find((folder) => !isInside(folder, layout.pages) && existsAsOther(folder));
  if (noFolder !== undefined) return new Obstructed(noFolder, "a folder");
  const folder = files.find((path) => !isInside(path, layout.pages) && isFolder(path));
  if (folder !== undefined) return new Obstructed(folder, "a file");
  const foreign = foreignInStaging(layout, staticPaths);
  return foreign === undefined ? undefined : new Obstructed(foreign, "only files that a build stages");
}

function existsAsOther(folder: string): boolean {
  const stat = statIfThere(folder);
  return stat !== undefined && stat.type !== "folder";
}

/** The path of an entry of the staging folder that no build wrote. */
function foreignInStaging({ staging, lock }: Layout, staticPaths: readonly string[]): string | undefined {
  const files = new Set(staticPaths.map(stagedName).concat(STAMP, INDEX, stagedName(BULK_INDEX)));
  return foreignAmong(staging, (entry) => {
    const path = join(staging, entry.name);
    if (entry.name === STAGED_PAGES)
      return entry.isDirectory() && foreignAmong(path, isStagedPage(path)) === undefined;
    if (entry.name === STAGED_DATA_FILES)
      return entry.isDirectory() && foreignAmong(path, isStagedDataFile) === undefined;
    if (entry.name === STAGED_SHARDS)
      return entry.isDirectory() && foreignAmong(path, isStagedShard) === undefined;
    if (entry.name === STAGED_IMAGES)
      return entry.isDirectory() && foreignAmong(path, isStagedImage) === undefined;
    if (entry.name === REMOVED) return entry.isDirectory();
    if (entry.name === CHANGED_PAGES)
      return entry.isDirectory() && foreignAmong(path, isChangedPage) === undefined;
    return (
      (files.has(entry.name) || isOfLock(lock, entry.name) || isStagedDataFile(entry)) && isReplaceable(entry)
    );
  });
}

const isStagedPage = (folder: string) => (entry: Dirent) =>
  isId(entry.name) &&
  entry.isDirectory() &&
  foreignAmong(join(folder, entry.name), (file) => file.name === OF_A_PAGE && isReplaceable(file)) ===
    undefined;

const isStagedDataFile = (entry: Dirent): boolean =>
  entry.name.startsWith(stagedName(`${FOLDER}/`)) &&
  isOwnName(entry.name.replaceAll("!", "/").slice(FOLDER.length + 1)) &&
  isReplaceable(entry);

const isStagedShard = (entry: Dirent): boolean => isShardFile(entry.name) && isReplaceable(entry);

/** A staged image is named by a number, because its path may be longer than a name is allowed to be. */
const isStagedImage = (entry: Dirent): boolean => /^\d+$/.test(entry.name) && isReplaceable(entry);

const isChangedPage = (entry: Dirent): boolean =>
  entry.name.endsWith(".json") && isId(entry.name.slice(0, -".json".length)) && isReplaceable(entry);

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
