import { Failure } from "../../base/failure.ts";
import { isObject, objectIn } from "../../source/json/object.ts";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { blocksOf } from "./compare.ts";
import { pageTypeOf, plain } from "./plain.ts";
import type { OpenApi } from "./document.ts";
import type { JsonSchema } from "../../model/json-schema.ts";

/** The result of validating today's pages against the former contract. */
export interface CrossCheck {
  pages: number;
  failed: number;
  mismatches: Mismatch[];
}

/** One reason why pages do not match: the number of pages, and the id of one of them. */
export interface Mismatch {
  type: string;
  at: string;
  message: string;
  pages: number;
  id: number;
}

interface PublishedPage {
  id: number;
  meta: { type: string };
}

/** Validates the responses of a build against a former contract, like a client that ignores unknown fields. */
export function crossCheck(former: OpenApi, responses: Iterable<Uint8Array>): CrossCheck {
  const byType = validators(former);
  const mismatches = new Map<string, Mismatch>();
  let [pages, failed] = [0, 0];
  for (const bytes of responses) {
    pages++;
    const page = pageIn(bytes);
    if (page === undefined) throw new Failure(`Response ${pages} is not a page of this API.`);
    const { type } = page.meta;
    const found = mismatchesOf(page, byType);
    if (found.size > 0) failed++;
    for (const [at, message] of found) {
      const key = JSON.stringify([type, at, message]);
      const known = mismatches.get(key);
      if (known === undefined) mismatches.set(key, { type, at, message, pages: 1, id: page.id });
      else known.pages++;
    }
  }
  return { pages, failed, mismatches: [...mismatches.values()] };
}

/** Checked, because a mirror contains any bytes that a host sent. */
function pageIn(bytes: Uint8Array): PublishedPage | undefined {
  const page = objectIn(new TextDecoder().decode(bytes));
  const isPage = isObject(page?.["meta"]) && typeof page["meta"]["type"] === "string";
  return isPage ? (page as unknown as PublishedPage) : undefined;
}

function mismatchesOf(
  page: PublishedPage,
  byType: ReadonlyMap<string, ValidateFunction>,
): Map<string, string> {
  const validate = byType.get(page.meta.type);
  if (validate === undefined)
    return new Map([["meta.type", "is a type that the former contract does not have"]]);
  if (validate(page)) return new Map();
  return new Map(
    (validate.errors ?? []).map(({ instancePath, keyword, message = "" }) => [
      instancePath.slice(1).replaceAll(/\/\d+/g, "[]").replaceAll("/", "."),
      keyword === "discriminator" ? "is a block that the former contract does not have" : message,
    ]),
  );
}

function validators(former: OpenApi): Map<string, ValidateFunction> {
  const ajv = new Ajv2020({ allErrors: true, strict: false, discriminator: true });
  const byType = new Map<string, ValidateFunction>();
  for (const schema of Object.values(plain(former).components.schemas)) {
    const type = pageTypeOf(schema);
    if (type !== undefined) byType.set(type, ajv.compile(asReadByClients(schema)));
  }
  return byType;
}

/**
 * As applied by a client that ignores unknown fields, because the contract allows new fields at any time. The type of a
 * block selects its schema, so that a mismatch is not one of every other block too.
 */
const asReadByClients = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === "additionalProperties" && value === false) return undefined;
    if (!isObject(value) || blocksOf(value).size === 0) return value;
    const { anyOf, ...rest } = value;
    return {
      type: "object",
      required: ["type"],
      ...rest,
      discriminator: { propertyName: "type" },
      oneOf: anyOf,
    };
  }) as JsonSchema;
