import { parseJson } from "../../build/source/json/parse.ts";
import type { Node } from "../../build/source/json/object.ts";
import type { Random } from "../random.ts";
import { KEYS, NUMBERS, STRINGS, TOKENS } from "./material.ts";

/** One to four changes. Every third mutant is only written differently, with nearly the same meaning. */
export function mutate(seed: Buffer, others: readonly Buffer[], random: Random): Buffer {
  if (random.below(3) === 0) return Buffer.from(rewrite(shuffled(seed, random), random));
  let bytes = seed;
  for (let n = 1 + random.below(4); n > 0; n--) {
    const kind = random.below(10);
    if (kind === 0) bytes = mutateBytes(bytes, random.pick(others), random);
    else if (kind === 1) bytes = Buffer.from(mutateTokens(bytes.toString("utf8"), random));
    else bytes = Buffer.from(mutateValues(bytes, random));
  }
  return bytes;
}

/** Changes bytes as a broken disk or a faulty program would. */
export function mutateBytes(bytes: Buffer, other: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + random.below(1 + random.pick([1, 4, 64, 4096])));
  const [head, middle, tail] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
  const flipped = Buffer.from(bytes);
  if (at < flipped.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << random.below(8));
  return random.pick([
    () => flipped,
    () => Buffer.concat([head, Buffer.from([random.below(256)]), tail]),
    () => Buffer.concat([head, tail]),
    () => Buffer.concat([head, middle, middle, tail]),
    () => head,
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    () => Buffer.concat([head, Buffer.from(random.pick(BROKEN_UTF8)), tail]),
    () => Buffer.concat([head, other.subarray(random.below(other.length + 1))]),
  ])();
}

const BROKEN_UTF8 = [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0xc0, 0x80], [0x80]];

const TOKEN = /"(?:[^"\\]|\\.)*"|[-+.\w]+|[{}[\],:]/g;

/** Deletes, doubles, exchanges or replaces tokens, as in typing mistakes. */
export function mutateTokens(text: string, random: Random): string {
  const tokens = [...text.matchAll(TOKEN)];
  if (tokens.length === 0) return random.pick(TOKENS);
  const { 0: token, index } = random.pick(tokens);
  const written = random.pick([
    "",
    `${token} ${token}`,
    random.pick(tokens)[0],
    `${token}${random.pick(TOKENS)}`,
    random.pick(TOKENS),
  ]);
  return text.slice(0, index) + written + text.slice(index + token.length);
}

/** The values of a source that can be parsed, and a function that replaces one of them in its text. */
function valuesOf(bytes: Buffer) {
  const { root, source } = parseJson("", bytes);
  const nodes = root === undefined ? [] : [...nodesIn(root)];
  const textOf = (from: number, to: number): string => source.text.slice(from, to);
  const replaced = ({ start, end }: Node, by: string): string =>
    source.text.slice(0, start) + by + source.text.slice(end);
  /** The texts of the members or items of a value, which are changed and joined again. */
  const partsOf = (node: Node): string[] =>
    node.type === "object"
      ? node.members.map(({ keyStart, value }) => textOf(keyStart, value.end))
      : node.type === "array"
        ? node.items.map(({ start, end }) => textOf(start, end))
        : [];
  const joined = (node: Node, parts: readonly string[]): string =>
    replaced(node, node.type === "object" ? `{${parts.join(", ")}}` : `[${parts.join(", ")}]`);
  return { text: source.text, nodes, textOf, replaced, partsOf, joined };
}

function* nodesIn(node: Node): Generator<Node> {
  yield node;
  if (node.type === "array") for (const item of node.items) yield* nodesIn(item);
  if (node.type === "object") for (const { value } of node.members) yield* nodesIn(value);
}

/** Replaces, nests, repeats, adds or removes a value. */
function mutateValues(bytes: Buffer, random: Random): string {
  const { text, nodes, textOf, replaced, partsOf, joined } = valuesOf(bytes);
  if (nodes.length === 0) return text;
  const node = random.pick(nodes);
  const written = textOf(node.start, node.end);
  const other = random.pick(nodes);
  const kind = random.below(6);
  if (kind <= 1) return replaced(node, otherValue(written, random));
  if (kind === 2) return replaced(node, otherNesting(written, partsOf(node), random));
  if (kind === 3) return replaced(node, textOf(other.start, other.end));
  const groups = nodes.filter(({ type }) => type === (kind === 4 ? "object" : "array"));
  if (groups.length === 0) return text;
  const group = random.pick(groups);
  return joined(group, otherParts(partsOf(group), written, kind === 4, random));
}

