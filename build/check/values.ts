import { spelledOut } from "../findings/catalogue/declared.ts";
import type { ValueMistake } from "../findings/finding.ts";
import { nameOf } from "../findings/printable.ts";
import { printNode } from "../source/json/node.ts";
import { isObject } from "../source/json/object.ts";
import { MAX_DEPTH } from "../source/json/parse.ts";
import { checkFragment, linksIn } from "../model/html.ts";
import { mediaUrl } from "../model/media.ts";
import {
  formatOf,
  isPlainText,
  type Choices,
  type NumberValue,
  type OpenValue,
  type TextValue,
} from "../model/model.ts";
import { referenceTo, shownPage } from "../model/reference.ts";
import { mediaMistake } from "./mistakes.ts";
import { ESCAPE, MARKUP, WIDE, type PageState, type Print, type Steps } from "./state.ts";

/* The functions that check and print values without fields of their own. */

/** Maximum number of problems in the HTML texts of a page that become findings. To locate each takes time. */
const MAX_HTML_PROBLEMS = 1000;

export function compileNumber(page: PageState, model: NumberValue, path: Steps): Print {
  const { choices, isInteger, reference, max = Infinity } = model;
  const { min: least = model.isId ? 1 : -Infinity } = model;
  return (value) => {
    if (
      typeof value !== "number" ||
      !Number.isFinite(value) ||
      value < least ||
      value > max ||
      (isInteger && !Number.isSafeInteger(value))
    )
      return page.mistake(model, path, value);
    if (choices !== undefined && !isChoice(page, path, value, choices))
      return page.mistake(model, path, value);
    if (reference === undefined) return `${value}`;
    page.links.push(referenceTo(value, reference.types));
    if (reference.shows === undefined) return `${value}`;
    page.shown.push(value);
    return page.json(shownPage(value, page.options.pages?.get(value), reference.shows));
  };
}

/** Reports a new value of an open list. */
function isChoice(
  page: PageState,
  path: Steps,
  value: string | number,
  { values, isOpen }: Choices,
): boolean {
  if (values.includes(value)) return true;
  if (isOpen && page.options.onlyKinds !== true)
    page.warn(path, { code: "new-value", args: { found: String(value), known: spelledOut(values) } });
  return isOpen;
}

export function compileText(page: PageState, model: TextValue, path: Steps): Print {
  const { media, printedMedia = media, onlyKinds } = page.options;
  const { choices, isHtml = false, isRaw = false, isTitle = false, max = Infinity } = model;
  const format = formatOf(model);
  const isMedia = model.format === "media-url";
  const isPlain = isPlainText(model);
  const isCopied = format === undefined && choices === undefined;
  // If the source has no backslash, no character of the text needs an escape.
  const quoted = (text: string): string => {
    const json = (page.signs & ESCAPE) === 0 ? `"${text}"` : JSON.stringify(text);
    // A test of the JSON itself would join its parts.
    return (page.signs & WIDE) !== 0 && /[^\0-\x7f]/.test(text) ? page.encode(json) : json;
  };

  const check = (text: string): string => {
    if (format?.matches(text) === false) return page.mistake(model, path, text);
    if (onlyKinds === true) return quoted(text);
    const unlikely = isMedia ? mediaMistake(text, media) : format?.unlikely?.(text);
    if (unlikely !== undefined) page.warn(path, unlikely);
    if (choices !== undefined && !isChoice(page, path, text, choices)) return page.mistake(model, path, text);
    if (isPlain) checkPlain(page, text, path, isTitle);
    if (isMedia) return page.json(mediaUrl(text, printedMedia));
    if (isHtml) checkHtml(page, text, path, isRaw);
    return quoted(text);
  };
  return (text) => {
    if (typeof text !== "string") return page.mistake(model, path, text);
    if (text.length > max) return page.mistake(model, path, text);
    if (text === "") return model.mayBeEmpty ? '""' : page.mistake(model, path, text);
    const { signs } = page;
    const mayBeWrong =
      !isCopied ||
      isHtml ||
      hasSpaceAround(text) ||
      (isTitle && INVISIBLE.test(text)) ||
      ((signs & MARKUP) !== 0 && /[<&*]|\]\(/.test(text));
    return mayBeWrong ? check(text) : quoted(text);
  };
}

