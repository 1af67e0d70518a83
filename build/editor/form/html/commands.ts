import {
  chainCommands,
  createParagraphNear,
  exitCode,
  liftEmptyBlock,
  setBlockType,
  newlineInCode,
  splitBlockAs,
} from "prosemirror-commands";
import { isHistoryTransaction } from "prosemirror-history";
import { Slice, type Node, type ResolvedPos } from "prosemirror-model";
import { liftListItem, splitListItem, wrapInList } from "prosemirror-schema-list";
import { EditorState, Plugin, TextSelection, type Command, type Transaction } from "prosemirror-state";
import { findWrapping, liftTarget, Mapping, ReplaceStep } from "prosemirror-transform";
import { ELEMENTS, isAllowed } from "../../../model/html/elements.ts";
import { attributesIn, attributeText, isList, isPlainList, isText, node, typeOf } from "./schema.ts";

/* Commands for lists, quotations and new lines, and the rules that the text keeps after them. */

interface BlockAt {
  block: Node;
  pos: number;
}

function selected({ doc, selection: { from, to } }: EditorState | Transaction): BlockAt[] {
  const found: BlockAt[] = [];
  doc.nodesBetween(from, to, (block, pos) => {
    if (block.isTextblock) found.push({ block, pos });
  });
  return found;
}

function around($pos: ResolvedPos, isOne: (node: Node) => boolean): BlockAt | undefined {
  for (let depth = $pos.depth; depth > 0; depth--)
    if (isOne($pos.node(depth))) return { block: $pos.node(depth), pos: $pos.before(depth) };
  return undefined;
}

const listAround = ($pos: ResolvedPos): BlockAt | undefined => around($pos, isList);
const quoteAround = ($pos: ResolvedPos) => around($pos, (one) => one.type.name === "blockquote");

const isWithin = (state: EditorState, isAt: ($pos: ResolvedPos) => boolean): boolean => {
  const places = selected(state);
  return places.length > 0 && places.every(({ pos }) => isAt(state.doc.resolve(pos)));
};

export const isListed = (state: EditorState, name: string): boolean =>
  isWithin(state, ($pos) => listAround($pos)?.block.type.name === name);

export const isQuoted = (state: EditorState) => isWithin(state, ($pos) => quoteAround($pos) !== undefined);

export const isBlockOf = (state: EditorState, name: string): boolean =>
  isWithin(state, ($pos) => $pos.nodeAfter?.type.name === name);

/** Whether a text is one empty line. */
export const isEmptyText = ({ doc }: EditorState): boolean =>
  doc.childCount === 1 && doc.firstChild?.isTextblock === true && doc.firstChild.content.size === 0;

/** Whether the caret is at the end of a text that ends with a paragraph. */
export const isAtTextEnd = ({ doc, selection: { empty, $from } }: EditorState): boolean =>
  empty &&
  $from.depth === 1 &&
  isText($from.parent) &&
  $from.parent.content.size > 0 &&
  $from.pos === doc.content.size - 1;

/** The parts into which a text is divided if each of several pasted paragraphs, headings and lists becomes one. */
export function divided(state: EditorState, slice: Slice): readonly (readonly Node[])[] | undefined {
  const { content } = slice.content;
  if (content.length < 2) return undefined;
  if (isEmptyText(state)) return content.map((one) => [one]);
  const { doc, mapping } = state.tr.replaceSelection(slice);
  const { from, to } = state.selection;
  const first = doc.resolve(mapping.map(from, -1)).index(0);
  const last = Math.min(doc.resolve(mapping.map(to, 1)).index(0), doc.childCount - 1);
  if (first === last) return undefined;
  const { children } = doc;
  const between = children.slice(first + 1, last).map((one) => [one]);
  return [children.slice(0, first + 1), ...between, children.slice(last)];
}

/** Makes the selected text blocks of one kind; or paragraphs, if all of them are of that kind already. */
export const toggleBlock =
  (name: string): Command =>
  (state, dispatch) =>
    setBlockType(typeOf(isBlockOf(state, name) ? "p" : name))(state, dispatch);

