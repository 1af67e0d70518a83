import { API, BULK_INDEX, BULK_SHARDS } from "../../base/api.ts";
import type { FilterKind } from "../../base/website.ts";
import type { Operation, Parameter, PathItem, ResponseObject } from "./document.ts";
import type { PageModel } from "../../model/page.ts";
import { filtersOf } from "../website/lists.ts";
import { constant, type JsonSchema } from "../../model/json-schema.ts";

/* Everything besides the pages in the OpenAPI description. */

export const ID: JsonSchema = { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const COUNT: JsonSchema = { type: "integer", minimum: 0 };
const TEXT: JsonSchema = { type: "string" };

/** An object with exactly these fields. */
export const objectOf = (
  properties: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema => ({
  type: "object",
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
});

const LISTED: JsonSchema = {
  title: "ListedPage",
  description: "A page as lists show it.",
  ...objectOf(
    {
      id: ID,
      title: TEXT,
      meta: objectOf(
        {
          type: TEXT,
          detail_url: TEXT,
          html_url: TEXT,
          slug: TEXT,
          show_in_menus: { type: "boolean" },
          first_published_at: { type: ["string", "null"] },
        },
        { locale: { ...TEXT, description: "If the site has several languages." } },
      ),
    },
    {
      shown: {
        type: "object",
        description: "In the files of children: the fields that the type names in “shown”.",
        properties: { line: TEXT, date: TEXT, image: TEXT },
      },
    },
  ),
};

/** Which of its fields a list shows, the request says. */
const ITEM: JsonSchema = {
  title: "ListItem",
  type: "object",
  description: "With “fields”, exactly the fields that it asks for; without, those of a ListedPage.",
  properties: LISTED.properties ?? {},
};

const INDEX = objectOf(
  {
    format: { ...constant(1), type: "integer", description: "The version of the format." },
    pages: { ...COUNT, description: "The number of pages." },
    digits: { ...COUNT, minimum: 1, description: "The number of digits in the name of a file of addresses." },
    root: { ...ID, description: "The id of the home page." },
    changed: {
      type: ["string", "null"],
      description: "The time of the last commit that changed a page; null if git does not know it.",
    },
  },
  {
    roots: {
      type: "object",
      description: "If the site has several languages: the id of the home page of each.",
      additionalProperties: ID,
    },
    limit: { ...COUNT, minimum: 1, description: "The maximum number of pages in a list, if it is not 20." },
  },
);

const CHILDREN = objectOf(
  {
    id: ID,
    children: { type: "array", minItems: 1, items: LISTED, description: "In the order of menus." },
  },
  {
    total: { ...COUNT, description: "If there are more than 1,000 pages: their number." },
    more: {
      type: "array",
      items: TEXT,
      description: "The names of the files beside this one that have the other pages, in this order.",
    },
  },
);

const ADDRESSES: JsonSchema = {
  type: "object",
  description:
    "By address: the id of a page, or the address that replaces an old one. Addresses are paths: meta.html_url without the address of the website.",
  additionalProperties: {
    anyOf: [ID, objectOf({ to: { ...TEXT, description: "An address of the website, or a URL." } })],
  },
};

const CHANGES = objectOf({
  changed: {
    type: "array",
    description:
      "The times of commits, the latest first, each with the pages that it was the last to change.",
    items: { type: "array", prefixItems: [TEXT, { type: "array", items: ID }], minItems: 2, maxItems: 2 },
  },
});

const SHARD: JsonSchema = { type: "string", pattern: "^[0-9a-f]{64}$" };

const BULK = objectOf({
  format: { ...constant(1), type: "integer", description: "The version of the format." },
  pages: { ...COUNT, description: "The number of pages." },
  shards: {
    type: "array",
    minItems: 1,
    description:
      "One entry for each remainder of a page's id divided by the number of entries; null if no page has that remainder.",
    items: {
      anyOf: [
        {
          type: "array",
          prefixItems: [
            { ...SHARD, description: "The name of the shard: the SHA-256 of its pages." },
            { ...COUNT, description: "The size of its pages in bytes, uncompressed." },
          ],
          minItems: 2,
          maxItems: 2,
        },
        { type: "null" },
      ],
    },
  },
});

const LIST = objectOf({
  meta: objectOf({ total_count: { ...COUNT, description: "The number of pages without limit and offset." } }),
  items: { type: "array", items: ITEM },
});

export const parameter = (name: string, place: "path" | "query", description: string, schema = TEXT) => ({
  name,
  in: place,
  required: place === "path",
  description,
  schema,
});

export const PAGES_TAG = "Pages";
const [WEBSITE_TAG, BULK_TAG] = ["Website", "Bulk download"];

/** Those of the description's operations. */
export const TAGS = [
  { name: PAGES_TAG, description: "Single pages, by id." },
  { name: WEBSITE_TAG, description: "Lists, addresses, and the pages below a page, for websites." },
  { name: BULK_TAG, description: "All pages at once." },
];

/** Makes the responses with the headers of the pages, and the schemas with references. */
export interface Shared {
  json: (description: string, schema?: JsonSchema) => ResponseObject;
  use: (schema: JsonSchema) => JsonSchema;
}

const withoutBody = (description: string): ResponseObject => ({ description, headers: {} });
const response = (description: string, schema: JsonSchema, type = "application/json"): ResponseObject => ({
  ...withoutBody(description),
  content: { [type]: { schema } },
});

const MESSAGE: JsonSchema = { title: "Message", ...objectOf({ message: TEXT }) };
const NO_PROGRAM =
  "Only hosts with a program respond: Workers, and the bucket server. Others respond with 404.";

export const options = (operationId: string, { json }: Shared, tag = PAGES_TAG): Operation => ({
  operationId,
  summary: "Returns the allowed methods, and the permissions for other websites (CORS).",
  tags: [tag],
  responses: { "2XX": json("The headers; there may be an empty body.") },
});

const file = (
  operationId: string,
  summary: string,
  parameters: Parameter[],
  schema: JsonSchema,
  tag = WEBSITE_TAG,
): PathItem => ({
  parameters,
  get: {
    operationId,
    summary,
    tags: [tag],
    responses: {
      "200": response("The file. Do not cache it.", schema),
      "404": withoutBody("There is no such file."),
    },
  },
});

/** A request that only a program answers. */
function program(
  name: string,
  summary: string,
  parameters: Parameter[],
  responses: Record<string, ResponseObject>,
  shared: Shared,
): PathItem {
  const about = { summary, description: NO_PROGRAM, tags: [WEBSITE_TAG] };
  const bodiless = Object.entries(responses).map(([status, { description, headers }]) => [
    status,
    { description, headers },
  ]);
  return {
    parameters,
    get: { operationId: name, ...about, responses },
    head: {
      operationId: `${name}Head`,
      ...about,
      summary: "Returns the status and the headers of the same request with GET.",
      responses: Object.fromEntries(bodiless) as Operation["responses"],
    },
    options: options(`${name}Options`, shared, WEBSITE_TAG),
  };
}

/** The bulk download (“Bulk download” in docs/reference.md). */
export const bulkPaths = ({ use }: Shared): Record<string, PathItem> => ({
  [`/${BULK_INDEX}`]: file(
    "getBulkIndex",
    "Returns the names of the current shards of the bulk download.",
    [],
    use({ title: "BulkIndex", ...BULK }),
    BULK_TAG,
  ),
  [`/${BULK_SHARDS}/{name}.zip`]: {
    parameters: [parameter("name", "path", "The name of a shard, from the index.", SHARD)],
    get: {
      operationId: "getBulkShard",
      summary: "Returns a shard: a ZIP file with the responses of its pages as <id>.json.",
      tags: [BULK_TAG],
      responses: {
        "200": response("The ZIP file. It never changes.", {}, "application/zip"),
        "404": withoutBody("The shard is no longer current: request the index again."),
      },
    },
  },
});

const IDS = "The id of a page, or root for the home page.";

const LIST_PARAMETERS: Parameter[] = [
  parameter("type", "query", "Page types, separated by commas."),
  parameter("slug", "query", "The slug of a page."),
  parameter("locale", "query", "The language of the pages."),
  parameter("show_in_menus", "query", "true or false."),
  parameter("child_of", "query", IDS),
  parameter("descendant_of", "query", IDS),
  parameter("ancestor_of", "query", IDS),
  parameter("translation_of", "query", IDS),
  parameter(
    "fields",
    "query",
    "Names of fields, separated by commas; `*` is all, `_` none, `-name` is without it.",
  ),
  parameter(
    "order",
    "query",
    "id, title, slug or first_published_at, with - in reverse, separated by commas.",
  ),
  parameter("limit", "query", "The maximum number of pages.", { ...COUNT, default: 20 }),
  parameter("offset", "query", "The number of pages to skip.", { ...COUNT, default: 0 }),
  parameter("format", "query", "Has no effect."),
];

/** Those of lists by fields of pages, which not all types have. */
function filterParameters(model: PageModel): Parameter[] {
  const found = new Map<string, { kinds: Set<FilterKind>; types: string[] }>();
  for (const type of model.names)
    for (const [name, , kind] of filtersOf(model, type)) {
      const { kinds, types } = found.get(name) ?? { kinds: new Set(), types: [] };
      found.set(name, { kinds: kinds.add(kind), types: [...types, type] });
    }
  return Array.from(found, ([name, { kinds, types }]) => {
    const [kind, ...others] = kinds;
    const type = kind === "page" ? "integer" : kind;
    return parameter(name, "query", `A value of this field; with a “type” of ${types.join(", ")}.`, {
      type: others.length === 0 && (type === "integer" || type === "boolean") ? type : "string",
    });
  });
}

/** The files and requests for websites (“Pages for a website” in docs/reference.md). */
export function websitePaths(shared: Shared, model: PageModel): Record<string, PathItem> {
  const { json, use } = shared;
  const message = use(MESSAGE);
  const found = json("Location is the page at the address, or at the address that replaces it.");
  const location = {
    description: "The path of the page's response.",
    required: true,
    schema: { type: "string", format: "uri-reference" },
  } as const;
  return {
    [API]: program(
      "listPages",
      "Returns a list of pages, as Wagtail's API does.",
      [...LIST_PARAMETERS, ...filterParameters(model)],
      {
        "200": json("The list.", use({ title: "PageList", ...LIST })),
        "400": json("Another parameter, or a wrong value.", message),
        "404": json("The host has no program."),
      },
      shared,
    ),
    [`${API}find/`]: program(
      "findPage",
      "Redirects to the page at an address, as Wagtail's API does.",
      [
        parameter("html_path", "query", "An address of the website, such as /visit/."),
        parameter("id", "query", "The id of a page."),
      ],
      {
        "302": { ...found, headers: { ...found.headers, Location: location } },
        "404": json("No page is at the address.", message),
      },
      shared,
    ),
    "/index/index.json": file(
      "getIndex",
      "Returns facts about the files for websites.",
      [],
      use({ title: "WebsiteIndex", ...INDEX }),
    ),
    "/index/pages/{page_id}.json": file(
      "getChildren",
      "Returns the pages directly below a page; a page without subpages has no such file.",
      [parameter("page_id", "path", "The id of the parent page.", ID)],
      use({ title: "PageChildren", ...CHILDREN }),
    ),
    "/index/addresses/{digits}.json": file(
      "getAddresses",
      "Returns the pages at the addresses whose SHA-256 begins with these digits.",
      [parameter("digits", "path", "Hexadecimal digits.", { ...TEXT, pattern: "^[0-9a-f]{1,4}$" })],
      use({ title: "PageAddresses", ...ADDRESSES }),
    ),
    "/index/changed.json": file(
      "getChanges",
      "Returns the times of the last changes; missing if git does not know them.",
      [],
      use({ title: "PageChanges", ...CHANGES }),
    ),
  };
}