function checkHtml(page: PageState, text: string, path: Steps, isRaw: boolean): void {
  const { problems, links, unlisted, isCut } = checkFragment(text, isRaw);
  // A fragment with problems has not all of its links.
  for (const { href } of problems.length === 0 ? links : linksIn(text)) page.links.push(href);
  const listed = problems.slice(0, MAX_HTML_PROBLEMS - page.htmlProblems);
  page.htmlProblems += listed.length;
  page.unlisted += problems.length - listed.length + unlisted;
  page.isCut ||= isCut;
  const steps = page.steps(path);
  for (const { start, end, ...problem } of listed) page.report(steps, problem, [start, end]);
}

export function compileOpen(page: PageState, model: OpenValue, path: Steps): Print {
  const empty = page.json(model.empty);
  const anObject: OpenValue = { ...model, of: "object" };
  return (value) => {
    if (isSameEmpty(value, model.empty)) return empty;
    const { mistakes } = page;
    if (value === null && model.isRequired) return page.mistake(model, path, value);
    const isList = model.of === "list" || model.of === "objects";
    if (isList ? !Array.isArray(value) : model.of === "object" && !isObject(value))
      return page.mistake(model, path, value);
    if (model.of === "objects")
      for (const [i, item] of (value as unknown[]).entries())
        if (!isObject(item)) page.mistake(anObject, [...page.steps(path), i], item);
    if (mistakes < page.mistakes || !isPrintable(page, value, MAX_DEPTH - path.length)) return "null";
    if (page.options.onlyKinds !== true && !model.occurs(value))
      page.warn(path, { code: "unspecified-value", args: {} });
    const node = typeof value === "object" && value !== null ? page.nodes?.get(value) : undefined;
    return page.encode(node === undefined ? JSON.stringify(value) : printNode(node));
  };
}

/**
 * Counts the keys of a value that is printed as it is written. Without nodes, it must not be too deep, or
 * have names that are numbers, because JavaScript would put these first.
 */
function isPrintable(page: PageState, value: unknown, levels: number): boolean {
  if (page.nodes !== undefined || typeof value !== "object" || value === null) return true;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  page.keys += names.length;
  if (levels === 0 || names.some((name) => /^\d/.test(name))) return !(page.needsNodes = true);
  return Object.values(value).every((item) => isPrintable(page, item, levels - 1));
}

/** Without line breaks: texts from other systems often end in them, and no reader sees them. */
const AROUND = /^[ \t\u00a0]+|[ \t\u00a0]+$/;
const ALL_AROUND = new RegExp(AROUND, "g");

const MARKUP_FORMS: [pattern: RegExp, kind: string][] = [
  [/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/i, "an HTML tag"],
  [/&(?:[a-z][a-z0-9]{1,7}|#\d{2,6}|#x[0-9a-f]{2,6});/i, "an HTML entity"],
  [/\*\*[^\s*][^*]*\*\*|\[[^\][]+\]\((?:https?:|\/)[^()\s]*\)/, "Markdown"],
];

/**
 * Control characters, and characters that are invisible or change the direction of text. Joiners are allowed
 * because words and emoji contain them.
 */
const INVISIBLE = /(?!\u200c|\u200d|[\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Reports the first probable mistake in a plain text. */
function checkPlain(page: PageState, text: string, path: Steps, isTitle: boolean): void {
  const warn = (
    { index, 0: { length } }: RegExpExecArray,
    mistake: ValueMistake<"space-around" | "markup-in-text" | "invisible-in-title">,
  ): void => page.warn(path, mistake, [index, index + length]);
  const around = AROUND.exec(text);
  if (around !== null)
    return warn(around, {
      code: "space-around",
      args: { right: text.replaceAll(ALL_AROUND, "") },
    });
  for (const [pattern, kind] of MARKUP_FORMS) {
    const found = pattern.exec(text);
    if (found !== null) return warn(found, { code: "markup-in-text", args: { found: found[0], kind } });
  }
  const unseen = isTitle ? INVISIBLE.exec(text) : null;
  if (unseen !== null) warn(unseen, { code: "invisible-in-title", args: { name: nameOf(unseen[0]) } });
}

const hasSpaceAround = (text: string): boolean => {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  return isSpace(first) || isSpace(last);
};

const isSpace = (c: number): boolean => c === 0x20 || c === 0x09 || c === 0xa0;

const isSameEmpty = (value: unknown, empty: unknown): boolean =>
  Array.isArray(empty)
    ? Array.isArray(value) && value.length === 0
    : isObject(empty)
      ? isObject(value) && Object.keys(value).length === 0
      : value === empty;
