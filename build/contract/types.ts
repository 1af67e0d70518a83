import { API } from "../base/api.ts";
import { nameOf, PAGE_TYPES } from "../page/types.ts";
import { definitions } from "./responses.ts";
import type { JsonSchema } from "./translate.ts";

/** A TypeScript module for clients: the types of the responses, a guard for each page type, and a request. */
export const typesModule =
  (): string => `// The pages of the page API, and how to ask for them. Made by \`npm run types\`: do not edit it.

${interfaces()}
/** The pages by what stands in their \`meta.type\`. */
export interface PageByType {
${PAGE_TYPES.map((type) => `  ${JSON.stringify(type)}: ${nameOf(type)};`).join("\n")}
}

export type PageType = keyof PageByType;

export type Page = PageByType[PageType];

/** Whether a page, as the API answered it, is of a type: TypeScript does not narrow by \`meta.type\` itself. */
export function isPage<Type extends PageType>(page: unknown, type: Type): page is PageByType[Type] {
  if (typeof page !== "object" || page === null || !("meta" in page)) return false;
  const { meta } = page;
  return typeof meta === "object" && meta !== null && "type" in meta && meta.type === type;
}

/** The part of the global \`fetch\` that is needed here, as not every project has types for it. */
type Fetch = (
  url: string,
  init: { signal: { readonly aborted: boolean } | null },
) => Promise<{ ok: boolean; status: number; json: () => Promise<unknown> }>;

/**
 * Requests the page with an id. Returns undefined if no such page is published. Throws if the API cannot be reached, if
 * it responds with anything else, or if \`signal\` aborts the request.
 *
 * @param baseUrl the URL in front of ${API}, such as https://api.example.org
 * @param options.signal an AbortSignal
 */
export async function fetchPage(
  baseUrl: string,
  id: number,
  { signal = null }: { signal?: { readonly aborted: boolean } | null | undefined } = {},
): Promise<Page | undefined> {
  const address = \`\${baseUrl.replace(/\\/+$/, "")}${API}\${id}/\`;
  const { fetch } = globalThis as unknown as { fetch: Fetch };
  const response = await fetch(address, { signal });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(\`\${address}: \${response.status}\`);
  return (await response.json()) as Page;
}
`;

/** The interfaces of all pages, each after the interfaces of the named objects in it. */
function interfaces(): string {
  const found = new Map<string, string>();
  const add = (name: string, schema: JsonSchema): void => {
    for (const [inner, part] of namedParts(schema)) add(inner, part);
    const text = `export interface ${name} ${objectType(schema, "")}\n`;
    const known = found.get(name)?.replace(/^\/\*\*.*\n/, "");
    if (known !== undefined && known !== text) throw new Error(`two different objects have the name ${name}`);
    if (known === undefined) found.set(name, `${comment(schema, "")}${text}`);
  };
  for (const [name, schema] of Object.entries(definitions())) add(name, schema);
  return [...found.values()].join("\n");
}

/** The named objects that are not inside another named object. */
function namedParts({
  properties = {},
  items,
  anyOf = [],
}: JsonSchema): [name: string, schema: JsonSchema][] {
  const inner = [...Object.values(properties), ...anyOf, items];
  return inner.flatMap((part): [string, JsonSchema][] => {
    if (typeof part !== "object" || Array.isArray(part)) return [];
    return isNamed(part) ? [[part.title, part]] : namedParts(part);
  });
}

const isNamed = (schema: JsonSchema): schema is JsonSchema & { title: string } =>
  schema.title !== undefined && schema.properties !== undefined;

function typeOf(schema: JsonSchema, indent: string): string {
  if (isNamed(schema)) return schema.title;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum?.length === PAGE_TYPES.length && PAGE_TYPES.every((type) => schema.enum?.includes(type)))
    return "PageType";
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const parts = schema.anyOf ?? [];
  if (parts.length > 0) return parts.map((part) => typeOf(part, indent)).join(" | ");
  return (
    [schema.type ?? []]
      .flat()
      .map((type) => namedType(type, schema, indent))
      .join(" | ") || "unknown"
  );
}

function namedType(type: string, schema: JsonSchema, indent: string): string {
  switch (type) {
    case "integer":
      return "number";
    case "array":
      return arrayType(schema, indent);
    case "object":
      return schema.properties === undefined ? "Record<string, unknown>" : objectType(schema, indent);
    default:
      return type;
  }
}

function arrayType({ prefixItems, items }: JsonSchema, indent: string): string {
  if (prefixItems !== undefined) return `[${prefixItems.map((item) => typeOf(item, indent)).join(", ")}]`;
  const element =
    items === undefined || items === false || Array.isArray(items) ? "unknown" : typeOf(items, indent);
  return element.includes(" | ") ? `Array<${element}>` : `${element}[]`;
}

function objectType({ properties = {}, required = [] }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([key, schema]) => {
    const field = schema === true ? {} : schema;
    return `${comment(field, inner)}${inner}${key}${required.includes(key) ? "" : "?"}: ${typeOf(field, inner)};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

function comment({ description, examples = [] }: JsonSchema, indent: string): string {
  const occur =
    examples.length === 0
      ? ""
      : `Values that occur: ${examples.map((value) => JSON.stringify(value)).join(", ")}.`;
  const text = [description ?? "", occur].filter((part) => part !== "").join(" ");
  return text === "" ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n`;
}
