import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encodedPath } from "../page/media.ts";
import { imagePath, MAX_IMAGE_BYTES, MEDIA } from "../page/images.ts";
import type { Site } from "../page/site.ts";
import { objectId, type NameKind, type TreeEntry } from "../sources/git.ts";
import { withSource } from "../sources/read.ts";
import type { ChangedImage, ChangedImages } from "./comparison.ts";

/** The images that a change adds, changes or removes. @param there the kinds of the changed files on the disk. */
export function changedImages(
  content: string,
  sites: { former: Site; after: Site },
  tree: ReadonlyMap<string, TreeEntry>,
  there: ReadonlyMap<string, NameKind>,
  changed: readonly string[],
): ChangedImages {
  const images: ChangedImages = { added: [], changed: [], removed: [] };
  for (const file of changed) {
    const path = imagePath(file);
    if (path === undefined) continue;
    const before = tree.get(file);
    const wasThere = before?.kind === "file";
    const isThere = there.get(file) === "file";
    const at = ({ base_url }: Site): ChangedImage => ({
      file,
      address: `${base_url}/${MEDIA}/${encodedPath(path)}`,
    });
    if (!isThere) {
      if (wasThere) images.removed.push(at(sites.former));
    } else if (!wasThere) images.added.push(at(sites.after));
    else if (!isSame(content, file, before.object)) images.changed.push(at(sites.after));
  }
  return images;
}

/** Git also lists files that were only touched. An image that is too large to be published is not read. */
const isSame = (content: string, file: string, object: string): boolean =>
  withSource(
    join(content, file),
    file,
    (handle, { size }) => size <= MAX_IMAGE_BYTES && objectId(readFileSync(handle), object.length) === object,
  );
