import { Fragment, Mark, Slice, type Node, type NodeType } from "prosemirror-model";
import { ELEMENTS, isAllowed, LINK_ATTRIBUTES, OPAQUE } from "../../../model/html/elements.ts";
import { badLink } from "../../../model/html.ts";
import { attributeText, isList, isPlainList, node, schema, typeOf } from "./schema.ts";

/*
 * Pasted text as blocks of the editor. Text of the editor itself arrives exactly as it was copied. The HTML of other
 * programs becomes paragraphs, headings, lists, tables, links and phrases, without its fonts, classes, ids and empty lines.
 */

/** A node of pasted HTML: one of the browser's, or of another parser. */
export interface PastedNode {
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly childNodes: Iterable<PastedNode>;
  readonly attributes?: Iterable<{ name: string; value: string }>;
}

/** The attribute of copied HTML that contains the exact blocks. */
export const COPIED = "data-page-blocks";

export const copiedBlocks = (blocks: Fragment): string => JSON.stringify(blocks);

/** The blocks that an editor copied; undefined if another program wrote the text. */
export function readCopied(text: string): Fragment | undefined {
  try {
    const blocks = Fragment.fromJSON(schema, JSON.parse(text));
    for (const block of blocks.content) block.check();
    return blocks;
  } catch {
    return undefined;
  }
}

/** Paragraphs of a plain text: a blank line begins a new one, and any other line break stays a line break. */
export function pastedText(text: string, marks: readonly Mark[]): Slice {
  const parts = text.replace(/\r\n?/g, "\n").split(/\n(?:[ \t]*\n)+/);
  const blocks = parts.flatMap((part) => paragraphs(withBreaks(part, marks), parts.length === 1));
  return Slice.maxOpen(Fragment.from(blocks));
}

export function pastedBlocks(root: PastedNode): Fragment {
  const isDocument = some(
    root,
    (one) =>
      attributeOf(one, "paraid") !== "" ||
      (nameOf(one) === "meta" && attributeOf(one, "name").toLowerCase() === "generator"),
  );
  const blocks = flow(root, { marks: Mark.none, isPre: false, isDocument }, true);
  return Fragment.from(fitting(typeOf("doc"), blocks).map(compact));
}

const set = (names: string): Set<string> => new Set(names.split(" "));

/** Elements that only group others: their content is pasted without them. */
const GROUPS = set(
  "article section div address header footer main nav form fieldset legend center hgroup menu dir body html",
).add("aside");

/** Elements that are pasted as another one. */
const AS = new Map([
  ["b", "strong"],
  ["i", "em"],
  ["strike", "s"],
  ["h1", "h2"],
]);

const KEPT = set(
  "href hreflang lang dir title src alt width height colspan rowspan scope start reversed type value datetime open cite",
);

/** Attributes with the value that they have without being written. */
const DEFAULTS = set('dir="ltr" start="1" type="1" colspan="1" rowspan="1"');

/** Styles that mean a phrase, with the values that begin it and that end it. */
const STYLES = [
  ["font-weight", "strong", /^(?:bold|[6-9]00)/, /^(?:normal|[1-5]00)/],
  ["font-style", "em", /^(?:italic|oblique)/, /^normal/],
  ["vertical-align", "sup", /^super/, undefined],
  ["vertical-align", "sub", /^sub/, undefined],
  ["text-decoration", "s", /line-through/, undefined],
] as const;

const attributeOf = (element: PastedNode, name: string): string =>
  [...(element.attributes ?? [])].find((attribute) => attribute.name === name)?.value ?? "";

const stylesOf = (element: PastedNode): ReadonlyMap<string, string> =>
  new Map(
    attributeOf(element, "style")
      .toLowerCase()
      .split(";")
      .map((style): [string, string] => {
        const [name = "", ...value] = style.split(":");
        return [name.trim(), value.join(":").trim()];
      }),
  );

const textOf = ({ nodeValue, childNodes }: PastedNode): string =>
  (nodeValue ?? "") + [...childNodes].map(textOf).join("");

