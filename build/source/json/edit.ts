import { grouped } from "../../base/grouped.ts";
import { layOut, newMember, writtenValue, type WrittenJson, type WrittenMember } from "./format.ts";
import type { Node, Path } from "./object.ts";
import { parseJson } from "./parse.ts";

/*
 * Changes of sources: commands and forms record operations on the values of a source. Its text is then laid out like
 * every other source, with the order of members and the spelling of everything else as it was.
 *
 *     editedText(source.text, root, [
 *       { kind: "set", path: ["meta", "seo_title"], value: "Visit us" },
 *       { kind: "remove", path: ["subjects", 0, "url"] },
 *       { kind: "move", path: ["subjects", 2], to: 0 },
 *     ], memberNames(model));
 *
 * A form keeps a `JsonEditor`, which applies one operation after the other.
 */

/**
 * A change of one value. Each operation is applied to the result of the one before.
 *
 * - `set`: writes a value. Adds a member if the object lacks it, and an element if the index is the list's length;
 *   missing objects on the path are added too. `written`: the value as a person wrote it, with that spelling.
 * - `remove`: removes a member, also each repeated one, or an element of a list.
 * - `rename`: gives a member, also each repeated one, another name.
 * - `insert`: inserts an element before the index at the end of the path.
 * - `move`: moves the element at the path to another index of its list.
 */
export type SourceOperation =
  | { kind: "set"; path: Path; value: unknown; written?: string }
  | { kind: "remove"; path: Path }
  | { kind: "rename"; path: Path; to: string }
  | { kind: "insert"; path: Path; value: unknown }
  | { kind: "move"; path: Path; to: number };

/** The names of an object's members, in the order in which new members are written; new members of other names are last. */
export type MemberNames = (path: Path) => readonly string[];

const NO_NAMES: MemberNames = () => [];

export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Applies edits inside of texts, or to a text that is not JSON yet. They must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let done = "";
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) throw new RangeError(`two edits overlap at ${edit.start}`);
    done += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return done + text.slice(at);
}

/** The line ending of a text; that of the layout if it has several. */
const lineEnding = (text: string): "\r\n" | "\n" => (/^(?:[^\n]*\r\n)+[^\n]*$/.test(text) ? "\r\n" : "\n");

/** The text in the layout of sources. @param root the node of the text without its byte order mark */
export const laidOut = (text: string, root: Node): string =>
  layOut(writtenNode(text, root), lineEnding(text));

/** Whether a text is in the layout of sources; a text that is not JSON has none. */
export function isLaidOut(text: string): boolean {
  const { source, root } = parseJson("", new TextEncoder().encode(text));
  return root === undefined || laidOut(source.text, root) === text;
}

/** The text with operations carried out, in the layout of sources; the text itself if they change nothing. */
export function editedText(
  text: string,
  root: Node,
  operations: readonly SourceOperation[],
  names: MemberNames = NO_NAMES,
): string {
  const editor = new JsonEditor(text, root);
  for (const operation of operations) editor.apply(operation);
  const edited = editor.print(names);
  return edited === laidOut(text, root) ? text : edited;
}

export class JsonEditor {
  readonly before: unknown;
  private readonly text: string;
  private written: WrittenJson;

  constructor(text: string, root: Node) {
    this.text = text;
    this.written = writtenNode(text, root);
    this.before = valueOf(this.written);
  }

  /** The value after the operations. It shares its unedited objects and lists with the values before. */
  get value(): unknown {
    return valueOf(this.written);
  }

  apply(operation: SourceOperation): void {
    if (operation.path.length === 0 && operation.kind !== "set")
      throw new RangeError("The outermost value can only be written.");
    this.written = changed(this.written, operation.path, operation) ?? this.written;
  }

  print(names: MemberNames = NO_NAMES): string {
    return layOut(inOrder(this.written, names), lineEnding(this.text));
  }

  /** The text of the value at a path, without a line break at its end; empty if there is none. */
  printAt(path: Path): string {
    const written = path.reduce<WrittenJson | undefined>(childAt, this.written);
    return written === undefined ? "" : layOut(written).trimEnd();
  }
}

function writtenNode(text: string, node: Node): WrittenJson {
  if (node.type === "array") return { items: node.items.map((item) => writtenNode(text, item)) };
  if (node.type !== "object") return { text: text.slice(node.start, node.end), value: node.value };
  return {
    members: node.members.map(({ key, keyStart, keyEnd, value }) => ({
      key,
      label: text.slice(keyStart, keyEnd),
      value: writtenNode(text, value),
    })),
  };
}

const VALUES = new WeakMap<WrittenJson, unknown>();

function valueOf(written: WrittenJson): unknown {
  if ("text" in written) return written.value;
  if (VALUES.has(written)) return VALUES.get(written);
  const value =
    "items" in written
      ? written.items.map(valueOf)
      : Object.fromEntries(written.members.map((member) => [member.key, valueOf(member.value)]));
  VALUES.set(written, value);
  return value;
}

const withValue = (member: WrittenMember, value: WrittenJson): WrittenMember => ({ ...member, value });

const membersOf = (written: WrittenJson | undefined): readonly WrittenMember[] =>
  written !== undefined && "members" in written ? written.members : [];

