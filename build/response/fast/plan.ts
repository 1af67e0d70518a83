import * as z from "zod";
import {
  definitionOf,
  derivedFields,
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
import type { FormName } from "../../page/forms.ts";
import { rulesFor, type Rule } from "../../page/rules.ts";
import { bytesOf } from "./bytes.ts";
import { KeyTable } from "./keys.ts";
import { Repeats } from "./repeats.ts";

/**
 * The schema of a source, compiled for the transcoder: what may stand where, and in which order what is printed.
 * Nothing is stated here that the schema does not say.
 */
export type ValuePlan = ObjectPlan | ArrayPlan | TuplePlan | StringPlan | NumberPlan | WordPlan | OtherPlan;

export const OBJECT = 0;
export const ARRAY = 1;
export const STRING = 2;
export const NUMBER = 3;
export const TUPLE = 4;
/** One of few values that are written in one way. */
export const LITERAL = 5;
/** What the transcoder does not know: the page is left to the other lane. */
export const UNKNOWN = 6;

export interface ObjectPlan {
  kind: typeof OBJECT;
  /** What may be written. */
  fields: FieldPlan[];
  byName: Map<string, FieldPlan>;
  keys: KeyTable;
  /** What is printed, in order. */
  steps: Step[];
  /** The bytes that its printing can take beside the values that were written. */
  fixed: number;
  /** The slots of the fields that must be there. */
  required: number[];
  /** The rules between its fields. */
  rules: RulePlan[];
  /** What it speaks of, where other pages speak of the same: the fields of its claim. */
  claim: { identity: Identity; key: FieldPlan; values: FieldPlan[] } | undefined;
  /** Of objects of one level that are the same on many pages. */
  repeats: Repeats | undefined;
  /** By which fields are there. */
  templates: Templates;
  /** The one used last. */
  lastMask: number;
  lastTemplate: Template | undefined;
}

export interface RulePlan {
  holds: Rule["holds"];
  fields: FieldPlan[];
  /** By field: its value where it was left out. */
  leftOut: unknown[];
}

/** All that is printed of an object that has certain fields: last, a piece that only ends it. */
export type Template = Piece[];

export interface Piece {
  /** What stands before the value. */
  before: DataView;
  /** That of the value's plan, or one of the kinds below. */
  kind: number;
  /** Of what is derived. */
  name: string;
  /** Of what was written. */
  field: FieldPlan | undefined;
  slot: number;
}

/** A field that is derived from others. */
export const DERIVED = 8;
/** A field that was left out, and has no value that is the same for all. */
export const MISSING = 9;
/** Nothing: the object ends here. */
export const END = 10;

/** A tree by groups of 30 bits. */
export interface Templates {
  next: Map<number, Templates>;
  template: Template | undefined;
}

const newTemplates = (): Templates => ({ next: new Map(), template: undefined });

export function nextTemplates(templates: Templates, bits: number): Templates {
  let next = templates.next.get(bits);
  if (next === undefined) templates.next.set(bits, (next = newTemplates()));
  return next;
}

export function makeTemplate(plan: ObjectPlan, isThere: (field: FieldPlan) => boolean): Template {
  const template: Template = [];
  let before: string[] = [];
  for (const step of plan.steps) {
    const { field, leftOut, prefix, name } = step;
    const isLeftOut = field !== undefined && !isThere(field);
    if (isLeftOut && leftOut !== undefined) before.push(leftOut);
    else {
      const kind = field === undefined ? DERIVED : isLeftOut ? MISSING : field.kind;
      template.push(pieceOf([...before, prefix], kind, name, field));
      before = [];
    }
  }
  template.push(pieceOf([...before, "}"], END, "", undefined));
  return template;
}

function pieceOf(before: string[], kind: number, name: string, field: FieldPlan | undefined): Piece {
  return { before: bytesOf(before.join("")), kind, name, field, slot: field?.slot ?? 0 };
}

export interface FieldPlan {
  name: string;
  /** Where its place is kept, counted from the object's frame. */
  slot: number;
  plan: ValuePlan;
  /** The plan's. Read here, it is found at once: plans of seven shapes have theirs in seven places. */
  kind: ValuePlan["kind"];
}

export interface Step {
  name: string;
  /** The comma or brace, the key and the colon. */
  prefix: string;
  /** Absent where the field is derived. */
  field: FieldPlan | undefined;
  /** `prefix` and the value of a field that was left out; absent where it is required or derived. */
  leftOut: string | undefined;
}

export interface ArrayPlan {
  kind: typeof ARRAY;
  element: ValuePlan;
}

export interface TuplePlan {
  kind: typeof TUPLE;
  items: ValuePlan[];
}

export interface StringPlan {
  kind: typeof STRING;
  form: FormName | undefined;
  /** The text must not be empty. */
  required: boolean;
  html: boolean;
  nullable: boolean;
  occurring: readonly (string | number)[] | undefined;
  /** It is judged as a text that people read as it is written. */
  plain: boolean;
  title: boolean;
}

export interface NumberPlan {
  kind: typeof NUMBER;
  integer: boolean;
  id: boolean;
  occurring: readonly (string | number)[] | undefined;
}

export interface WordPlan {
  kind: typeof LITERAL;
  /** What may stand here, as it is written without escapes. */
  word: Uint8Array;
  /** What may stand here where it begins with an f: of a boolean `false`, of all others the same word. */
  orFalse: Uint8Array;
}

export interface OtherPlan {
  kind: typeof UNKNOWN;
}

/** Two ints (start and end) for each field. */
export const SLOT_SIZE = 2;
/** Before the slots of an object: the frame of the next element of its list, and its number in `repeats` plus one. */
export const FRAME_HEAD = 2;

const encoder = new TextEncoder();

export function planOf(schema: z.ZodType): ValuePlan {
  const at = within(schema);
  const definition = definitionOf(at);
  // Of an unspecified field only the value that it has where it is left out is known.
  if (unspecified.has(at)) return wordPlan(printDefault(schema));
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
      return wordPlan(JSON.stringify(definition.values[0]));
    case "number": {
      const isInteger = "format" in at.def;
      return { kind: NUMBER, integer: isInteger, id: ids.has(at), occurring: occurring.get(at)?.values };
    }
    case "boolean":
      return wordPlan("true", "false");
    default:
      return { kind: UNKNOWN };
  }
}

