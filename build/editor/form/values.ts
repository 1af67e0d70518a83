import { isObject, valueAt } from "../../source/json/object.ts";
import { isExact } from "../../source/json/parse.ts";
import { PICKERS } from "./dates.ts";
import type { Control, Field, FieldPath } from "./fields.ts";

/**
 * A path as in `data-path`: `subjects.0.name`. In a name, `.` and `\` get a `\` before them; an empty name is `\-`,
 * because an empty path is the page itself.
 */
export const pathText = (path: FieldPath): string =>
  path.map((step) => String(step).replace(/[\\.]/g, "\\$&") || "\\-").join(".");

/** Whether two JSON values are equal; the order of members does not matter. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((element, index) => isEqual(element, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
  );
}

export function isEmpty(field: Field, value: unknown): boolean {
  if (value === undefined || value === "" || isEqual(value, field.empty)) return true;
  if (field.control !== "group" || !isObject(value)) return false;
  const members = new Map(field.fields.map((member) => [member.name, member]));
  return Object.entries(value).every(([name, member]) => {
    const known = members.get(name);
    return known !== undefined && isEmpty(known, member);
  });
}

/** A value of a response as a source has it: without what follows from other fields, and without empty members. */
export function asWritten({ control, fields, element }: Field, value: unknown): unknown {
  if (Array.isArray(value))
    return element === undefined ? value : value.map((one) => asWritten(element, one));
  if (control !== "group" || !isObject(value)) return value;
  const members = fields.filter((one) => one.control !== "derived" && !isEmpty(one, value[one.name]));
  return Object.fromEntries(members.map((one) => [one.name, asWritten(one, value[one.name])]));
}

interface ControlKind {
  fits: (value: unknown, field: Field) => boolean;
  /** The value of a new element of a list, or of a new member; the editor writes its required members. */
  initial: (field: Field) => unknown;
}

const isText = (value: unknown): boolean => typeof value === "string";
// A text that is not a number stays in its field, where a finding reports it.
const isNumberOrText = (value: unknown): boolean => typeof value === "number" || isText(value);
const TEXT: ControlKind = { fits: isText, initial: () => "" };
// A number that is not written yet is null in a list.
const NUMERIC: ControlKind = {
  fits: (value) => value === null || isNumberOrText(value),
  initial: () => null,
};

/** The values that a control of each kind can show without loss. */
const KINDS: Readonly<Record<Control, ControlKind>> = {
  text: TEXT,
  "long-text": TEXT,
  "raw-html": TEXT,
  html: TEXT,
  date: TEXT,
  time: TEXT,
  "date-time": TEXT,
  "local-date-time": TEXT,
  number: NUMERIC,
  year: NUMERIC,
  choice: {
    fits: (value, { choices }) => isNumberOrText(value) || choices.some((one) => one.value === value),
    initial: ({ isNullable }) => (isNullable ? null : ""),
  },
  page: { fits: (value) => value === null || Number.isSafeInteger(value), initial: () => null },
  checkbox: { fits: (value) => typeof value === "boolean", initial: () => false },
  list: { fits: Array.isArray, initial: () => [] },
  group: {
    fits: (value, { kind, fields }) =>
      kind === "tuple" ? Array.isArray(value) && value.length === fields.length : isObject(value),
    initial: ({ kind, fields }) => (kind === "tuple" ? fields.map(newValue) : usualMembers(fields)),
  },
  block: { fits: (value, field) => blockField(field, value) !== undefined, initial: () => ({}) },
  json: { fits: () => true, initial: ({ empty }) => empty ?? null },
  derived: { fits: () => true, initial: () => "" },
};

/** The members of a new object that the form leaves out. */
const usualMembers = (fields: readonly Field[]): object =>
  Object.fromEntries(
    fields.flatMap(({ name, usual, fields: members }) => {
      const value = usual ?? usualMembers(members);
      return typeof value === "object" && isEqual(value, {}) ? [] : [[name, value]];
    }),
  );

/**
 * Whether the form leaves a field out, because its value is the same on every page: a constant, which no source has, or
 * what a new page begins with.
 */
export function isLeftOut({ fields, row, usual }: Field, value: unknown): boolean {
  if (fields.length === 0 || value === null)
    return row?.kind === "constant" ? value === undefined : usual !== undefined && (value ?? usual) === usual;
  const names = new Set(fields.map(({ name }) => name));
  return (
    (value === undefined || (isObject(value) && Object.keys(value).every((name) => names.has(name)))) &&
    fields.every((one) => isLeftOut(one, valueAt(value, [one.name])))
  );
}

export const shownMembers = ({ fields }: Field, value: unknown): Field[] =>
  fields.filter((member) => !isLeftOut(member, valueAt(value, [member.name])));

/** The member of an object that the form shows as the object itself, because it leaves out the others. */
export function onlyMember(field: Field, value: unknown): Field | undefined {
  if (field.control !== "group" || field.isNullable || field.fields.length < 2) return undefined;
  const [only, ...others] = shownMembers(field, value);
  return others.length === 0 ? only : undefined;
}

export function fits(field: Field, value: unknown): boolean {
  if (value === undefined) return true;
  return (value === null && field.isNullable) || KINDS[field.control].fits(value, field);
}

export function blockField({ blocks }: Field, block: unknown): Field | undefined {
  const type = valueAt(block, ["type"]);
  return typeof type === "string" ? blocks.get(type) : undefined;
}

export const newValue = (field: Field): unknown => KINDS[field.control].initial(field);

export const isNumber = ({ control }: Field): boolean => KINDS[control] === NUMERIC;

/** Whether any text is typed into the control of a field, unlike a date or a choice. */
export const isTyped = ({ control }: Field) => KINDS[control] === TEXT && !Object.hasOwn(PICKERS, control);

const isNumeric = (field: Field): boolean =>
  isNumber(field) || field.choices.some(({ value }) => typeof value === "number");

const WRITTEN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The value of the text typed into a control; undefined if the field is to be omitted. In a number field, a text that
 * is not a number stays text, so that a finding reports it.
 */
export function typedValue(field: Field, typed: string, isWritten: boolean): unknown {
  if (isNumeric(field)) {
    const text = typed.trim();
    if (text === "") return field.isNullable && isWritten ? null : undefined;
    const number = Number(text);
    return WRITTEN_NUMBER.test(text) && isExact(text, number) ? number : typed;
  }
  if (typed !== "") return typed;
  if (field.isNullable) return isWritten ? null : undefined;
  return field.isRequired || (isWritten && field.empty !== undefined) ? "" : undefined;
}

export const shownText = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** The path of the address in an object that describes a picture: as it is declared, or in the form of Wagtail's images. */
export function addressIn({ fields }: Field): FieldPath | undefined {
  const own = fields.find(({ picture }) => picture !== undefined);
  if (own !== undefined) return [own.name];
  const members = fields.find(({ name }) => name === "meta")?.fields ?? [];
  return members.some(({ name, format }) => name === "download_url" && format === "media-url")
    ? ["meta", "download_url"]
    : undefined;
}
