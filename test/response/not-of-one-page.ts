import { catalogue, type Code } from "../../build/findings/catalogue/index.ts";

/** Codes that the content of a single page cannot have, each with the reason. */
export const NOT_OF_ONE_PAGE: Partial<Record<Code, string>> = {
  "file-too-large": "the bytes are not read",
  "id-clash": "another page has the id",
  "acno-clash": "another page has the number",
  inconsistent: "other pages say something else",
  "unlikely-reference": "many other pages speak of something else",
  "retired-id": "_history.json has the id",
  "former-address": "of _history.json",
  "unknown-moved-id": "of _history.json",
  "unrecorded-address": "what a change takes away",
  "redirect-loop": "of _history.json",
  "dead-redirect": "of _history.json",
  "empty-owned-path": "of _site.json",
  "link-not-live": "the other page's dates",
  "dead-link": "the other pages have no such address",
  "media-missing": "of images beside the pages; below",
  "image-ratio": "of images beside the pages; below",
  "image-width": "of images beside the pages; below",
  ...because("of a file's name or place", [
    "site-missing",
    "site-misplaced",
    "history-misplaced",
    "home-missing",
    "index-missing",
    "index-in-group",
    "wrong-case",
    "bad-slug",
    "reserved-name",
    "slug-clash",
    "other-file",
    "link-in-content",
    "media-file",
    "media-name",
    "media-clash",
    "media-size",
    "media-content",
  ]),
  ...because("of pages together", ["bulk-shard-size"]),
  ...because("of _site.json", ["site-slash"]),
  ...because(
    "of _headers",
    (Object.keys(catalogue) as Code[]).filter((code) => code.startsWith("headers-")),
  ),
};

function because(reason: string, codes: Code[]): Partial<Record<Code, string>> {
  return Object.fromEntries(codes.map((code) => [code, reason]));
}
