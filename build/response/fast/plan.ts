import type { Placement, TextOf } from "../../page/derive.ts";
import type { Identity } from "../../page/field.ts";
import type { FormName } from "../../page/forms.ts";
import type { Rule } from "../../page/rules.ts";
import type { InternedObjects } from "./interned.ts";
import type { KeyTable } from "./keys.ts";

/** What `compile.ts` makes of a schema: what may stand where, and in which order what is printed. */
export type ValuePlan =
  | ObjectPlan
  | ArrayPlan
  | TuplePlan
  | StringPlan
  | NumberPlan
  | LiteralPlan
  | OtherPlan;

export const OBJECT = 0;
export const ARRAY = 1;
export const STRING = 2;
export const NUMBER = 3;
export const TUPLE = 4;
/** One of few values that are written in one way. */
export const LITERAL = 5;
/** What the fast path does not know: the page is left to the full path. */
export const UNKNOWN = 6;

export interface ObjectPlan {
  kind: typeof OBJECT;
  /** What may be written. */
  fields: FieldPlan[];
  byName: Map<string, FieldPlan>;
  keys: KeyTable;
  /** What is printed, in order. */
  steps: Step[];
  /** The bytes that its printing can take beside its values, written and derived. */
  fixed: number;
  /** The slots of the fields that must be there. */
  required: number[];
  /** The rules between its fields. */
  rules: RulePlan[];
  /** What it speaks of, where other pages speak of the same: the fields of its claim. */
  claim: { identity: Identity; key: FieldPlan; values: FieldPlan[] } | undefined;
  /** Of objects of one level that are the same on many pages. */
  interned: InternedObjects | undefined;
  /** By which fields are there. */
  templates: Templates;
  /** The one used last. */
  lastMask: number;
  lastTemplate: Template | undefined;
}

/** The decoded values of fields. */
export interface ReadPlan {
  fields: FieldPlan[];
  /** By field: its value where it was left out. */
  leftOut: unknown[];
}

export interface RulePlan {
  holds: Rule["holds"];
  read: ReadPlan;
}

/** A row of `page/derive.ts`. */
export type DerivedPlan =
  | { kind: "constant"; printed: DataView }
  | { kind: "place"; part: keyof Placement }
  | CopyPlan
  | EachPlan
  | TextPlan;

export interface CopyPlan {
  kind: "copy";
  /** From the object that the worked-out field is in. */
  path: FieldPlan[];
  /** By step of the path: what is printed where that is left out. */
  leftOut: (DataView | undefined)[];
}

export interface EachPlan {
  kind: "each";
  list: FieldPlan;
  element: ObjectPlan;
  field: FieldPlan;
  leftOut: DataView | undefined;
}

export interface TextPlan {
  kind: "text";
  read: ReadPlan;
  text: TextOf["text"];
}

/** All that is printed of an object that has certain fields: last, a piece that only ends it. */
export type Template = Piece[];

export interface Piece {
  /** What stands before the value. */
  before: DataView;
  /** That of the value's plan, or one of the kinds below. */
  kind: number;
  derived: DerivedPlan | undefined;
  /** Of what was written. */
  field: FieldPlan | undefined;
  slot: number;
}

/** A field that is worked out. */
export const DERIVED = 8;
/** Nothing: the object ends here. */
export const END = 9;

/** A tree by groups of 30 bits. */
export interface Templates {
  next: Map<number, Templates>;
  template: Template | undefined;
}

export interface FieldPlan {
  name: string;
  /** Where its place is kept, counted from the object's record. */
  slot: number;
  plan: ValuePlan;
  kind: ValuePlan["kind"];
}

export interface Step {
  /** The comma or brace, the key and the colon. */
  prefix: string;
  /** Absent where the field is never written. */
  field: FieldPlan | undefined;
  /** `prefix` and the value of a field that was left out; absent where it is required or derived. */
  leftOut: string | undefined;
  /** How it is worked out where it is not written. */
  derived: DerivedPlan | undefined;
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

export interface LiteralPlan {
  kind: typeof LITERAL;
  /** What may stand here, as it is written without escapes. */
  literal: Uint8Array;
  /** What may stand here where it begins with an f: of a boolean `false`, of all others the same. */
  orFalse: Uint8Array;
}

export interface OtherPlan {
  kind: typeof UNKNOWN;
}

/** Two ints (start and end) for each field. */
export const SLOT_SIZE = 2;
/** Before the slots of an object: the record of the next element of its list, and its number among the interned plus one. */
export const RECORD_HEAD = 2;
