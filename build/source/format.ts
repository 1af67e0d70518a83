const WIDTH = 100;
const STEP = "  ";

/**
 * JSON as the sources in `content/` are written: two spaces a level, an object or array on one line where it fits
 * in 100 columns, a newline at the end. The outermost object is always spread, so that a field has its own line
 * and a change of one field is a change of one line.
 */
export function formatJson(value: unknown): string {
  const out: string[] = [];
  print(value, "", 0, 0, !isContainer(value) || Array.isArray(value), out);
  return `${out.join("")}\n`;
}

type Container = Record<string, unknown> | unknown[];

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

/** `before` and `after` are the columns that are taken on the line by what stands before the value and after it. */
function print(
  value: unknown,
  indent: string,
  before: number,
  after: number,
  mayBeFlat: boolean,
  out: string[],
): void {
  if (!isContainer(value)) {
    out.push(scalar(value));
    return;
  }
  const line = mayBeFlat ? flat(value, WIDTH - before - after) : undefined;
  if (line !== undefined) out.push(line);
  else if (Array.isArray(value))
    spread(
      value.map((item) => ["", item]),
      "[]",
      indent,
      out,
    );
  else
    spread(
      members(value).map(([key, item]) => [`${JSON.stringify(key)}: `, item]),
      "{}",
      indent,
      out,
    );
}

function spread(
  items: (readonly [label: string, value: unknown])[],
  brackets: string,
  indent: string,
  out: string[],
): void {
  if (items.length === 0) {
    out.push(brackets);
    return;
  }
  const inner = indent + STEP;
  let separator = `${brackets.charAt(0)}\n`;
  for (const [i, [label, value]] of items.entries()) {
    out.push(separator, inner, label);
    print(value, inner, inner.length + label.length, i + 1 < items.length ? 1 : 0, true, out);
    separator = ",\n";
  }
  out.push("\n", indent, brackets.charAt(1));
}

/** The value on one line, or nothing where that is wider than `room`; gives up as soon as that is known. */
function flat(value: unknown, room: number): string | undefined {
  if (!isContainer(value)) {
    if (typeof value === "string" && value.length + 2 > room) return undefined;
    const text = scalar(value);
    return text.length <= room ? text : undefined;
  }
  const isList = Array.isArray(value);
  if (isList && value.length * 3 > room) return undefined;
  const items: [string, unknown][] = isList ? value.map((item) => ["", item]) : members(value);
  if (items.length === 0) return room < 2 ? undefined : isList ? "[]" : "{}";
  const [open, close] = isList ? ["[", "]"] : ["{ ", " }"];
  let line = open;
  for (const [i, [key, item]] of items.entries()) {
    if (i > 0) line += ", ";
    if (!isList) line += `${JSON.stringify(key)}: `;
    const text = flat(item, room - line.length - close.length);
    if (text === undefined) return undefined;
    line += text;
  }
  line += close;
  return line.length <= room ? line : undefined;
}

const members = (value: Record<string, unknown>): [string, unknown][] =>
  Object.entries(value).filter(([, item]) => item !== undefined);

const scalar = (value: unknown): string => JSON.stringify(value) ?? "null";
