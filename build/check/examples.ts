import type { Example } from "../findings/catalogue/wrong-type.ts";
import { argument } from "../findings/printable.ts";
import { isObject } from "../json/object.ts";
import { listName } from "../page/field.ts";
import type { ValueModel } from "../page/model.ts";

/** Maximum length, in UTF-16 units, of a text that an example repeats, so that a hint remains one sentence. */
const MAX_EXAMPLE_LENGTH = 200;

/**
 * An example of an object, or of a list of objects, if the field requires one and the source has another value;
 * otherwise undefined.
 */
export function exampleFor(model: ValueModel | undefined, value: unknown): Example | undefined {
  if (model?.kind === "list") {
    const one = exampleFor(model.element, Array.isArray(value) ? (value[0] ?? value) : value);
    return one && { ...one, written: `[${one.written}]` };
  }
  if (model?.kind !== "object" || isObject(value)) return undefined;
  const { identity } = model;
  const [name] = identity?.values ?? [];
  const fields = [...model.fields].filter(([field, { isRequired }]) =>
    identity === undefined ? isRequired : field === identity.key || identity.values.includes(field),
  );
  const text = typeof value === "string" && value.length <= MAX_EXAMPLE_LENGTH ? value : undefined;
  const members = fields.map(([field]) => {
    const isNumber = field === identity?.key && typeof value === "number";
    const written = isNumber ? String(value) : field === name && text ? JSON.stringify(text) : "…";
    return `"${field}": ${written}`;
  });
  const written = `{${members.join(", ")}}`;
  if (identity === undefined || !written.includes("…")) return { written };
  const word = text !== undefined && /^[\w ./-]{1,40}$/.test(text) ? text : "";
  return { written, list: `${listName(identity)}${word === "" ? "" : ` ${argument(word)}`}` };
}
