import { resolve } from "node:path";
import { parseJson } from "../source/json/parse.ts";
import { linksOf } from "../check/nodes.ts";
import type { Place } from "../findings/finding.ts";
import { referenceIn } from "../model/reference.ts";
import { readSources } from "../source/read.ts";
import { linksOfSource, type LinkTo } from "./move-edits.ts";
import type { SitePages } from "./pages.ts";

type LinkingSite = Pick<SitePages, "content" | "model" | "listing" | "site">;

/** The links to the paths, in all sources including drafts, grouped by file. */
export function* linksTo(
  { content, model, listing, site }: LinkingSite,
  paths: ReadonlySet<string>,
): Generator<{ file: string; text: string; links: LinkTo[] }> {
  const slugs = new Set([...paths].map((path) => path.slice(path.lastIndexOf("/") + 1)));
  for (const { file, bytes } of readSources(resolve(content), listing)) {
    if (bytes === undefined || !mayLink(bytes, slugs)) continue;
    const { text, links } = linksOfSource(file, Buffer.from(bytes), paths, { model, site });
    if (links.length > 0) yield { file, text, links };
  }
}

/** The places that refer to pages by their ids, in fields or in HTML, in all sources including drafts. */
export function* referencesTo(
  { content, model, listing }: LinkingSite,
  ids: ReadonlySet<number>,
): Generator<{ id: number; place: Place }> {
  const texts = [...ids].map(String);
  for (const { file, bytes } of readSources(resolve(content), listing)) {
    if (bytes === undefined || !texts.some((text) => bytes.includes(text))) continue;
    const { root, source } = parseJson(file, Buffer.from(bytes));
    for (const { href, place } of root === undefined ? [] : linksOf(source, root, model)) {
      const id = referenceIn(href)?.id;
      if (id !== undefined && ids.has(id)) yield { id, place };
    }
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
