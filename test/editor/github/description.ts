import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import { fileOf, type NAMES } from "./description/names.ts";

/*
 * Validates every request to the stand-in, and every response of it, against GitHub's published OpenAPI description, so
 * that the stand-in cannot differ from GitHub.
 */

interface Parameter {
  name: string;
  in: "path" | "query";
  required?: boolean;
  schema: object;
  "x-multi-segment"?: boolean;
}

interface Content {
  content?: Record<string, { schema?: object; examples?: Record<string, { $ref: string }> }>;
}

interface Described {
  operationId: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content | { $ref: string }>;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, unknown>>;
}

export interface Operation {
  id: string;
  /** Decoded values of the path's parameters, by name. */
  path: Record<string, string>;
  pointer: string;
  described: Described;
}

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** Converts a schema for Ajv, which supports `nullable` only beside `type`. Alternatives of GitHub may overlap. */
function translate(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(translate);
  if (typeof schema !== "object" || schema === null) return schema;
  const own = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name === "oneOf" ? "anyOf" : name, translate(value)]),
  );
  if (own["nullable"] !== true || own["type"] !== undefined) return own;
  const { nullable: _, ...rest } = own;
  return { anyOf: [rest, { type: "null" }] };
}

/** Converts a description for Ajv, except its examples, which are not schemas. */
function translated({ paths, components }: Document): Document {
  const kinds = Object.entries(components).map(([kind, members]) => [
    kind,
    kind === "examples" ? members : translate(members),
  ]);
  return {
    paths: translate(paths) as Document["paths"],
    components: Object.fromEntries(kinds) as Document["components"],
  };
}

