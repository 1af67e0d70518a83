import { responseSchemaOf } from "../page/page.ts";
import { PAGE_TYPES, type PageType } from "../page/types.ts";
import { PAGE_SCHEMA } from "./paths.ts";
import { DIALECT, translate, type JsonSchema } from "./translate.ts";

/** A page of each type, as it is published; a type without pages has none. */
export type Examples = ReadonlyMap<PageType, unknown>;

/** The name of a page type's definition: `ArtworkPage`. */
export const nameOf = (type: PageType): string => type.slice(type.indexOf(".") + 1);

/** What the service answers, by the names of the page types. */
export const definitions = (): Record<string, JsonSchema> =>
  Object.fromEntries(PAGE_TYPES.map((type) => [nameOf(type), definition(type)]));

function definition(type: PageType): JsonSchema {
  const { description: _, ...schema } = translate(responseSchemaOf(type), "output");
  return { title: nameOf(type), description: `A page whose meta.type is ${type}.`, ...schema };
}

/** One of the definitions, which lie below `place`. */
export const anyPage = (place: string): JsonSchema => ({
  title: "Page",
  description:
    "A page of any type; meta.type says which. Nothing is left out: a field without a value has the empty value of its type.",
  oneOf: PAGE_TYPES.map((type) => ({ $ref: `${place}/${nameOf(type)}` })),
});

/** The JSON Schema of a response. */
export function responseSchema(baseUrl: string, examples: Examples): JsonSchema {
  const defs = definitions();
  for (const [type, page] of examples) Object.assign(defs[nameOf(type)] ?? {}, { examples: [page] });
  return { $schema: DIALECT, $id: `${baseUrl}/${PAGE_SCHEMA}`, ...anyPage("#/$defs"), $defs: defs };
}
