import { MAX_FINDINGS, nearest, type FieldMistake } from "../findings/finding.ts";
import type { Args } from "../findings/catalogue/index.ts";
import type { Example } from "../findings/catalogue/fields.ts";
import { argument } from "../findings/printable.ts";
import { describeValue, isObject, type JsonObject } from "../source/json/object.ts";
import { listName } from "../model/field.ts";
import type { Format } from "../model/formats.ts";
import {
  formatOf,
  valueIn,
  type Limits,
  type NumberValue,
  type ObjectValue,
  type ValueModel,
} from "../model/model.ts";
import {
  hasImages,
  mediaProblem,
  ownImage,
  withoutDots,
  writtenAs,
  type MediaSite,
  type OwnImages,
} from "../model/media.ts";
import { meantBy } from "../model/names.ts";

/** Maximum length, in UTF-16 units, of a value that a hint suggests: people do not type longer ones from a hint. */
const MAX_SUGGESTED = 300;

export function mistakeIn(model: ValueModel, value: unknown, field: string): FieldMistake {
  if (model.kind === "derived") return { code: "derived-field", args: { field, from: model.row.from } };
  if (model.kind === "number" && model.isId && typeof value === "number")
    return { code: "bad-id", args: { field, found: String(value) } };
  if (model.kind === "block" && isObject(value) && typeof value["type"] === "string") {
    const known = [...model.variants.keys()];
    return {
      code: "unknown-block",
      args: { field, found: value["type"], nearest: nearest(value["type"], known), known },
    };
  }
  if (model.kind === "list" && Array.isArray(value)) {
    if (value.length === 0 && model.isRequired)
      return { code: "empty-field", args: { field, expected: "at least one element" } };
    return outOfRange(field, value.length, "elements", model);
  }
  if (model.kind === "open" && value === null && model.isRequired)
    return { code: "empty-field", args: { field, expected: "any other value" } };
  if (model.kind === "text" && typeof value === "string") {
    const format = formatOf(model);
    if (value === "") {
      const text = format?.expected ?? "a text";
      return {
        code: "empty-field",
        args: { field, expected: model.isNullable ? `${text}, or null` : text },
      };
    }
    if (value.length > (model.max ?? Infinity)) return outOfRange(field, value.length, "characters", model);
    if (format !== undefined)
      return { code: "bad-form", args: { field, found: value, ...adviceFor(format, value) } };
  }
  if (
    (model.kind === "number" && typeof value === "number") ||
    (model.kind === "text" && typeof value === "string")
  ) {
    const { choices } = model;
    if (choices !== undefined) {
      const known = choices.values.map(String);
      const found = String(value);
      return { code: "unknown-value", args: { field, found, nearest: nearest(found, known), known } };
    }
    if (model.kind === "number" && typeof value === "number" && isOfKind(model, value))
      return outOfRange(field, value, "value", model);
  }
  const type = model.kind === "block" && isObject(value) ? (value["type"] ?? "") : undefined;
  const args = {
    field,
    found: type === undefined ? describeValue(value) : `an object whose “type” is ${describeValue(type)}`,
    expected: kindOf(model),
    example: exampleFor(model, value),
  };
  return { code: "wrong-type", args };
}

const isOfKind = ({ isInteger }: NumberValue, value: number): boolean =>
  isInteger ? Number.isSafeInteger(value) : Number.isFinite(value);

const outOfRange = (
  field: string,
  found: number,
  of: Args<"out-of-range">["of"],
  { min, max }: Limits,
): FieldMistake => ({ code: "out-of-range", args: { field, found, of, min, max } });

function adviceFor(
  { expected, expectedFor, example, correctionOf, otherOf, matches }: Format,
  text: string,
): Pick<Args<"bad-form">, "expected" | "example" | "isSame" | "other"> {
  const suggested = correctionOf?.(text);
  const isHelp = suggested !== undefined && suggested.length <= MAX_SUGGESTED && matches(suggested);
  return {
    expected: expectedFor?.(text) ?? expected,
    example: isHelp ? suggested : example,
    isSame: isHelp,
    other: otherOf?.(text),
  };
}

