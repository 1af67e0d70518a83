import { resolve } from "node:path";
import { nodeAt, type Node } from "../json/node.ts";
import { parseJson } from "../json/parse.ts";
import { offsetInString, placeOf } from "../json/place.ts";
import { walk } from "../check/values.ts";
import type { Place } from "../findings/finding.ts";
import { htmlFields } from "../page/field.ts";
import { linksIn } from "../page/html.ts";
import { sourceSchemas } from "../page/page.ts";
import type { Site } from "../page/site.ts";
import { isPageType } from "../page/types.ts";
import type { Listing } from "../sources/listing.ts";
import { SourceReader } from "../sources/read.ts";
import { linkPath, ownOriginLength } from "../sources/tree.ts";
import type { Edit } from "./text.ts";

/** A link in a page's HTML to one of the paths that were searched for. */
export interface LinkTo {
  place: Place;
  href: string;
  /** The normalized path, without query and fragment. */
  path: string;
  /** The range of the href in the file, also without query and fragment. */
  start: number;
  end: number;
}

/** The links to the paths, in all sources including drafts, grouped by file. */
export function* linksTo(
  content: string,
  listing: Listing,
  site: Site,
  paths: ReadonlySet<string>,
): Generator<{ file: string; text: string; links: LinkTo[] }> {
  const slugs = new Set([...paths].map((path) => path.slice(path.lastIndexOf("/") + 1)));
  const reader = new SourceReader();
  const folder = resolve(content);
  for (let i = 0; i < listing.count; i++) {
    const file = listing.path(i);
    const { bytes } = reader.readBytes(`${folder}/${file}`, file);
    if (bytes === undefined || !bytes.includes("href") || !hasOne(bytes, slugs)) continue;
    const { root, source } = parseJson(file, Buffer.from(bytes));
    const links = root === undefined ? [] : linksOf(root);
    const found = links.flatMap(({ node, href, start }): LinkTo[] => {
      const path = href.slice(ownOriginLength(href, site) ?? 0).replace(/[?#].*$/s, "");
      if (!paths.has(linkPath(path))) return [];
      const length = href.replace(/[?#].*$/s, "").length;
      const from = offsetInString(source.text, node, start);
      const to = offsetInString(source.text, node, start + length);
      return [{ href, path: linkPath(path), place: placeOf(source, from, to), start: from, end: to }];
    });
    if (found.length > 0) yield { file, text: source.text, links: found };
  }
}

/** Maximum number of slugs to search for in the bytes. With more slugs, every source with a link is parsed. */
const MAX_SEARCHED_SLUGS = 20;
const hasOne = (bytes: Buffer, slugs: ReadonlySet<string>): boolean =>
  slugs.size > MAX_SEARCHED_SLUGS || [...slugs].some((slug) => bytes.includes(slug));

function linksOf(root: Node): { node: Node; href: string; start: number }[] {
  const links: { node: Node; href: string; start: number }[] = [];
  const type = nodeAt(root, ["meta", "type"]);
  if (!type.found || type.node.type !== "string" || !isPageType(type.node.value)) return links;
  walk(sourceSchemas[type.node.value], root, [], (schema, node) => {
    if (node.type !== "string" || !htmlFields.has(schema)) return;
    // An href with entities is longer in the file than its value, so it is not changed.
    for (const { href, start, end } of linksIn(node.value))
      if (end - start === href.length) links.push({ node, href, start });
  });
  return links;
}

/** A link and the edit that gives it a new address. */
export interface LinkEdit {
  place: Place;
  href: string;
  to: string;
  edit: Edit;
}

/** The edits that give links new addresses. The keys are their current paths; query and fragment stay. */
export function* linkEditsIn(
  content: string,
  listing: Listing,
  site: Site,
  addresses: ReadonlyMap<string, string>,
): Generator<{ file: string; text: string; links: LinkEdit[] }> {
  for (const { file, text, links } of linksTo(content, listing, site, new Set(addresses.keys())))
    yield {
      file,
      text,
      links: links.map(({ place, href, path, start, end }) => {
        const to = href.slice(0, ownOriginLength(href, site) ?? 0) + (addresses.get(path) ?? path);
        return { place, href, to, edit: { start, end, text: to } };
      }),
    };
}
