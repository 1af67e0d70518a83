import { grouped } from "../../base/grouped.ts";
import { formatLine, formatValue, STEP } from "./format.ts";
import { printNode, valueOf, type Node, type ObjectNode, type Path } from "./node.ts";
import { isObject, type JsonObject } from "./object.ts";

/*
 * The text editor for JSON: commands and forms record operations on the values of a source, and the text changes only
 * at these values. Everything else keeps its bytes: order, layout, spelling of numbers, escapes and line ends.
 *
 *     editedText(source.text, root, [
 *       { kind: "set", path: ["meta", "seo_title"], value: "Visit us" },
 *       { kind: "remove", path: ["subjects", 0, "url"] },
 *       { kind: "move", path: ["subjects", 2], to: 0 },
 *     ], memberNames(model));
 *
 * `editsOf` gives the same change as a list of replaced ranges, which can be applied together with other edits of the
 * text, such as edits inside a string. A form keeps a `JsonEditor`, which applies one operation after the other.
 */

/** Replaces the range from `start` to `end` by `text`. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * A change of one value. Each operation is applied to the result of the one before.
 *
 * - `set`: writes a value. Adds a member if the object lacks it, and an element if the index is the list's length;
 *   missing objects on the path are added too.
 * - `remove`: removes a member, also each repeated one, or an element of a list.
 * - `insert`: inserts an element before the index at the end of the path.
 * - `move`: moves the element at the path to another index of its list.
 */
export type SourceOperation =
  | { kind: "set"; path: Path; value: unknown }
  | { kind: "remove"; path: Path }
  | { kind: "insert"; path: Path; value: unknown }
  | { kind: "move"; path: Path; to: number };

/** The names of an object's members, in the order in which new members are written; new members of other names are last. */
export type MemberNames = (path: Path) => readonly string[];

const NO_NAMES: MemberNames = () => [];

/** Applies edits to a range of a text, by default to all of it. They must not overlap. */
export function applyEdits(
  text: string,
  edits: readonly Edit[],
  { start, end }: TextSpan = { start: 0, end: text.length },
): string {
  let done = "";
  let at = start;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) throw new RangeError(`two edits overlap at ${edit.start}`);
    done += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return done + text.slice(at, end);
}

export const lineEnding = (text: string): "\r\n" | "\n" => (text.includes("\r\n") ? "\r\n" : "\n");

/** The edits that carry out operations. @param root the node of the text without its byte order mark */
export function editsOf(
  text: string,
  root: Node,
  operations: readonly SourceOperation[],
  names: MemberNames = NO_NAMES,
): Edit[] {
  if (operations.length === 0) return [];
  const editor = new JsonEditor(text, root);
  for (const operation of operations) editor.apply(operation);
  return editor.edits(names);
}

export const editedText = (...parameters: Parameters<typeof editsOf>): string =>
  applyEdits(parameters[0], editsOf(...parameters));

export class JsonEditor {
  /** The value after the operations. It shares its unedited objects and lists with the values before. */
  value: unknown;
  /** The value of the source. */
  readonly before: unknown;
  private readonly text: string;
  private readonly root: Node;
  /** The nodes of the objects and lists of the source. */
  private readonly nodes: SourceNodes = new WeakMap();
  /** The lists with changed elements: for each element, its index in the source, if it has one. */
  private readonly places: ElementPlaces = new WeakMap();

  constructor(text: string, root: Node) {
    this.text = text;
    this.root = root;
    this.before = this.value = valueOf(root, this.nodes);
  }

  apply(operation: SourceOperation): void {
    if (operation.path.length === 0 && operation.kind !== "set")
      throw new RangeError("The outermost value can only be written.");
    this.value = this.changed(this.value, operation.path, operation);
  }

