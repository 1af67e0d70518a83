import * as z from "zod";
import type { Derivation } from "../../page/derive.ts";
import {
  definitionOf,
  derivedFields,
  fallbacks,
  formOf,
  htmlFields,
  identities,
  ids,
  isPlainText,
  isTitle,
  occurring,
  unspecified,
  within,
  type Identity,
} from "../../page/field.ts";
import { rulesFor } from "../../page/rules.ts";
import { published } from "../render.ts";
import { bytesOf } from "./bytes.ts";
import { InternedObjects } from "./interned.ts";
import { KeyTable } from "./keys.ts";
import {
  ARRAY,
  LITERAL,
  NUMBER,
  OBJECT,
  RECORD_HEAD,
  SLOT_SIZE,
  STRING,
  TUPLE,
  UNKNOWN,
  type CopyPlan,
  type DerivedPlan,
  type EachPlan,
  type FieldPlan,
  type LiteralPlan,
  type ObjectPlan,
  type ReadPlan,
  type Step,
  type StringPlan,
  type ValuePlan,
} from "./plan.ts";
import { newTemplates } from "./template.ts";

type Shape = Record<string, z.ZodType>;

const encoder = new TextEncoder();

/** zod makes code of an object's schema where it is first used; for so few questions that takes longer than the answers. */
const WITHOUT_CODE = { jitless: true };

/** What a field is where it is left out, if it may be. */
const omitted = (schema: z.ZodType | undefined) => schema?.safeParse(undefined, WITHOUT_CODE);

/** The plan of a source's schema. Nothing is stated here that the schema and the rows in `page/` do not say. */
export function planOf(schema: z.ZodType): ValuePlan {
  const at = within(schema);
  const definition = definitionOf(at);
  // Of an unspecified field only the value that it has where it is left out is known.
  if (unspecified.has(at)) return literalPlan(JSON.stringify(schema.parse(undefined)));
  switch (definition.type) {
    case "object":
      return objectPlan(definition.shape, identities.get(at));
    case "array":
      return { kind: ARRAY, element: planOf(definition.element) };
    case "tuple":
      return { kind: TUPLE, items: definition.items.map(planOf) };
    case "string":
      return stringPlan(schema, at);
    case "literal":
      return literalPlan(JSON.stringify(definition.values[0]));
    case "number": {
      const isInteger = "format" in at.def;
      return { kind: NUMBER, integer: isInteger, id: ids.has(at), occurring: occurring.get(at)?.values };
    }
    case "boolean":
      return literalPlan("true", "false");
    default:
      return { kind: UNKNOWN };
  }
}

const literalPlan = (literal: string, orFalse = literal): LiteralPlan => ({
  kind: LITERAL,
  literal: encoder.encode(literal),
  orFalse: encoder.encode(orFalse),
});

const stringPlan = (schema: z.ZodType, at: z.ZodType): StringPlan => ({
  kind: STRING,
  form: formOf.get(at)?.form,
  required: !at.safeParse("").success,
  html: htmlFields.has(at),
  nullable: schema.safeParse(null).success,
  occurring: occurring.get(at)?.values,
  plain: isPlainText(at),
  title: isTitle(at),
});

function objectPlan(shape: Shape, identity?: Identity): ObjectPlan {
  const fields: FieldPlan[] = [];
  const required: number[] = [];
  for (const [name, schema] of Object.entries(shape)) {
    if (derivedFields.has(schema)) continue;
    const slot = RECORD_HEAD + SLOT_SIZE * fields.length;
    const plan = planOf(schema);
    fields.push({ name, slot, plan, kind: plan.kind });
    // What is published where it was left out, and is not the same on all pages, the full path has to print.
    if (omitted(schema)?.success !== true || dependsOnPlace(schema)) required.push(slot);
  }
  const steps = stepsOf(shape, fields);
  const rules = rulesFor(shape).map(({ holds, fields: names }) => ({
    holds,
    read: readPlan(shape, fields, names),
  }));
  const claim = identity && {
    identity,
    key: named(fields, identity.key),
    values: identity.values.map((name) => named(fields, name)),
  };
  const byName = new Map(fields.map((field) => [field.name, field]));
  const isInterned =
    claim !== undefined && fields.every(isFlat) && steps.every(({ derived }) => derived?.kind !== "place");
  return {
    kind: OBJECT,
    fields,
    byName,
    keys: new KeyTable([...byName.keys()]),
    steps,
    fixed: steps.reduce((sum, { prefix, leftOut = "" }) => sum + Buffer.byteLength(prefix + leftOut), 2),
    required,
    rules,
    claim,
    interned: isInterned ? new InternedObjects(SLOT_SIZE * fields.length) : undefined,
    templates: newTemplates(),
    lastMask: 0,
    lastTemplate: undefined,
  };
}

