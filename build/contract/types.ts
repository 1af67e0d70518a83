import { API } from "../hosting/paths.ts";
import { PAGE_TYPES } from "../page/types.ts";
import { definitions, nameOf } from "./responses.ts";
import type { JsonSchema } from "./translate.ts";

/** A TypeScript module for clients: the types of the responses, a guard for each page type, and a request. */
export const typesModule =
  (): string => `// The pages of the page API, and how to ask for them. Made by \`npm run types\`: do not edit it.

${Object.entries(definitions())
  .map(([name, schema]) => `${comment(schema, "")}export interface ${name} ${typeOf(schema, "")}\n`)
  .join("\n")}
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

/**
 * The page with an id; undefined where none is published. Throws where the API cannot be reached, or answers anything else.
 *
 * @param baseUrl where the API is, such as https://api.example.org
 */
export async function fetchPage(baseUrl: string, id: number): Promise<Page | undefined> {
  const address = \`\${baseUrl.replace(/\\/+$/, "")}${API}\${id}/\`;
  const response = await fetch(address);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(\`\${address}: \${response.status}\`);
  return (await response.json()) as Page;
}
`;

function typeOf(schema: JsonSchema, indent: string): string {
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
