import { BULK_INDEX, BULK_SHARDS } from "../base/api.ts";
import type { JsonSchema } from "./translate.ts";

/** The bulk download in the OpenAPI description (“Bulk download” in docs/design.md). */

const NAME: JsonSchema = { type: "string", pattern: "^[0-9a-f]{64}$" };
const COUNT: JsonSchema = { type: "integer", minimum: 0 };

const INDEX: JsonSchema = {
  type: "object",
  properties: {
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
              { ...NAME, description: "The name of the shard: the SHA-256 of its pages." },
              { ...COUNT, description: "The size of its pages in bytes, uncompressed." },
            ],
            minItems: 2,
            maxItems: 2,
          },
          { type: "null" },
        ],
      },
    },
  },
  required: ["format", "pages", "shards"],
};

export const bulkPaths = () => ({
  [`/${BULK_INDEX}`]: {
    parameters: [],
    get: {
      operationId: "getBulkIndex",
      summary: "The index of the bulk download: all pages, in ZIP files",
      responses: {
        "200": {
          description: "The names of the current shards. Do not cache it.",
          headers: {},
          content: { "application/json": { schema: INDEX } },
        },
      },
    },
  },
  [`/${BULK_SHARDS}/{name}.zip`]: {
    parameters: [
      {
        name: "name",
        in: "path" as const,
        required: true,
        description: "The name of a shard, from the index.",
        schema: NAME,
      },
    ],
    get: {
      operationId: "getBulkShard",
      summary: "A shard: a ZIP file with the responses of its pages as <id>.json",
      responses: {
        "200": {
          description: "The ZIP file. It never changes.",
          headers: {},
          content: { "application/zip": { schema: {} } },
        },
        "404": { description: "The shard is no longer current: request the index again.", headers: {} },
      },
    },
  },
});
