import { editedText, type Edit, type SourceOperation } from "../source/json/edit.ts";
import { parseJson, type ParsedJson } from "../source/json/parse.ts";
import { offsetInString, placeOf } from "../source/json/place.ts";
import { typeOf, walk } from "../check/nodes.ts";
import type { Place } from "../findings/finding.ts";
import { linksIn } from "../model/html.ts";
import type { PageModel } from "../model/page.ts";
import type { Site } from "../model/site.ts";
import { isPathBelow, linkPath, ownOriginLength, sitePath } from "../model/tree.ts";

/* The edits of a move, which need only the texts of sources: for the commands, and for the editor in the browser. */

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

/** The links of one source to the paths. `text`: the source without its byte order mark, to which the ranges refer. */
export function linksOfSource(
  file: string,
  bytes: Uint8Array,
  paths: ReadonlySet<string>,
  { model, site }: { model: PageModel; site: Site },
): { text: string; links: LinkTo[] } {
  const { root, source } = parseJson(file, bytes);
  const links: LinkTo[] = [];
  const type = root && typeOf(root, model);
  if (root === undefined || type === undefined) return { text: source.text, links };
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
  return { text: source.text, links };
}

export interface LinkEdit {
  place: Place;
  href: string;
  to: string;
  edit: Edit;
}

/** The edits that give links new addresses. The keys are their current paths; query and fragment stay. */
export const linkEdits = (
  links: readonly LinkTo[],
  addresses: ReadonlyMap<string, string>,
  site: Site,
): LinkEdit[] =>
  links.map(({ place, href, path, start, end, rest }) => {
    const to = href.slice(0, ownOriginLength(href, site) ?? 0) + (addresses.get(path) ?? path);
    return { place, href, to, edit: { start, end, text: asWritten(to + rest) } };
  });

/** The value of an attribute as it is written in a text of JSON. */
const asWritten = (value: string): string =>
  JSON.stringify(
    value.replace(/[&"'<]/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll("&#38;", "&amp;"),
  ).slice(1, -1);

/** The changes of `owned_paths` if a section moves from one path to another; the layout of `_site.json` stays. */
export function ownedPathEdits(
  { source, root }: ParsedJson,
  site: Site,
  { before, after }: { before: string; after: string },
): { owned: { before: string; after: string }[]; text?: string } {
  const owned: { before: string; after: string }[] = [];
  const operations: SourceOperation[] = [];
  for (const [k, written] of site.owned_paths.entries()) {
    const path = sitePath(written, site);
    if (path === undefined || !isPathBelow(path, before)) continue;
    const fresh = after + path.slice(before.length) + (written.endsWith("/") ? "/" : "");
    operations.push({ kind: "set", path: ["owned_paths", k], value: fresh });
    owned.push({ before: written, after: fresh });
  }
  return root === undefined || owned.length === 0
    ? { owned }
    : { owned, text: editedText(source.text, root, operations) };
}