  private changed(at: unknown, [step, ...rest]: Path, operation: SourceOperation): unknown {
    if (step === undefined) return operation.kind === "set" ? operation.value : undefined;
    const isOfList = rest.length === 0 && (operation.kind === "insert" || operation.kind === "move");
    if (Array.isArray(at) || isOfList)
      return this.changedList(Array.isArray(at) ? at : [], Number(step), rest, operation);
    const object: JsonObject = isObject(at) ? at : {};
    const key = String(step);
    const old = Object.hasOwn(object, key) ? object[key] : undefined;
    const member = this.changed(old, rest, operation);
    if (member !== undefined) return { ...object, [key]: member };
    if (!Object.hasOwn(object, key)) return at;
    return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
  }

  private changedList(
    list: readonly unknown[],
    index: number,
    rest: Path,
    operation: SourceOperation,
  ): unknown[] {
    const { value } = operation as { value?: unknown };
    const kind = rest.length > 0 ? "set" : operation.kind;
    const isNew = kind === "insert" || (kind === "set" && index === list.length);
    if (!Number.isInteger(index) || index < 0 || index > list.length - (isNew ? 0 : 1))
      throw new RangeError(`There is no element ${index}.`);
    const spliced = <T>(items: readonly T[], written: T): T[] => {
      if (kind === "insert") return items.toSpliced(index, 0, written);
      if (kind === "set") return items.toSpliced(index, 1, written);
      const others = items.toSpliced(index, 1);
      return operation.kind === "move" ? others.toSpliced(operation.to, 0, items[index] as T) : others;
    };
    const changed = spliced(list, rest.length > 0 ? this.changed(list[index], rest, operation) : value);
    const places = this.places.get(list) ?? (this.nodes.has(list) ? [...list.keys()] : undefined);
    if (places !== undefined)
      this.places.set(changed, spliced(places, kind === "set" ? places[index] : undefined));
    return changed;
  }

  /** The edits that turn the text of the source into the text of the value. */
  edits(names: MemberNames = NO_NAMES): Edit[] {
    const printer = new Printer(this.text, this.root, this.nodes, this.places, names);
    return [...printer.value(this.root, this.value, [])];
  }
}

type SourceNodes = WeakMap<object, Node>;
type ElementPlaces = WeakMap<readonly unknown[], readonly (number | undefined)[]>;

type TextSpan = Omit<Edit, "text">;

/** The position of a printed member or element. `indent`: of its line; undefined if it shares a line with others. */
type Spot = { indent: string | undefined; isLast: boolean };

/** A member or element of the new text. */
type Entry =
  | { from: number; edits: Iterable<Edit>; print?: never }
  | { from?: undefined; print: (spot: Spot) => string };

/** Prints the changes of a value in the layout of its text. */
class Printer {
  private readonly text: string;
  private readonly nodes: SourceNodes;
  private readonly places: ElementPlaces;
  private readonly names: MemberNames;
  private readonly newline: string;
  /** The indentation of one level. */
  private readonly step: string;
  /** Whether the file has no spaces beside its commas and colons. */
  private readonly isCompact: boolean;

  constructor(text: string, root: Node, nodes: SourceNodes, places: ElementPlaces, names: MemberNames) {
    this.text = text;
    this.nodes = nodes;
    this.places = places;
    this.names = names;
    this.newline = lineEnding(text);
    const first = root.type === "object" ? root.members[0] : undefined;
    const lead = first === undefined ? "" : text.slice(root.start + 1, first.keyStart);
    this.step = /\n([ \t]+)$/.exec(lead)?.[1] ?? STEP;
    this.isCompact = first !== undefined && text[first.value.start - 1] === ":";
  }

  *value(node: Node, value: unknown, path: Path): Generator<Edit> {
    if (this.isUnchanged(node, value)) return;
    if (node.type === "object" && isObject(value)) yield* this.object(node, value, path);
    else if (node.type === "array" && Array.isArray(value)) yield* this.list(node, value, path);
    else yield this.replacement(node, value, path);
  }

  private isUnchanged(node: Node, value: unknown): boolean {
    if (node.type !== "object" && node.type !== "array") return node.value === value;
    return typeof value === "object" && value !== null && this.nodes.get(value) === node;
  }

