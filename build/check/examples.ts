import type * as z from "zod";
import type { Example } from "../findings/catalogue/wrong-type.ts";
import { argument } from "../findings/printable.ts";
import type { Node } from "../json/node.ts";
import { definitionOf, identities, listName, within } from "../page/field.ts";

/** Maximum length, in UTF-16 units, of a text that an example repeats, so that a hint remains one sentence. */
const MAX_EXAMPLE_LENGTH = 200;

/**
 * An example of an object, or of a list of objects, if the schema requires one and the source has another value;
 * otherwise undefined.
 */
export function exampleFor(schema: z.ZodType | undefined, node: Node): Example | undefined {
  const at = schema && within(schema);
  const definition = at && definitionOf(at);
  if (definition?.type === "array") {
    const one = exampleFor(definition.element, node.type === "array" ? (node.items[0] ?? node) : node);
    return one && { ...one, written: `[${one.written}]` };
  }
  if (at === undefined || definition?.type !== "object" || node.type === "object") return undefined;
  const identity = identities.get(at);
  const [name] = identity?.values ?? [];
  const fields = Object.entries(definition.shape).filter(([field, of]) =>
    identity === undefined
      ? !of.safeParse(undefined).success
      : field === identity.key || identity.values.includes(field),
  );
  const text = node.type === "string" && node.value.length <= MAX_EXAMPLE_LENGTH ? node.value : undefined;
  const members = fields.map(([field]) => {
    const isNumber = field === identity?.key && node.type === "number";
    const value = isNumber ? String(node.value) : field === name && text ? JSON.stringify(text) : "…";
    return `"${field}": ${value}`;
  });
  const written = `{${members.join(", ")}}`;
  if (identity === undefined || !written.includes("…")) return { written };
  const word = text !== undefined && /^[\w ./-]{1,40}$/.test(text) ? text : "";
  return { written, list: `${listName(identity)}${word === "" ? "" : ` ${argument(word)}`}` };
}
