import { placementPatterns } from "../../source/address.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType, PageTypes } from "../../model/page-types.ts";
import type { Site } from "../../model/site.ts";
import { DIALECT, translate, type JsonSchema } from "../../model/json-schema.ts";

/** The path of the OpenAPI description, below the URL of the API. */
export const OPENAPI = "openapi.json";

/** The path of the schema of a response, below the URL of the API. */
export const PAGE_SCHEMA = "schema/page.json";

export const CONTRACT_FILES: readonly string[] = [OPENAPI, PAGE_SCHEMA];

/** A published page of each type; a type without pages has none. */
export type Examples = ReadonlyMap<PageType, unknown>;

/** The beginnings of the addresses in a site's responses. */
export type Addresses = Pick<Site, "base_url" | "site_url" | "append_slash">;

/** The responses' schemas, by the names of the page types. With a site's addresses, they accept only that site's pages. */
export function definitions(model: PageModel, site?: Addresses): Record<string, JsonSchema> {
  const all = Object.fromEntries(
    model.names.map((type) => [model.classNameOf(type), definition(model, type)]),
  );
  if (site === undefined) return all;
  const [anySite, thisSite] = [placementPatterns(), placementPatterns(site)];
  const patterns = new Map(
    Object.entries(thisSite).map(([name, own]) => [anySite[name as keyof typeof thisSite], own]),
  );
  return JSON.parse(JSON.stringify(all), (key, value: unknown) =>
    key === "pattern" ? (patterns.get(value as string) ?? value) : value,
  ) as Record<string, JsonSchema>;
}

function definition(model: PageModel, type: PageType): JsonSchema {
  const { description: _, ...schema } = translate(model.sourceOf(type), "output");
  return { title: model.classNameOf(type), description: `A page whose meta.type is ${type}.`, ...schema };
}

/** @param place the JSON pointer of the definitions. */
export const anyPage = (model: PageTypes, place: string): JsonSchema => ({
  title: "Page",
  description:
    "A page of any type; its meta.type is the type. Every field is present: a field without a value has the empty value of its type.",
  oneOf: model.names.map((type) => ({ $ref: `${place}/${model.classNameOf(type)}` })),
});

export function responseSchema(model: PageModel, site: Addresses, examples: Examples): JsonSchema {
  const defs = definitions(model, site);
  for (const [type, page] of examples)
    Object.assign(defs[model.classNameOf(type)] ?? {}, { examples: [page] });
  return {
    $schema: DIALECT,
    $id: `${site.base_url}/${PAGE_SCHEMA}`,
    ...anyPage(model, "#/$defs"),
    $defs: defs,
  };
}
