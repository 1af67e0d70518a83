import type * as z from "zod";
import { printNode, type Node } from "../json/node.ts";
import { workOut, type Placement } from "../page/derive.ts";
import { definitionOf, derivedFields, fallbacks, formOf, within } from "../page/field.ts";
import { mediaUrl } from "../page/media.ts";
import { sourceSchemas, type SourcePage } from "../page/page.ts";
import type { Site } from "../page/site.ts";
import { detailUrl, type Position } from "../sources/tree.ts";

/**
 * The response to a client: the page with everything derived (interface, sections 2.1 and 2.2), as compact JSON with
 * keys in the interface's order. `nodes` has the objects that are passed through as they were written.
 */
export function render(page: SourcePage, at: Position, site: Site, nodes?: WeakMap<object, Node>): string {
  const { slug, address, parent = null } = at;
  const placement = { response: detailUrl(site, page.id), address, slug, parent };
  return published(sourceSchemas[page.meta.type], page, { placement, media: site.media_url }, nodes);
}

interface Surroundings {
  placement: Placement;
  media: string;
}

/** A sound value of a source's schema, with all defaults filled in, as the response has it. */
export const published = (
  schema: z.ZodType,
  value: unknown,
  around: Surroundings,
  nodes?: WeakMap<object, Node>,
): string => print(schema, completed(schema, value, around), nodes);

/** Adds all that is worked out. What is passed through stays the same object, by which `nodes` knows it. */
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
      return formOf.get(at)?.form === "media-url" ? mediaUrl(value as string, around.media) : value;
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
    if (row !== undefined) complete[key] ??= workOut(row, complete, around.placement);
  }
  return complete;
}

function print(schema: z.ZodType, value: unknown, nodes: WeakMap<object, Node> | undefined): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const at = within(schema);
  const definition = definitionOf(at);
  if (derivedFields.has(at)) return JSON.stringify(value);
  switch (definition.type) {
    case "object": {
      const fields = Object.entries(definition.shape).map(
        ([key, field]) =>
          `${JSON.stringify(key)}:${print(field, (value as Record<string, unknown>)[key], nodes)}`,
      );
      return `{${fields.join(",")}}`;
    }
    case "array":
      return `[${(value as unknown[]).map((item) => print(definition.element, item, nodes)).join(",")}]`;
    default: {
      // A tuple, or what the interface leaves unspecified.
      const node = nodes?.get(value);
      return node === undefined || definition.type === "tuple" ? JSON.stringify(value) : printNode(node);
    }
  }
}
