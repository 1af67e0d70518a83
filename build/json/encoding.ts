import { isUtf8 } from "node:buffer";
import type { Args } from "../findings/catalogue/index.ts";

/** What files that are no text begin with. */
const SIGNATURES: [bytes: string, kind: string][] = [
  ["504b0304", "a Word file or another packed file (docx, odt, zip)"],
  ["d0cf11e0", "an old Word or Excel file"],
  ["89504e47", "a picture (PNG)"],
  ["ffd8ff", "a picture (JPEG)"],
  ["47494638", "a picture (GIF)"],
  ["49492a00", "a picture (TIFF)"],
  ["4d4d002a", "a picture (TIFF)"],
  ["25504446", "a PDF"],
  ["1f8b08", "a packed file (gzip)"],
  ["0000000000000000", "a damaged file (zero bytes alone)"],
];

/** What a file is that is no text at all, by its first bytes. */
export function otherKind(bytes: Buffer): string | undefined {
  const start = bytes.toString("hex", 0, 8);
  if (start.startsWith("52494646") && bytes.toString("latin1", 8, 12) === "WEBP") return "a picture (WebP)";
  return SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1];
}

/** By its mark, or by the zero bytes that it has beside letters. */
export const isUtf16 = (bytes: Buffer): boolean =>
  bytes.length >= 2 &&
  (/^(?:fffe|feff)/.test(bytes.toString("hex", 0, 2)) || (bytes[0] === 0) !== (bytes[1] === 0));

/** So many bytes around the first that is not UTF-8 are shown. */
const AROUND = 12;

/** In which encoding a file is, where that can be told, and the word at its first byte that is not UTF-8. */
export function encodingOf(bytes: Buffer, at: number): Args<"invalid-utf8"> {
  if (isUtf16(bytes)) return { encoding: "UTF-16" };
  const start = Math.max(0, at - AROUND);
  const text = new TextDecoder("windows-1252").decode(bytes.subarray(start, at + AROUND));
  const before = /[\p{L}\p{N}]*$/u.exec(text.slice(0, at - start))?.[0] ?? "";
  const after = /^[\p{L}\p{N}’‘“”–—…€£°½]+/u.exec(text.slice(at - start))?.[0];
  return after === undefined ? {} : { encoding: "Windows-1252", text: before + after };
}

/** The length of the longest valid UTF-8 prefix, by halving. */
export function validPrefix(buffer: Buffer): number {
  let good = 0;
  let bad = buffer.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    // A cut inside a character is no fault of the file: step back to the character's first byte.
    let cut = middle;
    while (cut > good && ((buffer[cut] ?? 0) & 0xc0) === 0x80 && middle - cut < 4) cut--;
    if (cut > good && isUtf8(buffer.subarray(good, cut))) good = cut;
    else if (cut <= good) break;
    else bad = cut;
  }
  // Fewer than eight bytes are left to tell apart.
  while (good < buffer.length) {
    const length = [1, 2, 3, 4].find(
      (n) => good + n <= buffer.length && isUtf8(buffer.subarray(good, good + n)),
    );
    if (length === undefined) break;
    good += length;
  }
  return good;
}