/** The parts of an object or list, of which one is removed, repeated, moved, renamed or added. */
function otherParts(parts: readonly string[], value: string, isObject: boolean, random: Random) {
  const at = random.below(parts.length + 1);
  const part = parts[at];
  const name = JSON.stringify(random.pick(KEYS));
  const added = isObject ? `${name}: ${value}` : value;
  if (part === undefined) return [...parts, added];
  const others = parts.toSpliced(at, 1);
  const to = random.below(parts.length);
  return random.pick([
    others,
    others.toSpliced(to, 0, part),
    parts.toSpliced(to, 0, part),
    parts.toSpliced(at, 0, added),
    isObject
      ? parts.with(
          at,
          part.replace(/^"(?:[^"\\]|\\.)*"/, () => name),
        )
      : others,
  ]);
}

function otherValue(written: string, random: Random): string {
  if (/^-?\d/.test(written) && random.below(2) === 0) return respelled(written, random);
  if (written.startsWith('"') && random.below(3) === 0)
    return JSON.stringify(mutateString(JSON.parse(written) as string, random));
  return random.below(2) === 0 ? JSON.stringify(random.pick(STRINGS)) : random.pick(NUMBERS);
}

/** The same or nearly the same number in another spelling. */
const respelled = (written: string, random: Random): string =>
  /^-?\d+$/.test(written)
    ? random.pick(
        [".0", "e0", "E+00", "0e-1", ".00000"]
          .map((end) => written + end)
          .concat(`-${written}`, `0${written}`),
      )
    : `${written}${random.pick(["0", "e0", ".0"])}`;

const INSERTED = ["", " ", "\n", "\u0000", "\u2028", "\ud83d"].concat(
  String.raw`< > & " \ / é 😀 </p> - 0`.split(" "),
);

function mutateString(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.pick(INSERTED) + text.slice(at + random.below(3));
}

function otherNesting(written: string, parts: readonly string[], random: Random): string {
  if (parts.length > 0 && random.below(2) === 0)
    return random.pick(parts).replace(/^"(?:[^"\\]|\\.)*"\s*:/, "");
  let wrapped = written;
  for (let depth = random.pick([1, 1, 2, 3, 90, 98, 120]); depth > 0; depth--)
    wrapped = random.below(2) === 0 ? `[${wrapped}]` : `{${JSON.stringify(random.pick(KEYS))}: ${wrapped}}`;
  return wrapped;
}

/** A source with the members of one object in another order, which has no meaning. */
function shuffled(bytes: Buffer, random: Random): string {
  const { text, nodes, partsOf, joined } = valuesOf(bytes);
  const objects = nodes.filter(({ type }) => type === "object");
  if (objects.length === 0) return text;
  const object = random.pick(objects);
  const parts = partsOf(object);
  const front = new Set(random.some(parts, parts.length / 2));
  return joined(object, [
    ...parts.filter((part) => front.has(part)),
    ...parts.filter((part) => !front.has(part)),
  ]);
}

/** Changes the space between tokens, and the spelling of numbers and texts, and replaces some texts. */
function rewrite(text: string, random: Random): string {
  const gap = random.pick(["", " ", "\n", "\r\n\t"]);
  const quote = random.pick([
    JSON.stringify,
    JSON.stringify,
    (value: string) => JSON.stringify(value).replaceAll(/[^\u0020-\u007e]/g, escaped),
    (value: string) => JSON.stringify(value).replaceAll("/", "\\/"),
    (value: string) => `"${value.replaceAll(/[^]/g, escaped)}"`,
  ]);
  return text.replaceAll(/"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[-+.\w]*|\s+/g, (token, colon: string | undefined) => {
    if (token.trim() === "") return gap;
    if (!token.startsWith('"')) return random.below(4) === 0 ? respelled(token, random) : token;
    if (colon === undefined && random.below(40) === 0) return quote(random.pick(STRINGS));
    const [name = ""] = /^"(?:[^"\\]|\\.)*"/.exec(token) ?? [];
    return `${quote(JSON.parse(name) as string)}${colon ?? ""}`;
  });
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
