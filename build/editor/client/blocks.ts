import type { Node } from "prosemirror-model";
import { ICONS } from "../../model/icons.ts";
import { parseJson } from "../../source/json/parse.ts";
import { valueOf, isObject, valueAt } from "../../source/json/object.ts";
import type { Field, FieldPath } from "../form/fields.ts";
import { blockField, newValue, pathText } from "../form/values.ts";
import type { FormContext, ListField } from "./context.ts";
import { openMenu } from "./menu.ts";

/* The blocks of a list: the menu of their types, and what the keys do in a text that is a block of its own. */

function iconOf({ icon, control }: Field): string {
  const usual = control === "html" ? "text" : control === "list" ? "list" : "document";
  return ICONS[(icon ?? usual) as keyof typeof ICONS];
}

/** With the id that Wagtail would give it. A list begins with an element. */
function newBlock(type: string, field: Field, value?: unknown): object {
  const { control, element } = field;
  const isList = control === "list" && element !== undefined && element.control !== "block";
  const first = value ?? (isList ? [newValue(element)] : newValue(field));
  return { type, ...(control !== "derived" && { value: first }), id: crypto.randomUUID() };
}

export const copyOf = (block: unknown): object => ({ ...(block as object), id: crypto.randomUUID() });

/** A new block of a copied text; undefined if it is no block that the list may have. */
export function copiedBlock(element: Field, text: string): object | undefined {
  const { root } = text.startsWith("{") ? parseJson("", new TextEncoder().encode(text)) : {};
  const block = root && valueOf(root);
  return isObject(block) && blockField(element, block) !== undefined ? copyOf(block) : undefined;
}

export const openBlockMenu = (anchor: Element, list: ListField, index: number, replaced = 0): void =>
  openMenu(
    anchor,
    "Type of the new block",
    Array.from(list.element.blocks, ([type, field]) => ({
      label: field.label,
      help: field.help,
      icon: iconOf(field),
      run: () => list.write(index, [newBlock(type, field)], replaced),
    })),
  );

const isText = ({ control }: Field): boolean => control === "text" || control === "long-text";

/** The block of a pasted heading; undefined if the list has none for it. */
function headingBlock({ blocks }: Field, { textContent, type: { name: level } }: Node): object | undefined {
  const [type, field] =
    [...blocks].find(([name, { icon }]) => icon === "heading" || /heading/i.test(name)) ?? [];
  if (type === undefined || field === undefined) return undefined;
  if (isText(field)) return newBlock(type, field, textContent);
  const text = field.fields.find(isText);
  const choice = field.fields.find(({ choices }) => choices.some(({ value }) => value === level));
  const own = choice === undefined || choice.empty === level ? {} : { [choice.name]: level };
  return text && newBlock(type, field, { [text.name]: textContent, ...own });
}

/** What a text that is a block of a list does with its list. */
export interface BlockOfText {
  next: () => void;
  menu: (anchor: Element) => void;
  join: () => void;
  /** Inserts a copied block after this one. @returns whether the text is a block */
  insert: (copied: string) => boolean;
  /** Writes the parts of the text as blocks, the first of them into this one. @param print the HTML of nodes */
  divide: (parts: readonly (readonly Node[])[], print: (nodes: readonly Node[]) => string) => void;
}

/** Undefined if the text at a path is no block of a list. */
export function blockOfText(context: FormContext, path: FieldPath): BlockOfText | undefined {
  const [index, last] = path.slice(-2);
  const list = context.lists.get(pathText(path.slice(0, -2)));
  if (list?.element.control !== "block" || typeof index !== "number" || last !== "value") return undefined;
  const block = context.model.value(path.slice(0, -1));
  const type = String(valueAt(block, ["type"]));
  const field = list.element.blocks.get(type) as Field;
  return {
    next: () => list.write(index + 1, [newBlock(type, field)]),
    menu: (anchor) => openBlockMenu(anchor, list, index, 1),
    join: () => list.join(index),
    insert: (copied) => {
      const inserted = copiedBlock(list.element, copied);
      if (inserted !== undefined) list.write(index + 1, [inserted]);
      return inserted !== undefined;
    },
    divide: (parts, print) => {
      const made = parts.map((nodes, k) => {
        const [first] = nodes;
        const isHeading = nodes.length === 1 && /^h\d$/.test(first?.type.name ?? "");
        const heading = isHeading ? headingBlock(list.element, first as Node) : undefined;
        const html = newBlock(type, field, print(nodes));
        return heading ?? (k === 0 ? { ...(block as object), value: print(nodes) } : html);
      });
      list.write(index, made, 1);
    },
  };
}
