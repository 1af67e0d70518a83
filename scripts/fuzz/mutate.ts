import type { Random } from "../bench/input/random.ts";
import { parseJson } from "../../build/json/parse.ts";
import { copyOf, placesIn, printTree, treeOf, type JsonStyle, type Tree } from "./tree.ts";
import { KEYS, NUMBERS, STRINGS, TOKENS } from "./material.ts";

/**
 * A source with one to four changes of its bytes, tokens, values, keys or nesting. Every third is only written
 * differently, with the same or nearly the same meaning.
 */
export function mutate(seed: Buffer, others: readonly Buffer[], random: Random): Buffer {
  if (random.below(3) === 0) return rewrite(seed, random);
  let bytes = seed;
  for (let n = 1 + random.below(4); n > 0; n--) {
    const kind = random.below(10);
    if (kind === 0) bytes = mutateBytes(bytes, random.pick(others), random);
    else if (kind === 1) bytes = Buffer.from(mutateTokens(bytes.toString("utf8"), random));
    else bytes = mutateTree(bytes, random);
  }
  return bytes;
}

/** Changes bytes as a broken disk or a faulty program would. */
export function mutateBytes(bytes: Buffer, other: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + random.below(1 + random.pick([1, 4, 64, 4096])));
  const [head, middle, tail] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
  switch (random.below(8)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      if (at < flipped.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << random.below(8));
      return flipped;
    }
    case 1:
      return Buffer.concat([head, Buffer.from([random.below(256)]), tail]);
    case 2:
      return Buffer.concat([head, tail]);
    case 3:
      return Buffer.concat([head, middle, middle, tail]);
    case 4:
      return head;
    case 5:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 6:
      return Buffer.concat([head, Buffer.from(random.pick(BROKEN_UTF8)), tail]);
    default:
      return Buffer.concat([head, other.subarray(random.below(other.length + 1))]);
  }
}

const BROKEN_UTF8 = [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98], [0xc0, 0x80], [0x80]];

const TOKEN = /"(?:[^"\\]|\\.)*"|[-+.\w]+|[{}[\],:]/g;

/** Deletes, doubles, exchanges or replaces tokens, as in typing mistakes. */
export function mutateTokens(text: string, random: Random): string {
  const tokens = [...text.matchAll(TOKEN)];
  if (tokens.length === 0) return random.pick(TOKENS);
  const token = random.pick(tokens);
  const other = random.pick(tokens);
  const [start, end] = [token.index, token.index + token[0].length];
  const replaced = (by: string): string => text.slice(0, start) + by + text.slice(end);
  switch (random.below(5)) {
    case 0:
      return replaced("");
    case 1:
      return replaced(`${token[0]} ${token[0]}`);
    case 2:
      return replaced(other[0]);
    case 3:
      return replaced(`${token[0]}${random.pick(TOKENS)}`);
    default:
      return replaced(random.pick(TOKENS));
  }
}

/** Changes the order of keys and the spelling of numbers and texts, and replaces some texts. */
function rewrite(bytes: Buffer, random: Random): Buffer {
  const { root, source } = parseJson("", bytes);
  if (root === undefined) return bytes;
  const tree = treeOf(root, source.text);
  for (const place of placesIn(tree)) {
    const { tree: at } = place;
    if (at.kind === "object" && random.below(2) === 0) shuffle(at.members, random);
    else if (at.kind === "raw" && /^-?\d/.test(at.text) && random.below(4) === 0)
      at.text = random.pick([
        `${at.text}e0`,
        `${at.text}E+0`,
        /[.e]/.test(at.text) ? at.text : `${at.text}.0`,
      ]);
    else if (at.kind === "string" && random.below(40) === 0) at.value = random.pick(STRINGS);
    else if (at.kind === "array" && random.below(20) === 0)
      at.items.splice(random.below(at.items.length + 1), 1);
  }
  return Buffer.from(printTree(tree, randomStyle(random)));
}

function shuffle(list: unknown[], random: Random): void {
  for (let i = list.length - 1; i > 0; i--) {
    const k = random.below(i + 1);
    [list[i], list[k]] = [list[k], list[i]];
  }
}

