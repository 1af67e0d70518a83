import { shortened } from "../base/shortened.ts";
import type { html as htmlCatalogue, LinkProblem } from "../findings/catalogue/html.ts";
import { type FieldMistake, nearest } from "../findings/finding.ts";
import { addressProblem, hasUnfitCharacters, localHost } from "../source/address.ts";
import { formats } from "./formats.ts";
import { referenceTo } from "./reference.ts";
import { type OpenTag, type Span, type Tag, type Visitor, readTokens } from "./html/tokens.ts";
import {
  ELEMENTS,
  FOREIGN,
  RAW_ELEMENTS,
  LINK_ATTRIBUTES,
  OPAQUE,
  OTHER_VOID,
  attributesOf,
  frameworkOf,
  isAllowed,
  type ElementRules,
} from "./html/elements.ts";

type HtmlMistake = Extract<FieldMistake, { code: keyof typeof htmlCatalogue | "unlikely-host" }>;

/** An address with its entities decoded, and its range in UTF-16 units of the decoded string. */
type HtmlLink = Span & { href: string };

/** Links may also lead to a mailbox or a telephone; images and sources of quotations are files on the web. */
const TEXT_SCHEMES = new Set(["http", "https", "mailto", "tel"]);
const FILE_SCHEMES = new Set(["http", "https"]);

