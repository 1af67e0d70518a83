import type { Node } from "../../build/json/node.ts";

/**
 * JSON as it is written, so that mutations can write text that no value represents: a repeated key, any spelling of a
 * number.
 */
export type Tree =
  | { kind: "object"; members: { key: string; value: Tree }[] }
  | { kind: "array"; items: Tree[] }
  | { kind: "string"; value: string }
  /** A number, a literal, or any other text, as it is written. */
  | { kind: "raw"; text: string };

export function treeOf(node: Node, text: string): Tree {
  if (node.type === "object") {
    const members = node.members.map(({ key, value }) => ({ key, value: treeOf(value, text) }));
    return { kind: "object", members };
  }
  if (node.type === "array") return { kind: "array", items: node.items.map((item) => treeOf(item, text)) };
  if (node.type === "string") return { kind: "string", value: node.value };
  return { kind: "raw", text: text.slice(node.start, node.end) };
}

export const copyOf = (tree: Tree): Tree => structuredClone(tree);

/** The spelling of strings and the space between tokens, which do not change the meaning. */
export interface JsonStyle {
  gap: string;
  quote: (text: string) => string;
}

export function printTree(tree: Tree, style: JsonStyle): string {
  const { gap, quote } = style;
  const between = `,${gap}`;
  if (tree.kind === "object") {
    const members = tree.members.map(({ key, value }) => `${quote(key)}:${gap}${printTree(value, style)}`);
    return `{${gap}${members.join(between)}}`;
  }
  if (tree.kind === "array")
    return `[${tree.items.map((item) => printTree(item, style)).join(between)}${gap}]`;
  return tree.kind === "string" ? quote(tree.value) : tree.text;
}

/** All subtrees of a tree, each with a function that replaces it. */
export function* placesIn(tree: Tree): Generator<{ tree: Tree; replace: (by: Tree) => void }> {
  if (tree.kind === "object") {
    for (const member of tree.members) {
      yield { tree: member.value, replace: (by) => void (member.value = by) };
      yield* placesIn(member.value);
    }
  } else if (tree.kind === "array") {
    for (const [i, item] of tree.items.entries()) {
      yield { tree: item, replace: (by) => void (tree.items[i] = by) };
      yield* placesIn(item);
    }
  }
}