const wordPlan = (word: string, orFalse = word): WordPlan => ({
  kind: LITERAL,
  word: encoder.encode(word),
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

function objectPlan(shape: Record<string, z.ZodType>, identity?: Identity): ObjectPlan {
  const fields: FieldPlan[] = [];
  const required: number[] = [];
  const steps: Step[] = [];
  let fixed = 2;
  for (const [name, schema] of Object.entries(shape)) {
    const prefix = `${steps.length === 0 ? "{" : ","}${JSON.stringify(name)}:`;
    fixed += Buffer.byteLength(prefix);
    if (derivedFields.has(schema)) {
      steps.push({ name, prefix, field: undefined, leftOut: undefined });
      continue;
    }
    const isOptional = definitionOf(schema).type === "optional";
    const isRequired = !isOptional && !schema.safeParse(undefined).success;
    const slot = FRAME_HEAD + SLOT_SIZE * fields.length;
    const plan = planOf(schema);
    const field: FieldPlan = { name, slot, plan, kind: plan.kind };
    fields.push(field);
    if (isRequired) required.push(slot);
    const empty = isRequired || isOptional ? undefined : printDefault(schema);
    const leftOut = empty === undefined ? undefined : prefix + empty;
    fixed += Buffer.byteLength(leftOut ?? "");
    steps.push({ name, prefix, field, leftOut });
  }
  const rules = rulesFor(shape).map(({ holds, fields: names }): RulePlan => {
    const read = names.map((name) => named(fields, name));
    if (!read.every(({ plan }) => isReadable(plan)))
      throw new Error(`a rule cannot read ${names.join(", ")}`);
    return { holds, fields: read, leftOut: names.map((name) => shape[name]?.safeParse(undefined).data) };
  });
  const claim = identity && {
    identity,
    key: named(fields, identity.key),
    values: identity.values.map((name) => named(fields, name)),
  };
  const byName = new Map(fields.map((field) => [field.name, field]));
  return {
    kind: OBJECT,
    fields,
    byName,
    keys: new KeyTable([...byName.keys()]),
    steps,
    fixed,
    required,
    rules,
    claim,
    repeats: claim && fields.every(isFlat) ? new Repeats(SLOT_SIZE * fields.length) : undefined,
    templates: newTemplates(),
    lastMask: 0,
    lastTemplate: undefined,
  };
}

/** Whether a value holds no objects: of those that are known again, only their heads are at hand. */
const isReadable = (plan: ValuePlan): boolean =>
  plan.kind === ARRAY
    ? isReadable(plan.element)
    : plan.kind === TUPLE
      ? plan.items.every(isReadable)
      : plan.kind === STRING || plan.kind === NUMBER || plan.kind === LITERAL;

const isFlat = ({ kind }: FieldPlan): boolean => kind !== OBJECT && kind !== ARRAY && kind !== TUPLE;

function named(fields: FieldPlan[], name: string): FieldPlan {
  const field = fields.find((f) => f.name === name);
  if (field === undefined) throw new Error(`there is no field ${name} that a source may have`);
  return field;
}

/** The value of a field that was left out, in the response's order; none of them holds a derived field. */
const printDefault = (schema: z.ZodType): string => JSON.stringify(schema.parse(undefined));
