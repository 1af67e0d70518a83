import type * as z from "zod";
import { printNode, type Node } from "../json/node.ts";
import { derive, type Placement } from "../page/derive.ts";
import { definitionOf, derivedFields, fallbacks, formatOf, sourceOnlyFields, within } from "../page/field.ts";
import { mediaUrl, type MediaSite } from "../page/media.ts";
import { sourceSchemas, type SourcePage } from "../page/page.ts";
import type { Site } from "../page/site.ts";
import { detailUrl, type Position } from "../sources/tree.ts";

/**
 * The response to a client: the page with all derived fields, as compact JSON with keys in the order of the API
 * contract. `nodes` contains the syntax nodes of the objects that are printed as written.
 */
export function render(
  page: SourcePage,
  at: Position,
  site: Site,
  nodes: WeakMap<object, Node> = new WeakMap(),
): Buffer {
  const { slug, address, parent = null } = at;
  const placement = { response: detailUrl(site, page.id), address, slug, parent };
  const schema = sourceSchemas[page.meta.type];
  const pieces: string[] = [];
  print(schema, completed(schema, page, { placement, media: site }), nodes, pieces);
  return encoded(pieces);
}

/** Maximum characters of a text printed at once: a page can be one text of several MiB, and copying it is expensive. */
const MAX_PART_LENGTH = 1 << 16;

function printText(text: string, out: string[]): void {
  if (text.length <= MAX_PART_LENGTH) {
    out.push(JSON.stringify(text));
    return;
  }
  out.push('"');
  for (let at = 0; at < text.length;) {
    let end = at + MAX_PART_LENGTH;
    // A part must not end between the halves of a surrogate pair.
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? "")) end++;
    out.push(JSON.stringify(text.slice(at, end)).slice(1, -1));
    at = end;
  }
  out.push('"');
}

function encoded(pieces: string[]): Buffer {
  if (pieces.every(({ length }) => length < MAX_PART_LENGTH)) return Buffer.from(pieces.join(""));
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let at = 0;
  for (const piece of pieces) at += bytes.write(piece, at);
  return bytes;
}

interface Surroundings {
  placement: Placement;
  media: MediaSite;
}

/** The JSON in the response of a valid value of a source's schema, with all defaults filled in. */
export function published(schema: z.ZodType, value: unknown, around: Surroundings): string {
  const pieces: string[] = [];
  print(schema, completed(schema, value, around), new WeakMap(), pieces);
  return pieces.join("");
}

/** Adds the derived fields. An object that is printed as written stays the same object, because it is a key of `nodes`. */
function completed(schema: z.ZodType, value: unknown, around: Surroundings): unknown {
  if (value === null) return null;
  const at = within(schema);
  const definition = definitionOf(at);
  switch (definition.type) {
    case "object":
      return completedObject(definition.shape, value as Record<string, unknown>, around);
    case "array":
      return (value as unknown[]).map((item) => completed(definition.element, item, around));
    case "tuple":
      return definition.items.map((item, i) => completed(item, (value as unknown[])[i], around));
    default:
      return formatOf.get(at)?.format === "media-url" ? mediaUrl(value as string, around.media) : value;
  }
}

function completedObject(
  shape: Record<string, z.ZodType>,
  value: Record<string, unknown>,
  around: Surroundings,
): Record<string, unknown> {
  const complete: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(shape))
    if (value[key] !== undefined) complete[key] = completed(field, value[key], around);
  for (const [key, field] of Object.entries(shape)) {
    const row = derivedFields.get(field)?.row ?? fallbacks.get(field);
    if (row !== undefined && complete[key] === undefined)
      complete[key] = derive(row, complete, around.placement);
  }
  return complete;
}

function print(schema: z.ZodType, value: unknown, nodes: WeakMap<object, Node>, out: string[]): void {
  if (typeof value === "string") {
    printText(value, out);
    return;
  }
  const at = within(schema);
  if (typeof value !== "object" || value === null || derivedFields.has(at)) {
    out.push(JSON.stringify(value));
    return;
  }
  const definition = definitionOf(at);
  switch (definition.type) {
    case "object": {
      let before = "{";
      for (const [key, field] of Object.entries(definition.shape)) {
        if (sourceOnlyFields.has(field)) continue;
        out.push(`${before}${JSON.stringify(key)}:`);
        print(field, (value as Record<string, unknown>)[key], nodes, out);
        before = ",";
      }
      out.push(before === "{" ? "{}" : "}");
      return;
    }
    case "array":
      out.push("[");
      for (const [i, item] of (value as unknown[]).entries()) {
        if (i > 0) out.push(",");
        print(definition.element, item, nodes, out);
      }
      out.push("]");
      return;
    default: {
      // A tuple, or a value that the API contract leaves unspecified.
      const node = nodes.get(value);
      out.push(node === undefined || definition.type === "tuple" ? JSON.stringify(value) : printNode(node));
    }
  }
}