const itemsOf = (written: WrittenJson | undefined): readonly WrittenJson[] =>
  written !== undefined && "items" in written ? written.items : [];

/** Of repeated members, the last counts. */
const childAt = (written: WrittenJson | undefined, step: PropertyKey): WrittenJson | undefined =>
  written !== undefined && "items" in written
    ? written.items[Number(step)]
    : membersOf(written).findLast(({ key }) => key === String(step))?.value;

function changed(
  at: WrittenJson | undefined,
  [step, ...rest]: Path,
  operation: SourceOperation,
): WrittenJson | undefined {
  if (step === undefined) return operation.kind === "set" ? writtenAs(operation, at) : undefined;
  const isOfList = rest.length === 0 && (operation.kind === "insert" || operation.kind === "move");
  if (isOfList || (at !== undefined && "items" in at))
    return { items: changedItems(itemsOf(at), Number(step), rest, operation) };
  const members = membersOf(at);
  const key = String(step);
  const isKey = (member: WrittenMember): boolean => member.key === key;
  const last = members.findLastIndex(isKey);
  if (operation.kind === "rename" && rest.length === 0) {
    const { key: to, label } = newMember(operation.to, { items: [] });
    return { members: members.map((member) => (isKey(member) ? { ...member, key: to, label } : member)) };
  }
  const value = changed(members[last]?.value, rest, operation);
  if (value === undefined) return last === -1 ? at : { members: members.filter((one) => !isKey(one)) };
  const member = members[last];
  return {
    members:
      member === undefined
        ? [...members, newMember(key, value)]
        : members.with(last, withValue(member, value)),
  };
}

function changedItems(
  items: readonly WrittenJson[],
  index: number,
  rest: Path,
  operation: SourceOperation,
): readonly WrittenJson[] {
  const kind = rest.length > 0 ? "set" : operation.kind;
  const mayAdd = kind === "set" || kind === "insert";
  const item = items[index];
  if (item === undefined && !(mayAdd && index === items.length))
    throw new RangeError(`There is no element ${index}.`);
  if (rest.length === 0 && operation.kind === "insert")
    return items.toSpliced(index, 0, writtenValue(operation.value));
  if (rest.length === 0 && operation.kind === "move" && item !== undefined)
    return items.toSpliced(index, 1).toSpliced(operation.to, 0, item);
  const value = changed(item, rest, operation);
  return items.toSpliced(index, 1, ...(value === undefined ? [] : [value]));
}

/** A value with its own spelling, if a person wrote it, else with that of the value that it replaces. */
function writtenAs(
  { value, written }: SourceOperation & { kind: "set" },
  before: WrittenJson | undefined,
): WrittenJson {
  const root = written === undefined ? undefined : parseJson("", new TextEncoder().encode(written)).root;
  return root === undefined || written === undefined
    ? respelled(writtenValue(value), before)
    : writtenNode(written, root);
}

/** A new value with the order and the spelling of the one before where both are equal. */
function respelled(value: WrittenJson, before: WrittenJson | undefined): WrittenJson {
  if (before === undefined) return value;
  if ("text" in value) return "text" in before && before.value === value.value ? before : value;
  if ("items" in value) {
    if (!("items" in before)) return value;
    const pairs = pairsOf(before.items, value.items);
    return { items: value.items.map((item, k) => respelled(item, pairs[k])) };
  }
  const fresh = new Map(value.members.map((member) => [member.key, member]));
  const kept = membersOf(before).filter(({ key }) => fresh.has(key));
  const last = new Map(kept.map((member) => [member.key, member]));
  const members = kept.map((member) => {
    const now = fresh.get(member.key);
    return now === undefined || last.get(member.key) !== member
      ? member
      : withValue(member, respelled(now.value, member.value));
  });
  return { members: [...members, ...value.members.filter(({ key }) => !last.has(key))] };
}

/** For each element of a list that was written as a whole: an equal element before, else the next one left. */
function pairsOf(before: readonly WrittenJson[], after: readonly WrittenJson[]): (WrittenJson | undefined)[] {
  const equal = grouped(before, (item) => JSON.stringify(valueOf(item)));
  const pairs = after.map((item) => equal.get(JSON.stringify(valueOf(item)))?.shift());
  const left = new Set([...equal.values()].flat());
  const rest = before.filter((item) => left.has(item));
  return pairs.map((pair) => pair ?? rest.shift());
}

/** A value with each new member after the last one that precedes it; those without a name in the order are last. */
function inOrder(written: WrittenJson, names: MemberNames, path: Path = []): WrittenJson {
  if ("text" in written) return written;
  if ("items" in written)
    return { items: written.items.map((item, index) => inOrder(item, names, [...path, index])) };
  const members = written.members.map((member) => ({
    ...member,
    value: inOrder(member.value, names, [...path, member.key]),
  }));
  const known = names(path);
  const rankOf = ({ key }: WrittenMember): number =>
    known.includes(key) ? known.indexOf(key) : known.length;
  const placed = members.filter(({ isNew }) => isNew !== true);
  const added = members.filter(({ isNew }) => isNew === true);
  for (const member of added.sort((a, b) => rankOf(a) - rankOf(b))) {
    const before = placed.findLastIndex((one) => rankOf(one) <= rankOf(member));
    placed.splice(before + 1, 0, member);
  }
  return { members: placed };
}
