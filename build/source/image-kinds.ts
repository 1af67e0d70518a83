/** The images that a site keeps with its pages, in `content/_media/` (“Images” in docs/reference.md). */

/** Their folder at the top of the content folder. */
export const MEDIA_FOLDER = "_media";

/** Their folder in the output, and their path below the address of the service. */
export const MEDIA = "media";

/** Maximum bytes of an image; hosts refuse larger files. */
export const MAX_IMAGE_BYTES = 25 * 2 ** 20;

/** Number of bytes at the beginning of a file that show which kind of image it is. */
export const IMAGE_HEAD_BYTES = 256;

/** The pixels of an image, as browsers show it. */
export interface ImageSize {
  width: number;
  height: number;
}

interface ImageKind {
  /** For people. */
  name: string;
  contentType: string;
  /** @param head the beginning of a file, one character for each byte. */
  begins: (head: string) => boolean;
}

/** By the ending of a file's name. */
export const IMAGE_KINDS: Readonly<Record<string, ImageKind>> = {
  jpg: { name: "JPEG", contentType: "image/jpeg", begins: (head) => head.startsWith("\xff\xd8\xff") },
  png: { name: "PNG", contentType: "image/png", begins: (head) => head.startsWith("\x89PNG\r\n\x1a\n") },
  webp: { name: "WebP", contentType: "image/webp", begins: (head) => /^RIFF.{4}WEBP/s.test(head) },
  avif: {
    name: "AVIF",
    contentType: "image/avif",
    begins: (head) => /^.{4}ftyp(?:.{4})*?avi[fs]/s.test(head),
  },
  gif: { name: "GIF", contentType: "image/gif", begins: (head) => /^GIF8[79]a/.test(head) },
};

export const IMAGE_ENDINGS = Object.keys(IMAGE_KINDS);

/** Without the dot. */
export const endingOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1] ?? "";

/** The ending that an image of this name should have, if it is only spelt otherwise. */
export function meantEnding(name: string): string | undefined {
  const ending = endingOf(name).toLowerCase();
  const meant = ["jpeg", "jpe", "jfif"].includes(ending) ? "jpg" : ending;
  return Object.hasOwn(IMAGE_KINDS, meant) ? meant : undefined;
}

/** Its name for people and, for an image, its ending. */
export function kindOf(head: Uint8Array): { ending?: string; name: string } {
  const text = String.fromCharCode(...head);
  for (const [ending, { begins, name }] of Object.entries(IMAGE_KINDS))
    if (begins(text)) return { ending, name: `${article(name)} ${name} image` };
  const known = OTHERS.find(([pattern]) => pattern.test(text));
  return { name: known?.[1] ?? "no image of a kind that is known here" };
}

const article = (name: string): string => (name.startsWith("A") ? "an" : "a");

const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^$/, "an empty file"],
  [/^\s*(?:<!doctype html|<html|<head)/i, "an HTML page"],
  [/^\s*(?:<\?xml|<svg)/i, "an SVG image or another XML file"],
  [/^%PDF/, "a PDF"],
  [/^(?:II\*\0|MM\0\*)/, "a TIFF image"],
  [/^.{4}ftyp(?:hei|mif1)/s, "an HEIC image"],
  [/^version https:\/\/git-lfs/, "a pointer of Git LFS; the image itself was not fetched"],
];

/**
 * Whether every host serves the name at the address made of it, and every file system keeps it. No host
 * serves a name that begins with a dot or an underscore.
 */
export const isImageName = (name: string): boolean => /^[\p{L}\p{N}][^\\/:*?"<>|%#\ufffd\p{C}]*$/u.test(name);

export const isImageEnding = (ending: string): boolean => Object.hasOwn(IMAGE_KINDS, ending);

/** The path of an image relative to `_media/`; undefined if no image can be published from the file. */
export function imagePath(file: string): string | undefined {
  const [folder, ...names] = file.split("/");
  const isImage = folder === MEDIA_FOLDER && names.every(isImageName) && isImageEnding(endingOf(file));
  return isImage ? names.join("/") : undefined;
}
