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
