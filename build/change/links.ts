import { resolve } from "node:path";
import { utf8Text } from "../source/json/parse.ts";
import { readSources } from "../source/read.ts";
import type { SourceFile } from "./change.ts";
import type { SitePages } from "./pages.ts";

/** The sources that may link to the paths, or refer to the ids, drafts too. */
export function* sourcesNaming(
  { content, listing }: Pick<SitePages, "content" | "listing">,
  paths: ReadonlySet<string>,
  ids: ReadonlySet<number>,
): Generator<SourceFile> {
  const slugs = new Set([...paths].map((path) => path.slice(path.lastIndexOf("/") + 1)));
  const numbers = [...ids].map(String);
  for (const { file, bytes } of readSources(resolve(content), listing)) {
    if (bytes === undefined) continue;
    if (!mayLink(bytes, slugs) && !numbers.some((number) => bytes.includes(number))) continue;
    const text = utf8Text(bytes);
    if (text !== undefined) yield { file, text };
  }
}

/** Maximum number of slugs to search for in the bytes. With more slugs, every source with a link is parsed. */
// tuning: searching the bytes only avoids parsing some sources
const MAX_SEARCHED_SLUGS = 20;

/** Ways to write a letter, digit, “-” or “_” other than itself: escapes, character references, percent-encoding. */
const OTHER_SPELLINGS = ["\\u", "&#", "&lowbar", "&UnderBar", "%"];

/** Whether a source may link to one of the slugs; only for a source without such a link it may be true by mistake. */
function mayLink(bytes: Buffer, slugs: ReadonlySet<string>): boolean {
  if (!bytes.includes("<a") && !bytes.includes("<A") && !bytes.includes("\\u")) return false;
  if (slugs.size > MAX_SEARCHED_SLUGS) return true;
  return [...slugs, ...OTHER_SPELLINGS].some((text) => bytes.includes(text));
}
