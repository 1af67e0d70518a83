import type { JsonSchema } from "../../model/json-schema.ts";

/** The parts of OpenAPI 3.1 that this project writes. */
export interface OpenApi {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers?: { url: string }[];
  security: [];
  tags: { name: string; description: string }[];
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
  description?: string;
  tags: string[];
  responses: Record<string, ResponseObject | Ref>;
}

export interface ResponseObject {
  description: string;
  headers: Record<string, HeaderObject | Ref>;
  content?: Record<string, { schema: JsonSchema; examples?: Record<string, { value: unknown }> }>;
}

export interface HeaderObject {
  description: string;
  required: boolean;
  schema: JsonSchema;
}

export interface Ref {
  $ref: string;
}