/** Reads one published description: of github.com, or of a version of Enterprise Server. */
export class Description {
  readonly #document: Document;
  readonly #ajv = new Ajv({
    strict: false,
    validateSchema: false,
    // It names each format that it does not know.
    logger: false,
    formats: { uri: (text) => URL.canParse(text), "date-time": (text) => !Number.isNaN(Date.parse(text)) },
  });
  readonly #validators = new Map<string, ValidateFunction>();

  /** @param ids the ids of the stand-in's operations. */
  constructor(name: (typeof NAMES)[number], ids: readonly string[]) {
    const document = JSON.parse(readFileSync(fileOf(name), "utf8")) as Document;
    const described = Object.values(document.paths).flatMap((one) =>
      Object.values(one).map(({ operationId }) => operationId),
    );
    if (described.toSorted().join() !== [...ids].sort().join())
      throw new Error(`${name}.json has other operations than the stand-in: see description/extract.ts.`);
    this.#document = translated(document);
    this.#ajv.addSchema(this.#document, "github");
  }

  /** The operation of a request. @param address the encoded path */
  find(method: string, address: string): Operation | undefined {
    const found = Object.entries(this.#document.paths)
      .map(([template, operations]) => ({ template, described: operations[method.toLowerCase()] }))
      .flatMap(({ template, described }) => {
        if (described === undefined) return [];
        const names: string[] = [];
        const parameters = this.#parameters(described);
        const pattern = template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
          names.push(name);
          const own = parameters.find((parameter) => parameter.in === "path" && parameter.name === name);
          return own?.["x-multi-segment"] === true ? "(.+)" : "([^/]+)";
        });
        const match = new RegExp(`^${pattern}$`).exec(address);
        if (match === null) return [];
        const path: Record<string, string> = {};
        for (const [i, name] of names.entries()) path[name] = decodeURIComponent(match[i + 1] ?? "");
        const pointer = `github#/paths/${escaped(template)}/${method.toLowerCase()}`;
        return [{ id: described.operationId, path, pointer, described }];
      });
    // `/commits/{ref}/status` before `/commits/{ref}`, as a reference may contain slashes.
    return found.sort((a, b) => b.pointer.length - a.pointer.length)[0];
  }

  /** The mistakes of a request. @param body undefined if the request has none */
  checkRequest({ id, path, pointer, described }: Operation, query: URLSearchParams, body: unknown): string[] {
    const parameters = this.#parameters(described);
    const mistakes: string[] = [];
    for (const [name, text] of [...Object.entries(path), ...query]) {
      const parameter = parameters.find((one) => one.name === name);
      if (parameter === undefined) mistakes.push(`${id}: no parameter ${name}`);
      else {
        const { type } = parameter.schema as { type?: string };
        const value = type === "integer" ? Number(text) : type === "boolean" ? text === "true" : text;
        mistakes.push(...this.#mistakes(parameter.schema, `${id}: ${name}`, value));
      }
    }
    for (const { name, required = false } of parameters)
      if (required && !(name in path) && !query.has(name)) mistakes.push(`${id}: ${name} is missing`);
    const schema = described.requestBody?.content?.["application/json"]?.schema;
    if (body === undefined) {
      if (described.requestBody?.required === true) mistakes.push(`${id}: the body is missing`);
    } else if (schema === undefined) mistakes.push(`${id}: there is no body`);
    else {
      const place = `${pointer}/requestBody/content/application~1json/schema`;
      mistakes.push(
        ...this.#mistakes({ $ref: place }, `${id}: body`, body),
        ...undescribed(schema, body, `${id}: body`),
      );
    }
    return mistakes;
  }

  /** The mistakes of a response. Statuses of any operation (401, 403, 404, 429, 5xx) need no description. */
  checkResponse({ id, pointer, described }: Operation, status: number, body: unknown): string[] {
    const response = described.responses[status];
    const mark = `${id}: ${status}`;
    if (response === undefined) {
      if (![401, 403, 404, 429].includes(status) && status < 500) return [`${mark} is not described`];
      return status < 500
        ? this.#mistakes({ $ref: "github#/components/schemas/basic-error" }, mark, body)
        : [];
    }
    const place = "$ref" in response ? `github${response.$ref}` : `${pointer}/responses/${status}`;
    const { content } = this.#resolve<Content>(response);
    if (content === undefined)
      return body === undefined || status === 409 || status === 422 ? [] : [`${mark} has no body`];
    return this.#mistakes({ $ref: `${place}/content/application~1json/schema` }, mark, body);
  }

  example({ id, described }: Operation, status: number, name?: string): Record<string, unknown> {
    const { content } = this.#resolve<Content>(described.responses[status] ?? {});
    const { examples = {} } = content?.["application/json"] ?? {};
    const example = examples[name ?? Object.keys(examples)[0] ?? ""];
    if (example === undefined) throw new Error(`${id}: no example of ${status}`);
    return structuredClone(this.#resolve<{ value: Record<string, unknown> }>(example).value);
  }

  #parameters({ parameters = [] }: Described): Parameter[] {
    return parameters.map((parameter) => this.#resolve<Parameter>(parameter));
  }

  #resolve<T>(value: T | { $ref: string }): T {
    if (typeof value !== "object" || value === null || !("$ref" in value)) return value;
    const [kind = "", name = ""] = value.$ref.replace("#/components/", "").split("/");
    return this.#document.components[kind]?.[name] as T;
  }

  #mistakes(schema: object, mark: string, value: unknown): string[] {
    const key = JSON.stringify(schema);
    const validate = this.#validators.get(key) ?? this.#ajv.compile(schema);
    this.#validators.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message = "" }) => `${mark}${instancePath} ${message}`,
    );
  }
}

/** Members of a body that the description does not have. GitHub ignores them, which would hide mistakes. */
function undescribed(schema: object, value: unknown, mark: string): string[] {
  const { properties, items } = schema as { properties?: Record<string, object>; items?: object };
  if (Array.isArray(value)) return value.flatMap((item) => undescribed(items ?? {}, item, mark));
  if (properties === undefined || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    properties[name] === undefined
      ? [`${mark} has ${name}, which is not described`]
      : undescribed(properties[name], member, `${mark}/${name}`),
  );
}