/** Checks an address as a browser would read it; `link` has its entities decoded. */
export function badLink(attribute: string, link: string): HtmlMistake | undefined {
  const form = (problem: LinkProblem, host?: string): HtmlMistake => ({
    code: "html-link-form",
    args: { attribute, link: quotation(link), problem, ...(host === undefined ? {} : { host }) },
  });
  const written = schemeOf(link) ?? "";
  const scheme = written.toLowerCase();
  if (scheme !== "" && !(attribute === "href" ? TEXT_SCHEMES : FILE_SCHEMES).has(scheme))
    return { code: "html-link-scheme", args: { attribute, scheme: quotation(written) } };
  if (link === "") return form("empty");
  // People write telephone numbers in groups, and telephones ignore the spaces.
  if (hasUnfitCharacters(scheme === "tel" ? link.replaceAll(" ", "") : link)) return form("characters");
  if (scheme !== "") {
    const rest = link.slice(scheme.length + 1);
    if (rest.trim() === "") return form("empty");
    // An email address has a host too, so its letters must be ASCII.
    if (scheme === "mailto") return /^[^?]*[^!-~?]/.test(rest) ? form("mailbox") : undefined;
    if (scheme === "tel") return undefined;
    const found = addressProblem(link);
    if (found !== undefined) return form(found.problem, "host" in found ? found.host : undefined);
    const host = localHost(link);
    if (host === undefined) return undefined;
    const path = link.replace(/^[^/]*\/\/[^/?#]*/, "");
    return {
      code: "unlikely-host",
      args: { found: quotation(link), host, ...(isSiteRelative(path) ? { path } : {}) },
    };
  }
  if (link.startsWith("//")) return form("two-slashes");
  if (isSiteRelative(link)) return undefined;
  // A fragment or a query leads to the same page, whichever page shows the text.
  if (attribute === "href" && /^[#?]/.test(link)) return undefined;
  return form("relative");
}

/** A link to a page by its id, as Wagtail stores it: `<a linktype="page" id="3">`; or the mistake of one without an id. */
function pageLink({ name, attributes, start, end }: OpenTag): HtmlLink | HtmlProblem | undefined {
  const isToPage = name === "a" && attributes.some((one) => one.name === "linktype" && one.value === "page");
  if (!isToPage) return undefined;
  const id = attributes.find((one) => one.name === "id");
  if (id !== undefined && /^[1-9]\d{0,15}$/.test(id.value))
    return { href: referenceTo(Number(id.value)), ...id.valueSpan };
  const args = { attribute: "id", link: quotation(id?.value ?? ""), problem: "page" } as const;
  return { code: "html-link-form", args, ...(id?.valueSpan ?? { start, end }) };
}

export const isSiteRelative = (link: string): boolean => formats["site-relative"].matches(link);

/** Browsers skip control characters and spaces before an address, and tabs and line breaks anywhere in it. */
function schemeOf(link: string): string | undefined {
  return /^[\s\p{Cc}]*([a-z][a-z\d+.\t\n\r-]*):/iu.exec(link)?.[1]?.replaceAll(/[\t\n\r]/g, "");
}

const quotation = (text: string): string => shortened(text, 63);

/** Markup that readers would see as text, with its correction if that is clear. */
interface VisibleMarkup {
  kind: string;
  found: string;
  write?: string;
  start: number;
  end: number;
}

type MarkupRow = [pattern: RegExp, kind: string, write?: (...groups: string[]) => string];

const escapedTags: MarkupRow[1] = "tags written as text";
const inElement =
  (name: string): ((text?: string) => string) =>
  (text = "") =>
    `<${name}>${text}</${name}>`;

/**
 * Emphasis between two signs. A sign beside a letter on its outside or a space on its inside does not count: it is a
 * footnote mark, a product of numbers, or part of a name with underscores.
 */
const emphasis = (sign: string): RegExp =>
  new RegExp(
    String.raw`(?<![\w${sign}/])${sign}(?![\s${sign}])([^${sign}\n]*[^\s${sign}])${sign}(?![\w${sign}])`,
    "g",
  );

const ROWS: readonly MarkupRow[] = [
  [
    /&lt;([a-z][a-z\d]*)(?:&gt;|>)([^]*?)&lt;\/\1(?:&gt;|>)/gi,
    escapedTags,
    (name = "", text) => inElement(name)(text),
  ],
  [/&(?:lt|#0*60|#x0*3c);\/?([a-z][a-z\d]*)(?:\s[^<>]*?)?\/?(?:&(?:gt|#0*62|#x0*3e);|>)/gi, escapedTags],
  [/&amp;([a-z]{2,8}|#\d{2,6}|#x[\da-f]{2,6});/gi, "a character encoded twice", (name = "") => `&${name};`],
  [
    /!?\[([^\][]+)\]\(((?:https?:|mailto:|\/)[^()\s]*)\)/gi,
    "Markdown",
    (text = "", href = "") => `<a href='${href}'>${text}</a>`,
  ],
  [/\*\*([^\s*](?:[^*]*[^\s*])?)\*\*/g, "Markdown", inElement("strong")],
  [/(?<![\w<])__([^\s_](?:[^_]*[^\s_])?)__(?!\w)/g, "Markdown", inElement("strong")],
  [emphasis(String.raw`\*`), "Markdown", inElement("em")],
  [emphasis("_"), "Markdown", inElement("em")],
  [/(?<=^\s*|\n\s*)#{1,6} \S.*/g, "Markdown"],
];

/** Signs of which every text with such markup contains at least one. */
const SIGNS = /[*_[#]|&(?:lt|amp|#)/i;

function visibleMarkup(text: string): VisibleMarkup[] {
  const found: VisibleMarkup[] = [];
  if (!SIGNS.test(text)) return found;
  for (const [pattern, kind, write] of ROWS)
    for (const { 0: whole, index: start, ...groups } of text.matchAll(pattern)) {
      const end = start + whole.length;
      if (found.some((other) => start < other.end && other.start < end)) continue;
      const name = groups[1]?.toLowerCase() ?? "";
      if (kind === escapedTags && !ELEMENTS.has(name)) continue;
      const right = whole.startsWith("!") ? undefined : write?.(groups[1] ?? "", groups[2] ?? "");
      found.push({ kind, found: whole, start, end, ...(right === undefined ? {} : { write: right }) });
    }
  return found;
}

/** Maximum number of problems listed per text; the rest are counted. */
const MAX_LISTED = 100;

/** Maximum number of problems, or of elements without their closing tags, before the check stops. */
const MAX_PROBLEMS = 1000;

/** Maximum depth of nested elements. No text needs more, and browsers flatten elements nested deeper than about 500. */
const MAX_DEPTH = 100;

type HtmlProblem = HtmlMistake & Span;

interface CheckedFragment {
  /** In the order of their locations; at most one hundred. */
  problems: readonly HtmlProblem[];
  /** Links of the fragment; all of them if it has no problem. */
  links: readonly HtmlLink[];
  unlisted: number;
  /** Whether the check stopped at the maximum number of problems, so that there may be more. */
  isCut: boolean;
}

interface Element {
  tag: OpenTag;
  rules: ElementRules | undefined;
  /**
   * Problems of content that it must not contain. They are reported when the element is closed: if it never is, its
   * missing closing tag is the only problem, because the content is not really inside it.
   */
  misplaced: HtmlProblem[] | undefined;
  /** Elements that need another parent. If its opening tag is missing, its closing tag is not reported. */
  orphans: Set<string> | undefined;
}

/** An element that ended before its closing tag, with the tag that ended it. */
interface Cut {
  element: Element;
  by: Cutter;
}

interface Cutter extends Tag {
  opens: boolean;
  isReported: boolean;
}

const VERBATIM: ReadonlySet<string> = new Set(["code", "kbd", "pre", "samp"]);

/**
 * Whether an element is a closing tag without its slash. An earlier tag has the same name; this one has no
 * attributes and is a phrase or a link, which people do not open twice.
 */
const isSlip = ({ tag, rules }: Element): boolean =>
  tag.attributes.length === 0 && rules !== undefined && (rules.closes.size === 0 || tag.name === "a");

/** Undefined if the name is too short for a guess, or is a known element that is not allowed. */
const meantBy = (name: string, known: Iterable<string>): string | undefined =>
  name.length < 4 || OPAQUE.has(name) || OTHER_VOID.has(name) ? undefined : nearest(name, known);

/**
 * Checks a fragment by following the open elements as a browser would. Elements that a tag ends while they
 * are still open are kept as cut: if their closing tag comes later, the order was wrong; otherwise it is
 * missing. Each mistake gives one problem.
 */
class FragmentCheck implements Visitor {
  private readonly html: string;
  private readonly elements: ReadonlyMap<string, ElementRules>;
  private readonly problems: HtmlProblem[] = [];
  private readonly links: HtmlLink[] = [];
  private readonly open: Element[] = [];
  private readonly openByName = new Map<string, number>();
  private readonly cut = new Map<string, Cut[]>();
  private cutCount = 0;
  private readonly root: Pick<Element, "orphans"> = { orphans: undefined };
  private readonly refusedVoid = new Set<string>();
  /** The element whose content is skipped, and the number of open elements of its name. */
  private opaque: { name: string; depth: number } | undefined;
  private isStopped = false;

  constructor(html: string, isRaw: boolean) {
    this.html = html;
    this.elements = isRaw ? RAW_ELEMENTS : ELEMENTS;
  }

  isDone(): boolean {
    return this.isStopped || this.hasMost();
  }

  result(): CheckedFragment {
    const isCut = this.hasMost();
    if (!this.isStopped) {
      const cut = [...this.cut.values()].flatMap((cuts) => cuts.map(({ element }) => element));
      this.reportUnclosed(isCut ? cut : [...cut, ...this.open]);
    }
    const problems = this.problems.sort((a, b) => a.start - b.start);
    const unlisted = Math.max(0, problems.length - MAX_LISTED);
    return { problems: problems.slice(0, MAX_LISTED), links: this.links, unlisted, isCut };
  }

  private hasMost(): boolean {
    return this.problems.length >= MAX_PROBLEMS || this.cutCount >= MAX_PROBLEMS;
  }

  text({ start, end }: Span): void {
    if (this.opaque) return;
    const text = this.html.slice(start, end);
    this.checkMarkup(text, start);
    const parent = this.open.at(-1);
    if (parent?.rules?.children === undefined) return;
    const from = text.search(/[^ \t\n\r\f]/);
    if (from < 0) return;
    this.misplace(parent, "Text", { start: start + from, end });
  }

  openTag(tag: OpenTag): void {
    if (this.opaque) {
      if (tag.name === this.opaque.name && !tag.selfClosed) this.opaque.depth++;
      return;
    }
    const rules = this.elements.get(tag.name);
    if (rules === undefined) this.refuse(tag);
    else this.checkAttributes(tag, rules);
    const isRefusedVoid = rules === undefined && OTHER_VOID.has(tag.name);
    if (isRefusedVoid) this.refusedVoid.add(tag.name);
    if (isRefusedVoid || this.opaque) return;
    if (rules !== undefined) this.place(tag, rules);
    if (!rules?.isVoid) this.push({ tag, rules, misplaced: undefined, orphans: undefined });
  }

  closeTag(tag: Tag): void {
    const { name } = tag;
    if (this.opaque) {
      if (name === this.opaque.name && --this.opaque.depth === 0) this.opaque = undefined;
      return;
    }
    if (this.refusedVoid.has(name)) return;
    if ((this.openByName.get(name) ?? 0) > 0) {
      const from = this.open.findLastIndex((element) => element.tag.name === name);
      this.cutFrom(from + 1, tag, false);
      this.problems.push(...(this.open.pop()?.misplaced ?? []));
      this.openByName.set(name, (this.openByName.get(name) ?? 0) - 1);
      return;
    }
    const late = this.cut.get(name)?.pop();
    if (late !== undefined) this.closeLate(late);
    else if (!this.isParentOfOrphan(name)) {
      this.forgive(this.open.at(-1), name);
      const isVoid = this.elements.get(name)?.isVoid ?? false;
      this.report("html-stray-close", { element: quotation(name), isVoid }, tag);
    }
  }

  other(span: Span): void {
    if (this.opaque) return;
    this.report("html-comment", { found: quotation(this.html.slice(span.start, span.end)) }, span);
  }

  unfinished(span: Span): void {
    this.isStopped = true;
    if (this.opaque) return;
    this.report("html-unfinished", { found: quotation(this.html.slice(span.start, span.end)) }, span);
  }

  quotes(tag: Tag, span: Span): void {
    this.isStopped = true;
    if (this.opaque) return;
    const found = quotation(this.html.slice(span.start));
    this.report("html-quotes", { element: quotation(tag.name), found }, span);
  }

  /** Checks for visible markup, except in code, where such characters are meant literally. */
  private checkMarkup(text: string, from: number): void {
    if (this.isOpen(VERBATIM)) return;
    for (const { kind, found, write, start, end } of visibleMarkup(text)) {
      if (this.isDone()) return;
      const args = { kind, found: quotation(found), ...(write === undefined ? {} : { write }) };
      this.report("unlikely-markup", args, { start: from + start, end: from + end });
    }
  }

  private refuse(tag: OpenTag): void {
    const element = quotation(tag.name);
    const meant = meantBy(element, this.elements.keys());
    this.report("html-element", meant === undefined ? { element } : { element, nearest: meant }, tag);
    if (OPAQUE.has(tag.name) && !(tag.selfClosed && FOREIGN.has(tag.name)))
      this.opaque = { name: tag.name, depth: 1 };
  }

  private checkAttributes(tag: OpenTag, rules: ElementRules): void {
    if (tag.attributes.length === 0) return;
    const seen = new Set<string>();
    const element = tag.name;
    for (const { name, value, valueSpan, start, end } of tag.attributes) {
      if (this.isDone()) return;
      const attribute = quotation(name);
      const span = { start, end };
      if (seen.has(name)) this.report("html-duplicate-attribute", { element, attribute }, span);
      else if (/^on[a-z]/.test(name)) this.report("html-event-handler", { element, attribute }, span);
      else if (name === "style") this.report("html-inline-style", { element }, span);
      else if (!isAllowed(rules, name)) {
        const meant = meantBy(attribute, attributesOf(rules));
        const args = { element, attribute };
        this.report("html-attribute", meant === undefined ? args : { ...args, nearest: meant }, span);
      } else if (LINK_ATTRIBUTES.has(name)) {
        const bad = badLink(name, value);
        if (bad !== undefined) this.problems.push({ ...bad, ...valueSpan });
        else if (name === "href" && element === "a") this.links.push({ href: value, ...valueSpan });
      } else {
        const framework = frameworkOf(name);
        if (framework !== undefined)
          this.report("html-framework-attribute", { element, attribute, framework }, span);
      }
      seen.add(name);
    }
    const page = pageLink(tag);
    if (page === undefined) return;
    if ("href" in page) this.links.push(page);
    else if (isAllowed(rules, "linktype")) this.problems.push(page);
  }

  /** Ends the elements that a browser would end here, and checks the parent that is then open. */
  private place(tag: OpenTag, rules: ElementRules): void {
    const ended = this.lastEndedBy(rules);
    if (ended >= 0) this.cutFrom(ended, tag, true, rules.closesAlone ? 1 : this.open.length);
    const parent = this.open.at(-1);
    if (parent !== undefined && parent.rules === undefined) return;
    const { children } = parent?.rules ?? {};
    if (rules.parents !== undefined && !rules.parents.has(parent?.tag.name ?? "")) {
      const frame = parent ?? this.root;
      frame.orphans ??= new Set();
      if (!frame.orphans.has(tag.name)) {
        const where = parent === undefined ? "by itself" : `directly in <${parent.tag.name}>`;
        this.report("html-nesting", { what: `<${tag.name}>`, where }, tag);
      }
      frame.orphans.add(tag.name);
    } else if (parent !== undefined && children !== undefined && !children.has(tag.name))
      this.misplace(parent, `<${tag.name}>`, tag);
  }

  private misplace(parent: Element, what: string, { start, end }: Span): void {
    parent.misplaced ??= [];
    if (parent.misplaced.length >= MAX_PROBLEMS) return;
    const args = { what, where: `directly in <${parent.tag.name}>` };
    parent.misplaced.push({ code: "html-nesting", args, start, end });
  }

  /** Drops these problems if a stray closing tag shows that the opening tag around the content is missing. */
  private forgive(parent: Element | undefined, child: string): void {
    if (parent?.rules?.children?.has(child)) parent.misplaced = undefined;
  }

  private isParentOfOrphan(name: string): boolean {
    for (const orphan of (this.open.at(-1) ?? this.root).orphans ?? [])
      if (this.elements.get(orphan)?.parents?.has(name)) return true;
    return false;
  }

  private lastEndedBy({ closes, closesWithin }: ElementRules): number {
    let ended = -1;
    if (!this.isOpen(closes)) return ended;
    for (let i = this.open.length - 1; i >= 0; i--) {
      const name = this.open[i]?.tag.name ?? "";
      if (closes.has(name)) ended = i;
      else if (closesWithin.has(name)) break;
    }
    return ended;
  }

  private isOpen(names: ReadonlySet<string>): boolean {
    for (const name of names) if ((this.openByName.get(name) ?? 0) > 0) return true;
    return false;
  }

  private push(element: Element): void {
    if (this.open.length >= MAX_DEPTH) {
      this.report("html-nested-too-deep", { limit: MAX_DEPTH }, element.tag);
      this.isStopped = true;
    }
    this.open.push(element);
    this.openByName.set(element.tag.name, (this.openByName.get(element.tag.name) ?? 0) + 1);
  }

  private cutFrom(index: number, by: Tag, opens: boolean, count = this.open.length): void {
    if (index === this.open.length) return;
    const cutter: Cutter = { ...by, opens, isReported: false };
    for (const element of this.open.splice(index, count)) {
      const { name } = element.tag;
      this.cutCount++;
      this.openByName.set(name, (this.openByName.get(name) ?? 0) - 1);
      const cuts = this.cut.get(name);
      if (cuts === undefined) this.cut.set(name, [{ element, by: cutter }]);
      else cuts.push({ element, by: cutter });
    }
  }

  private closeLate({ element, by }: Cut): void {
    this.cutCount--;
    this.problems.push(...(element.misplaced ?? []));
    if (by.isReported || element.rules === undefined) return;
    by.isReported = true;
    if (by.opens)
      this.report("html-nesting", { what: `<${by.name}>`, where: `in <${element.tag.name}>` }, by);
    else this.report("html-misnested", { outer: quotation(by.name), inner: quotation(element.tag.name) }, by);
  }

  private reportUnclosed(elements: Element[]): void {
    const firsts = new Map<string, Element>();
    for (const element of elements.sort((a, b) => a.tag.start - b.tag.start)) {
      if (element.rules === undefined) continue;
      const { name, selfClosed } = element.tag;
      if (firsts.has(name) && isSlip(element)) {
        firsts.delete(name);
        this.report("html-unclosed", { element: name, how: "repeated" }, element.tag);
        continue;
      }
      this.reportFirst(firsts.get(name));
      if (selfClosed) this.report("html-unclosed", { element: name, how: "slashed" }, element.tag);
      else firsts.set(name, element);
    }
    for (const element of firsts.values()) this.reportFirst(element);
  }

  private reportFirst(element: Element | undefined): void {
    if (element) this.report("html-unclosed", { element: element.tag.name, how: "opened" }, element.tag);
  }

  private report<C extends HtmlProblem["code"]>(
    code: C,
    args: Extract<HtmlProblem, { code: C }>["args"],
    { start, end }: Span,
  ): void {
    this.problems.push({ code, args, start, end } as HtmlProblem);
  }
}

const VALID: CheckedFragment = { problems: [], links: [], unlisted: 0, isCut: false };

/** @param isRaw whether Wagtail's own elements are allowed */
export function checkFragment(html: string, isRaw = false): CheckedFragment {
  if (!html.includes("<") && visibleMarkup(html).length === 0) return VALID;
  const check = new FragmentCheck(html, isRaw);
  readTokens(html, check);
  return check.result();
}

export function linksIn(html: string): HtmlLink[] {
  const links: HtmlLink[] = [];
  if (!/<a[\s/]/i.test(html)) return links;
  readTokens(html, {
    openTag: (tag) => {
      const page = pageLink(tag);
      if (page !== undefined && "href" in page) links.push(page);
      const { name, attributes } = tag;
      const href = name === "a" ? attributes.find((attribute) => attribute.name === "href") : undefined;
      if (href !== undefined) links.push({ href: href.value, ...href.valueSpan });
    },
  });
  return links;
}
