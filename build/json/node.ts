/** A JSON value with its place: `start` and `end` are offsets in UTF-16 units into the file's text. */
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

/** The plain value. `nodes` receives the node of every object and array, so that it can be printed as it was written. */
export function valueOf(node: Node, nodes?: WeakMap<object, Node>): unknown {
  if (node.type === "array") {
    const items = node.items.map((item) => valueOf(item, nodes));
    nodes?.set(items, node);
    return items;
  }
  if (node.type !== "object") return node.value;
  const object: Record<string, unknown> = {};
  for (const { key, value } of node.members)
    // Not by assignment: `__proto__` is a key like any other.
    Object.defineProperty(object, key, {
      value: valueOf(value, nodes),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  nodes?.set(object, node);
  return object;
}

/** A node printed compactly: keys in the order written, and numbers as JavaScript spells them. */
export function printNode(node: Node): string {
  if (node.type === "array") return `[${node.items.map(printNode).join(",")}]`;
  if (node.type === "object")
    return `{${node.members.map(({ key, value }) => `${JSON.stringify(key)}:${printNode(value)}`).join(",")}}`;
  return JSON.stringify(node.value);
}

export type Path = readonly PropertyKey[];

/** `subjects[3].name`, as a person would say it. */
export function fieldName(path: Path): string {
  return path
    .map((step, i) => (typeof step === "number" ? `[${step}]` : `${i > 0 ? "." : ""}${String(step)}`))
    .join("");
}

/** The node at a path, or the deepest one on the way to it. */
export function nodeAt(root: Node, path: Path): { node: Node; member?: Member; found: boolean } {
  let node = root;
  let member: Member | undefined;
  for (const step of path) {
    let next: Node | undefined;
    let nextMember: Member | undefined;
    if (node.type === "object") {
      // The last of a repeated key: it is the one whose value was checked.
      nextMember = node.members.findLast((m) => m.key === step);
      next = nextMember?.value;
    } else if (node.type === "array") next = node.items[Number(step)];
    if (next === undefined) return member ? { node, member, found: false } : { node, found: false };
    node = next;
    member = nextMember;
  }
  return member ? { node, member, found: true } : { node, found: true };
}
