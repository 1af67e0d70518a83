import { placementPatterns } from "../../source/address.ts";
import { PAGE_SCHEMA } from "./names.ts";
import { Components } from "./components.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType, PageTypes } from "../../model/page-types.ts";
import type { Site } from "../../model/site.ts";
import { DIALECT, translate, type JsonSchema } from "../../model/json-schema.ts";

/** A published page of each type; a type without pages has none. */
export type Examples = ReadonlyMap<PageType, unknown>;

/** The beginnings of the addresses in a site's responses. */
export type Addresses = Pick<Site, "base_url" | "site_url" | "append_slash">;

/**
 * The schemas of the responses by the names of the page types, and those of the named values in them. With a site's
 * addresses, they accept only that site's pages.
 */
export function definitions(
  model: PageModel,
  { place, site, isOpenApi = false }: { place: string; site?: Addresses | undefined; isOpenApi?: boolean },
): Components {
  const names = model.names.map((type) => model.classNameOf(type));
  const components = new Components(place, names, isOpenApi);
  for (const type of model.names) {
    const { description: _, ...schema } = translate(model.sourceOf(type), "output");
    const name = model.classNameOf(type);
    const titled = { title: name, description: `A page whose meta.type is ${type}.`, ...schema };
    components.addPage(name, site === undefined ? titled : ofSite(titled, site));
  }
  return components;
}

function ofSite(schema: JsonSchema, site: Addresses): JsonSchema {
  const [anySite, thisSite] = [placementPatterns(), placementPatterns(site)];
  const patterns = new Map(
    Object.entries(thisSite).map(([name, own]) => [anySite[name as keyof typeof thisSite], own]),
  );
  // A URI has only letters of ASCII, unlike a host as people write it.
  const areUris = /^[!-~]*$/.test(site.base_url + site.site_url);
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === "format" && value === "uri" && !areUris) return undefined;
      return key === "pattern" ? (patterns.get(value as string) ?? value) : value;
    }),
  ) as JsonSchema;
}

/** @param place the JSON pointer of the definitions. */
export const anyPage = (model: PageTypes, place: string): JsonSchema => ({
  title: "Page",
  description:
    "A page of any type; its meta.type is the type. Every field is present: a field without a value has the empty value of its type.",
  oneOf: model.names.map((type) => ({ $ref: `${place}/${model.classNameOf(type)}` })),
});

export function responseSchema(model: PageModel, site: Addresses, examples: Examples): JsonSchema {
  const { schemas: defs } = definitions(model, { place: "#/$defs", site });
  for (const [type, page] of examples)
    Object.assign(defs[model.classNameOf(type)] ?? {}, { examples: [page] });
  return {
    $schema: DIALECT,
    $id: `${site.base_url}/${PAGE_SCHEMA}`,
    ...anyPage(model, "#/$defs"),
    $defs: defs,
  };
}
