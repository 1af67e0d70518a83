import type * as z from "zod";
import { MAX_FINDINGS } from "../findings/cap.ts";
import { finding, nearest, type Finding, type Place } from "../findings/finding.ts";
import { isExact } from "../json/exact.ts";
import { fieldName, nodeAt, valueOf, type Member, type Node, type Path } from "../json/node.ts";
import { placeOf, type SourceText } from "../json/place.ts";
import { definitionOf, derivedFields, formatOf, ids, nullables, schemaAt, within } from "../page/field.ts";
import { formats, type Format } from "../page/formats.ts";
import { LIVE_FIELDS } from "../page/live.ts";
import { meantBy, TEXT_NAMES } from "../page/names.ts";
import { HISTORY, SITE } from "../page/files.ts";
import { historySchema } from "../page/history.ts";
import { commonSchema, typesWith } from "../page/page.ts";
import { siteSchema } from "../page/site.ts";
import { rowOf } from "../page/types.ts";
import { exampleFor } from "./examples.ts";

/**
 * Maximum number of a file's issues that become findings; the rest are counted. Each is located from the top of the
 * file, which takes time.
 */
export const MAX_ISSUES = 1000;

/** Maximum length, in UTF-16 units, of a value that a hint suggests: people do not type longer ones from a hint. */
const MAX_SUGGESTED = 300;

/** Removes `$schema`, which is for text editors; the build ignores it. */
export function withoutSchemaKey(value: unknown): unknown {
  const { $schema: _, ...rest } = value as Record<string, unknown>;
  return rest;
}

/** The findings of a schema's issue: one per mistake. */
export function* fromIssue(
  source: SourceText,
  root: Node,
  schema: z.ZodType,
  issue: z.core.$ZodIssue,
): Generator<Finding> {
  const { path } = issue;
  const at = nodeAt(root, path);
  const field = fieldName(path);
  if (issue.code === "unrecognized_keys") {
    if (at.node.type !== "object") return;
    const known = Object.keys(shapeAt(schema, path));
    const whole = schema === siteSchema ? SITE : schema === historySchema ? HISTORY : "a page of this type";
    const owner = path.length === 0 ? whole : `“${field}”`;
    const unknown = new Set(issue.keys);
    let listed = 0;
    for (const member of at.node.members) {
      if (!unknown.has(member.key)) continue;
      if (field === "meta" && (LIVE_FIELDS as readonly string[]).includes(member.key)) {
        const of = `meta.${member.key}`;
        yield finding("home-dates", { field: of }, placeOf(source, member.keyStart, member.keyEnd));
        continue;
      }
      const like = listed++ < MAX_FINDINGS ? meant(schema, path, member.key, known) : undefined;
      const place = placeOf(source, member.keyStart, member.keyEnd);
      const why = path.length === 0 && schema !== siteSchema ? whyUnknown(schema, member.key) : undefined;
      const other = why === "text" ? undefined : meantBy(member.key);
      const name = why === undefined ? like : other;
      const of = name === undefined ? undefined : schemaAt(schema, [...path, name]);
      const example =
        of === undefined || of.safeParse(valueOf(member.value)).success
          ? undefined
          : exampleFor(of, member.value);
      yield finding("unknown-field", { field: member.key, nearest: name, owner, why, example }, place);
    }
    return;
  }
  const schemaHere = schemaAt(schema, path);
  if (!at.found) {
    const missing = String(path.at(-1));
    if (misspelt(at.node, missing, Object.keys(shapeAt(schema, path.slice(0, -1)))) !== undefined) return;
    yield finding("missing-field", { field, expected: exampleOf(schemaHere) }, opening(source, at.node));
    return;
  }
  const mark = schemaHere && derivedFields.get(schemaHere);
  if (mark) {
    const place = at.member
      ? placeOf(source, at.member.keyStart, at.member.keyEnd)
      : wholeOf(source, at.node);
    yield finding("derived-field", { field, from: mark.row.from }, place);
    return;
  }
  const place = wholeOf(source, at.node);
  const { node } = at;
  // A number that cannot be stored exactly already has a finding.
  if (node.type === "number" && !isExact(source.text.slice(node.start, node.end), node.value)) return;
  if (node.type === "number" && schemaHere && ids.has(schemaHere)) {
    yield finding("bad-id", { field, found: String(node.value) }, place);
  } else if (node.type === "string" && issue.code === "custom") {
    const form = schemaHere && formatOf.get(schemaHere)?.format;
    const orNull = schemaHere !== undefined && nullables.has(schemaHere);
    if (node.value === "" || form === undefined) {
      const text = form ? formats[form].expected : "a text";
      yield finding("empty-field", { field, expected: orNull ? `${text}, or null` : text }, place);
    } else {
      const { expected: general, expectedFor, example, correctionOf, otherOf }: Format = formats[form];
      const expected = expectedFor?.(node.value) ?? general;
      const suggested = correctionOf?.(node.value);
      const isHelp =
        suggested !== undefined && suggested.length <= MAX_SUGGESTED && formats[form].matches(suggested);
      const right = isHelp ? suggested : undefined;
      const args = {
        field,
        found: node.value,
        expected,
        example: right ?? example,
        isSame: right !== undefined,
        other: otherOf?.(node.value),
      };
      yield finding("bad-form", args, place);
    }
  } else {
    const args = {
      field,
      found: found(node),
      expected: kindOf(schemaHere),
      example: exampleFor(schemaHere, node),
    };
    yield finding("wrong-type", args, place);
  }
}

