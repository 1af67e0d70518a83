import { memoized } from "../../base/memoized.ts";
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
type WrittenScalar = { text: string; value: string | number | boolean | null };
type WrittenList = { items: readonly WrittenJson[] };
type WrittenObject = { members: readonly WrittenMember[] };

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

export const layOut = (written: WrittenJson, newline = "\n"): string => {
  const text = print(written);
  return `${newline === "\n" ? text : text.replaceAll("\n", newline)}${newline}`;
};

/** As in `JSON.stringify`, members that are undefined are left out. */
export function writtenValue(value: unknown): WrittenJson {
  if (Array.isArray(value)) return { items: value.map(writtenValue) };
  if (!isObject(value)) return writtenScalar(value);
  const entries = value instanceof Map ? (value as ReadonlyMap<string, unknown>) : Object.entries(value);
  const members: WrittenMember[] = [];
  for (const [key, one] of entries) if (one !== undefined) members.push(newMember(key, writtenValue(one)));
  return { members };
}

const writtenScalar = (value: unknown): WrittenScalar => {
  const text = JSON.stringify(value) ?? "null";
  return { text, value: text === "null" ? null : (value as WrittenScalar["value"]) };
};

/** Pages share the names of their fields: an import spells each name once. */
const labelOf = memoized((key: string) => JSON.stringify(key));

export const newMember = (key: string, value: WrittenJson): WrittenMember => ({
  key,
  label: labelOf(key),
  value,
  isNew: true,
});

type LabelledValue = readonly [label: string, value: WrittenJson];

const partsOf = (
  written: WrittenList | WrittenObject,
): [open: string, close: string, parts: LabelledValue[]] =>
  "items" in written
    ? ["[", "]", written.items.map((item) => ["", item])]
    : ["{", "}", written.members.map(({ label, value }) => [`${label}: `, value])];

/** The outermost value. */
const print = (written: WrittenJson): string => {
  if ("text" in written) return written.text;
  return ("items" in written ? flat(written, MAX_LINE_WIDTH) : undefined) ?? spread(written, "");
};

/** @param indent of the line on which the value begins. */
function spread(written: WrittenList | WrittenObject, indent: string): string {
  const [open, close, parts] = partsOf(written);
  if (parts.length === 0) return open + close;
  const inner = `\n${indent}${STEP}`;
  let text = open;
  for (const [i, [label, value]] of parts.entries()) {
    const comma = i === parts.length - 1 ? "" : ",";
    const room = MAX_LINE_WIDTH - inner.length + 1 - label.length - comma.length;
    const part = "text" in value ? value.text : (flat(value, room) ?? spread(value, indent + STEP));
    text += inner + label + part + comma;
  }
  return `${text}\n${indent}${close}`;
}

/** The value on one line; undefined as soon as it is wider than `room`. */
function flat(written: WrittenJson, room: number): string | undefined {
  if ("text" in written) return written.text.length <= room ? written.text : undefined;
  const [open, close, parts] = partsOf(written);
  if (parts.length * 3 > room) return undefined;
  const gap = "members" in written && parts.length > 0 ? " " : "";
  let line = open + gap;
  for (const [i, [label, value]] of parts.entries()) {
    line += (i > 0 ? ", " : "") + label;
    const text = flat(value, room - line.length - gap.length - 1);
    if (text === undefined) return undefined;
    line += text;
  }
  line += gap + close;
  return line.length <= room ? line : undefined;
}
