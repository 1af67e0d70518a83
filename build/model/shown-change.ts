import { Parser } from "htmlparser2";
import { printableJson } from "../findings/printable.ts";
import { fieldsIn, type ValueModel } from "./model.ts";
import type { PageModel } from "./page.ts";
import { fieldChanges, type FieldChange } from "../source/json/changes.ts";
import { isObject, type JsonObject } from "../source/json/object.ts";

/** Maximum length of a text that is shown whole, in UTF-16 units. */
const MAX_WHOLE_LENGTH = 120;
/** Maximum distance, in UTF-16 units, from the difference to an end of its sentence that is shown whole. */
const MAX_SENTENCE_DISTANCE = 200;
/** Length of the text shown on either side of the difference if its sentence is longer, in UTF-16 units. */
const CONTEXT_LENGTH = 40;
/** Maximum length of the beginning and of the end that are shown of a long difference, in UTF-16 units. */
const MAX_END_LENGTH = 240;

/** The values as one line of JSON each. HTML is shown as words; long values are cut around the difference. */
export function shownChange(
  change: FieldChange,
  models: readonly PageModel[],
): { old?: string; new?: string } {
  const readable = isHtml(change.field, models) ? asWords(change) : change;
  return aroundDifference(printed(readable, "old"), printed(readable, "new"));
}

/** Two texts, of which long ones are cut around the difference. */
export function aroundDifference(old?: string, now?: string): { old?: string; new?: string } {
  const [start, end] = old === undefined || now === undefined ? [0, 0] : common(old, now);
  return {
    ...(old === undefined ? {} : { old: cut(old, start, end) }),
    ...(now === undefined ? {} : { new: cut(now, start, end) }),
  };
}

function isHtml(field: string, models: readonly PageModel[]): boolean {
  const path = field.match(/[^.[\]]+/g) ?? [];
  return models.some((model) => model.names.some((type) => isHtmlIn(model.sourceOf(type), path)));
}

/** Also in one of the forms of a block: a path does not say which one it is. */
function isHtmlIn(model: ValueModel, path: readonly string[]): boolean {
  if (model.kind === "block") return [...model.variants.values()].some((variant) => isHtmlIn(variant, path));
  const [step, ...rest] = path;
  if (step === undefined) return model.kind === "text" && model.isHtml === true;
  const inner = model.kind === "list" ? model.element : fieldsIn(model).get(step);
  return inner !== undefined && isHtmlIn(inner, rest);
}

/** The change with HTML as words; unchanged if the words are the same, because then the tags differ. */
function asWords(change: FieldChange): FieldChange {
  const [old, now] = [inWords(change.old), inWords(change.new)];
  if (old === now) return change;
  return {
    field: change.field,
    ...(Object.hasOwn(change, "old") ? { old } : {}),
    ...(Object.hasOwn(change, "new") ? { new: now } : {}),
  };
}

const inWords = (value: unknown): unknown => (typeof value === "string" ? wordsOf(value) : value);

const printed = (change: FieldChange, side: "old" | "new"): string | undefined =>
  Object.hasOwn(change, side) ? printableJson(change[side]) : undefined;

function common(a: string, b: string): [start: number, end: number] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [start, end];
}

function cut(text: string, start: number, end: number): string {
  if (text.length <= MAX_WHOLE_LENGTH) return text;
  const from = start <= CONTEXT_LENGTH ? 0 : whole(text, sentenceStart(text, start));
  const to = end <= CONTEXT_LENGTH ? text.length : whole(text, sentenceEnd(text, text.length - end));
  const shown =
    to - from <= 2 * MAX_END_LENGTH
      ? text.slice(from, to)
      : `${text.slice(from, whole(text, from + MAX_END_LENGTH))}…${text.slice(whole(text, to - MAX_END_LENGTH), to)}`;
  return `${from > 0 ? "…" : ""}${shown}${to < text.length ? "…" : ""}`;
}

const BETWEEN = /[.!?…][”’")\]]*\s/g;

function sentenceStart(text: string, at: number): number {
  const from = Math.max(0, at - MAX_SENTENCE_DISTANCE);
  const last = [...text.slice(from, at).matchAll(BETWEEN)].at(-1);
  if (last === undefined) return from === 0 ? 0 : at - CONTEXT_LENGTH;
  return from + last.index + last[0].length;
}

function sentenceEnd(text: string, at: number): number {
  const [next] = text.slice(at, at + MAX_SENTENCE_DISTANCE).matchAll(BETWEEN);
  if (next !== undefined) return at + next.index + next[0].length - 1;
  return at + MAX_SENTENCE_DISTANCE >= text.length
    ? text.length
    : at + CONTEXT_LENGTH + wordEnd(text, at + CONTEXT_LENGTH);
}

/** The length of the rest of a word; 0 if the word does not end soon. */
const wordEnd = (text: string, at: number): number =>
  Math.max(0, text.slice(at, at + CONTEXT_LENGTH / 2).indexOf(" "));

/** The nearest index at or before `at` that is not inside a surrogate pair. */
const whole = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? "") ? at - 1 : at);

/** Inline elements: no space is added between their text and the text beside them. */
const IN_LINE = new Set("a abbr b cite code em i q s small span strong sub sup u".split(" "));

/** The visible words of a fragment: its text with entities decoded and white space collapsed. */
function wordsOf(html: string): string {
  let words = "";
  const space = (element: string): void => {
    if (!IN_LINE.has(element)) words += " ";
  };
  const parser = new Parser({ ontext: (text) => (words += text), onopentagname: space, onclosetag: space });
  parser.end(html);
  return words.replace(/\s+/g, " ").trim();
}

/** The fields of two versions of a source that differ. Of a new page, those that are not empty. */
export function sourceChanges(was: JsonObject | undefined, is: JsonObject | undefined): FieldChange[] {
  if (is === undefined) return [];
  if (was !== undefined) return fieldChanges(was, is).filter(({ field }) => field !== "$schema");
  const { $schema: _, id: _id, title: _title, meta, ...rest } = is;
  const { type: _type, ...ofMeta } = isObject(meta) ? meta : {};
  const all = fieldChanges({ meta: {} }, { meta: ofMeta, ...rest });
  return all.filter(({ new: value }) => !isEmptyValue(value));
}

const isEmptyValue = (value: unknown): boolean =>
  value === false || value === null || ['""', "[]", "{}"].includes(JSON.stringify(value));
