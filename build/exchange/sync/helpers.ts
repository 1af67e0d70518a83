import { copyFileSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Failure } from "../../base/failure.ts";
import { isFolder, readBytes, statIfSame, statIfThere } from "../../base/file.ts";
import { memoized } from "../../base/memoized.ts";
import { finding, startOf, type Finding } from "../../findings/finding.ts";
import { suggestedSlug } from "../../editor/form/place.ts";
import { endingOf, MAX_IMAGE_BYTES, MEDIA_FOLDER } from "../../source/image-kinds.ts";
import { imageFaults, imageSize } from "../../source/images.ts";
import { describeValue } from "../../source/json/object.ts";

/** An image as a page refers to it; the size is that of the file. */
export interface SyncImage {
  /** Begins with `/` if the image is in `_media/`. */
  url: string;
  width?: number;
  height?: number;
}

/** The functions that `page` gets. */
export interface SyncHelpers {
  /** Copies a file into `_media/`, if its bytes differ; an address is only referred to. */
  image: (from: string) => SyncImage;
  /** A part of an address, made of texts: `slug("Folly Bridge", "N00530")` is `folly-bridge-n00530`. */
  slug: (...texts: (string | number | null | undefined)[]) => string;
  /** The first year in a text: 1815 in “c.1815–20”; undefined if there is none. */
  year: (text: string | number | null | undefined) => number | undefined;
}

/** @param copied called for each image that is new or has other bytes. */
export function syncHelpers(
  content: string,
  folder: string,
  copied: () => void,
): SyncHelpers & { copyImages: (staging: string) => void; takeFindings: () => readonly Finding[] } {
  /** By the path in `_media/`, in which case does not count. */
  const images = new Map<string, { from: string; image: SyncImage }>();
  const toCopy: [from: string, to: string][] = [];
  const findings: Finding[] = [];
  /** The names in `_media/`, by their lowercase. */
  const namesIn = memoized(
    (media: string) =>
      new Map((isFolder(media) ? readdirSync(media) : []).map((name) => [name.toLowerCase(), name])),
  );

  /** @param bytes undefined if there is no such image */
  function faultsOf(name: string, path: string, bytes: Buffer | undefined): Finding[] {
    const at = startOf(path);
    if (bytes === undefined)
      return [finding("media-missing", { found: `/${name}`, path: name, base: "" }, at)];
    const other = namesIn(join(content, MEDIA_FOLDER)).get(name.toLowerCase()) ?? name;
    if (other !== name) return [finding("media-clash", { name, other }, at)];
    // An image that is too large is not read as a whole.
    return imageFaults(name, Math.max(bytes.length, statIfThere(path)?.size ?? 0), bytes, at);
  }

  return {
    image(from) {
      // A module is JavaScript: the cell of a record may be empty, or its column may not be there.
      if (typeof from !== "string" || from === "")
        throw new Failure(
          `image() takes the name of a file or an address, and found ${describeValue(from)}.`,
        );
      if (/^https?:\/\//i.test(from)) return { url: from };
      const path = resolve(folder, from);
      const name = basename(path);
      const known = images.get(name.toLowerCase());
      if (known?.from === path) return known.image;
      if (known !== undefined)
        throw new Failure(`${path} and ${known.from} have the same name. Give one of the images another.`);
      const to = join(content, MEDIA_FOLDER, name);
      const found = readBytes(path, MAX_IMAGE_BYTES + 1);
      // An image that was copied before stays.
      const bytes = found ?? readBytes(to, MAX_IMAGE_BYTES + 1);
      const faults = faultsOf(name, path, bytes);
      if (bytes === undefined || faults.length > 0) {
        for (const fault of faults) findings.push(fault);
        return { url: `/${name}` };
      }
      const size = imageSize(endingOf(name), (at, length) => bytes.subarray(at, at + length));
      const image = { url: `/${name}`, ...size };
      images.set(name.toLowerCase(), { from: path, image });
      if (found !== undefined && statIfSame(to, found) === undefined) {
        toCopy.push([path, to]);
        copied();
      }
      return image;
    },
    slug: (...texts) => suggestedSlug(texts.filter((text) => text !== undefined && text !== null).join(" ")),
    year(text) {
      const found = /(?<!\d)\d{4}(?!\d)/.exec(String(text ?? ""))?.[0];
      return found === undefined ? undefined : Number(found);
    },
    /** The faults of the images that the last page refers to. */
    takeFindings: () => findings.splice(0),
    copyImages(staging) {
      for (const [from, to] of toCopy) {
        mkdirSync(dirname(to), { recursive: true });
        const staged = join(staging, "image");
        copyFileSync(from, staged);
        renameSync(staged, to);
      }
    },
  };
}
