import { isObject } from "../../source/json/object.ts";
import type { OpenApi } from "./document.ts";
import type { JsonSchema } from "../../model/json-schema.ts";

/**
 * A contract for comparisons: with the schemas of components where they are used, and what can be said in several ways
 * said in one of them, so that another way of the same is no change.
 */
export function plain(contract: OpenApi): OpenApi {
  const { schemas } = contract.components;
  const seen = new Map<string, JsonSchema>();
  const resolved = (name: string): JsonSchema => {
    const known = seen.get(name) ?? (simplified(schemas[name] ?? {}) as JsonSchema);
    seen.set(name, known);
    return known;
  };
  const simplified = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(simplified);
    if (!isObject(value)) return value;
    const { $ref, ...beside } = value;
    const name = typeof $ref === "string" ? /^#\/components\/schemas\/(.*)$/.exec($ref)?.[1] : undefined;
    // The union of all page types stays a reference.
    if (name !== undefined && name !== "Page") return { ...resolved(name), ...beside };
    return inOneWay(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, simplified(one)])));
  };
  const pages = Object.entries(schemas)
    .map(([name]) => [name, resolved(name)] as const)
    .filter(([, schema]) => pageTypeOf(schema) !== undefined);
  const { components, ...rest } = contract;
  return {
    ...(simplified(rest) as typeof rest),
    components: {
      ...(simplified({ ...components, schemas: {} }) as typeof components),
      schemas: Object.fromEntries(pages),
    },
  };
}

/** Undefined for other schemas, such as that of a translation, whose `meta` has a type but no parent. */
export function pageTypeOf(schema: JsonSchema | undefined): string | undefined {
  const meta = schema?.properties?.["meta"];
  const { type, parent } = (typeof meta === "object" && meta.properties) || {};
  if (parent === undefined) return undefined;
  return typeof type === "object" && typeof type.const === "string" ? type.const : undefined;
}

/** Values of a keyword that are objects are fields of that name. */
function inOneWay({ oneOf, ...schema }: Record<string, unknown>): Record<string, unknown> {
  const all: Record<string, unknown> = { ...schema, ...(oneOf !== undefined && { oneOf }) };
  if (Array.isArray(oneOf)) {
    delete all["oneOf"];
    delete all["discriminator"];
    all["anyOf"] = oneOf;
  }
  if (Array.isArray(all["enum"]) && "const" in all) delete all["enum"];
  // Its size says whether others may follow.
  if (Array.isArray(all["prefixItems"])) delete all["items"];
  // Its pattern says more.
  if (typeof all["format"] === "string") delete all["format"];
  const [value, nothing, ...others] = Array.isArray(all["anyOf"]) ? (all["anyOf"] as JsonSchema[]) : [];
  if (value === undefined || nothing?.type !== "null" || others.length > 0) return all;
  delete all["anyOf"];
  const type = [value.type ?? [], "null"].flat();
  return { ...value, ...all, type, ...(value.enum !== undefined && { enum: [...value.enum, null] }) };
}
