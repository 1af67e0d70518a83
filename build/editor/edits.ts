import { nodeAt, valueOf, type Member, type Node, type ObjectNode } from "../json/node.ts";
import { formatJson } from "../json/format.ts";
import { isObject, type JsonRecord, type JsonValue } from "../json/object.ts";
import { parseJson } from "../json/parse.ts";
import { orderOf, ordered, rootOrder, type Order } from "./order.ts";
import { pairsOf, sameAs } from "./pairs.ts";
import { SourceLayout, type Entry } from "./layout.ts";
import { stepsOf } from "./form/values.ts";

/** A new value of one field. */
export interface FieldEdit {
  /** As in `data-path`: `subjects.0.name`. An index equal to the list's length adds an element. */
  path: string;
  /** The new value; undefined removes the field or the element. */
  value: JsonValue | undefined;
}

type ListNode = Node & { type: "array" };
/** The source nodes of objects and lists, edited ones too. */
type KnownNodes = WeakMap<object, Node>;

/**
 * The text of a source with edited values. Everything else keeps its bytes: order, layout, spelling of numbers,
 * escapes, line endings, byte order mark. A new field is inserted in the order of the API contract. If a whole list is
 * edited, the elements that stay or move keep their bytes.
 *
 * @param text the source; null for a new file, which gets the layout of `npm run new`.
 * @param edits applied in order, each to the result of the one before.
 * @throws TypeError if the source is not a JSON object.
 */
export function editedText(text: string | null, edits: readonly FieldEdit[]): string {
  if (text === null) {
    const value = withEdits({}, edits);
    return formatJson(ordered(value, rootOrder(value)));
  }
  const { root, source } = parseJson("", new TextEncoder().encode(text));
  if (root?.type !== "object") throw new TypeError("The source is not a JSON object.");
  const nodes: KnownNodes = new WeakMap();
  const after = withEdits(valueOf(root, nodes) as JsonRecord, edits, nodes);
  const mark = text.slice(0, text.length - source.text.length);
  return (
    mark +
    source.text.slice(0, root.start) +
    new Merge(source.text, root, nodes).value(root, after, rootOrder(after)) +
    source.text.slice(root.end)
  );
}

/** The value at a path of a parsed source; undefined if there is none. */
export function valueAt(root: Node, path: string): JsonValue | undefined {
  const { node, found } = nodeAt(root, stepsOf(path));
  return found ? (valueOf(node) as JsonValue) : undefined;
}

/** A copy of a page with edited values; it shares the unedited objects with the page. */
export function withEdits(
  page: JsonRecord,
  edits: readonly FieldEdit[],
  nodes: KnownNodes = new WeakMap(),
): JsonRecord {
  let value: JsonValue | undefined = page;
  for (const edit of edits) value = withValue(value, stepsOf(edit.path), edit.value, nodes);
  if (!isObject(value)) throw new TypeError("The page itself is not a field.");
  return value;
}

function withValue(
  at: JsonValue | undefined,
  [step, ...rest]: readonly string[],
  value: JsonValue | undefined,
  nodes: KnownNodes,
): JsonValue | undefined {
  if (step === undefined) return as(value, at, nodes);
  if (Array.isArray(at) || (!isObject(at) && /^\d+$/.test(step))) {
    const list = Array.isArray(at) ? at : [];
    const index = Number(step);
    if (!Number.isInteger(index) || index > list.length) throw new RangeError(`There is no element ${step}.`);
    const element = withValue(list[index], rest, value, nodes);
    if (element === undefined && index === list.length) return at;
    return as(list.toSpliced(index, 1, ...(element === undefined ? [] : [element])), at, nodes);
  }
  const object: JsonRecord = isObject(at) ? at : {};
  const field = withValue(Object.hasOwn(object, step) ? object[step] : undefined, rest, value, nodes);
  if (field !== undefined) return as({ ...object, [step]: field }, at, nodes);
  if (!Object.hasOwn(object, step)) return at;
  return as(Object.fromEntries(Object.entries(object).filter(([key]) => key !== step)), at, nodes);
}

/** Gives a new value the node of the value that it replaces. */
function as<T extends JsonValue | undefined>(value: T, old: JsonValue | undefined, nodes: KnownNodes): T {
  const node = typeof old === "object" && old !== null ? nodes.get(old) : undefined;
  if (node !== undefined && typeof value === "object" && value !== null && !nodes.has(value))
    nodes.set(value, node);
  return value;
}

/** Prints a new value over the text of the old one. */
class Merge {
  private readonly text: string;
  private readonly layout: SourceLayout;
  private readonly nodes: KnownNodes;

  constructor(text: string, root: ObjectNode, nodes: KnownNodes) {
    this.text = text;
    this.nodes = nodes;
    this.layout = new SourceLayout(text, root);
  }

  value(node: Node, value: JsonValue, order: Order): string {
    if (sameAs(node, value)) return this.text.slice(node.start, node.end);
    if (node.type === "object" && isObject(value)) return this.object(node, value, order);
    if (node.type === "array" && Array.isArray(value)) return this.list(node, value, order);
    return this.layout.replacement(node, ordered(value, order));
  }

  private object(node: ObjectNode, value: JsonRecord, order: Order): string {
    const last = new Map(node.members.map((member) => [member.key, member]));
    const entries: (Entry & { key: string })[] = [];
    for (const [from, member] of node.members.entries()) {
      const { key } = member;
      const now = Object.hasOwn(value, key) ? value[key] : undefined;
      // The last of repeated keys counts; the others are removed with it.
      if (now !== undefined) entries.push({ key, from, text: () => this.member(member, last, now, order) });
    }
    if (entries.length === 0) return this.layout.replacement(node, ordered(value, order));
    for (const key of order.sorted(Object.keys(value).filter((name) => !last.has(name)))) {
      const at = order.placeOf(
        key,
        entries.map((entry) => entry.key),
      );
      const written = ordered(value[key] ?? null, orderOf(order, key));
      entries.splice(at, 0, { key, text: (spot) => this.layout.member(node, key, written, spot) });
    }
    const spans = node.members.map(({ keyStart, value: { end } }) => ({ start: keyStart, end }));
    return this.layout.joined(node, spans, entries);
  }

  private member(member: Member, last: Map<string, Member>, value: JsonValue, order: Order): string {
    const { key, keyStart, value: node } = member;
    if (last.get(key) !== member) return this.text.slice(keyStart, node.end);
    return this.text.slice(keyStart, node.start) + this.value(node, value, orderOf(order, key));
  }

  private list(node: ListNode, value: JsonValue[], order: Order): string {
    const pairs = pairsOf(node.items, value, this.nodes);
    const entries = value.map((element, i): Entry => {
      const within = orderOf(order, i);
      const from = pairs[i];
      const old = from === undefined ? undefined : node.items[from];
      return old === undefined || from === undefined
        ? { text: (spot) => this.layout.element(ordered(element, within), spot) }
        : { from, text: () => this.value(old, element, within) };
    });
    if (entries.every(({ from }) => from === undefined))
      return this.layout.replacement(node, ordered(value, order));
    return this.layout.joined(node, node.items, entries);
  }
}
