import { API } from "../../base/api.ts";
import { bulkPaths, ID, objectOf, parameter, websitePaths } from "./paths.ts";
import { API_BLOCK, METHOD_NOT_ALLOWED, NOT_FOUND } from "../../hosting/paths.ts";
import type { HeaderRule } from "../../hosting/headers.ts";
import type { PageModel } from "../../model/page.ts";
import {
  anyPage,
  definitions,
  OPENAPI,
  PAGE_SCHEMA,
  responseSchema,
  type Addresses,
  type Examples,
} from "./responses.ts";
import type { JsonSchema } from "../../model/json-schema.ts";

/** The parts of OpenAPI 3.1 that this project writes. */
export interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers?: { url: string }[];
  security: [];
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, JsonSchema>;
    headers: Record<string, HeaderObject>;
    responses: Record<string, ResponseObject>;
  };
}

export interface PathItem {
  parameters: Parameter[];
  get?: Operation;
  head?: Operation;
  options?: Operation;
}

export const METHODS = ["get", "head", "options"] as const;

export interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  description: string;
  schema: JsonSchema;
}

export interface Operation {
  operationId: string;
  summary: string;
  responses: Record<string, ResponseObject | Ref>;
}

export interface ResponseObject {
  description: string;
  headers: Record<string, HeaderObject | Ref>;
  content?: Record<string, { schema: JsonSchema; examples?: Record<string, { value: unknown }> }>;
}

export interface HeaderObject {
  description: string;
  required: true;
  schema: JsonSchema;
}

export interface Ref {
  $ref: string;
}

export interface Described {
  model: PageModel;
  rules: readonly HeaderRule[];
  /** The site's addresses; the committed contract has none. */
  site?: Addresses;
  examples?: Examples;
  bulk?: boolean;
  /** Whether there are files for websites. */
  index?: boolean;
}

const descriptionOf = (
  index: boolean,
): string => `The pages of an art institution's website, one per request, by id. The API is read-only.

A page keeps its id for ever. There is no${index ? "" : " list and no"} search; meta.parent is the parent page. On the URL of a page, a
query string and \`Accept\` have no effect. A URL without its last slash is redirected (301 or 308) to the URL with it.`;

/** The paths of the API, their methods, and every header of every response. */
export function openapi(described: Described): OpenApi {
  const { model, rules, site, examples = new Map(), bulk = false, index = false } = described;
  const block = rules.find(({ path }) => path === API_BLOCK)?.headers ?? [];
  const headers = Object.fromEntries(block.map(({ name, value }) => [name, header(name, value)]));
  const everyHeader = Object.fromEntries(
    block.map(({ name }) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const type = block.find(({ name }) => name.toLowerCase() === "content-type")?.value ?? "application/json";
  const responseOf = (description: string, schema?: JsonSchema): ResponseObject => ({
    description,
    headers: everyHeader,
    ...(schema === undefined ? {} : { content: { [type]: { schema } } }),
  });

  const page = responseOf("The page.", { $ref: "#/components/schemas/Page" });
  const media = page.content?.[type];
  if (media !== undefined && examples.size > 0)
    media.examples = Object.fromEntries(
      Array.from(examples, ([pageType, value]) => [model.classNameOf(pageType), { value }]),
    );
  const errors = {
    "404": { $ref: "#/components/responses/NotFound" },
    "405": { $ref: "#/components/responses/MethodNotAllowed" },
  };
  return {
    openapi: "3.1.0",
    info: { title: "Page API", version: "2", description: descriptionOf(index) },
    ...(site === undefined ? {} : { servers: [{ url: site.base_url }] }),
    security: [],
    paths: {
      [`${API}{page_id}/`]: {
        parameters: PARAMETERS,
        get: { operationId: "getPage", summary: "A page", responses: { "200": page, ...errors } },
        head: {
          operationId: "headPage",
          summary: "The status and the headers of a page",
          responses: {
            "200": responseOf("The headers of the page, without a body."),
            "404": responseOf("No published page has this id. There is no body."),
          },
        },
        options: {
          operationId: "optionsPage",
          summary: "The allowed methods, and the permissions for other websites (CORS)",
          responses: { "2XX": responseOf("The headers; there may be an empty body.") },
        },
      },
      ...(index ? websitePaths() : {}),
      ...(bulk ? bulkPaths() : {}),
    },
    components: {
      schemas: { Page: anyPage(model, "#/components/schemas"), ...definitions(model, site) },
      headers,
      responses: {
        NotFound: responseOf("No published page has this id.", exactly(NOT_FOUND)),
        MethodNotAllowed: responseOf(
          "For any method except GET, HEAD and OPTIONS. The body may be missing.",
          exactly(METHOD_NOT_ALLOWED),
        ),
      },
    },
  };
}

const PARAMETERS: Parameter[] = [
  parameter("page_id", "path", "The page's id, without a sign and without leading zeros.", ID),
  parameter("format", "query", "Has no effect; clients of Wagtail's API send it.", {
    type: "string",
    examples: ["api"],
  }),
];

/** The schema of exactly one body: an object of texts. */
function exactly(body: string): JsonSchema {
  const members = Object.entries(JSON.parse(body) as Record<string, string>);
  const properties = members.map(([key, value]) => [key, { type: "string", const: value }] as const);
  return { ...objectOf(Object.fromEntries(properties)), additionalProperties: false };
}

/** The headers of the pages. One with a schema has slightly different values on some hosts. */
const HEADERS: Record<string, Pick<HeaderObject, "description"> & Partial<HeaderObject>> = {
  allow: { description: "The allowed methods." },
  "cache-control": {
    description: "Do not store responses: request a page again whenever you need its current state.",
  },
  "content-type": { description: "The body is JSON, in UTF-8." },
  "access-control-allow-origin": { description: "Any website may read the response." },
  "access-control-allow-methods": { description: "The methods that other websites may use." },
  "access-control-allow-headers": { description: "The request headers that other websites may send." },
  "x-content-type-options": { description: "The body has the type that Content-Type names." },
  expires: { description: "A date that is not in the future.", schema: { type: "string" } },
  vary: {
    description: "A list that contains Accept; a host that compresses adds Accept-Encoding.",
    schema: { type: "string", pattern: "(^|,) *[Aa]ccept *(,|$)" },
  },
};

function header(name: string, value: string): HeaderObject {
  const { description, schema = { type: "string", const: value } } = HEADERS[name.toLowerCase()] ?? {
    description: "The same on every response.",
  };
  return { description, required: true, schema };
}

/** By path in the output. */
export function contractFiles(
  described: Described & { site: Addresses; examples: Examples },
): Map<string, Uint8Array> {
  const { model, site, examples } = described;
  const files = {
    [OPENAPI]: openapi(described),
    [PAGE_SCHEMA]: responseSchema(model, site, examples),
  };
  return new Map(
    Object.entries(files).map(([path, json]) => [path, Buffer.from(`${JSON.stringify(json, null, 2)}\n`)]),
  );
}