  private *object(node: ObjectNode, object: JsonObject, path: Path): Generator<Edit> {
    const last = new Map(node.members.map((member) => [member.key, member]));
    const keys: string[] = [];
    const entries: Entry[] = [];
    for (const [from, member] of node.members.entries()) {
      const { key, value } = member;
      if (!Object.hasOwn(object, key)) continue;
      // The last of repeated keys counts; the others are removed with it.
      const edits = last.get(key) === member ? this.value(value, object[key], [...path, key]) : [];
      keys.push(key);
      entries.push({ from, edits });
    }
    const names = this.names(path);
    for (const key of sorted(Object.keys(object), names)) {
      if (last.has(key)) continue;
      const at = placeOf(key, keys, names);
      keys.splice(at, 0, key);
      entries.splice(at, 0, {
        print: (spot) => this.member(node, key, this.ordered(object[key], [...path, key]), spot),
      });
    }
    const spans = node.members.map(({ keyStart, value: { end } }) => ({ start: keyStart, end }));
    yield* this.entries(node, spans, entries, object, path);
  }

  private *list(node: Node & { type: "array" }, list: readonly unknown[], path: Path): Generator<Edit> {
    const places = this.places.get(list) ?? pairsOf(node.items.map(printNode), list);
    const entries = list.map((element, index): Entry => {
      const [from, within] = [places[index], [...path, index]];
      const old = from === undefined ? undefined : node.items[from];
      return old === undefined || from === undefined
        ? { print: (spot) => this.printed(this.ordered(element, within), spot, 0) }
        : { from, edits: this.value(old, element, within) };
    });
    yield* this.entries(node, node.items, entries, list, path);
  }

  /**
   * The edits that turn the members or elements of a node into others. The text between old entries stays. If old
   * entries are in another order, they are written again between the first and the last.
   */
  private *entries(
    node: Node,
    spans: readonly TextSpan[],
    entries: readonly Entry[],
    value: unknown,
    path: Path,
  ): Generator<Edit> {
    const [first, end] = [spans[0], spans.at(-1)?.end];
    const old = entries.flatMap(({ from }) => from ?? []);
    if (first === undefined || end === undefined || old.length === 0) {
      if (spans.length + entries.length > 0) yield this.replacement(node, value, path);
      return;
    }
    const between = spans.slice(1).map(({ start }, k) => this.text.slice(spans[k]?.end, start));
    const lead = this.text.slice(node.start + 1, first.start);
    const separator = (near: number): string =>
      this.separator(between[Math.min(near, between.length - 1)], lead);
    const spotAfter = (space: string, index: number): Spot => ({
      indent: /\n([ \t]*)$/.exec(space)?.[1],
      isLast: index === entries.length - 1,
    });
    if (old.some((from, i) => from < (old[i - 1] ?? 0))) {
      const texts = entries.map((entry, index) => {
        const space = index === 0 ? lead : (between[index - 1] ?? separator(index));
        const text =
          entry.print === undefined
            ? applyEdits(this.text, [...entry.edits], spans[entry.from])
            : entry.print(spotAfter(space, index));
        return index === 0 ? text : space + text;
      });
      yield { start: first.start, end, text: texts.join("") };
      return;
    }
    // The last old entry, and the text of the new ones after it.
    let [last, added] = [-1, ""];
    for (const [index, entry] of [...entries, undefined].entries())
      if (entry?.print !== undefined) {
        const isFirst = last === -1 && added === "";
        const space = isFirst ? lead : separator(Math.max(last, 0));
        added += (isFirst ? "" : space) + entry.print(spotAfter(space, index));
      } else {
        const next = entry?.from ?? spans.length;
        // Without new entries, the text before the removed ones stays, so that the next one moves to their place.
        const movesUp = added === "" && entry !== undefined;
        const start = last === -1 || movesUp ? spans[last + 1]?.start : spans[last]?.end;
        const until = movesUp ? spans[next]?.start : next === 0 ? first.start : spans[next - 1]?.end;
        if (next === 0 && added !== "") added += separator(0);
        if (start !== undefined && until !== undefined && (start < until || added !== ""))
          yield { start, end: until, text: added };
        if (entry !== undefined) yield* entry.edits;
        [last, added] = [next, ""];
      }
  }

