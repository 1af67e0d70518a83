import type { Instant, Period } from "../base/instant.ts";
import type { Place } from "../findings/finding.ts";
import { fieldName, nodeAt, type Node, type Path } from "../source/json/object.ts";
import type { ParsedJson } from "../source/json/parse.ts";
import { placeInString, placeOf, type SourceText } from "../source/json/place.ts";
import { linksIn } from "../model/html.ts";
import type { ValueModel } from "../model/model.ts";
import type { PageModel } from "../model/page.ts";
import type { PageType, PageTypes } from "../model/page-types.ts";
import { referenceIn, referenceTo } from "../model/reference.ts";
import type { Site } from "../model/site.ts";
import type { SourceIndex } from "../source/source-index.ts";
import { isOwned, linkPath, ownOriginLength } from "../model/tree.ts";
import type { Claims } from "./claims.ts";
import type { PageFindings } from "./page.ts";

export interface AllPages {
  model: PageModel;
  listing: SourceIndex;
  /** Called only for the few sources with findings. */
  read: (file: number) => ParsedJson;
  /** Undefined if `_site.json` has errors. */
  site: Site | undefined;
  /** Reads `_site.json` again, for a finding in it. */
  readSite: () => ParsedJson;
  /** By file, of pages and of drafts; 0 if a file has none. */
  ids: Float64Array;
  draftIds: Float64Array;
  /** By file, as numbers from `textNumber`; 0 if a file has none. */
  acnos: Float64Array;
  /** By file: `meta.external_id`, of drafts too, as numbers from `textNumber`; 0 if a file has none. */
  externalIds: Float64Array;
  /** The only files whose ids and accession numbers may be those of other files; undefined if any may. */
  mayClash: Uint32Array | undefined;
  /** By file: the number of the page's type in the model; 0 if it has none. */
  types: ArrayLike<number>;
  /** The pages with links to look up. */
  pages: PageFindings[];
  at: Instant;
  /** Undefined if the page and all its ancestors are always live. */
  liveOf: (file: number) => Period | undefined;
  /** `_history.json`; undefined if there is none. */
  history: ParsedJson | undefined;
  /** Undefined if the findings about them are known from the former build. */
  claims: Claims | undefined;
}

/** Visits every value of a source that its model describes. */
export function walk(
  model: ValueModel,
  node: Node,
  path: Path,
  visit: (model: ValueModel, node: Node, path: Path) => void,
): void {
  if (model.kind === "block") {
    const { node: type } = nodeAt(node, ["type"]);
    const variant = type.type === "string" ? model.variants.get(type.value) : undefined;
    if (variant !== undefined) walk(variant, node, path, visit);
    return;
  }
  visit(model, node, path);
  if (node.type === "object" && model.kind === "object") {
    for (const { key, value } of node.members) {
      const field = model.fields.get(key);
      if (field !== undefined) walk(field, value, [...path, key], visit);
    }
  } else if (node.type === "array" && model.kind === "list") {
    for (const [i, item] of node.items.entries()) walk(model.element, item, [...path, i], visit);
  } else if (node.type === "array" && model.kind === "tuple") {
    for (const [i, item] of model.items.entries())
      if (node.items[i] !== undefined) walk(item, node.items[i], [...path, i], visit);
  }
}

/** A link, or a reference to a page by its id. */
export interface Link {
  href: string;
  path: Path;
  field: string;
  place: Place;
}

export function linksOf(source: SourceText, root: Node, model: PageModel): Link[] {
  const type = typeOf(root, model);
  if (type === undefined) return [];
  const links: Link[] = [];
  walk(model.sourceOf(type), root, [], (of, node, path) => {
    if (node.type === "number" && of.kind === "number" && of.reference !== undefined)
      links.push({
        href: referenceTo(node.value, of.reference.types),
        path,
        place: placeOf(source, node.start, node.end),
        field: fieldName(path),
      });
    if (node.type !== "string" || of.kind !== "text" || !of.isHtml) return;
    for (const { href, start, end } of linksIn(node.value))
      links.push({ href, path, place: placeInString(source, node, start, end), field: fieldName(path) });
  });
  return links;
}

/** The function returns whether a link leads to this website, below an owned path, or is a reference to a page. */
export function leadsBelowOwned(site: Site): (href: string) => boolean {
  const isBelowOwned = isOwned(site);
  return (href) => {
    if (referenceIn(href) !== undefined) return true;
    const origin = ownOriginLength(href, site);
    return origin !== undefined && isBelowOwned(linkPath(href.slice(origin)));
  };
}

/** The distinct paths of this website that links lead to, and references to pages by their ids. */
export const pathsLinked = (links: readonly string[], site: Site): string[] => [
  ...new Set(
    links.flatMap((href) => {
      const id = referenceIn(href)?.id;
      if (id !== undefined) return [referenceTo(id)];
      const origin = ownOriginLength(href, site);
      return origin === undefined ? [] : [linkPath(href.slice(origin))];
    }),
  ),
];

/** Undefined if the type that the source names does not exist. */
export function typeOf(root: Node, types: PageTypes): PageType | undefined {
  const { node, found } = nodeAt(root, ["meta", "type"]);
  return found && node.type === "string" && types.has(node.value) ? node.value : undefined;
}
