import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type ImageSize,
  endingOf,
  IMAGE_HEAD_BYTES,
  isImageEnding,
  isImageName,
  kindOf,
  MAX_IMAGE_BYTES,
  meantEnding,
  MEDIA_FOLDER,
} from "./image-kinds.ts";
import { readInto, isFolder, isUnchanged, recordStat, statIfThere, type RecordedStat } from "../base/file.ts";
import { capFindings, finding, startOf, type Finding, type Place } from "../findings/finding.ts";
import { isReservedName } from "./address.ts";
import { SourceMissing, withSource } from "./read.ts";

/** From the headers of files. A damaged or unusual header gives no size: browsers show many such images. */

/** Reads bytes of a file from an offset; fewer at the end of the file. */
type ReadAt = (from: number, length: number) => Buffer;

/** Maximum number of parts of a file that are read to find its size. No camera or program writes so many. */
const MAX_PARTS = 200;

export function imageSize(ending: string, read: ReadAt): ImageSize | undefined {
  try {
    const size = READERS[ending]?.(read);
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (cause) {
    // The header ends too early.
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

const READERS: Readonly<Record<string, (read: ReadAt) => ImageSize | undefined>> = {
  png: (read) => {
    const head = read(0, 24);
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  },
  gif: (read) => {
    const head = read(0, 10);
    return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  },
  webp: (read) => {
    const head = read(0, 30);
    switch (head.toString("latin1", 12, 16)) {
      case "VP8 ":
        return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
      case "VP8L": {
        const bits = head.readUInt32LE(21);
        return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
      }
      default:
        return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    }
  },
  jpg: sizeOfJpeg,
  avif: sizeOfAvif,
};

const turned = ({ width, height }: ImageSize, isTurned: boolean): ImageSize =>
  isTurned ? { width: height, height: width } : { width, height };

function sizeOfJpeg(read: ReadAt): ImageSize | undefined {
  let isTurned = false;
  for (let at = 2, part = 0; part < MAX_PARTS; part++) {
    const head = read(at, 9);
    const marker = head.readUInt16BE(0);
    // A marker may begin with more than one 0xff.
    if (marker === 0xffff) {
      at++;
      continue;
    }
    const length = head.readUInt16BE(2);
    // 0xffc4, 0xffc8 and 0xffcc are no frames.
    if ((marker >= 0xffc0 && marker <= 0xffcf && marker % 4 !== 0) || marker === 0xffc0)
      return turned({ height: head.readUInt16BE(5), width: head.readUInt16BE(7) }, isTurned);
    if (marker === 0xffe1) isTurned ||= isTurnedByExif(read(at + 4, length - 2));
    at += 2 + length;
  }
  return undefined;
}

/** Whether browsers turn an image by a quarter, as its Exif data say. */
function isTurnedByExif(exif: Buffer): boolean {
  if (exif.toString("latin1", 0, 6) !== "Exif\0\0") return false;
  const tiff = exif.subarray(6);
  const isLittle = tiff.toString("latin1", 0, 2) === "II";
  const short = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < short(start); entry++) {
    const at = start + 2 + 12 * entry;
    if (short(at) === 0x0112) return short(at + 8) >= 5;
  }
  return false;
}

/** The largest image: others are thumbnails, tiles and transparency. */
function sizeOfAvif(read: ReadAt): ImageSize | undefined {
  let [size, isTurned, parts] = [{ width: 0, height: 0 }, false, 0];
  const visit = (from: number, end: number): void => {
    for (let at = from; at + 8 <= end && parts < MAX_PARTS; parts++) {
      const head = read(at, 20);
      if (head.length < 8) return;
      const length = head.readUInt32BE(0);
      const kind = head.toString("latin1", 4, 8);
      if (kind === "meta") visit(at + 12, at + length);
      else if (kind === "iprp" || kind === "ipco") visit(at + 8, at + length);
      else if (kind === "irot") isTurned = head.readUInt8(8) % 2 === 1;
      else if (kind === "ispe" && head.readUInt32BE(12) > size.width)
        size = { width: head.readUInt32BE(12), height: head.readUInt32BE(16) };
      // Parts with a longer length, or without one, are the last ones.
      if (length < 8) return;
      at += length;
    }
  };
  visit(0, Number.MAX_SAFE_INTEGER);
  return turned(size, isTurned);
}

export interface SourceImage {
  /** Relative to `_media/`, with slashes. */
  path: string;
  stat: RecordedStat;
  /** Undefined if the file's header does not have it. */
  size?: ImageSize | undefined;
}

interface FoundImages {
  /** Sorted by name in each folder. */
  images: SourceImage[];
  findings: Finding[];
}

export const imageFile = (path: string): string => `${MEDIA_FOLDER}/${path}`;

/**
 * Finds the images in `_media/`. Every other file there is a finding; links are not followed.
 *
 * @param known an image whose content is known to match its name.
 */
export function findImages(content: string, known: (path: string) => SourceImage | undefined): FoundImages {
  const images: SourceImage[] = [];
  const findings: Finding[] = [];
  const byLowerCase = new Map<string, string>();

  const visit = (folder: string): void => {
    const entries = readdirSync(join(content, MEDIA_FOLDER, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry;
      if (name.startsWith(".")) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      const at = startOf(imageFile(path));
      const fault = nameFault(name, at);
      if (entry.isSymbolicLink()) findings.push(finding("link-in-content", { name }, at));
      else if (fault !== undefined) findings.push(fault);
      else if (entry.isDirectory()) visit(path);
      else if (!entry.isFile() || !isImageEnding(endingOf(name))) findings.push(fileFault(name, at));
      else add(path, name);
    }
  };
  const add = (path: string, name: string): void => {
    const file = join(content, MEDIA_FOLDER, path);
    const place = startOf(imageFile(path));
    const stat = statIfThere(file);
    if (stat?.type !== "file") throw new SourceMissing(imageFile(path));
    const other = byLowerCase.get(path.toLowerCase());
    byLowerCase.set(path.toLowerCase(), path);
    if (other !== undefined) findings.push(finding("media-clash", { name, other: imageFile(other) }, place));
    const before = known(path);
    const image: SourceImage = { path, stat: recordStat(stat) };
    images.push(image);
    if (before !== undefined && isUnchanged(stat, before.stat)) {
      image.size = before.size;
      return;
    }
    const head = withSource(file, imageFile(path), (handle) => {
      const read = (from: number, length: number): Buffer => {
        const bytes = Buffer.alloc(length);
        return bytes.subarray(0, readInto(handle, bytes, from));
      };
      image.size = imageSize(endingOf(name), read);
      return read(0, IMAGE_HEAD_BYTES);
    });
    for (const fault of contentFaults(name, stat.size, head, place)) findings.push(fault);
  };

  if (isFolder(join(content, MEDIA_FOLDER))) visit("");
  return { images, findings: capFindings(findings) };
}

/** The faults that an image would have in `_media/`. */
export function imageFaults(name: string, size: number, bytes: Uint8Array, at: Place): Finding[] {
  const fault = nameFault(name, at) ?? (isImageEnding(endingOf(name)) ? undefined : fileFault(name, at));
  return fault === undefined ? contentFaults(name, size, bytes.subarray(0, IMAGE_HEAD_BYTES), at) : [fault];
}

/** Of an image, or of a folder of images. */
function nameFault(name: string, at: Place): Finding | undefined {
  if (!isImageName(name)) return finding("media-name", { name }, at);
  return isReservedName(name) ? finding("reserved-name", { name }, at) : undefined;
}

const fileFault = (name: string, at: Place): Finding =>
  finding("media-file", { name, meant: renamed(name, meantEnding(name)) }, at);

function contentFaults(name: string, size: number, head: Uint8Array, at: Place): Finding[] {
  const { ending, name: kind } = kindOf(head);
  return [
    ...(size > MAX_IMAGE_BYTES ? [finding("media-size", { bytes: size, limit: MAX_IMAGE_BYTES }, at)] : []),
    ...(ending === endingOf(name)
      ? []
      : [finding("media-content", { name, kind, meant: renamed(name, ending) }, at)]),
  ];
}

const renamed = (name: string, ending: string | undefined): string | undefined =>
  ending && `${name.replace(/\.[^.]+$/, "")}.${ending}`;
