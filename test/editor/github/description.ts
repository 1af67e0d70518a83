import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";

/*
 * Validates every request to the stand-in, and every response of it, against GitHub's published OpenAPI description, so
 * that the stand-in cannot differ from GitHub.
 */

/** GitHub's published descriptions of its API: of github.com, and of a version of Enterprise Server. */
export const NAMES = ["api.github.com", "ghes-3.19"] as const;

export const fileOf = (name: (typeof NAMES)[number]): string =>
  join(import.meta.dirname, "description", `${name}.json`);

type Referred<T> = T | { $ref: string };

interface Parameter {
  name: string;
  required?: boolean;
  schema: object;
  "x-multi-segment"?: boolean;
}

interface Content {
  content?: Record<string, { schema?: object; examples?: Record<string, Referred<{ value: object }>> }>;
}

interface Described {
  operationId: string;
  parameters?: Referred<Parameter>[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Referred<Content>>;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, unknown>>;
}

interface DescribedOperation {
  id: string;
  /** Of the method and the path. It has a named group for each parameter. */
  pattern: RegExp;
  parameters: object;
  body: object;
  responses: Described["responses"];
}

/** The operation of a request, and the decoded values of the path's parameters by name. */
export type Operation = DescribedOperation & { path: Record<string, string> };

/**
 * Converts schemas for Ajv, which supports `nullable` only beside `type`. Alternatives of GitHub may overlap.
 *
 * @param isClosed whether other members than those described are mistakes: GitHub ignores them, which would hide mistakes.
 */
function translate<T>(schema: T, isClosed = false): T {
  const translated = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(translated);
    if (typeof value !== "object" || value === null) return value;
    const own = Object.fromEntries(
      Object.entries(value).map(([name, member]) =>
        name === "$ref"
          ? [name, String(member).replace(/^#/, "github#")]
          : [name === "oneOf" ? "anyOf" : name, translated(member)],
      ),
    );
    if (isClosed && typeof own["properties"] === "object") own["additionalProperties"] = false;
    if (own["nullable"] !== true || own["type"] !== undefined) return own;
    const { nullable: _, ...rest } = own;
    return { anyOf: [rest, { type: "null" }] };
  };
  return translated(schema) as T;
}

const OPTIONS = {
  strict: false,
  validateSchema: false,
  // It names each format that it does not know.
  logger: false,
  formats: {
    uri: (text: string) => URL.canParse(text),
    "date-time": (text: string) => !Number.isNaN(Date.parse(text)),
  },
} as const;

const schemaOf = ({ content }: Content): object | undefined => content?.["application/json"]?.schema;

/** Reads one published description: of github.com, or of a version of Enterprise Server. */
export class Description {
  readonly #components: Document["components"];
  readonly #operations: readonly DescribedOperation[];
  readonly #ajv = new Ajv(OPTIONS);
  /** In an address, every value is a text. */
  readonly #ofAddress = new Ajv({ ...OPTIONS, coerceTypes: true });

  /** @param ids the ids of the stand-in's operations. */
  constructor(name: (typeof NAMES)[number], ids: readonly string[]) {
    const { paths, components } = JSON.parse(readFileSync(fileOf(name), "utf8")) as Document;
    const { examples, ...others } = components;
    this.#components = { ...translate(others), examples: examples ?? {} };
    for (const ajv of [this.#ajv, this.#ofAddress]) ajv.addSchema({ components: this.#components }, "github");
    // `/commits/{ref}/status` before `/commits/{ref}`, as a reference may contain slashes.
    const longestFirst = Object.entries(paths).sort(([a], [b]) => b.length - a.length);
    this.#operations = longestFirst.flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, described]) => this.#prepare(method, template, described)),
    );
    const described = this.#operations.map(({ id }) => id);
    if (described.sort().join() !== [...ids].sort().join())
      throw new Error(`${name}.json has other operations than the stand-in: see description/extract.ts.`);
  }

  #prepare(method: string, template: string, described: Described): DescribedOperation {
    const { operationId: id, requestBody = {}, responses } = described;
    const parameters = (described.parameters ?? []).map((one) => this.#resolve(one));
    const isLong = (name: string) =>
      parameters.some((one) => one.name === name && one["x-multi-segment"] === true);
    const pattern = template.replaceAll(
      /\{([^}]+)\}/g,
      (_, name: string) => `(?<${name}>${isLong(name) ? ".+" : "[^/]+"})`,
    );
    const accepted = {
      type: "object",
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      required: parameters.flatMap(({ name, required }) => (required === true ? [name] : [])),
    };
    return {
      id,
      pattern: new RegExp(`^${method.toUpperCase()} ${pattern}$`),
      parameters: translate(accepted, true),
      body: translate(schemaOf(requestBody) ?? NO_BODY, true),
      responses: translate(responses),
    };
  }

  /** The operation of a request. @param address the encoded path */
  find(method: string, address: string): Operation | undefined {
    for (const operation of this.#operations) {
      const match = operation.pattern.exec(`${method} ${address}`);
      if (match === null) continue;
      const path = Object.entries(match.groups ?? {}).map(
        ([name, text]) => [name, decodeURIComponent(text)] as const,
      );
      return { ...operation, path: Object.fromEntries(path) };
    }
    return undefined;
  }

  /** The mistakes of a request. @param sent its body; undefined if the request has none */
  checkRequest({ id, path, parameters, body }: Operation, query: URLSearchParams, sent: unknown): string[] {
    const given = { ...path, ...Object.fromEntries(query) };
    return [
      ...this.#mistakes(parameters, id, given, this.#ofAddress),
      ...this.#mistakes(body, `${id}: body`, sent ?? {}),
    ];
  }

  /** The mistakes of a response. Statuses of any operation (401, 403, 404, 429, 5xx) need no description. */
  checkResponse({ id, responses }: Operation, status: number, body: unknown): string[] {
    const response = responses[status];
    const mark = `${id}: ${status}`;
    if (response === undefined && status >= 500) return [];
    if (response === undefined)
      return [401, 403, 404, 429].includes(status)
        ? this.#mistakes(BASIC_ERROR, mark, body)
        : [`${mark} is not described`];
    const schema = schemaOf(this.#resolve(response));
    if (schema !== undefined) return this.#mistakes(schema, mark, body);
    return body === undefined || status === 409 || status === 422 ? [] : [`${mark} has no body`];
  }

  example({ id, responses }: Operation, status: number, name?: string): Record<string, unknown> {
    const { content } = this.#resolve(responses[status] ?? {});
    const { examples = {} } = content?.["application/json"] ?? {};
    const example = examples[name ?? Object.keys(examples)[0] ?? ""];
    if (example === undefined) throw new Error(`${id}: no example of ${status}`);
    return structuredClone(this.#resolve(example).value) as Record<string, unknown>;
  }

  #resolve<T extends object>(value: Referred<T>): T {
    if (!("$ref" in value)) return value;
    const [kind = "", name = ""] = value.$ref.replace(/^.*#\/components\//, "").split("/");
    return this.#components[kind]?.[name] as T;
  }

  #mistakes(schema: object, mark: string, value: unknown, ajv = this.#ajv): string[] {
    if (ajv.validate(schema, value)) return [];
    return (ajv.errors ?? []).map(({ instancePath, message = "" }) => `${mark}${instancePath} ${message}`);
  }
}

const NO_BODY = { properties: {} };
const BASIC_ERROR = { $ref: "github#/components/schemas/basic-error" };