const nameOf = ({ nodeName }: PastedNode): string => nodeName.toLowerCase();

/** The name of the element that an element is pasted as. */
const targetOf = (element: PastedNode): string => AS.get(nameOf(element)) ?? nameOf(element);

const some = (root: PastedNode, has: (element: PastedNode) => boolean): boolean =>
  [...root.childNodes].some((child) => has(child) || some(child, has));

/** How the text at a place of the pasted HTML is to be read. */
interface Formatting {
  marks: readonly Mark[];
  isPre: boolean;
  /** Whether a program such as Word wrote the HTML: it marks the language of every word. */
  isDocument: boolean;
}

/** The blocks in an element. @param isTop whether text without any block keeps the spaces around it */
function flow(root: PastedNode, outer: Formatting, isTop = false): readonly Node[] {
  let blocks: readonly Node[] = [];
  let line: Node[] = [];
  const flush = (isInline = false): void => {
    blocks = [...blocks, ...paragraphs(line, isInline)];
    line = [];
  };
  const visit = (parent: PastedNode, format: Formatting): void => {
    for (const child of parent.childNodes) {
      const name = nameOf(child);
      const styles = stylesOf(child);
      const text = child.nodeValue ?? "";
      if (name === "#text")
        line.push(...(format.isPre ? withBreaks(text, format.marks) : textNodes(text, format.marks)));
      else if (OPAQUE.has(name) || /ignore/.test(styles.get("mso-list") ?? "") || isHidden(styles)) continue;
      else if (styles.has("mso-spacerun") || attributeOf(child, "class") === "Apple-converted-space")
        line.push(...textNodes(" ", format.marks));
      else if (name === "br" || name === "wbr" || name === "img") line.push(...voids(child, name, format));
      else if (GROUPS.has(name) || isBlock(name)) {
        flush();
        blocks = withBlock(blocks, child, formatIn(child, styles, format));
      } else visit(child, formatIn(child, styles, format));
    }
  };
  visit(root, outer);
  flush(isTop && blocks.length === 0);
  return blocks;
}

function formatIn(element: PastedNode, styles: ReadonlyMap<string, string>, outer: Formatting): Formatting {
  const name = targetOf(element);
  let { marks } = outer;
  const source = sourceOf(element, outer);
  const isIdle = (name === "span" && source === "") || (name === "a" && !source.includes(" href="));
  if (schema.marks[name] !== undefined && !isIdle) marks = schema.mark(name, { source }).addToSet(marks);
  for (const [style, phrase, begins, ends] of STYLES) {
    const value = styles.get(style) ?? "";
    if (begins.test(value) && !marks.some(({ type }) => type.name === phrase))
      marks = schema.mark(phrase).addToSet(marks);
    else if (ends?.test(value)) marks = marks.filter(({ type }) => type.name !== phrase);
  }
  const space = styles.get("white-space");
  return { ...outer, marks, isPre: space === undefined ? outer.isPre : space.startsWith("pre") };
}

/** The attributes that pasted text keeps, as HTML source. */
function sourceOf(element: PastedNode, { isDocument }: Formatting): string {
  const rules = ELEMENTS.get(targetOf(element));
  return [...(element.attributes ?? [])]
    .filter(
      (attribute) =>
        rules !== undefined &&
        KEPT.has(attribute.name) &&
        isAllowed(rules, attribute.name) &&
        !(attribute.name === "lang" && (isDocument || attribute.value === "")) &&
        !DEFAULTS.has(`${attribute.name}="${attribute.value}"`) &&
        // A fragment leads to another place of the page that the text was copied from.
        !(LINK_ATTRIBUTES.has(attribute.name) && !leadsElsewhere(attribute)),
    )
    .map((attribute) => attributeText(attribute.name, attribute.value))
    .join("");
}

function voids(element: PastedNode, name: string, format: Formatting): Node[] {
  const source = sourceOf(element, format);
  return name === "img" && !source.includes(" src=") ? [] : [node(name, { source }, [], format.marks)];
}

