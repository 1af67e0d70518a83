import { shortened } from "../../base/shortened.ts";

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a JSON text; undefined if the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object in a JSON text; undefined if the text is not JSON, or another value. */
export function objectIn(text: string): JsonObject | undefined {
  const value = jsonIn(text);
  return isObject(value) ? value : undefined;
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (Array.isArray(at)) at = at[Number(step)];
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[String(step)];
    else return undefined;
  }
  return at;
}

/** A value in words, for messages: “the text “…””, “a list”. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value !== "string") return String(value);
  return value === "" ? "an empty text" : `the text “${shortened(value, 40)}”`;
}

/** Whether an object has just these fields, in this order: V8 reads them faster in their own order than by their names. */
export function hasFields(object: JsonObject, names: readonly string[], values: readonly unknown[]): boolean {
  let k = 0;
  for (const name in object) {
    if (object[name] !== values[k] || name !== names[k]) return false;
    k++;
  }
  return k === values.length;
}

/** A JSON value with its range: `start` and `end` are offsets in UTF-16 units into the file's text. */
export type Node =
  | { type: "object"; start: number; end: number; members: Member[] }
  | { type: "array"; start: number; end: number; items: Node[] }
  | { type: "string"; start: number; end: number; value: string }
  | { type: "number"; start: number; end: number; value: number }
  | { type: "literal"; start: number; end: number; value: boolean | null };

export type ObjectNode = Node & { type: "object" };

export interface Member {
  key: string;
  keyStart: number;
  keyEnd: number;
  value: Node;
}

/** The value of a node. `nodes` gets the node of every object and array, to print them as written. */
export function valueOf(node: Node, nodes?: WeakMap<object, Node>): unknown {
  if (node.type === "array") {
    const items = node.items.map((item) => valueOf(item, nodes));
    nodes?.set(items, node);
    return items;
  }
  if (node.type !== "object") return node.value;
  const object: Record<string, unknown> = {};
  for (const { key, value } of node.members)
    // Not by assignment, because `__proto__` must be a key like any other.
    Object.defineProperty(object, key, {
      value: valueOf(value, nodes),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  nodes?.set(object, node);
  return object;
}

/** A node as compact JSON: keys in the written order, and numbers as JavaScript prints them. */
export function printNode(node: Node): string {
  if (node.type === "array") return `[${node.items.map(printNode).join(",")}]`;
  if (node.type === "object")
    return `{${node.members.map(({ key, value }) => `${JSON.stringify(key)}:${printNode(value)}`).join(",")}}`;
  return JSON.stringify(node.value);
}

export type Path = readonly PropertyKey[];

/** A path as text, such as `subjects[3].name`. */
export function fieldName(path: Path): string {
  return path
    .map((step, i) => (typeof step === "number" ? `[${step}]` : `${i > 0 ? "." : ""}${String(step)}`))
    .join("");
}

/** The node at a path, or the deepest node on the way to it. Of a repeated key, the last counts, because it was checked. */
export function nodeAt(root: Node, path: Path): { node: Node; found: boolean } {
  let node = root;
  for (const step of path) {
    const next: Node | undefined =
      node.type === "object"
        ? node.members.findLast(({ key }) => key === step)?.value
        : node.type === "array"
          ? node.items[Number(step)]
          : undefined;
    if (next === undefined) return { node, found: false };
    node = next;
  }
  return { node, found: true };
}
