import { isObject, type JsonObject } from "./object.ts";

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
export const formatJson = (value: unknown): string => `${print(value, PLAIN)}\n`;

/** A value on one line, however long. */
export const formatLine = (value: unknown): string => flat(value, PLAIN, Infinity) ?? "null";

/** The text of a source. */
export const layOut = (written: WrittenJson, newline = "\n"): string => {
  const text = print(written, WRITTEN);
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

type Parts<Value> = readonly [
  open: string,
  close: string,
  labels: readonly string[],
  items: readonly Value[],
];

/** How a value is read: without a copy of plain values, of which an import lays out millions. */
interface ValueView<Value> {
  /** Undefined for a list or an object. */
  textOf: (value: Value) => string | undefined;
  /** Only an object has labels. */
  partsOf: (value: Value) => Parts<Value>;
}

const NO_LABELS: readonly string[] = [];

/** Maximum number of labels that are kept: the names of fields, but not the keys of large maps. */
const MAX_LABELS = 1000;
const knownLabels = new Map<string, string>();

function labelOf(key: string): string {
  let label = knownLabels.get(key);
  if (label === undefined) {
    label = `${JSON.stringify(key)}: `;
    if (knownLabels.size < MAX_LABELS) knownLabels.set(key, label);
  }
  return label;
}

const WRITTEN: ValueView<WrittenJson> = {
  textOf: (value) => ("text" in value ? value.text : undefined),
  partsOf(value) {
    if ("items" in value) return ["[", "]", NO_LABELS, value.items];
    const { members } = value as WrittenObject;
    return ["{", "}", members.map(({ label }) => `${label}: `), members.map((member) => member.value)];
  },
};

const PLAIN: ValueView<unknown> = {
  textOf: (value) =>
    typeof value === "object" && value !== null ? undefined : (JSON.stringify(value) ?? "null"),
  partsOf(value) {
    if (Array.isArray(value)) return ["[", "]", NO_LABELS, value];
    const isMap = value instanceof Map;
    const names: string[] = [];
    const items: unknown[] = [];
    for (const key of isMap ? (value as ReadonlyMap<string, unknown>).keys() : Object.keys(value as object)) {
      const item: unknown = isMap ? value.get(key) : (value as JsonObject)[key];
      if (item === undefined) continue;
      names.push(labelOf(key));
      items.push(item);
    }
    return ["{", "}", names, items];
  },
};

/** The outermost value. */
const print = <Value>(value: Value, view: ValueView<Value>): string => {
  const text = view.textOf(value);
  if (text !== undefined) return text;
  const parts = view.partsOf(value);
  return (parts[0] === "[" ? flat(value, view, MAX_LINE_WIDTH) : undefined) ?? spread(parts, view, "");
};

/** @param indent of the line on which the value begins. */
function spread<Value>(
  [open, close, labels, items]: Parts<Value>,
  view: ValueView<Value>,
  indent: string,
): string {
  if (items.length === 0) return open + close;
  const inner = `\n${indent}${STEP}`;
  let text = open;
  for (const [i, item] of items.entries()) {
    const label = labels[i] ?? "";
    const comma = i === items.length - 1 ? "" : ",";
    const room = MAX_LINE_WIDTH - inner.length + 1 - label.length - comma.length;
    const written =
      view.textOf(item) ?? flat(item, view, room) ?? spread(view.partsOf(item), view, indent + STEP);
    text += inner + label + written + comma;
  }
  return `${text}\n${indent}${close}`;
}

/** The value on one line; undefined as soon as it is wider than `room`. */
function flat<Value>(value: Value, view: ValueView<Value>, room: number): string | undefined {
  if (typeof value === "string" && value.length + 2 > room) return undefined;
  const scalar = view.textOf(value);
  if (scalar !== undefined) return scalar.length <= room ? scalar : undefined;
  const [open, close, labels, items] = view.partsOf(value);
  if (items.length * 3 > room) return undefined;
  const gap = labels.length === 0 ? "" : " ";
  let line = open + gap;
  for (const [i, item] of items.entries()) {
    line += (i > 0 ? ", " : "") + (labels[i] ?? "");
    const text = flat(item, view, room - line.length - gap.length - 1);
    if (text === undefined) return undefined;
    line += text;
  }
  line += gap + close;
  return line.length <= room ? line : undefined;
}
