import { resolve } from "node:path";
import type { Edit } from "../json/edit.ts";
import { parseJson } from "../json/parse.ts";
import { offsetInString, placeOf } from "../json/place.ts";
import { linksOf, typeOf, walk } from "../check/nodes.ts";
import type { Place } from "../findings/finding.ts";
import { linksIn } from "../page/html.ts";
import { referenceIn } from "../page/reference.ts";
import { readSources } from "../sources/read.ts";
import { linkPath, ownOriginLength } from "../sources/tree.ts";
import type { SitePages } from "./pages.ts";

export type LinkingSite = Pick<SitePages, "content" | "model" | "listing" | "site">;

/** A link in a page's HTML to one of the paths that were searched for. */
export interface LinkTo {
  place: Place;
  href: string;
  /** The normalized path, without query and fragment. */
  path: string;
  /** The range in the file to replace if the link gets another path. */
  start: number;
  end: number;
  /** The end of the href, if the range includes its query and fragment. */
  rest: string;
}

/** The links to the paths, in all sources including drafts, grouped by file. */
export function* linksTo(
  { content, model, listing, site }: LinkingSite,
  paths: ReadonlySet<string>,
): Generator<{ file: string; text: string; links: LinkTo[] }> {
  const slugs = new Set([...paths].map((path) => path.slice(path.lastIndexOf("/") + 1)));
  for (const { file, bytes } of readSources(resolve(content), listing)) {
    if (bytes === undefined || !mayLink(bytes, slugs)) continue;
    const { root, source } = parseJson(file, Buffer.from(bytes));
    const type = root && typeOf(root, model);
    if (root === undefined || type === undefined) continue;
    const links: LinkTo[] = [];
    walk(model.sourceOf(type), root, [], (of, node) => {
      if (node.type !== "string" || of.kind !== "text" || !of.isHtml) return;
      for (const { href, start, end } of linksIn(node.value)) {
        const full = href.replace(/[?#].*$/s, "");
        const path = linkPath(full.slice(ownOriginLength(href, site) ?? 0));
        if (!paths.has(path)) continue;
        // If the path itself is written with character references, the whole href is replaced.
        const isPlain = node.value.startsWith(full, start);
        const from = offsetInString(source.text, node, start);
        const to = offsetInString(source.text, node, isPlain ? start + full.length : end);
        const rest = isPlain ? "" : href.slice(full.length);
        links.push({ href, path, place: placeOf(source, from, to), start: from, end: to, rest });
      }
    });
    if (links.length > 0) yield { file, text: source.text, links };
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

export interface LinkEdit {
  place: Place;
  href: string;
  to: string;
  edit: Edit;
}

/** The edits that give links new addresses. The keys are their current paths; query and fragment stay. */
export function* linkEditsIn(
  of: LinkingSite,
  addresses: ReadonlyMap<string, string>,
): Generator<{ file: string; text: string; links: LinkEdit[] }> {
  for (const { file, text, links } of linksTo(of, new Set(addresses.keys())))
    yield {
      file,
      text,
      links: links.map(({ place, href, path, start, end, rest }) => {
        const to = href.slice(0, ownOriginLength(href, of.site) ?? 0) + (addresses.get(path) ?? path);
        return { place, href, to, edit: { start, end, text: asWritten(to + rest) } };
      }),
    };
}

/** The value of an attribute as it is written in a text of JSON. */
const asWritten = (value: string): string =>
  JSON.stringify(
    value.replace(/[&"'<]/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll("&#38;", "&amp;"),
  ).slice(1, -1);
