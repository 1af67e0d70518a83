import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readInto } from "../base/file.ts";
import { isFolder, isUnchanged, recordStat, statIfThere, type RecordedStat } from "../base/stat.ts";
import { capFindings } from "../findings/cap.ts";
import { finding, startOf, type Finding } from "../findings/finding.ts";
import { isReservedName } from "./address.ts";
import {
  endingOf,
  IMAGE_HEAD_BYTES,
  isImageEnding,
  isImageName,
  kindOf,
  MAX_IMAGE_BYTES,
  meantEnding,
  MEDIA_FOLDER,
  type ImageSize,
} from "./image-kinds.ts";
import { isLitter } from "./find.ts";
import { imageSize } from "./image-size.ts";
import { SourceMissing, withSource } from "./read.ts";

export interface SourceImage {
  /** Relative to `_media/`, with slashes. */
  path: string;
  stat: RecordedStat;
  /** Undefined if the file's header does not have it. */
  size?: ImageSize | undefined;
}

export interface FoundImages {
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
      if (name.startsWith(".") || (entry.isFile() && isLitter(name))) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      const at = startOf(imageFile(path));
      if (entry.isSymbolicLink()) findings.push(finding("link-in-content", { name }, at));
      else if (!isImageName(name)) findings.push(finding("media-name", { name }, at));
      else if (isReservedName(name)) findings.push(finding("reserved-name", { name }, at));
      else if (entry.isDirectory()) visit(path);
      else if (!entry.isFile() || !isImageEnding(endingOf(name)))
        findings.push(finding("media-file", { name, meant: renamed(name, meantEnding(name)) }, at));
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
    if (stat.size > MAX_IMAGE_BYTES)
      findings.push(finding("media-size", { bytes: stat.size, limit: MAX_IMAGE_BYTES }, place));
    const { ending, name: kind } = withSource(file, imageFile(path), (handle) => {
      const read = (from: number, length: number): Buffer => {
        const bytes = Buffer.alloc(length);
        return bytes.subarray(0, readInto(handle, bytes, from));
      };
      image.size = imageSize(endingOf(name), read);
      return kindOf(read(0, IMAGE_HEAD_BYTES));
    });
    if (ending !== endingOf(name))
      findings.push(finding("media-content", { name, kind, meant: renamed(name, ending) }, place));
  };

  if (isFolder(join(content, MEDIA_FOLDER))) visit("");
  return { images, findings: capFindings(findings) };
}

const renamed = (name: string, ending: string | undefined): string | undefined =>
  ending && `${name.replace(/\.[^.]+$/, "")}.${ending}`;
