import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { pageTypeOf } from "./compare.ts";
import type { OpenApi } from "./openapi.ts";
import type { JsonSchema } from "./translate.ts";

/** What the former contract refuses of the pages as they are now. */
export interface Witness {
  pages: number;
  refused: Refusal[];
}

/** One thing that is refused, on how many pages, and one of them. */
export interface Refusal {
  type: string;
  at: string;
  says: string;
  pages: number;
  id: number;
}

interface Page {
  id: number;
  meta: { type: string };
}

/**
 * Holds the responses of a build before a former contract, as a client does that leaves alone the fields that it does not
 * know.
 */
export function witness(former: OpenApi, responses: Iterable<Uint8Array>): Witness {
  const byType = validators(former);
  const refused = new Map<string, Refusal>();
  let pages = 0;
  for (const bytes of responses) {
    pages++;
    const page = JSON.parse(new TextDecoder().decode(bytes)) as Page;
    const { type } = page.meta;
    for (const [at, says] of refusalsOf(page, byType)) {
      const key = JSON.stringify([type, at, says]);
      const known = refused.get(key);
      if (known === undefined) refused.set(key, { type, at, says, pages: 1, id: page.id });
      else known.pages++;
    }
  }
  return { pages, refused: [...refused.values()] };
}

function refusalsOf(page: Page, byType: ReadonlyMap<string, ValidateFunction>): Map<string, string> {
  const validate = byType.get(page.meta.type);
  if (validate === undefined) return new Map([["meta.type", "is a type that there was not"]]);
  if (validate(page)) return new Map();
  return new Map(
    (validate.errors ?? []).map(({ instancePath, message = "" }) => [
      instancePath.slice(1).replaceAll(/\/\d+/g, "[]").replaceAll("/", "."),
      message,
    ]),
  );
}

function validators({ components }: OpenApi): Map<string, ValidateFunction> {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  const byType = new Map<string, ValidateFunction>();
  for (const schema of Object.values(components.schemas)) {
    const type = pageTypeOf(schema);
    if (type !== undefined) byType.set(type, ajv.compile(opened(schema)));
  }
  return byType;
}

/** The same schema, but for fields that it does not know. */
const opened = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "additionalProperties" && value === false ? undefined : value,
  ) as JsonSchema;
