import {
  Schema,
  type Attrs,
  type DOMOutputSpec,
  type Mark,
  type MarkSpec,
  type Node,
  type NodeSpec,
  type NodeType,
} from "prosemirror-model";
import { ELEMENTS, isAllowed, LINK_ATTRIBUTES, type ElementRules } from "../../../model/html/elements.ts";
import { badLink } from "../../../model/html.ts";
import { readTokens, type Attribute } from "../../../model/html/tokens.ts";

/*
 * The document schema of an HTML field, made from the table of elements: phrases are marks, all other elements are
 * nodes. Bare text beside blocks is in a `line` node, which is not an element. Every element keeps its attributes as
 * written.
 */

/** Elements that contain only text and phrases. */
const TEXT_ONLY = new Set(["p", "h2", "h3", "h4", "h5", "h6", "pre", "dt", "summary", "caption"]);

/** Elements that contain only the elements that name them as their parents. */
const LISTS = new Set(["ul", "ol", "dl"]);

/** The order of phrases around the same text, outermost first. */
const OUTER_PHRASES = ["a", "ruby", "rt", "rp", "strong", "b", "em", "i"];

export const isPhrase = (name: string): boolean => {
  const rules = ELEMENTS.get(name);
  if (rules === undefined || rules.closes.has("p")) return false;
  return rules.parents === undefined || [...rules.parents].every(isPhrase);
};

/** Attributes that pasted text keeps: no classes, ids or data of another page. */
const PASTED = new Set(["lang", "dir", "title"]);

/** The source of the attributes, from a copied text too: it must not end its tag. */
const isSource = (source: unknown): boolean => {
  let count = 0;
  if (typeof source === "string" && /^(?:$|[\s/])/.test(source))
    readTokens(`<p${source}>`, { openTag: ({ end }) => void (count += end === source.length + 3 ? 1 : 2) });
  return count === 1;
};
const isSpace = (space: unknown): boolean => typeof space === "string" && /^\s*$/.test(space);

const valid = (isValid: (value: unknown) => boolean) => ({
  default: "",
  validate: (value: unknown) => {
    if (!isValid(value)) throw new RangeError("not an attribute");
  },
});
const ATTRIBUTE = { source: valid(isSource) };
const SPACES = { before: valid(isSpace), after: valid(isSpace) };

export function attributesIn(name: string, source: string): readonly Attribute[] {
  let found: readonly Attribute[] = [];
  readTokens(`<${name}${source}>`, { openTag: ({ attributes }) => void (found = attributes) });
  return found;
}

