/** Maximum width of a line with an object or array, in columns. */
const MAX_LINE_WIDTH = 100;
export const STEP = "  ";

/**
 * JSON in the format of the sources in `content/`: two spaces per level, an object or array on one line if it fits in
 * 100 columns, and a newline at the end. The outermost object always has one field per line, so that a change of a
 * field is a change of a line.
 */
export function formatJson(value: unknown): string {
  const isPage = isContainer(value) && !Array.isArray(value);
  return `${isPage ? spread(value, "") : print(value, "", 0, 0)}\n`;
}

/** A value inside a text: its lines are indented like the line on which it begins. For the columns, see `print`. */
export const formatValue = (value: unknown, indent: string, before: number, after: number): string =>
  print(value, indent, before, after);

/** A value on one line, however long. */
export const formatLine = (value: unknown): string => flat(value, Infinity) ?? "null";

/** A map is an object whose members keep their order, even if their names are numbers. */
type Container = Record<string, unknown> | ReadonlyMap<string, unknown> | unknown[];

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

/** `before` and `after` are the numbers of columns that the line uses before and after the value. */
function print(value: unknown, indent: string, before: number, after: number): string {
  if (!isContainer(value)) return scalar(value);
  return flat(value, MAX_LINE_WIDTH - before - after) ?? spread(value, indent);
}

function spread(value: Container, indent: string): string {
  const [open, close, keys] = layoutOf(value);
  if (keys.length === 0) return open + close;
  const inner = `\n${indent}${STEP}`;
  let text = open;
  for (const [i, key] of keys.entries()) {
    const isLast = i === keys.length - 1;
    const label = labelOf(key);
    const before = indent.length + STEP.length + label.length;
    text += inner + label + print(itemOf(value, key), indent + STEP, before, isLast ? 0 : 1);
    if (!isLast) text += ",";
  }
  return `${text}\n${indent}${close}`;
}

/** The value on one line; undefined as soon as it is wider than `room`. */
function flat(value: unknown, room: number): string | undefined {
  if (!isContainer(value)) {
    if (typeof value === "string" && value.length + 2 > room) return undefined;
    const text = scalar(value);
    return text.length <= room ? text : undefined;
  }
  if (Array.isArray(value) && value.length * 3 > room) return undefined;
  const [open, close, keys] = layoutOf(value);
  const gap = Array.isArray(value) || keys.length === 0 ? "" : " ";
  let line = open + gap;
  for (const [i, key] of keys.entries()) {
    if (i > 0) line += ", ";
    line += labelOf(key);
    const text = flat(itemOf(value, key), room - line.length - gap.length - 1);
    if (text === undefined) return undefined;
    line += text;
  }
  line += gap + close;
  return line.length <= room ? line : undefined;
}

/** The keys of a list are its indices. As in `JSON.stringify`, members that are undefined are left out. */
const layoutOf = (value: Container): [open: string, close: string, keys: (string | number)[]] =>
  Array.isArray(value)
    ? ["[", "]", [...value.keys()]]
    : ["{", "}", membersOf(value).filter((key) => itemOf(value, key) !== undefined)];

const membersOf = (value: Record<string, unknown> | ReadonlyMap<string, unknown>): string[] =>
  value instanceof Map ? [...(value as ReadonlyMap<string, unknown>).keys()] : Object.keys(value);

const itemOf = (value: Container, key: string | number): unknown =>
  value instanceof Map ? value.get(key) : (value as Record<string | number, unknown>)[key];

const labelOf = (key: string | number): string =>
  typeof key === "number" ? "" : /^\w+$/.test(key) ? `"${key}": ` : `${JSON.stringify(key)}: `;

const scalar = (value: unknown): string => JSON.stringify(value) ?? "null";
