import type * as z from "zod";
import { isObject, type JsonObject } from "../json/object.ts";
import { definitionOf, within } from "../page/field.ts";
import { sourceSchemas } from "../page/page.ts";
import { rowOf, type PageType } from "../page/types.ts";

export interface NewPage {
  type: PageType;
  reference: string;
  id: number;
  slug: string;
  title?: string | undefined;
  /** Values of the fields that only some types have. */
  facts: Readonly<JsonObject>;
  /** Whether to include optional fields, with their defaults. */
  allFields: boolean;
}

/** A new source, with its fields in the API's order, and the names of the fields that the editor has to fill in. */
export function newSource({ type, reference, id, slug, title, facts, allFields }: NewPage): {
  source: JsonObject;
  guessed: string[];
} {
  const { placeholders = {}, infer } = rowOf(type);
  const known: JsonObject = { id, meta: { type }, title, ...(infer?.(facts, slug) ?? facts) };
  const source: JsonObject = { $schema: reference };
  const guessed: string[] = [];
  for (const [field, schema] of Object.entries(shapeOf(sourceSchemas[type]))) {
    const given = known[field];
    const placeholder = placeholders[field];
    const { success: isOptional, data: empty } = schema.safeParse(undefined);
    if (isObject(given)) {
      const complete = { ...(isObject(placeholder) ? placeholder : {}), ...given };
      source[field] = field === "meta" ? schema.parse(complete) : complete;
    } else if (given !== undefined) source[field] = given;
    else if (!isOptional) {
      source[field] = placeholder ?? (definitionOf(within(schema)).type === "string" ? "" : null);
      guessed.push(field);
    } else if (allFields && empty !== undefined) source[field] = empty;
  }
  return { source, guessed };
}

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  const definition = definitionOf(schema);
  return definition.type === "object" ? definition.shape : {};
}