function withBlock(blocks: readonly Node[], element: PastedNode, format: Formatting): readonly Node[] {
  const name = targetOf(element);
  const [, level] = /level(\d)/.exec(stylesOf(element).get("mso-list") ?? "") ?? [];
  if (name === "p" && level !== undefined)
    return withItem(blocks, Number(level), wordList(element), flow(element, format));
  if (GROUPS.has(name)) return joined(blocks, flow(element, format));
  const source = sourceOf(element, format);
  const type = typeOf(name);
  if (type.spec.code) return [...blocks, node(name, { source }, textNodes(textOf(element), Mark.none, true))];
  if (type.inlineContent) {
    const isBold = /^h\d$/.test(name);
    const marks = isBold ? format.marks.filter((mark) => mark.type.name !== "strong") : format.marks;
    const parts = flow(element, { ...format, marks });
    return [
      ...blocks,
      ...parts.map((part) => {
        if (part.type.name !== "p") return part;
        const content = part.children.map((one) =>
          isBold ? one.mark(one.marks.filter((mark) => mark.type.name !== "strong")) : one,
        );
        return node(name, { source }, content);
      }),
    ];
  }
  if (name === "hr") return [...blocks, node(name)];
  if (type.isLeaf) return blocks;
  const content = fitting(type, flow(element, format));
  if (content.length === 0 && (name === "td" || name === "th")) content.push(node("line"));
  if (content.length === 0) return blocks;
  const block = node(name, { source }, content);
  return name === "table" ? joined(blocks, unframed(block)) : joined(blocks, [block]);
}

const isBlock = (name: string): boolean => {
  const type = schema.nodes[AS.get(name) ?? name];
  return type !== undefined && type.isBlock && name !== "line" && name !== "doc";
};

const isHidden = (styles: ReadonlyMap<string, string>): boolean =>
  styles.get("display") === "none" || styles.get("mso-hide") === "all";

const leadsElsewhere = ({ name, value }: { name: string; value: string }): boolean =>
  !value.startsWith("#") && badLink(name, value) === undefined;

const textNodes = (text: string, marks: readonly Mark[], isExact = false): Node[] => {
  const shown = isExact ? text : text.replace(/[ \t\r\n\f]+/g, " ");
  return shown === "" ? [] : [schema.text(shown, marks)];
};

const withBreaks = (text: string, marks: readonly Mark[]): Node[] =>
  text
    .split(/(\n)/)
    .flatMap((part) => (part === "\n" ? node("br", {}, [], marks) : textNodes(part, marks, true)));

/** Removes line breaks from the end of a line, and the given spaces. */
function trimEnd(part: Node[], spaces: RegExp): void {
  for (let last = part.at(-1); last !== undefined; last = part.at(-1)) {
    const text = last.text?.replace(spaces, "");
    if (last.isText && text === last.text) return;
    if (!last.isText && last.type.name !== "br") return;
    part.pop();
    if (text !== undefined && text !== "") part.push(schema.text(text, last.marks));
  }
}

/** A line of pasted text as paragraphs: two breaks in a row end one. @param isInline whether spaces around it stay */
function paragraphs(line: readonly Node[], isInline: boolean): Node[] {
  const parts: Node[][] = [[]];
  for (const one of line) {
    const part = parts.at(-1) as Node[];
    const last = part.at(-1);
    if (one.isText) {
      const isAfterSpace =
        last === undefined ? !isInline : last.type.name === "br" || (last.text ?? "").endsWith(" ");
      const text = isAfterSpace ? one.text?.replace(/^ +/, "") : one.text;
      if (text !== undefined && text !== "") part.push(schema.text(text, one.marks));
    } else if (one.type.name !== "br") part.push(one);
    else if (last?.type.name === "br") parts.push([]);
    else if (last !== undefined || isInline) {
      if (last?.isText) trimEnd(part, / +$/);
      part.push(one);
    }
  }
  const isOne = isInline && parts.length === 1;
  for (const part of parts) trimEnd(part, isOne ? /(?!)/ : /[ \u00a0]+$/);
  return parts.filter((part) => part.length > 0).map((part) => node("p", {}, part));
}

