import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CHANGED_FILE, INDEX_FILE, WEBSITE_FOLDER } from "../base/website.ts";
import { removeEmpty } from "../base/paths.ts";
import { isFolder, statIfThere } from "../base/stat.ts";
import type { Layout } from "./layout.ts";
import { hasOwnIndex, type OwnIndex } from "./own-index.ts";

/** The files for websites in an output: an index, the pages by parent and by address, and the times of changes. */

const OWN_NAMES = { pages: /^[1-9]\d{0,15}\.json$/, addresses: /^[\da-f]{1,4}\.json$/ };
const FOLDERS = Object.keys(OWN_NAMES).map((name) => `${WEBSITE_FOLDER}/${name}`);

export const WEBSITE: OwnIndex = {
  path: INDEX_FILE,
  option: "index",
  folders: [WEBSITE_FOLDER, ...FOLDERS],
  isOwn: ({ digits }) => Number.isInteger(digits),
};

export const hasWebsite = (layout: Layout): boolean => hasOwnIndex(layout, WEBSITE);

/** The published files besides the index, by their names, sorted. */
export const websiteFilesIn = ({ root }: Layout): string[] =>
  isFolder(join(root, WEBSITE_FOLDER))
    ? [
        ...(statIfThere(join(root, CHANGED_FILE))?.type === "file" ? [CHANGED_FILE] : []),
        ...Object.entries(OWN_NAMES).flatMap(([folder, isOwn]) => {
          const path = `${WEBSITE_FOLDER}/${folder}`;
          if (!isFolder(join(root, path))) return [];
          return readdirSync(join(root, path))
            .filter((name) => isOwn.test(name) && !isFolder(join(root, path, name)))
            .map((name) => `${path}/${name}`);
        }),
      ].sort()
    : [];

/** Removes the files whose paths are not in `kept`, except the index. */
export function removeOtherWebsiteFiles(layout: Layout, kept: { has: (path: string) => boolean }): void {
  for (const path of websiteFilesIn(layout)) if (!kept.has(path)) rmSync(join(layout.root, path));
  for (const folder of FOLDERS) removeEmpty(join(layout.root, folder));
}

/** Removes all of these files that a build wrote. The index is last, because it shows that the others are the build's. */
export function removeWebsite(layout: Layout): void {
  if (!hasWebsite(layout)) return;
  removeOtherWebsiteFiles(layout, new Set());
  rmSync(join(layout.root, INDEX_FILE));
  removeEmpty(join(layout.root, WEBSITE_FOLDER));
}
