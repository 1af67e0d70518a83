import type { Identity } from "./field.ts";
import type { ObjectValue, ValueModel } from "./model.ts";
import { PROGRAM, type PageModel } from "./page.ts";
import { PAGE_TYPES } from "./types.ts";

/** A kind of entity that several pages describe, such as subjects, with the model of an object that describes one. */
export interface EntityKind {
  identity: Identity;
  model: ObjectValue;
}

/** All kinds, in the order in which the page types have them. */
export function entityKinds({ types }: PageModel = PROGRAM): EntityKind[] {
  const kinds = new Map<string, EntityKind>();
  const add = (model: ValueModel): void => {
    if (model.kind === "list") add(model.element);
    if (model.kind !== "object") return;
    const { identity } = model;
    if (identity !== undefined && !kinds.has(identity.kind)) kinds.set(identity.kind, { identity, model });
    for (const field of model.fields.values()) add(field);
  };
  for (const type of PAGE_TYPES) add(types[type].source);
  return [...kinds.values()];
}
