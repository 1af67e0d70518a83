import { API } from "../../base/api.ts";
import { bulkPaths, ID, objectOf, options, PAGES_TAG, parameter, TAGS, websitePaths } from "./paths.ts";
import { API_BLOCK, METHOD_NOT_ALLOWED, NOT_FOUND } from "../../hosting/paths.ts";
import type { HeaderObject, OpenApi, Parameter, ResponseObject } from "./document.ts";
import { OPENAPI, PAGE_SCHEMA } from "./names.ts";
import type { HeaderRule } from "../../hosting/headers.ts";
import type { PageModel } from "../../model/page.ts";
import { anyPage, definitions, responseSchema, type Addresses, type Examples } from "./responses.ts";
import { constant, type JsonSchema } from "../../model/json-schema.ts";

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
query string and \`Accept\` have no effect. A URL without its last slash is redirected (301 or 308) to the URL with it.

The licence is that of this description, not that of the pages' texts and images.`;

const LICENSE = { name: "MIT", identifier: "MIT" };

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

  const place = "#/components/schemas";
  const schemas = definitions(model, { place, site, isOpenApi: true });
  const page = responseOf("The page.", schemas.refer("Page"));
  const media = page.content?.[type];
  if (media !== undefined && examples.size > 0)
    media.examples = Object.fromEntries(
      Array.from(examples, ([pageType, value]) => [model.classNameOf(pageType), { value }]),
    );
  const errors = {
    "404": { $ref: "#/components/responses/NotFound" },
    "405": { $ref: "#/components/responses/MethodNotAllowed" },
  };
  const shared = { json: responseOf, use: (schema: JsonSchema) => schemas.use(schema) };
  const paths = { ...(index ? websitePaths(shared, model) : {}), ...(bulk ? bulkPaths(shared) : {}) };
  const tags = new Set(Object.values(paths).flatMap(({ get }) => get?.tags ?? []));
  return {
    openapi: "3.1.0",
    info: { title: "Page API", version: "2", description: descriptionOf(index), license: LICENSE },
    ...(site === undefined ? {} : { servers: [{ url: site.base_url }] }),
    security: [],
    tags: TAGS.filter(({ name }) => name === PAGES_TAG || tags.has(name)),
    paths: {
      [`${API}{page_id}/`]: {
        parameters: PARAMETERS,
        get: {
          operationId: "getPage",
          summary: "Returns a page.",
          tags: [PAGES_TAG],
          responses: { "200": page, ...errors },
        },
        head: {
          operationId: "headPage",
          summary: "Returns the status and the headers of a page.",
          tags: [PAGES_TAG],
          responses: {
            "200": responseOf("The headers of the page, without a body."),
            "404": responseOf("No published page has this id. There is no body."),
          },
        },
        options: options("optionsPage", shared),
      },
      ...paths,
    },
    components: {
      schemas: { Page: anyPage(model, place), ...schemas.schemas },
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
  const properties = members.map(([key, value]) => [key, constant(value)] as const);
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
  expires: {
    description: "A date that is not in the future.",
    schema: { type: "string", examples: ["Thu, 01 Jan 1970 00:00:00 GMT"] },
  },
  vary: {
    description: "A list that contains Accept; a host that compresses adds Accept-Encoding.",
    schema: { type: "string", pattern: "(^|,) *[Aa]ccept *(,|$)", examples: ["Accept"] },
  },
};

function header(name: string, value: string): HeaderObject {
  const { description, schema = constant(value) } = HEADERS[name.toLowerCase()] ?? {
    description: "The same on every response.",
  };
  return { description, required: true, schema };
}

/** By path in the output. */
export function contractFiles(
  described: Described & { site: Addresses; examples: Examples },
): Map<string, Uint8Array> {
  const { model, site, examples } = described;
  const files = { [OPENAPI]: openapi(described), [PAGE_SCHEMA]: responseSchema(model, site, examples) };
  return new Map(
    Object.entries(files).map(([path, json]) => [path, Buffer.from(`${JSON.stringify(json, null, 2)}\n`)]),
  );
}
