import { API, BULK_INDEX, BULK_SHARDS } from "../../base/api.ts";
import type { JsonSchema } from "../../model/json-schema.ts";

/* Everything besides the pages in the OpenAPI description. */

export const ID: JsonSchema = { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const COUNT: JsonSchema = { type: "integer", minimum: 0 };
const TEXT: JsonSchema = { type: "string" };

/** An object with exactly these fields. */
export const objectOf = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

const LISTED: JsonSchema = objectOf({
  id: ID,
  title: TEXT,
  meta: objectOf({
    type: TEXT,
    detail_url: TEXT,
    html_url: TEXT,
    slug: TEXT,
    show_in_menus: { type: "boolean" },
    first_published_at: { type: ["string", "null"] },
  }),
});

const INDEX = objectOf({
  format: { const: 1, description: "The version of the format." },
  pages: { ...COUNT, description: "The number of pages." },
  digits: { ...COUNT, minimum: 1, description: "The number of digits in the name of a file of addresses." },
  root: { ...ID, description: "The id of the home page." },
  changed: {
    type: ["string", "null"],
    description: "The time of the last commit that changed a page; null if git does not know it.",
  },
});

const CHILDREN = objectOf({
  id: ID,
  children: { type: "array", minItems: 1, items: LISTED, description: "In the order of menus." },
});

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
  format: { const: 1, description: "The version of the format." },
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
  items: { type: "array", items: LISTED },
});

export const parameter = (name: string, place: "path" | "query", description: string, schema = TEXT) => ({
  name,
  in: place,
  required: place === "path",
  description,
  schema,
});

const withoutBody = (description: string) => ({ description, headers: {} });
const response = (description: string, schema: JsonSchema, type = "application/json") => ({
  ...withoutBody(description),
  content: { [type]: { schema } },
});

const MESSAGE = objectOf({ message: TEXT });
const NO_PROGRAM =
  "Only hosts with a program respond: Workers, and the bucket server. Others respond with 404.";

const path = (
  operationId: string,
  summary: string,
  parameters: ReturnType<typeof parameter>[],
  responses: Record<string, ReturnType<typeof withoutBody> | ReturnType<typeof response>>,
) => ({ parameters, get: { operationId, summary, responses } });

const file = (
  operationId: string,
  summary: string,
  parameters: ReturnType<typeof parameter>[],
  schema: JsonSchema,
) =>
  path(operationId, summary, parameters, {
    "200": response("The file. Do not cache it.", schema),
    "404": withoutBody("There is no such file."),
  });

/** The bulk download (“Bulk download” in docs/reference.md). */
export const bulkPaths = () => ({
  [`/${BULK_INDEX}`]: path("getBulkIndex", "The index of the bulk download: all pages, in ZIP files", [], {
    "200": response("The names of the current shards. Do not cache it.", BULK),
  }),
  [`/${BULK_SHARDS}/{name}.zip`]: path(
    "getBulkShard",
    "A shard: a ZIP file with the responses of its pages as <id>.json",
    [parameter("name", "path", "The name of a shard, from the index.", SHARD)],
    {
      "200": response("The ZIP file. It never changes.", {}, "application/zip"),
      "404": withoutBody("The shard is no longer current: request the index again."),
    },
  ),
});

/** The files and requests for websites (“Pages for a website” in docs/reference.md). */
export const websitePaths = () => ({
  [API]: path(
    "listPages",
    `The pages directly below a page, as in Wagtail's API. ${NO_PROGRAM}`,
    [
      {
        ...parameter("child_of", "query", "The id of the parent page, or root for the home page."),
        required: true,
      },
      parameter("type", "query", "Page types, separated by commas."),
      parameter("slug", "query", "The slug of a page."),
      parameter("show_in_menus", "query", "true or false."),
      parameter("limit", "query", "The maximum number of pages.", { ...COUNT, maximum: 20, default: 20 }),
      parameter("offset", "query", "The number of pages to skip.", { ...COUNT, default: 0 }),
    ],
    {
      "200": response("The list.", LIST),
      "400": response("Another parameter, or a wrong value.", MESSAGE),
    },
  ),
  [`${API}find/`]: path(
    "findPage",
    `The page at an address, as in Wagtail's API. ${NO_PROGRAM}`,
    [parameter("html_path", "query", "An address of the website, such as /visit/.")],
    {
      "302": withoutBody("Location is the page at the address, or at the address that replaces it."),
      "404": response("No page is at the address.", MESSAGE),
    },
  ),
  "/index/index.json": file("getIndex", "About the files for websites", [], INDEX),
  "/index/pages/{page_id}.json": file(
    "getChildren",
    "The pages directly below a page; a page without subpages has no such file",
    [parameter("page_id", "path", "The id of the parent page.", ID)],
    CHILDREN,
  ),
  "/index/addresses/{digits}.json": file(
    "getAddresses",
    "The pages at the addresses whose SHA-256 begins with these digits",
    [parameter("digits", "path", "Hexadecimal digits.", { ...TEXT, pattern: "^[0-9a-f]{1,4}$" })],
    ADDRESSES,
  ),
  "/index/changed.json": file(
    "getChanges",
    "The times of the last changes; missing if git does not know them",
    [],
    CHANGES,
  ),
});