/** Runs a command at one block of a transaction. */
const runAt = (tr: Transaction, pos: number, command: Command): boolean =>
  command(
    EditorState.create({ doc: tr.doc, selection: TextSelection.create(tr.doc, pos + 1) }),
    ({ steps }) => {
      for (const step of steps) tr.step(step);
    },
  );

/** Takes the selected text out of the elements around it: first out of the innermost. */
function takeOut(tr: Transaction, place: typeof listAround, command: Command): void {
  for (let index = 0; index < selected(tr).length;) {
    const { pos = 0 } = selected(tr)[index] ?? {};
    if (place(tr.doc.resolve(pos)) === undefined || !runAt(tr, pos, command)) index++;
  }
  for (const { block, pos } of selected(tr))
    if (block.type.name === "line" && !isShort(tr.doc.resolve(pos).parent))
      tr.setNodeMarkup(pos, typeOf("p"));
}

const dispatched = (tr: Transaction, dispatch: Parameters<Command>[1]): boolean => {
  if (tr.docChanged) dispatch?.(tr.scrollIntoView());
  return tr.docChanged;
};

/** Makes the selected text a list of one kind; or ends its list, if it is in one already. */
export const toggleList =
  (name: string): Command =>
  (state, dispatch) => {
    const { tr } = state;
    if (isListed(state, name)) takeOut(tr, listAround, liftListItem(typeOf("li")));
    else makeList(tr, name);
    return dispatched(tr, dispatch);
  };

function makeList(tr: Transaction, name: string): void {
  const rules = ELEMENTS.get(name);
  for (let index = 0; index < selected(tr).length; index++) {
    const { block, pos } = selected(tr)[index] as BlockAt;
    const list = listAround(tr.doc.resolve(pos));
    if (list === undefined) {
      if (block.type.name === "p" && block.attrs["source"] === "") tr.setNodeMarkup(pos, typeOf("line"));
      if (!runAt(tr, pos, wrapInList(typeOf(name)))) tr.setNodeMarkup(pos, block.type, block.attrs);
    } else if (list.block.type.name !== name) {
      const { source, ...spaces } = list.block.attrs;
      const kept = attributesIn(list.block.type.name, String(source))
        .filter((one) => rules !== undefined && isAllowed(rules, one.name))
        .map((one) => attributeText(one.name, one.value));
      tr.setNodeMarkup(list.pos, typeOf(name), { ...spaces, source: kept.join("") });
    }
  }
  for (let index = selected(tr).length - 1; index >= 0; index--) {
    const list = listAround(tr.doc.resolve(selected(tr)[index]?.pos ?? 0));
    if (list === undefined) continue;
    for (const pos of [list.pos + list.block.nodeSize, list.pos]) {
      const { nodeBefore, nodeAfter } = tr.doc.resolve(pos);
      if (nodeBefore !== null && nodeAfter !== null && isJoinable(nodeBefore, nodeAfter)) tr.join(pos);
    }
  }
}

const isJoinable = (one: Node, next: Node): boolean =>
  isList(one) && one.type === next.type && one.attrs["source"] === next.attrs["source"];

/** Makes the selected text a quotation; or ends its quotation, if all of it is in one. */
export const toggleQuote: Command = (state, dispatch) => {
  const { tr } = state;
  const wasQuoted = isQuoted(state);
  takeOut(tr, quoteAround, ({ selection: { $from, $to }, tr: inner }, run) => {
    const range = $from.blockRange($to, (one) => one.type.name === "blockquote");
    const target = range && liftTarget(range);
    if (range == null || target == null) return false;
    run?.(inner.lift(range, target));
    return true;
  });
  if (!wasQuoted) {
    const { $from, $to } = tr.selection;
    const range = $from.blockRange($to);
    const wrapping = range && findWrapping(range, typeOf("blockquote"));
    if (range != null && wrapping != null) tr.wrap(range, wrapping);
  }
  return dispatched(tr, dispatch);
};

