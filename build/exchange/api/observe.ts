import { isError, startOf } from "../../findings/finding.ts";
import { isObject, type JsonObject } from "../../source/json/object.ts";
import { NAMING } from "../../model/declared-values.ts";
import { formats } from "../../model/formats.ts";
import { checkFragment } from "../../model/html.ts";
import { endingOf, IMAGE_KINDS } from "../../source/image-kinds.ts";
import type { ShownPage } from "../../model/reference.ts";

/* Collects the values that a field has in all responses, from which its declaration is inferred. */

const FORMS = ["date", "time", "date-time", "address"] as const;

/** A text with a tag or an entity is HTML: as a plain text, it would have a warning (`markup-in-text`) for ever. */
const MARKUP = /<\/?[a-z][^<>]*>|&(?:[a-z][a-z0-9]{1,7}|#\d{2,6}|#x[0-9a-f]{2,6});/i;
/** Names of fields with ids of pages. Other numbers can be ids of pages by chance. */
const PAGE_NAME = /(?:^|[_ -])pages?$/i;
/** Dots in a path, which may lead out of a folder; also if they are encoded. */
const DETOUR = /\/\.|%(?:25)*(?:2e|2f|5c)/i;

const isValidHtml = (text: string, isRaw: boolean): boolean =>
  !checkFragment(text, isRaw).problems.some((problem) => isError({ ...problem, place: startOf("") }));

export class Texts {
  filled = 0;
  empty = 0;
  /** The formats of all texts that are not empty. */
  forms: readonly (typeof FORMS)[number][] = FORMS;
  hasMarkup = false;
  /** The HTML that all texts are; undefined if one of them has mistakes. */
  html: "plain" | "raw" | undefined = "plain";
  /** The text that all are; undefined if there are several. */
  only: string | undefined;
  /** Addresses only: the beginning of all, whether they are of images, and whether they have no dots in their paths. */
  prefix: string | undefined;
  areImages = true;
  areDirect = true;

  take(text: string): void {
    this.only = this.filled + this.empty === 0 || this.only === text ? text : undefined;
    if (text === "") return void this.empty++;
    this.filled++;
    this.forms = this.forms.filter((form) => formats[form].matches(text));
    if (this.forms.includes("address")) {
      this.prefix = commonStart(this.prefix ?? text, text);
      this.areImages &&= Object.hasOwn(IMAGE_KINDS, endingOf(text));
      this.areDirect &&= !DETOUR.test(text);
    }
    if (!/[<&]/.test(text)) return;
    this.hasMarkup ||= MARKUP.test(text);
    if (this.html === "plain" && !isValidHtml(text, false)) this.html = "raw";
    if (this.html === "raw" && !isValidHtml(text, true)) this.html = undefined;
  }

  add(other: Texts): void {
    this.only = this.filled + this.empty === 0 || this.only === other.only ? other.only : undefined;
    this.filled += other.filled;
    this.empty += other.empty;
    this.forms = this.forms.filter((form) => other.forms.includes(form));
    this.hasMarkup ||= other.hasMarkup;
    if (this.html === "plain" || other.html === undefined) this.html = other.html;
    if (other.prefix !== undefined) this.prefix = commonStart(this.prefix ?? other.prefix, other.prefix);
    this.areImages &&= other.areImages;
    this.areDirect &&= other.areDirect;
  }
}

function commonStart(a: string, b: string): string {
  let end = 0;
  while (end < a.length && a[end] === b[end]) end++;
  return a.slice(0, end);
}

/** Values by the names of fields, or by the types of blocks. */
export class ObservedByName extends Map<string, Observed> {
  at(name: string): Observed {
    const known = this.get(name) ?? new Observed(name);
    this.set(name, known);
    return known;
  }

  add(further: ObservedByName): void {
    for (const [name, values] of further) this.at(name).add(values);
  }

  widens(further: ObservedByName): boolean {
    return [...further].some(([name, values]) => this.get(name)?.widens(values) === true);
  }
}

/** The elements of all lists: blocks of a StreamField by their types, and others. */
export class Lists {
  readonly elements: Observed;
  readonly blocks = new ObservedByName();

  constructor(name: string) {
    this.elements = new Observed(name);
  }

  take(list: readonly unknown[]): void {
    for (const item of list)
      if (isBlock(item)) this.blocks.at(item.type).take(item.value);
      else this.elements.take(item);
  }

  add(other: Lists): void {
    this.elements.add(other.elements);
    this.blocks.add(other.blocks);
  }

  widens({ elements, blocks }: Lists): boolean {
    const areMixed = this.elements.count + elements.count > 0 && this.blocks.size + blocks.size > 0;
    return areMixed || this.elements.widens(elements) || this.blocks.widens(blocks);
  }
}

const isBlock = (value: unknown): value is { type: string; value: unknown } =>
  isObject(value) &&
  Object.keys(value).length === 3 &&
  typeof value["type"] === "string" &&
  "value" in value &&
  (typeof value["id"] === "string" || value["id"] === null);

export class Objects {
  readonly members = new ObservedByName();
  /** The reason why the members cannot be declared. */
  trouble: string | undefined;
  /** The summaries of pages, as JSON; undefined if an object is none. */
  summaries: Set<string> | undefined = new Set();
  private isNew = true;

  take(object: JsonObject): void {
    if (this.trouble !== undefined) return;
    const keys = Object.keys(object);
    const odd = keys.find((key) => !NAMING.field.is(key));
    if (odd !== undefined) return this.give(`it has a member “${odd}”, which cannot be the name of a field`);
    const isSame = keys.length === this.members.size && keys.every((key) => this.members.has(key));
    if (!this.isNew && !isSame) return this.give(DIFFERENT);
    this.isNew = false;
    const summary = summaryIn(object);
    if (summary === undefined) this.summaries = undefined;
    else this.summaries?.add(summary);
    for (const key of keys) this.members.at(key).take(object[key]);
  }

  add(other: Objects): void {
    if (this.trouble !== undefined) return;
    if (other.trouble !== undefined) return this.give(other.trouble);
    if (!this.isNew && this.names() !== other.names()) return this.give(DIFFERENT);
    this.isNew = false;
    this.members.add(other.members);
    if (other.summaries === undefined) this.summaries = undefined;
    else for (const summary of other.summaries) this.summaries?.add(summary);
  }

  widens(other: Objects): boolean {
    const isAlike = this.trouble === other.trouble && this.names() === other.names();
    return !isAlike || this.members.widens(other.members);
  }

  names(): string {
    return [...this.members.keys()].sort().join();
  }

  private give(trouble: string): void {
    this.trouble = trouble;
    this.members.clear();
    this.summaries = undefined;
  }
}

const DIFFERENT = "its members are not the same everywhere";

/** An object that shows a page by its id, as JSON of its id and what it shows. */
function summaryIn({ id, meta, title, ...others }: JsonObject): string | undefined {
  if (!isObject(meta) || typeof id !== "number" || typeof title !== "string") return undefined;
  const { type, detail_url, html_url, ...more } = meta;
  const isWhole = typeof type === "string" && Object.keys({ ...others, ...more }).length === 0;
  return isWhole
    ? JSON.stringify([id, { type, detail_url, html_url, title } satisfies Record<keyof ShownPage, unknown>])
    : undefined;
}

const COUNTERS = ["count", "nulls", "booleans", "integers", "decimals"] as const;

export class Observed {
  /** Of the field, of the list that the values are in, or of a type of block. */
  readonly name: string;
  count = 0;
  nulls = 0;
  booleans = 0;
  integers = 0;
  decimals = 0;
  texts: Texts | undefined;
  lists: Lists | undefined;
  objects: Objects | undefined;
  /** The numbers, if the name is that of ids of pages. */
  readonly ids: Set<number> | undefined;

  constructor(name: string) {
    this.name = name;
    this.ids = PAGE_NAME.test(name) ? new Set() : undefined;
  }

  take(value: unknown): void {
    this.count++;
    if (value === null) this.nulls++;
    else if (typeof value === "boolean") this.booleans++;
    else if (typeof value === "string") (this.texts ??= new Texts()).take(value);
    else if (Array.isArray(value)) (this.lists ??= new Lists(this.name)).take(value);
    else if (isObject(value)) (this.objects ??= new Objects()).take(value);
    else if (Number.isSafeInteger(value)) {
      this.integers++;
      this.ids?.add(value as number);
    } else this.decimals++;
  }

  add(other: Observed): void {
    for (const counter of COUNTERS) this[counter] += other[counter];
    if (other.texts !== undefined) (this.texts ??= new Texts()).add(other.texts);
    if (other.lists !== undefined) (this.lists ??= new Lists(this.name)).add(other.lists);
    if (other.objects !== undefined) (this.objects ??= new Objects()).add(other.objects);
    for (const id of other.ids ?? []) this.ids?.add(id);
  }

  /** The kinds of its values other than null, in words. */
  kinds(): string[] {
    return [
      ...(this.booleans > 0 ? ["true or false"] : []),
      ...(this.integers + this.decimals > 0 ? ["numbers"] : []),
      ...(this.texts === undefined ? [] : ["texts"]),
      ...(this.lists === undefined ? [] : ["lists"]),
      ...(this.objects === undefined ? [] : ["objects"]),
    ];
  }

  /** Whether it has a value other than null, an empty text or an empty list. */
  hasValues(): boolean {
    const { booleans, integers, decimals, texts, lists, objects } = this;
    const inList = lists !== undefined && lists.elements.count + lists.blocks.size > 0;
    return booleans + integers + decimals + (texts?.filled ?? 0) > 0 || inList || objects !== undefined;
  }

  /** The values directly inside of it. */
  parts(): Observed[] {
    const { lists, objects } = this;
    return [
      ...(lists ? [lists.elements, ...lists.blocks.values()] : []),
      ...(objects?.members.values() ?? []),
    ];
  }

  /** Whether values of both need a wider kind than those of each. */
  widens(other: Observed): boolean {
    if (this.count === this.nulls || other.count === other.nulls) return false;
    if (this.kinds().join() !== other.kinds().join()) return true;
    const [a, b] = [this.texts?.forms ?? [], other.texts?.forms ?? []];
    if (a.length > 0 && b.length > 0 && !a.some((form) => b.includes(form))) return true;
    const ofObjects = this.objects !== undefined && other.objects?.widens(this.objects);
    return ofObjects === true || (this.lists !== undefined && other.lists?.widens(this.lists) === true);
  }
}
