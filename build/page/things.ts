import type * as z from "zod";
import { definitionOf, identities, within, type Identity } from "./field.ts";
import { sourceSchemas } from "./page.ts";
import { PAGE_TYPES } from "./types.ts";

/** A kind of thing that several pages describe, such as subjects, with the schema of an object that describes one. */
export interface ThingKind {
  identity: Identity;
  schema: z.ZodType;
}

/** All kinds, in the order in which the page types have them. */
export function thingKinds(): ThingKind[] {
  const kinds = new Map<string, ThingKind>();
  const add = (schema: z.ZodType): void => {
    const identity = identities.get(schema);
    if (identity !== undefined && !kinds.has(identity.kind)) kinds.set(identity.kind, { identity, schema });
    const definition = definitionOf(schema);
    if (definition.type === "object") for (const field of Object.values(definition.shape)) add(within(field));
    else if (definition.type === "array") add(within(definition.element));
  };
  for (const type of PAGE_TYPES) add(sourceSchemas[type]);
  return [...kinds.values()];
}
