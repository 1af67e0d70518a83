import { placementPatterns } from "../page/address.ts";
import { PROGRAM } from "../page/page.ts";
import type { Site } from "../page/site.ts";
import { nameOf, PAGE_TYPES, type PageType } from "../page/types.ts";
import { PAGE_SCHEMA } from "./paths.ts";
import { DIALECT, translate, type JsonSchema } from "./translate.ts";

/** A published page of each type; a type without pages has none. */
export type Examples = ReadonlyMap<PageType, unknown>;

/** The beginnings of the addresses in a site's responses. */
export type Addresses = Pick<Site, "base_url" | "site_url" | "append_slash">;

/** The responses' schemas, by the names of the page types. With a site's addresses, they accept only that site's pages. */
export function definitions(site?: Addresses): Record<string, JsonSchema> {
  if (site === undefined) return JSON.parse(anyDefinitions()) as Record<string, JsonSchema>;
  const [anySite, thisSite] = [placementPatterns(), placementPatterns(site)];
  const patterns = new Map(
    Object.entries(thisSite).map(([name, own]) => [anySite[name as keyof typeof thisSite], own]),
  );
  return JSON.parse(anyDefinitions(), (key, value: unknown) =>
    key === "pattern" ? (patterns.get(value as string) ?? value) : value,
  ) as Record<string, JsonSchema>;
}

let anyDefinitionsText: string | undefined;

/** The definitions for any site, as JSON. A build needs them twice, for two files. */
const anyDefinitions = (): string =>
  (anyDefinitionsText ??= JSON.stringify(
    Object.fromEntries(PAGE_TYPES.map((type) => [nameOf(type), definition(type)])),
  ));

function definition(type: PageType): JsonSchema {
  const { description: _, ...schema } = translate(PROGRAM.types[type].source, "output");
  return { title: nameOf(type), description: `A page whose meta.type is ${type}.`, ...schema };
}

/** The schema of a page of any type. `place` is the JSON pointer of the definitions. */
export const anyPage = (place: string): JsonSchema => ({
  title: "Page",
  description:
    "A page of any type; its meta.type is the type. Every field is present: a field without a value has the empty value of its type.",
  oneOf: PAGE_TYPES.map((type) => ({ $ref: `${place}/${nameOf(type)}` })),
});

/** The JSON Schema of a response. */
export function responseSchema(site: Addresses, examples: Examples): JsonSchema {
  const defs = definitions(site);
  for (const [type, page] of examples) Object.assign(defs[nameOf(type)] ?? {}, { examples: [page] });
  return { $schema: DIALECT, $id: `${site.base_url}/${PAGE_SCHEMA}`, ...anyPage("#/$defs"), $defs: defs };
}