function mutateTree(bytes: Buffer, random: Random): Buffer {
  const { root, source } = parseJson("", bytes);
  if (root === undefined) return bytes;
  const holder: Tree = { kind: "array", items: [treeOf(root, source.text)] };
  const places = [...placesIn(holder)];
  const { tree, replace } = random.pick(places);
  switch (random.below(6)) {
    case 0:
    case 1:
      replace(otherValue(tree, random));
      break;
    case 2:
      mutateKeys(places.map((place) => place.tree).filter(isObject), places, random);
      break;
    case 3:
      replace(otherNesting(tree, random));
      break;
    case 4:
      replace(copyOf(random.pick(places).tree));
      break;
    default:
      mutateList(
        places.map((place) => place.tree),
        random,
      );
  }
  const [written] = holder.items;
  return Buffer.from(written === undefined ? "" : printTree(written, randomStyle(random)));
}

const isObject = (tree: Tree): tree is Tree & { kind: "object" } => tree.kind === "object";

function otherValue(tree: Tree, random: Random): Tree {
  if (tree.kind === "raw" && random.below(2) === 0) return { kind: "raw", text: respell(tree.text, random) };
  if (tree.kind === "string" && random.below(3) === 0)
    return { kind: "string", value: mutateString(tree.value, random) };
  if (random.below(2) === 0) return { kind: "string", value: random.pick(STRINGS) };
  return { kind: "raw", text: random.pick(NUMBERS) };
}

/** The same or nearly the same number in another spelling. */
function respell(text: string, random: Random): string {
  if (!/^-?\d+$/.test(text)) return `${text}${random.pick(["0", "e0", ".0"])}`;
  return random.pick([
    `${text}.0`,
    `${text}e0`,
    `${text}E+00`,
    `${text}0e-1`,
    `${text}.00000`,
    `-${text}`,
    `0${text}`,
  ]);
}

function mutateString(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const insert = random.pick([
    "",
    "<",
    ">",
    "&",
    '"',
    "\\",
    "/",
    " ",
    "\n",
    "\u0000",
    "\u2028",
    "é",
    "😀",
    "\ud83d",
    "</p>",
    "-",
    "0",
  ]);
  return text.slice(0, at) + insert + text.slice(at + random.below(3));
}

function mutateKeys(objects: (Tree & { kind: "object" })[], places: { tree: Tree }[], random: Random): void {
  if (objects.length === 0) return;
  const { members } = random.pick(objects);
  const at = random.below(members.length + 1);
  const member = members[at];
  const value = copyOf(random.pick(places).tree);
  switch (random.below(5)) {
    case 0:
      if (member !== undefined) members.splice(at, 1);
      break;
    case 1:
      if (member !== undefined)
        member.key = random.below(2) === 0 ? random.pick(KEYS) : mutateString(member.key, random);
      break;
    case 2:
      if (member !== undefined) members.splice(random.below(members.length + 1), 0, { ...member, value });
      break;
    case 3:
      members.splice(at, 0, { key: random.pick(KEYS), value });
      break;
    default:
      // The order of keys has no meaning.
      if (member !== undefined) members.splice(random.below(members.length), 0, ...members.splice(at, 1));
  }
}

function mutateList(trees: Tree[], random: Random): void {
  const lists = trees.filter((tree) => tree.kind === "array");
  if (lists.length === 0) return;
  const { items } = random.pick(lists);
  const at = random.below(items.length + 1);
  if (random.below(2) === 0) items.splice(at, 1);
  else if (items.length > 0) items.splice(at, 0, copyOf(random.pick(items)));
  else items.push({ kind: "raw", text: random.pick(NUMBERS) });
}

function otherNesting(tree: Tree, random: Random): Tree {
  if (random.below(2) === 0) {
    const inner =
      tree.kind === "array"
        ? tree.items
        : tree.kind === "object"
          ? tree.members.map(({ value }) => value)
          : [];
    if (inner.length > 0) return random.pick(inner);
  }
  let wrapped = tree;
  for (let depth = random.pick([1, 1, 2, 3, 90, 98, 120]); depth > 0; depth--)
    wrapped =
      random.below(2) === 0
        ? { kind: "array", items: [wrapped] }
        : { kind: "object", members: [{ key: random.pick(KEYS), value: wrapped }] };
  return wrapped;
}

function randomStyle(random: Random): JsonStyle {
  const gap = random.pick(["", " ", "\n", "\r\n\t"]);
  const quote = random.pick([
    JSON.stringify,
    JSON.stringify,
    (text: string) => JSON.stringify(text).replaceAll(/[^\u0020-\u007e]/g, escaped),
    (text: string) => JSON.stringify(text).replaceAll("/", "\\/"),
    (text: string) => `"${text.replaceAll(/[^]/g, escaped)}"`,
  ]);
  return { gap, quote };
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