/** Blocks with others behind them. Lists of one kind that touch become one, as some programs write one for each item. */
function joined(blocks: readonly Node[], more: readonly Node[]): readonly Node[] {
  const [last, next] = [blocks.at(-1), more[0]];
  if (last === undefined || next === undefined || !isList(last) || last.type !== next.type)
    return [...blocks, ...more];
  return [...blocks.slice(0, -1), last.copy(last.content.append(next.content)), ...more.slice(1)];
}

/** The kind of list of a paragraph of Word, from the sign that Word writes before it. */
function wordList(paragraph: PastedNode): string {
  let sign = "";
  some(paragraph, (one) => {
    if (/ignore/.test(stylesOf(one).get("mso-list") ?? "")) sign = textOf(one);
    return sign !== "";
  });
  return /^[\s(]*\w+[.)]/.test(sign) ? "ol" : "ul";
}

/** Blocks with an item in the list at their end, or in a new one. */
function withItem(
  blocks: readonly Node[],
  level: number,
  list: string,
  content: readonly Node[],
): readonly Node[] {
  const last = blocks.at(-1);
  const item = last?.lastChild;
  if (level > 1 && last !== undefined && isList(last) && item != null) {
    const inner = item.copy(Fragment.from([...withItem(item.children, level - 1, list, content)]));
    return [...blocks.slice(0, -1), last.copy(last.content.replaceChild(last.childCount - 1, inner))];
  }
  return content.length === 0 ? blocks : joined(blocks, [node(list, {}, [node("li", {}, content)])]);
}

/** Blocks as the content of an element: wrapped in the elements that it needs, or without those that do not fit. */
function fitting(type: NodeType, blocks: readonly Node[]): Node[] {
  const content: Node[] = [];
  for (const block of blocks) {
    const last = content.at(-1);
    const wrappers = type.contentMatch.findWrapping(block.type);
    // Some programs write an inner list beside the item that it belongs to.
    if (isList(block) && last?.type.name === "li")
      content.splice(-1, 1, last.copy(last.content.addToEnd(block)));
    else if (wrappers !== null)
      content.push(wrappers.reduceRight((inner, wrapper) => wrapper.create(null, inner), block));
    else if (block.inlineContent) content.push(...fitting(type, [node("p", {}, block.children)]));
    else content.push(...fitting(type, block.children));
  }
  return content;
}

/** The content of a table with one cell, which only lays out its page; else the table. */
function unframed(table: Node): readonly Node[] {
  const cells: Node[] = [];
  table.descendants((one) => {
    if (one.type.name === "td") cells.push(one);
    return one.type.name !== "td" && one.type.name !== "th";
  });
  const [cell, another] = cells;
  const isOne = cell !== undefined && another === undefined && table.textContent === cell.textContent;
  return isOne ? cell.children : [table];
}

/** Elements whose single paragraph is written without its element. */
const SHORT = set("td th dd figcaption figure");

const asLines = (blocks: readonly Node[]): Node[] =>
  blocks.map((one) => (one.type.name === "p" ? node("line", {}, one.children) : one));

/** A block whose cells, and the items of its lists, have no paragraphs if they need none. */
function compact(block: Node): Node {
  if (block.inlineContent || block.isLeaf) return block;
  const children = block.children.map(compact);
  const whole = block.copy(Fragment.from(children));
  if (isList(whole) && isPlainList(whole))
    return whole.copy(
      Fragment.from(children.map((item) => item.copy(Fragment.from(asLines(item.children))))),
    );
  const texts = children.filter(({ inlineContent }) => inlineContent);
  const isShort = SHORT.has(block.type.name) && texts.length === 1 && texts[0]?.attrs["source"] === "";
  return isShort ? block.copy(Fragment.from(asLines(children))) : whole;
}