  /** The text between a new entry and its neighbour: a copy of the text beside the neighbour, without empty lines. */
  private separator(model: string | undefined, lead: string): string {
    if (model === undefined && !lead.includes("\n")) return this.isCompact ? "," : ", ";
    return (model ?? `,${lead}`).replace(/(\r?\n)(?:[ \t]*\r?\n)+/g, "$1");
  }

  private replacement({ start, end }: TextSpan, value: unknown, path: Path): Edit {
    const from = this.text.lastIndexOf("\n", start - 1) + 1;
    const line = this.text.slice(from, start);
    const [indent = ""] = /^[ \t]*/.exec(line) ?? [];
    const isAlone = /^[ \t]*(?:"(?:[^"\\]|\\.)*"\s*:\s*)?$/.test(line);
    const isLast = !/^\s*,/.test(this.text.slice(end, end + 200));
    const spot = { indent: isAlone ? indent : undefined, isLast };
    return { start, end, text: this.printed(this.ordered(value, path), spot, line.length - indent.length) };
  }

  private member({ members }: ObjectNode, key: string, value: unknown, spot: Spot): string {
    const model = members.at(-1);
    const colon = model === undefined ? ": " : this.text.slice(model.keyEnd, model.value.start);
    const label = JSON.stringify(key) + (colon.includes("\n") ? ": " : colon);
    return label + this.printed(value, spot, label.length);
  }

  /** @param label number of columns between the indentation of the line and the value. */
  private printed(value: unknown, { indent, isLast }: Spot, label: number): string {
    if (indent === undefined) return this.isCompact ? JSON.stringify(value) : formatLine(value);
    const [first = "", ...lines] = formatValue(value, indent, indent.length + label, isLast ? 0 : 1).split(
      "\n",
    );
    // The standard indentation becomes that of the file.
    const stepped = lines.map((line) => {
      const [spaces = ""] = /^ */.exec(line.slice(indent.length)) ?? [];
      return (
        indent + this.step.repeat(spaces.length / STEP.length) + line.slice(indent.length + spaces.length)
      );
    });
    return [first, ...stepped].join(this.newline);
  }

  private ordered(value: unknown, path: Path): unknown {
    return inOrder(value, this.names, path);
  }
}

/** A value with the members of all its objects in order. */
export function inOrder(value: unknown, names: MemberNames, path: Path = []): unknown {
  if (Array.isArray(value)) return value.map((element, index) => inOrder(element, names, [...path, index]));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    sorted(Object.keys(value), names(path)).map((key) => [key, inOrder(value[key], names, [...path, key])]),
  );
}

/** Keys in the order of the names; others are last. */
function sorted(keys: readonly string[], names: readonly string[]): string[] {
  const others = new Set(keys);
  const known = names.filter((name) => others.delete(name));
  return [...known, ...others];
}

/** The index of a new key among keys in any order: after its nearest predecessor, else before its successor. */
function placeOf(key: string, keys: readonly string[], names: readonly string[]): number {
  const rank = names.indexOf(key);
  if (rank === -1) return keys.length;
  const before = names.slice(0, rank).findLast((name) => keys.includes(name));
  if (before !== undefined) return keys.lastIndexOf(before) + 1;
  const after = names.slice(rank + 1).find((name) => keys.includes(name));
  return after === undefined ? keys.length : keys.indexOf(after);
}

/** For each element of a list that was written as a whole: the index of an equal element before, else of the next one left. */
function pairsOf(before: readonly string[], after: readonly unknown[]): (number | undefined)[] {
  const equal = grouped(before.keys(), (index) => before[index]);
  const pairs = after.map((element) => equal.get(JSON.stringify(element))?.shift());
  const left = [...equal.values()].flat().sort((a, b) => a - b);
  return pairs.map((index) => index ?? left.shift());
}
