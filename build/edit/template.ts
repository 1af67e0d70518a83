import { isObject, type JsonObject } from "../json/object.ts";
import { fieldsIn, type ValueModel } from "../page/model.ts";
import type { PageModel } from "../page/page.ts";
import type { PageType } from "../page/page-types.ts";

export interface NewPage {
  model: PageModel;
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
export function newSource({ model, type, reference, id, slug, title, facts, allFields }: NewPage): {
  source: JsonObject;
  guessed: string[];
} {
  const { placeholders = {}, infer, source: page } = model.of(type);
  const known: JsonObject = { id, meta: { type }, title, ...(infer?.(facts, slug) ?? facts) };
  const source: JsonObject = { $schema: reference };
  const guessed: string[] = [];
  for (const [field, { isRequired, empty, kind }] of page.fields) {
    const given = known[field];
    const placeholder = placeholders[field];
    if (isObject(given)) {
      const complete = { ...(isObject(placeholder) ? placeholder : {}), ...given };
      source[field] = field === "meta" ? withEmpty(page.fields.get(field), complete) : complete;
    } else if (given !== undefined) source[field] = given;
    else if (isRequired) {
      source[field] = placeholder ?? (kind === "text" ? "" : null);
      guessed.push(field);
    } else if (allFields && empty !== undefined) source[field] = empty;
  }
  return { source, guessed };
}

/** An object with the empty values of its omitted fields. */
const withEmpty = (model: ValueModel | undefined, given: JsonObject): JsonObject =>
  Object.fromEntries(
    Array.from(fieldsIn(model), ([name, { empty }]) => [name, given[name] ?? empty] as const).filter(
      ([, value]) => value !== undefined,
    ),
  );
