import { typeOf, walk } from "../check/nodes.ts";
import type { Place } from "../findings/finding.ts";
import { linksIn } from "../model/html.ts";
import type { PageModel } from "../model/page.ts";
import { referenceIn } from "../model/reference.ts";
import type { Site } from "../model/site.ts";
import { linkPath, ownOriginLength, sitePath, isPathBelow } from "../model/tree.ts";
import {
  type Edit,
  type SourceOperation,
  applyEdits,
  JsonEditor,
  editedText,
  type MemberNames,
} from "../source/json/edit.ts";
import { type ObjectNode, nodeAt } from "../source/json/object.ts";
import { type ParsedJson, parseJson } from "../source/json/parse.ts";
import { placeOf, offsetInString } from "../source/json/place.ts";
import { SITE_SCHEMA } from "../source/site-files.ts";

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

/** A place that refers to a page by its id, in a field or in HTML. */
export interface ReferenceTo {
  id: number;
  place: Place;
  /** The range of the id in the file. */
  start: number;
  end: number;
}

/** The links of one source to the paths, with ranges in its text without byte order mark, and its references to the ids. */
export function linksOfSource(
  { root, source }: ParsedJson,
  paths: ReadonlySet<string>,
  ids: ReadonlySet<number>,
  { model, site }: { model: PageModel; site: Site },
): { links: LinkTo[]; references: ReferenceTo[] } {
  const links: LinkTo[] = [];
  const references: ReferenceTo[] = [];
  const type = root && typeOf(root, model);
  if (root === undefined || type === undefined) return { links, references };
  const at = (id: number, start: number, end: number): ReferenceTo => ({
    id,
    place: placeOf(source, start, end),
    start,
    end,
  });
  walk(model.sourceOf(type), root, [], (of, node) => {
    if (node.type === "number" && of.kind === "number" && of.reference !== undefined && ids.has(node.value))
      references.push(at(node.value, node.start, node.end));
    if (node.type !== "string" || of.kind !== "text" || !of.isHtml) return;
    for (const { href, start, end } of linksIn(node.value)) {
      const id = referenceIn(href)?.id;
      if (id !== undefined && ids.has(id))
        references.push(
          at(id, offsetInString(source.text, node, start), offsetInString(source.text, node, end)),
        );
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
  return { links, references };
}

interface LinkEdit {
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

/** The text of a source with edits of links in it, and then with operations. */
export function relinked(
  { source }: ParsedJson,
  edits: readonly Edit[],
  operations: readonly SourceOperation[] = [],
): string {
  const text = applyEdits(source.text, edits);
  const { root } = parseJson(source.file, new TextEncoder().encode(text));
  if (root === undefined) return text;
  const editor = new JsonEditor(text, root);
  for (const operation of operations) editor.apply(operation);
  return editor.print(SCHEMA_FIRST);
}

/** The value of an attribute as it is written in a text of JSON. */
const asWritten = (value: string): string =>
  JSON.stringify(
    value.replace(/[&"'<]/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll("&#38;", "&amp;"),
  ).slice(1, -1);

/** The changes of `owned_paths` if sections move from paths to others. */
export function ownedPathEdits(
  { source, root }: ParsedJson,
  site: Site,
  moves: readonly { before: string; after: string }[],
): { owned: { before: string; after: string }[]; text?: string } {
  const owned: { before: string; after: string }[] = [];
  const operations: SourceOperation[] = [];
  for (const [k, written] of site.owned_paths.entries()) {
    const path = sitePath(written, site);
    const moved = path === undefined ? undefined : moves.find(({ before }) => isPathBelow(path, before));
    if (path === undefined || moved === undefined) continue;
    const { before, after } = moved;
    const fresh = after + path.slice(before.length) + (written.endsWith("/") ? "/" : "");
    operations.push({ kind: "set", path: ["owned_paths", k], value: fresh });
    owned.push({ before: written, after: fresh });
  }
  return root === undefined || owned.length === 0
    ? { owned }
    : { owned, text: editedText(source.text, root, operations) };
}

/** Places a new `$schema` before all other members. */
export const SCHEMA_FIRST: MemberNames = () => ["$schema"];

/** The fix of `$schema`, with its range; undefined if it needs none. */
export function updatedReference(
  root: ObjectNode,
  reference: string,
): { operation: SourceOperation; start: number; end: number; done: string } | undefined {
  const operation: SourceOperation = { kind: "set", path: ["$schema"], value: reference };
  const { node, found } = nodeAt(root, ["$schema"]);
  if (!found) {
    const done = "added “$schema”, so that text editors know the fields";
    return { operation, start: root.start, end: root.start + 1, done };
  }
  // A page that was moved has a stale path to this project's schema. Any other schema is the editor's choice.
  const isStale =
    node.type === "string" &&
    !node.value.includes(":") &&
    isSameSchema(node.value, reference) &&
    normalized(node.value) !== normalized(reference);
  return isStale
    ? { operation, start: node.start, end: node.end, done: "updated the “$schema” path" }
    : undefined;
}

/** Whether a reference leads to the same schema as another, though perhaps by another path: that of pages has two names. */
const isSameSchema = (a: string, b: string): boolean => schemaNameIn(a) === schemaNameIn(b);

const schemaNameIn = (reference: string): string | undefined =>
  `/${reference}`.endsWith(`/${SITE_SCHEMA}`) ? "page.schema.json" : reference.split("/").at(-1);

/** A relative path without detours, seen from a deep folder. */
const normalized = (path: string): string => new URL(path, `file:///${"x/".repeat(100)}`).pathname;