const namesIn = ({ fields }: ObjectValue): string[] => [...fields.keys()];

/** The field for which people use this name, or else the field with the nearest name. */
export function likeliest(name: string, known: readonly string[]): string | undefined {
  const other = meantBy(name);
  return other !== undefined && known.includes(other) ? other : nearest(name, known);
}

/** The misspelled form of a missing field; only this name is reported. */
export function misspelt(owner: JsonObject, missing: string, known: readonly string[]): string | undefined {
  const names = Object.keys(owner);
  if (names.length > MAX_FINDINGS) return undefined;
  // Every source may have a `$schema`.
  return names.find(
    (name) => name !== "$schema" && !known.includes(name) && likeliest(name, known) === missing,
  );
}

/** Undefined if a misspelled name of the field is reported instead. */
export function missingIn(
  owner: JsonObject,
  of: ObjectValue,
  name: string,
  field: string,
): FieldMistake | undefined {
  if (misspelt(owner, name, namesIn(of)) !== undefined) return undefined;
  return { code: "missing-field", args: { field, expected: exampleOf(of.fields.get(name)) } };
}

function kindOf(model: ValueModel): string {
  switch (model.kind) {
    case "text":
      return "a text in quotation marks";
    case "number":
      return model.isInteger ? "a whole number" : "a number";
    case "boolean":
      return "true or false";
    case "list":
      return "a list in square brackets";
    case "block":
      return `an object with "type", "value" and "id"`;
    case "tuple":
      return 'a list of three: width, range and address, such as [600, "0-599", "/a.jpg"]';
    case "open":
      return model.of === "object" ? "an object in curly brackets" : "a list in square brackets";
    default:
      return "an object in curly brackets";
  }
}

function exampleOf(model: ValueModel | undefined): string {
  if (model === undefined) return "another value";
  const format = model.kind === "text" ? formatOf(model) : undefined;
  if (format !== undefined) return `"${format.example}"`;
  if ((model.kind === "text" || model.kind === "number") && model.choices !== undefined)
    return JSON.stringify(model.choices.values[0]);
  return model.kind === "number" && model.isId ? "a positive whole number" : kindOf(model);
}

/** Maximum number of images among which the nearest is searched. */
const MAX_COMPARED = 2000;

/** The address of the image has the right format. */
export function mediaMistake(address: string, media: MediaSite): FieldMistake | undefined {
  if (media.media_url === "") return undefined;
  switch (mediaProblem(address, media)) {
    case "outside":
      return { code: "outside-media", args: { found: address, media: media.media_url } };
    case "missing":
      return hasImages(media) ? missingImage(address, media) : undefined;
    case "detour":
      return { code: "unlikely-path", args: { found: address, right: withoutDots(address, media) } };
    default:
      return undefined;
  }
}

function missingImage(address: string, media: MediaSite & { images: OwnImages }): FieldMistake {
  const { base, paths } = media.images;
  const path = ownImage(address, media);
  const like = path === undefined || paths.size > MAX_COMPARED ? undefined : nearest(path, paths.keys());
  return {
    code: "media-missing",
    args: { found: address, path, base, nearest: like && writtenAs(like, address, media) },
  };
}

export function unknownName(
  of: ObjectValue,
  owner: string,
  name: string,
  value: unknown,
  close: string | undefined,
  why?: "text" | { type: string; label: string }[],
): FieldMistake {
  const field = close === undefined ? undefined : valueIn(of, [close]);
  const example = Array.isArray(value) && value.length === 0 ? undefined : exampleFor(field, value);
  return { code: "unknown-field", args: { field: name, nearest: close, owner, why, example } };
}

/** Maximum length, in UTF-16 units, of a text that an example repeats, so that a hint remains one sentence. */
const MAX_EXAMPLE_LENGTH = 200;

/** For an object or a list of objects that the field requires, if the source has another value. */
function exampleFor(model: ValueModel | undefined, value: unknown): Example | undefined {
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