/**
 * The reason why a page cannot have a field, if its type has only the common fields: such a page has no text, or only the
 * listed types have the field.
 */
function whyUnknown(schema: z.ZodType, key: string): "text" | { type: string; label: string }[] | undefined {
  if (Object.keys(shapeAt(schema, [])).length > Object.keys(commonSchema.shape).length) return undefined;
  if (TEXT_NAMES.test(key)) return "text";
  const types = typesWith(meantBy(key) ?? key);
  return types.length === 0 ? undefined : types.map((type) => ({ type, label: rowOf(type).label }));
}

/** The intended field: a field of `meta` that was written outside of it, or the likeliest known field. */
function meant(schema: z.ZodType, path: Path, key: string, known: string[]): string | undefined {
  const inMeta = path.length === 0 ? shapeAt(schema, ["meta"]) : {};
  const field = Object.hasOwn(inMeta, key) ? inMeta[key] : undefined;
  if (field !== undefined && !derivedFields.has(field)) return `meta.${key}`;
  return likeliest(key, known);
}

/** The field for which people use this name, or else the field with the nearest name. */
function likeliest(key: string, known: readonly string[]): string | undefined {
  const other = meantBy(key);
  return other !== undefined && known.includes(other) ? other : nearest(key, known);
}

/** The member that is a misspelled form of a missing field. Only the misspelled name is reported. */
export function misspelt(owner: Node, missing: string, known: readonly string[]): Member | undefined {
  if (owner.type !== "object" || owner.members.length > MAX_FINDINGS) return undefined;
  return owner.members.find(({ key }) => !known.includes(key) && likeliest(key, known) === missing);
}

export const shapeAt = (schema: z.ZodType, path: Path): Record<string, z.ZodType> => {
  const definition = definitionOf(schemaAt(schema, path) ?? schema);
  return definition.type === "object" ? definition.shape : {};
};

export const wholeOf = (source: SourceText, node: Node): Place => placeOf(source, node.start, node.end);
export const opening = (source: SourceText, node: Node): Place => placeOf(source, node.start, node.start + 1);

export function found(node: Node): string {
  switch (node.type) {
    case "object":
      return "an object";
    case "array":
      return "a list";
    case "string":
      return node.value === ""
        ? "an empty text"
        : `the text “${node.value.length > 40 ? `${node.value.slice(0, 37)}…` : node.value}”`;
    case "number":
      return `the number ${node.value}`;
    default:
      return String(node.value);
  }
}

function kindOf(schema: z.ZodType | undefined): string {
  if (schema === undefined) return "another value";
  const definition = definitionOf(within(schema));
  switch (definition.type) {
    case "string":
      return "a text in quotation marks";
    case "number":
      return ids.has(schema) || (schema.def !== undefined && "format" in schema.def)
        ? "a whole number"
        : "a number";
    case "boolean":
      return "true or false";
    case "array":
      return "a list in square brackets";
    case "tuple":
      return 'a list of three: width, range and address, such as [600, "0-599", "/a.jpg"]';
    case "null":
      return "null";
    default:
      return "an object in curly brackets";
  }
}

function exampleOf(schema: z.ZodType | undefined): string {
  const form = schema && formatOf.get(schema)?.format;
  if (form !== undefined) return `"${formats[form].example}"`;
  if (schema !== undefined && ids.has(schema)) return "a positive whole number";
  return kindOf(schema);
}