function stepsOf(shape: Shape, fields: FieldPlan[]): Step[] {
  return Object.entries(shape).map(([name, schema], k) => {
    const prefix = `${k === 0 ? "{" : ","}${JSON.stringify(name)}:`;
    const field = fields.find((f) => f.name === name);
    const row = derivedFields.get(schema)?.row ?? fallbacks.get(schema);
    const derived = row && derivedPlan(row, shape, fields);
    const empty = row === undefined ? printDefault(schema) : undefined;
    if (empty === undefined && row === undefined && omitted(schema)?.success === true)
      throw new Error(`nothing is known to print for ${name} where it is left out`);
    return { prefix, field, derived, leftOut: empty === undefined ? undefined : prefix + empty };
  });
}

function derivedPlan(row: Derivation, shape: Shape, fields: FieldPlan[]): DerivedPlan {
  switch (row.kind) {
    case "constant":
      return { kind: "constant", printed: bytesOf(JSON.stringify(row.value)) };
    case "place":
      return { kind: "place", part: row.part };
    case "copy":
      return copyPlan(row.path, shape, fields);
    case "each":
      return eachPlan(row.list, row.field, shape, fields);
    default:
      return { kind: "text", read: readPlan(shape, fields, row.fields), text: row.text };
  }
}

function copyPlan(names: readonly string[], shape: Shape, fields: FieldPlan[]): CopyPlan {
  const path: FieldPlan[] = [];
  const leftOut: CopyPlan["leftOut"] = [];
  let at = { shape, fields };
  for (const [k, name] of names.entries()) {
    const field = named(at.fields, name);
    path.push(field);
    const empty = omitted(at.shape[name])?.data;
    const value = names.slice(k + 1).reduce((inner, key) => (inner as Record<string, unknown>)?.[key], empty);
    leftOut.push(value === undefined ? undefined : bytesOf(JSON.stringify(value)));
    if (k < names.length - 1) at = { shape: shapeOf(at.shape[name]), fields: objectOf(field.plan).fields };
    else if (!isReadable(field.plan)) throw new Error(`no field can copy ${names.join(".")}`);
  }
  return { kind: "copy", path, leftOut };
}

function eachPlan(list: string, name: string, shape: Shape, fields: FieldPlan[]): EachPlan {
  const listField = named(fields, list);
  const definition = definitionOf(within(shape[list] as z.ZodType));
  if (listField.plan.kind !== ARRAY || definition.type !== "array") throw new Error(`${list} is no list`);
  const element = objectOf(listField.plan.element);
  const field = named(element.fields, name);
  if (!isFlat(field)) throw new Error(`no field can list the ${name} of ${list}`);
  const empty = printDefault(shapeOf(definition.element)[name] as z.ZodType);
  return {
    kind: "each",
    list: listField,
    element,
    field,
    leftOut: empty === undefined ? undefined : bytesOf(empty),
  };
}

function readPlan(shape: Shape, fields: FieldPlan[], names: readonly string[]): ReadPlan {
  const read = names.map((name) => named(fields, name));
  if (!read.every(({ plan }) => isReadable(plan)))
    throw new Error(`neither a rule nor a derived field can read ${names.join(", ")}`);
  return { fields: read, leftOut: names.map((name) => omitted(shape[name])?.data) };
}

const shapeOf = (schema: z.ZodType | undefined): Shape => {
  const definition = schema && definitionOf(within(schema));
  return definition?.type === "object" ? definition.shape : {};
};

function objectOf(plan: ValuePlan): ObjectPlan {
  if (plan.kind !== OBJECT) throw new Error("a derived field looks for fields where there is no object");
  return plan;
}

/** Whether a value holds no objects: of interned ones only their heads are at hand. */
const isReadable = (plan: ValuePlan): boolean =>
  plan.kind === ARRAY
    ? isReadable(plan.element)
    : plan.kind === TUPLE
      ? plan.items.every(isReadable)
      : plan.kind === STRING || plan.kind === NUMBER || plan.kind === LITERAL;

const isFlat = ({ kind }: FieldPlan): boolean => kind === STRING || kind === NUMBER || kind === LITERAL;

function named(fields: FieldPlan[], name: string): FieldPlan {
  const field = fields.find((f) => f.name === name);
  if (field === undefined) throw new Error(`there is no field ${name} that a source may have`);
  return field;
}

/** A field that was left out; undefined where it is required. */
function printDefault(schema: z.ZodType): string | undefined {
  const data = omitted(schema)?.data;
  return data === undefined ? undefined : published(schema, data, NO_PAGE);
}

/** For what depends on no page. */
const NO_PAGE = { placement: { response: "", address: "", slug: "", parent: null }, media: "" };

function dependsOnPlace(schema: z.ZodType): boolean {
  const definition = definitionOf(within(schema));
  return (
    definition.type === "object" &&
    Object.values(definition.shape).some(
      (field) => derivedFields.get(field)?.row.kind === "place" || dependsOnPlace(field),
    )
  );
}
