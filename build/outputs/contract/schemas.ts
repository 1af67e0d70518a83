import type { PageModel } from "../../model/page.ts";
import type { PageType, PageTypeRow } from "../../model/page-types.ts";
import { historyModel } from "../../model/history.ts";
import { siteModel, URL_PATHS } from "../../model/site.ts";
import { readHeaders } from "../../hosting/conformance.ts";
import { CONTRACT } from "./location.ts";
import { openapi } from "./openapi.ts";
import { typesFileSchema } from "../../model/types-schema.ts";
import { DRAFT, translate, type JsonSchema } from "../../model/json-schema.ts";

const SELF: JsonSchema = {
  type: "string",
  description: "The schema of this file, for text editors. The build ignores it.",
};

/** The schema of sources: `meta.type` decides the allowed fields, so that an editor is offered only these. */
export function pageSchema(model: PageModel): JsonSchema {
  const byType = new Map(model.names.map((type) => [type, sourceOf(model, type)]));
  const all = [...byType.values()];
  const everyPage = sharedBy(all);
  const common = Object.keys(everyPage.properties ?? {});
  const branches = new Map<string, { types: PageType[]; own: JsonSchema }>();
  for (const [type, schema] of byType) {
    const own = withoutFields(schema, common);
    const key = JSON.stringify(own);
    const branch = branches.get(key);
    if (branch) branch.types.push(type);
    else branches.set(key, { types: [type], own });
  }
  return {
    $schema: DRAFT,
    title: "The source of a page",
    description: "One page, without the fields that the build derives.",
    type: "object",
    required: ["id", "meta", "title"],
    properties: { $schema: SELF, meta: metaOfEvery(all), ...everyPage.properties },
    allOf: [...branches.values()].map(({ types, own }) => ({
      if: {
        required: ["meta"],
        properties: { meta: { required: ["type"], properties: { type: { enum: types } } } },
      },
      then: {
        ...own,
        properties: {
          ...Object.fromEntries(["$schema", ...common].map((key) => [key, true])),
          ...own.properties,
        },
        additionalProperties: false,
      },
    })),
  };
}

function sharedBy(schemas: JsonSchema[]): JsonSchema {
  const [first = {}] = schemas;
  const properties = Object.fromEntries(
    Object.entries(first.properties ?? {}).filter(([key, property]) =>
      schemas.every(({ properties: others }) => same(others?.[key], property)),
    ),
  );
  return { properties, required: (first.required ?? []).filter((key) => key in properties) };
}

/** Applies to every type, so that a page without a type, or with an unknown one, is refused. */
const metaOfEvery = (schemas: JsonSchema[]): JsonSchema => ({
  type: "object",
  ...sharedBy(schemas.map(({ properties }) => properties?.["meta"] as JsonSchema)),
});

/** With every page type in `meta.type`: until the type is right, an editor needs to see all of them. */
function sourceOf(model: PageModel, type: PageType): JsonSchema {
  const schema = translate(model.sourceOf(type), "input");
  const meta = schema.properties?.["meta"];
  const field = typeof meta === "object" ? meta.properties?.["type"] : undefined;
  if (typeof field !== "object") throw new Error(`the schema of ${type} has no meta.type`);
  delete field.const;
  field.enum = [...model.names];
  field.enumDescriptions = model.names.map((name) => parentAdvice(model.of(name)));
  return schema;
}

const parentAdvice = ({ parents }: PageTypeRow): string =>
  parents.length === 0
    ? "The first page of the site: content/index.json."
    : `Is below ${parents.join(" or ")}.`;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const withoutFields = ({ properties = {}, required = [] }: JsonSchema, common: string[]): JsonSchema => ({
  properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !common.includes(key))),
  required: required.filter((key) => !common.includes(key)),
});

const NO_TAIL: JsonSchema = {
  not: { pattern: "/$|[?#]" },
  errorMessage: "Write it without a slash at the end, a query (?) or a fragment (#).",
};

const fileSchema = (title: string, description: string, { properties, ...rest }: JsonSchema): JsonSchema => ({
  $schema: DRAFT,
  title,
  description,
  ...rest,
  properties: { $schema: SELF, ...properties },
});

function siteFileSchema(): JsonSchema {
  const schema = translate(siteModel, "input");
  for (const path of URL_PATHS) {
    let url: JsonSchema | true | undefined = schema;
    for (const name of path) url = typeof url === "object" ? url.properties?.[name] : undefined;
    if (typeof url === "object") Object.assign(url, NO_TAIL);
  }
  const about = "The settings of the site, such as the addresses that all responses begin with.";
  return fileSchema("The site", about, schema);
}

const historyFileSchema = (): JsonSchema =>
  fileSchema(
    "The history of the site",
    "Ids of removed pages, which no other page may use, and old addresses, from which visitors are redirected.",
    translate(historyModel, "input"),
  );

/** By name in this folder. */
export const schemaFiles = (model: PageModel): Map<string, string> =>
  new Map(
    Object.entries({
      "page.schema.json": pageSchema(model),
      "site.schema.json": siteFileSchema(),
      "history.schema.json": historyFileSchema(),
      "types.schema.json": typesFileSchema(SELF, model),
      // The committed contract, with which `npx page-api contract` compares.
      [CONTRACT]: openapi({ model, rules: readHeaders().rules }),
    }).map(([name, schema]) => [name, `${JSON.stringify(schema, null, 2)}\n`]),
  );