/** One attribute, as HTML source. */
export const attributeText = (name: string, value: string): string =>
  ` ${name}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;

/** The attributes of an element that the project allows, for other programs. */
export function allowedAttributes(name: string, source: string): Record<string, string> {
  const rules = ELEMENTS.get(name);
  const allowed = attributesIn(name, source).filter(
    (one) =>
      rules !== undefined &&
      isAllowed(rules, one.name) &&
      !(LINK_ATTRIBUTES.has(one.name) && badLink(one.name, one.value) !== undefined),
  );
  return Object.fromEntries(allowed.map((one) => [one.name, one.value]));
}

const SAFE_LINK = /^(?:https?:|mailto:|tel:|[/#?.]|[^:]*$)/i;
const SHOWN = ["href", "lang", "dir", "title", "colspan", "rowspan", "start"];

/** The attributes that the editor shows; it hides those that could run code, name an element or style it. */
function shownAttributes(name: string, source: string): Record<string, string> {
  const shown = attributesIn(name, source).filter(
    (one) =>
      (name === "img" ? ["src", "alt"] : SHOWN).includes(one.name) &&
      (one.name !== "href" || SAFE_LINK.test(one.value.trim())),
  );
  return {
    ...(name === "img" && { alt: "" }),
    ...Object.fromEntries(shown.map((one) => [one.name, one.value])),
  };
}

interface ReadElement {
  attributes: Iterable<{ name: string; value: string }>;
}

const pastedAttributes =
  (rules: ElementRules) =>
  (element: unknown): Attrs => ({
    source: [...(element as ReadElement).attributes]
      .filter(({ name }) => isAllowed(rules, name) && (rules.attributes.has(name) || PASTED.has(name)))
      .map(({ name, value }) => attributeText(name, value))
      .join(""),
  });

/** Elements that the editor shows as another one: closed details would hide their content. */
const SHOWN_AS = new Map([
  ["details", "div"],
  ["summary", "div"],
  ["col", "col"],
]);

const sourceOf = ({ attrs }: { attrs: Attrs }): string => String(attrs["source"]);

function nodeSpec(name: string, rules: ElementRules): NodeSpec {
  const shown = SHOWN_AS.get(name) ?? name;
  const only = [...ELEMENTS].filter(([, { parents }]) => parents?.has(name)).map(([child]) => child);
  const children = rules.children === undefined ? only : [...rules.children];
  const isFlow = rules.children === undefined && !LISTS.has(name);
  const spec: NodeSpec = {
    attrs: { ...ATTRIBUTE, ...SPACES },
    parseDOM: [{ tag: name, getAttrs: pastedAttributes(rules) }],
    toDOM: (node): DOMOutputSpec =>
      rules.isVoid
        ? [shown, shownAttributes(name, sourceOf(node))]
        : [shown, { ...shownAttributes(name, sourceOf(node)), class: `is-${name}` }, 0],
  };
  if (rules.parents === undefined) spec.group = isInlineVoid(name, rules) ? "inline" : "flow";
  if (isInlineVoid(name, rules)) return { ...spec, inline: true };
  if (rules.isVoid) return spec;
  if (TEXT_ONLY.has(name)) {
    const isCode = name === "pre";
    return {
      ...spec,
      content: "inline*",
      defining: true,
      ...(isCode ? { code: true, whitespace: "pre" } : {}),
    };
  }
  // The first is the block of new text.
  const flow = name === "li" || rules.parents?.has("tr") ? ["line", "flow"] : ["p", "line", "flow"];
  return { ...spec, content: `(${[...(isFlow ? flow : []), ...children].join(" | ")})+`, defining: true };
}

const isInlineVoid = (name: string, rules: ElementRules): boolean => rules.isVoid && isPhrase(name);

function markSpec(name: string, rules: ElementRules): MarkSpec {
  return {
    attrs: ATTRIBUTE,
    inclusive: name !== "a",
    parseDOM: [{ tag: name, getAttrs: pastedAttributes(rules) }],
    toDOM: (mark): DOMOutputSpec => [name, shownAttributes(name, sourceOf(mark)), 0],
  };
}

const nodes: Record<string, NodeSpec> = {
  doc: { content: "(p | line | flow)+", attrs: SPACES },
  text: { group: "inline" },
  line: {
    content: "inline*",
    parseDOM: [{ tag: "div.is-line", priority: 60 }],
    toDOM: () => ["div", { class: "is-line" }, 0],
  },
};
const marks: Record<string, MarkSpec> = {};
const rankOf = (name: string): number =>
  OUTER_PHRASES.includes(name) ? OUTER_PHRASES.indexOf(name) : OUTER_PHRASES.length;
for (const [name, rules] of [...ELEMENTS].sort(([a], [b]) => rankOf(a) - rankOf(b)))
  if (isPhrase(name) && !rules.isVoid) marks[name] = markSpec(name, rules);
  else nodes[name] = nodeSpec(name, rules);

export const schema = new Schema({ nodes, marks });

export const typeOf = (name: string): NodeType => schema.nodes[name] as NodeType;

export const node = (
  name: string,
  attrs: Attrs = {},
  content: readonly Node[] = [],
  phrases: readonly Mark[] = [],
): Node => schema.node(name, attrs, content, phrases);

export const isList = ({ type }: Node): boolean => type.name === "ul" || type.name === "ol";

export const isText = ({ type }: Node): boolean => type.name === "p" || type.name === "line";

/** Whether no item of a list needs a paragraph: for attributes, or for a second one. */
export const isPlainList = (list: Node): boolean =>
  list.children.every((item) => {
    const [text, another] = item.children.filter(isText);
    return another === undefined && (text?.attrs["source"] ?? "") === "";
  });