/** A pasted text whose lists stay lists, unless it has one line or goes into a list. */
export function withLists(slice: Slice, $to: ResolvedPos): Slice {
  const { content, openStart, openEnd } = slice;
  const [first, last] = [content.firstChild, content.lastChild];
  if (first === null || last === null || countBlocks(content, true) < 2 || listAround($to) !== undefined)
    return slice;
  return new Slice(content, isList(first) ? 0 : openStart, isList(last) ? 0 : openEnd);
}

export const lineBreak: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(node("br")).scrollIntoView());
  return true;
});

/** Begins a new line: an item in a list, else a paragraph. An element has one caption and one summary. */
export const newLine: Command = chainCommands(
  splitListItem(typeOf("li")),
  newlineInCode,
  (state, dispatch) => state.selection.$from.parent.type.name === "caption" && lineBreak(state, dispatch),
  createParagraphNear,
  liftEmptyBlock,
  splitBlockAs((block, isAtEnd) => {
    if (block.type.name === "summary") return { type: typeOf("p") };
    // Two elements cannot have the same id.
    const source = attributesIn(block.type.name, String(block.attrs["source"] ?? ""))
      .filter(({ name }) => name !== "id")
      .map(({ name, value }) => attributeText(name, value));
    return isAtEnd || block.type.name === "line"
      ? null
      : { type: block.type, attrs: { source: source.join("") } };
  }),
);

/** Elements that may contain text without a paragraph beside other blocks. */
const isShort = ({ type: { name } }: Node) => ["li", "td", "th", "dd", "figcaption", "figure"].includes(name);

function countBlocks(content: Pick<Node, "descendants">, isTextOnly = false): number {
  let count = 0;
  content.descendants(({ isBlock, isTextblock }) => {
    if (isTextOnly ? isTextblock : isBlock) count++;
    return isBlock;
  });
  return count;
}

/**
 * After a change of the blocks, bare text beside other blocks becomes a paragraph, and the items of a list become alike.
 * Only the changed part of the text is corrected, and no block that was pasted as a whole.
 */
export const tidying = new Plugin({
  appendTransaction(transactions, before, { doc, tr }) {
    if (transactions.some(isHistoryTransaction) || countBlocks(before.doc) === countBlocks(doc)) return null;
    const pasted = new Set<Node>();
    for (const step of transactions.flatMap(({ steps }) => steps))
      if (step instanceof ReplaceStep) step.slice.content.descendants((block) => void pasted.add(block));
    let [from, to] = [doc.content.size, 0];
    const mapping = new Mapping();
    for (const one of transactions) mapping.appendMapping(one.mapping);
    for (const [k, map] of mapping.maps.entries())
      map.forEach((_start, _end, start, end) => {
        const later = mapping.slice(k + 1);
        from = Math.min(from, later.map(start, -1));
        to = Math.max(to, later.map(end, 1));
      });
    const become = (name: string, pos: number, block: Node): void => {
      if (block.type.name !== name) tr.setNodeMarkup(pos, typeOf(name));
    };
    doc.nodesBetween(Math.max(0, from - 1), Math.min(to + 1, doc.content.size), (block, pos, parent) => {
      if (pasted.has(block)) return;
      if (isList(block)) {
        const first = block.firstChild?.children.find(isText);
        const name = first?.type.name === "p" || !isPlainList(block) ? "p" : "line";
        block.forEach((item, offset) =>
          item.forEach((one, inner) => {
            if (isText(one)) become(name, pos + offset + inner + 2, one);
          }),
        );
      } else if (block.type.name === "line" && parent !== null && parent.type.name !== "li") {
        const others = parent.children.filter((one) => one !== block);
        if (isShort(parent) ? others.some((one) => one.isTextblock) : others.length > 0)
          become("p", pos, block);
      }
    });
    return tr.docChanged ? tr : null;
  },
});
