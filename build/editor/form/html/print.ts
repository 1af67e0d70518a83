import type { Mark, Node } from "prosemirror-model";
import { ENTITIES, readHtml } from "./read.ts";

/** The spelling that a fragment uses when HTML allows several. */
interface PrintStyle {
  entities: ReadonlyMap<string, string>;
  /** Whether, of two phrases around the same text, the later one in the schema is the outer one. */
  isReversed: boolean;
}

function stylesOf(html: string): PrintStyle[] {
  const entities = new Map([["<", "&lt;"]]);
  for (const [entity, character] of ENTITIES) if (html.includes(entity)) entities.set(character, entity);
  // Without `&amp;`, a fragment writes & bare wherever it begins no entity.
  if (!html.includes("&")) entities.set("&", "&amp;");
  const text = html.replace(/<[^>]*>/g, "");
  if (!text.includes(">")) entities.set(">", "&gt;");
  return [false, true].map((isReversed) => ({ entities, isReversed }));
}

export interface FormattedText {
  doc: Node;
  print: (doc: Node) => string;
}

/** A fragment as formatted text; undefined if printing it would change its bytes. */
export function formattedText(html: string): FormattedText | undefined {
  const doc = readHtml(html);
  if (doc === undefined) return undefined;
  for (const style of stylesOf(html))
    if (printHtml(doc, style) === html) return { doc, print: (edited) => printHtml(edited, style) };
  return undefined;
}

function printHtml(doc: Node, style: PrintStyle): string {
  const [only] = doc.children;
  if (
    doc.childCount === 1 &&
    only?.type.name === "p" &&
    only.content.size === 0 &&
    only.attrs["source"] === ""
  )
    return "";
  return children(doc, style) + String(doc.attrs["after"]);
}

function children(node: Node, style: PrintStyle): string {
  let text = "";
  for (const [index, child] of node.children.entries()) {
    const isBeside = [index - 1, index + 1].some((k) => node.maybeChild(k)?.type.name === "line");
    text += block(child, style, isBeside);
  }
  return text;
}

function block(node: Node, style: PrintStyle, isBesideLine: boolean): string {
  const { name, inlineContent } = node.type;
  if (name === "line") {
    const text = phrases(node, style);
    // Adjacent lines of bare text would merge into one, so each becomes a paragraph.
    return isBesideLine && text !== "" ? `<p>${text}</p>` : text;
  }
  const before = String(node.attrs["before"]);
  const open = `${before}<${name}${String(node.attrs["source"])}>`;
  if (node.isLeaf && !inlineContent) return open;
  const content = inlineContent ? phrases(node, style) : children(node, style);
  const after = inlineContent ? "" : String(node.attrs["after"]);
  return `${open}${content}${after}</${name}>`;
}

const closing = (marks: readonly Mark[]): string =>
  marks
    .toReversed()
    .map(({ type }) => `</${type.name}>`)
    .join("");

const opening = (marks: readonly Mark[]): string =>
  marks.map(({ type, attrs }) => `<${type.name}${String(attrs["source"])}>`).join("");

/** Text with its phrases; of phrases that begin together, the longest is the outermost. */
function phrases(parent: Node, style: PrintStyle): string {
  const nodes = parent.children;
  let text = "";
  let open: readonly Mark[] = [];
  for (const [index, node] of nodes.entries()) {
    const ended = open.findIndex((mark) => !mark.isInSet(node.marks));
    const kept = ended === -1 ? open : open.slice(0, ended);
    const length = (mark: Mark): number => {
      const end = nodes.findIndex((other, k) => k > index && !mark.isInSet(other.marks));
      return end === -1 ? nodes.length : end;
    };
    const added = node.marks.filter((mark) => !mark.isInSet(kept));
    if (style.isReversed) added.reverse();
    added.sort((a, b) => length(b) - length(a));
    text += closing(open.slice(kept.length)) + opening(added);
    open = [...kept, ...added];
    text += node.isText
      ? escaped(node.text ?? "", style)
      : `<${node.type.name}${String(node.attrs["source"])}>`;
  }
  return text + closing(open);
}

function escaped(text: string, { entities }: PrintStyle): string {
  return text.replace(/[&<>"'\u00a0]/g, (character, at: number) => {
    if (character === "&" && !entities.has("&") && /^&(?:[a-z\d]+;|#)/i.test(text.slice(at))) return "&amp;";
    return entities.get(character) ?? character;
  });
}
