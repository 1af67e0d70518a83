import { parts } from "../../build/findings/catalogue/index.ts";

const { files, declarations, hosting, consistency } = parts;

/** Codes that the content of a single page cannot have. */
export const NOT_OF_ONE_PAGE: ReadonlySet<string> = new Set([
  // Of names and places of files, of _types.json, of _headers, and of pages together.
  ...[files, declarations, hosting, consistency].flatMap((part) => Object.keys(part)),
  // No other page has the id.
  "dead-reference",
  // The bytes are not read.
  "file-too-large",
  // Of images beside the pages.
  "media-missing",
  "image-ratio",
  "image-width",
  // Of _site.json.
  "site-slash",
]);
