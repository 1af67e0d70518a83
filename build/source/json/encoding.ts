import type { Args } from "../../findings/catalogue/index.ts";

/* Without Node, because the editor in the browser reads sources with this module too. */

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes, with its byte order mark if there is one; undefined if the bytes are no UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

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
  ["0000000000000000", "a damaged file (only zero bytes)"],
];

/** The kind of a file that is not text, by its first bytes. */
export function otherKind(bytes: Uint8Array): string | undefined {
  const start = hex(bytes.subarray(0, 8));
  if (start.startsWith("52494646") && hex(bytes.subarray(8, 12)) === "57454250") return "a picture (WebP)";
  return SIGNATURES.find(([signature]) => start.startsWith(signature))?.[1];
}

/** Recognizes UTF-16 by its byte order mark, or by a zero byte beside the first letter. */
export const isUtf16 = (bytes: Uint8Array): boolean =>
  bytes.length >= 2 &&
  (/^(?:fffe|feff)/.test(hex(bytes.subarray(0, 2))) || (bytes[0] === 0) !== (bytes[1] === 0));

/** Maximum number of bytes shown on either side of the first byte that is not UTF-8. */
const MAX_CONTEXT_BYTES = 12;

/** The encoding of a file, if it is recognized, and the word that contains its first byte that is not UTF-8. */
export function encodingOf(bytes: Uint8Array, at: number): Args<"invalid-utf8"> {
  if (isUtf16(bytes)) return { encoding: "UTF-16" };
  const start = Math.max(0, at - MAX_CONTEXT_BYTES);
  const text = new TextDecoder("windows-1252").decode(bytes.subarray(start, at + MAX_CONTEXT_BYTES));
  const before = /[\p{L}\p{N}]*$/u.exec(text.slice(0, at - start))?.[0] ?? "";
  const after = /^[\p{L}\p{N}’‘“”–—…€£°½]+/u.exec(text.slice(at - start))?.[0];
  return after === undefined ? {} : { encoding: "Windows-1252", text: before + after };
}

/** The length of the longest valid UTF-8 prefix: up to the first replacement character that the bytes do not contain. */
export function validPrefix(bytes: Uint8Array): number {
  const [text, encoder] = [new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), new TextEncoder()];
  let good = 0;
  for (let from = 0, at; (at = text.indexOf("\ufffd", from)) !== -1; from = at + 1) {
    good += encoder.encode(text.slice(from, at)).length;
    if (hex(bytes.subarray(good, good + 3)) !== "efbfbd") return good;
    good += 3;
  }
  return bytes.length;
}
