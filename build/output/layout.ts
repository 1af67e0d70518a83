import { join } from "node:path";
import { PAGES } from "../base/api.ts";
import { Obstructed } from "../base/failure.ts";
import { statIfThere } from "../base/stat.ts";

/** Where things lie in an output folder (DESIGN, section 3). The build owns these and nothing else. */
export interface Layout {
  /** The output folder's real path. */
  root: string;
  /** `api/v2/pages`: nothing stays below it that the build did not write. */
  pages: string;
  /** Where the new files wait, on the same file system, until all of them are written. */
  staging: string;
  /** Taken by the build that runs; it is here because everyone who builds this output see it, from whichever checkout. */
  lock: string;
}

const STAGING = ".building";

export const layoutOf = (root: string): Layout => ({
  root,
  pages: join(root, PAGES),
  staging: join(root, STAGING),
  lock: join(root, STAGING, "lock"),
});

/**
 * Links are not followed on the way to the pages or to the folder for staging.
 *
 * @throws Obstructed where one of these folders is something else.
 */
export function assertFolders({ root, staging }: Layout): void {
  let path = root;
  const folders = [path, staging, ...PAGES.split("/").map((part) => (path = join(path, part)))];
  for (const folder of folders) {
    const stat = statIfThere(folder);
    if (stat !== undefined && stat.type !== "folder") throw new Obstructed(folder, "a folder");
  }
}
