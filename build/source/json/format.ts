import { isObject } from "./object.ts";

/*
 * The one layout of sources: two spaces per level, an object or array on one line if it fits in 100 columns, and a
 * newline at the end. The outermost object always has one field per line, so that a change of a field is a change of a
 * line.
 */

/** Maximum width of a line with an object or array, in columns. */
const MAX_LINE_WIDTH = 100;
const STEP = "  ";

/** A JSON value as it is written, without white space: the order of its members and the spelling of names, texts and numbers. */
export type WrittenJson = WrittenScalar | WrittenList | WrittenObject;
export type WrittenScalar = { text: string; value: string | number | boolean | null };
export type WrittenList = { items: readonly WrittenJson[] };
export type WrittenObject = { members: readonly WrittenMember[] };

export interface WrittenMember {
  key: string;
  /** The key in its quotation marks. */
  label: string;
  value: WrittenJson;
  /** Whether the member has no place among the others yet. */
  isNew?: boolean;
}

/** A value in the layout of sources. A map is an object whose members keep their order, even if their names are numbers. */
export const formatJson = (value: unknown): string => layOut(writtenValue(value));

/** A value on one line, however long. */
export const formatLine = (value: unknown): string => flat(writtenValue(value), Infinity) ?? "null";

/** The text of a source. */
export const layOut = (written: WrittenJson, newline = "\n"): string => {
  const text = "members" in written ? spread(written, "") : print(written, "", 0, 0);
  return `${newline === "\n" ? text : text.replaceAll("\n", newline)}${newline}`;
};

/** As in `JSON.stringify`, members that are undefined are left out. */
export function writtenValue(value: unknown): WrittenJson {
  if (Array.isArray(value)) return { items: value.map(writtenValue) };
  if (!isObject(value)) return writtenScalar(value);
  const entries = value instanceof Map ? [...(value as ReadonlyMap<string, unknown>)] : Object.entries(value);
  return {
    members: entries.flatMap(([key, one]) => (one === undefined ? [] : [newMember(key, writtenValue(one))])),
  };
}

const writtenScalar = (value: unknown): WrittenScalar => {
  const text = JSON.stringify(value) ?? "null";
  return { text, value: text === "null" ? null : (value as WrittenScalar["value"]) };
};

export const newMember = (key: string, value: WrittenJson): WrittenMember => ({
  key,
  label: JSON.stringify(key),
  value,
  isNew: true,
});

/** `before` and `after` are the numbers of columns that the line uses before and after the value. */
function print(value: WrittenJson, indent: string, before: number, after: number): string {
  if ("text" in value) return value.text;
  return flat(value, MAX_LINE_WIDTH - before - after) ?? spread(value, indent);
}

function spread(value: WrittenList | WrittenObject, indent: string): string {
  const [open, close, entries] = entriesOf(value);
  if (entries.length === 0) return open + close;
  const inner = `\n${indent}${STEP}`;
  const width = indent.length + STEP.length;
  let text = open;
  for (const [i, [label, item]] of entries.entries()) {
    const comma = i === entries.length - 1 ? "" : ",";
    text += inner + label + print(item, indent + STEP, width + label.length, comma.length) + comma;
  }
  return `${text}\n${indent}${close}`;
}

/** The value on one line; undefined as soon as it is wider than `room`. */
function flat(value: WrittenJson, room: number): string | undefined {
  if ("text" in value) return value.text.length <= room ? value.text : undefined;
  if (("items" in value ? value.items : value.members).length * 3 > room) return undefined;
  const [open, close, entries] = entriesOf(value);
  const gap = "items" in value || entries.length === 0 ? "" : " ";
  let line = open + gap;
  for (const [i, [label, item]] of entries.entries()) {
    line += (i > 0 ? ", " : "") + label;
    const text = flat(item, room - line.length - gap.length - 1);
    if (text === undefined) return undefined;
    line += text;
  }
  line += gap + close;
  return line.length <= room ? line : undefined;
}

const entriesOf = (
  value: WrittenList | WrittenObject,
): [open: string, close: string, entries: (readonly [label: string, item: WrittenJson])[]] =>
  "items" in value
    ? ["[", "]", value.items.map((item) => ["", item] as const)]
    : ["{", "}", value.members.map(({ label, value: item }) => [`${label}: `, item] as const)];
