import { copyFileSync, mkdirSync, renameSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Failure } from "../../base/failure.ts";
import { readBytes, statIfSame } from "../../base/file.ts";
import { finding, startOf, type Finding } from "../../findings/finding.ts";
import { suggestedSlug } from "../../editor/form/place.ts";
import {
  IMAGE_ENDINGS,
  endingOf,
  IMAGE_HEAD_BYTES,
  isImageName,
  kindOf,
  MAX_IMAGE_BYTES,
  MEDIA_FOLDER,
} from "../../source/image-kinds.ts";
import { imageSize, renamed } from "../../source/images.ts";

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
  return {
    image(from) {
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
      const refuse = (fault: Finding): SyncImage => (findings.push(fault), { url: `/${name}` });
      if (bytes === undefined)
        return refuse(finding("media-missing", { found: `/${name}`, path: name, base: "" }, startOf(path)));
      if (!IMAGE_ENDINGS.includes(endingOf(name)) || !isImageName(name) || bytes.length > MAX_IMAGE_BYTES)
        throw new Failure(
          `${path}: an image is a file of at most ${MAX_IMAGE_BYTES / 2 ** 20} MiB. Its name begins with a letter or digit, has none of \\ : * ? " < > | % #, and ends in ${IMAGE_ENDINGS.join(", ")}, in lowercase.`,
        );
      const { ending, name: kind } = kindOf(bytes.subarray(0, IMAGE_HEAD_BYTES));
      if (ending !== endingOf(name))
        return refuse(finding("media-content", { name, kind, meant: renamed(name, ending) }, startOf(path)));
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
