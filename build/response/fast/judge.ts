import { isExact } from "../../json/exact.ts";
import { forms } from "../../page/forms.ts";
import { mediaProblem, mediaUrl } from "../../page/media.ts";
import type { Site } from "../../page/site.ts";
import { Hash, type ClaimLog } from "../../check/claims.ts";
import { BAIL_OUT, QUOTE, type Cursor } from "./cursor.ts";
import {
  ARRAY,
  LITERAL,
  NUMBER,
  OBJECT,
  RECORD_HEAD,
  SLOT_SIZE,
  STRING,
  TUPLE,
  type ArrayPlan,
  type FieldPlan,
  type LiteralPlan,
  type NumberPlan,
  type ObjectPlan,
  type RulePlan,
  type StringPlan,
  type TuplePlan,
  type ValuePlan,
} from "./plan.ts";
import { placeAt, type Slots } from "./slots.ts";
import { ANY_TEXT, judgeNumber, judgeText, unescape } from "./values.ts";

const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const MINUS = 0x2d;
const SPACE = 0x20;
const LESS = 0x3c;
const AMPERSAND = 0x26;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const ASTERISK = 0x2a;
/** The last byte of a no-break space, and the first of it. */
const NO_BREAK = 0xa0;
const LATIN = 0xc2;

/** What bytes mean in a text: that it ends, as behind the buffer's end, or what else has to be looked at. */
const ENDS = 1;
const ESCAPE = 2;
const MARKUP = 4;
/** Of Markdown. */
const SIGN = 8;
const MEANING = Uint8Array.from({ length: 256 }, (_, c) => {
  if (c < 0x20 || c === QUOTE) return ENDS;
  if (c === BACKSLASH) return ESCAPE;
  if (c === LESS || c === AMPERSAND) return MARKUP;
  return c === ASTERISK || c === CLOSE_BRACKET ? SIGN : 0;
});
const NULL = new TextEncoder().encode("null");
const NUMBER_FORM = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
/** A number that takes as many characters is left to the full path. */
const LONG_NUMBER = 40;

/** The first pass: judges a source by a plan, and notes where each value stands. */
export class Judge {
  private readonly cursor: Cursor;
  private readonly slots: Slots;
  private readonly claims: ClaimLog;
  private readonly hash = new Hash();
  /** The number of what the last object states. */
  private claim = -1;
  private depth = 0;
  private readonly leavesLinks: boolean;
  private readonly media: string;

  constructor(cursor: Cursor, slots: Slots, site: Site, claims: ClaimLog) {
    this.cursor = cursor;
    this.slots = slots;
    this.claims = claims;
    this.media = site.media_url;
    this.leavesLinks = site.owned_paths.length > 0;
  }

  /** Judges the whole source; gives the page's record. */
  page(plan: ObjectPlan): number {
    const { cursor } = this;
    this.depth = 0;
    cursor.space();
    const record = this.object(plan);
    cursor.space();
    if (cursor.pos !== cursor.end) throw BAIL_OUT;
    return record;
  }

  private object(plan: ObjectPlan): number {
    const { cursor, slots } = this;
    cursor.expect(OPEN_BRACE);
    const record = slots.reserve(RECORD_HEAD + SLOT_SIZE * plan.fields.length);
    this.depth++;
    cursor.space();
    const isEmpty = cursor.src[cursor.pos] === CLOSE_BRACE;
    cursor.pos += isEmpty ? 1 : 0;
    if (!isEmpty) {
      let hasSchema = false;
      let last = -1;
      do {
        const number = cursor.key(plan.keys, last, this.depth);
        last = number;
        if (number === -1) {
          if (hasSchema) throw BAIL_OUT;
          hasSchema = true;
          this.string(ANY_TEXT, 0);
        } else {
          const field = plan.fields[number] as FieldPlan;
          const slot = record + field.slot;
          if (slots.numbers[slot + 1] !== 0) throw BAIL_OUT;
          this.readValue(field.kind, field.plan, slot);
        }
      } while (cursor.continues(CLOSE_BRACE));
    }
    this.depth--;
    const { numbers } = slots;
    const { required, rules } = plan;
    for (let k = 0; k < required.length; k++)
      if (numbers[record + (required[k] as number) + 1] === 0) throw BAIL_OUT;
    for (let k = 0; k < rules.length; k++) {
      const { holds, read } = rules[k] as RulePlan;
      if (!holds(slots.read(read, record), this.media)) throw BAIL_OUT;
    }
    if (plan.claim !== undefined) this.noteClaim(plan.claim, record);
    return record;
  }

  private noteClaim({ identity, key, values }: NonNullable<ObjectPlan["claim"]>, record: number): void {
    const { hash } = this;
    hash.start(identity.seed);
    if (!this.hashValue(record + key.slot)) return;
    const keyHash = hash.value();
    for (let k = 0; k < values.length; k++)
      if (!this.hashValue(record + (values[k] as FieldPlan).slot)) hash.separate();
    this.claim = this.claims.add(keyHash, hash.value());
    if (this.claims.lacksText(this.claim))
      this.claims.note([identity.kind, ...[...values, key].map(({ slot }) => this.textAt(record + slot))]);
  }

  private textAt(slot: number): string {
    const { numbers } = this.slots;
    const noted = numbers[slot] as number;
    if (numbers[slot + 1] === 0) return "";
    const text = this.slots
      .bytesAt(noted)
      .toString("utf8", placeAt(noted), placeAt(numbers[slot + 1] as number));
    return text.startsWith('"') ? text.slice(1, -1) : text;
  }

  /** A value as it is printed, without quotation marks; false where there is nothing. */
  private hashValue(slot: number): boolean {
    const { numbers } = this.slots;
    const noted = numbers[slot] as number;
    if (numbers[slot + 1] === 0) return false;
    const from = this.slots.bytesAt(noted);
    let start = placeAt(noted);
    let end = placeAt(numbers[slot + 1] as number);
    if (from[start] === QUOTE) {
      start++;
      end--;
    }
    if (start === end) return false;
    this.hash.bytes(from, start, end);
    return true;
  }

  /** `kind` is the plan's. */
  private readValue(kind: ValuePlan["kind"], plan: ValuePlan, slot: number): void {
    const { cursor } = this;
    switch (kind) {
      case STRING:
        if ((plan as StringPlan).nullable && cursor.src[cursor.pos] === LOWER_N) this.literal(NULL, slot);
        else this.string(plan as StringPlan, slot);
        return;
      case NUMBER:
        this.number(plan as NumberPlan, slot);
        return;
      case LITERAL: {
        const { literal, orFalse } = plan as LiteralPlan;
        this.literal(cursor.src[cursor.pos] === LOWER_F ? orFalse : literal, slot);
        return;
      }
      case OBJECT: {
        const record = this.object(plan as ObjectPlan);
        this.slots.note(slot, record, 1);
        return;
      }
      case ARRAY:
        this.array(plan as ArrayPlan, slot);
        return;
      case TUPLE:
        this.tuple(plan as TuplePlan, slot);
        return;
      default:
        throw BAIL_OUT;
    }
  }

  private literal(bytes: Uint8Array, slot: number): void {
    const { cursor } = this;
    const start = cursor.pos;
    cursor.literal(bytes);
    this.slots.note(slot, start, cursor.pos);
  }

  /** The record of the first element and the count of them, plus one. */
  private array({ element }: ArrayPlan, slot: number): void {
    const { cursor, slots } = this;
    cursor.expect(OPEN_BRACKET);
    cursor.space();
    let count = 0;
    let first = 0;
    let last = 0;
    if (cursor.src[cursor.pos] === CLOSE_BRACKET) cursor.pos++;
    else {
      do {
        if (count > 0) cursor.space();
        let record: number;
        if (element.kind === OBJECT) record = this.element(element, last);
        else {
          record = slots.reserve(RECORD_HEAD + SLOT_SIZE);
          this.readValue(element.kind, element, record + RECORD_HEAD);
        }
        if (count === 0) first = record;
        else slots.numbers[last] = record;
        last = record;
        count++;
      } while (cursor.continues(CLOSE_BRACKET));
    }
    if (cursor.pos > cursor.end) throw BAIL_OUT;
    slots.note(slot, first, count + 1);
  }

  /** An object of a list. Where it is known what one is printed as, its record is only its head. */
  private element(plan: ObjectPlan, before: number): number {
    const { interned } = plan;
    if (interned === undefined) return this.object(plan);
    const { cursor, slots } = this;
    const start = cursor.pos;
    let known = interned.find(cursor.view, start, (slots.numbers[before + 1] as number) - 1);
    let record: number;
    if (known !== -1 && interned.printed[known] !== undefined) {
      record = slots.reserve(RECORD_HEAD);
      cursor.pos = start + interned.length(known);
      const claim = interned.claim(known);
      if (claim !== -1) this.claims.again(claim);
    } else {
      this.claim = -1;
      record = this.object(plan);
      if (known === -1)
        known = interned.add(cursor.src, start, cursor.pos, slots.numbers, record + RECORD_HEAD, this.claim);
    }
    slots.numbers[record + 1] = known + 1;
    return record;
  }

  /** The record of its items. */
  private tuple({ items }: TuplePlan, slot: number): void {
    const { cursor, slots } = this;
    cursor.expect(OPEN_BRACKET);
    const record = slots.reserve(RECORD_HEAD + SLOT_SIZE * items.length);
    for (let k = 0; k < items.length; k++) {
      cursor.space();
      if (k > 0) {
        cursor.expect(COMMA);
        cursor.space();
      }
      const item = items[k] as ValuePlan;
      this.readValue(item.kind, item, record + RECORD_HEAD + SLOT_SIZE * k);
    }
    cursor.space();
    cursor.expect(CLOSE_BRACKET);
    slots.note(slot, record, 1);
  }

  private string(plan: StringPlan, slot: number): void {
    const { cursor } = this;
    const { src, pos: start } = cursor;
    cursor.expect(QUOTE);
    let at = start + 1;
    let seen = 0;
    for (;;) {
      while (MEANING[src[at] as number] === 0) at++;
      const meaning = MEANING[src[at] as number] ?? ENDS;
      seen |= meaning;
      if (meaning === ENDS) break;
      at += meaning === ESCAPE ? 2 : 1;
    }
    if (at >= cursor.end || src[at] !== QUOTE) throw BAIL_OUT;
    const isEscaped = (seen & ESCAPE) !== 0;
    const isMarkup = (seen & MARKUP) !== 0;
    cursor.pos = at + 1;
    const isEmpty = at === start + 1;
    // Where links may have to be followed, the full path notes their places.
    if (this.leavesLinks && plan.html && (isMarkup || isEscaped)) throw BAIL_OUT;
    if (isEscaped) {
      const text = unescape(src, start, at + 1);
      judgeText(plan, text);
      this.slots.rewrite(slot, JSON.stringify(text));
      return;
    }
    if (plan.form === "media-url") {
      this.mediaUrl(src.toString("utf8", start + 1, at), slot);
      return;
    }
    const [first, last] = [src[start + 1], src[at - 1]];
    const hasSpaces = first === SPACE || first === LATIN || last === SPACE || last === NO_BREAK;
    const isFree =
      plan.form === undefined &&
      plan.occurring === undefined &&
      !plan.html &&
      !(plan.plain && (plan.title || hasSpaces || (seen & (MARKUP | SIGN)) !== 0));
    if (isEmpty ? plan.required : !isFree) judgeText(plan, src.toString("utf8", start + 1, at));
    if (slot !== 0) this.slots.note(slot, start, at + 1);
  }

  private mediaUrl(written: string, slot: number): void {
    if (!forms["media-url"].holds(written) || mediaProblem(written, this.media) !== undefined) throw BAIL_OUT;
    this.slots.rewrite(slot, JSON.stringify(mediaUrl(written, this.media)));
  }

  private number(plan: NumberPlan, slot: number): void {
    const { cursor } = this;
    const { src, pos: start } = cursor;
    const isNegative = src[start] === MINUS;
    let at = isNegative ? start + 1 : start;
    const digits = at;
    let value = 0;
    let c = src[at] as number;
    while (c >= 0x30 && c <= 0x39) {
      value = value * 10 + (c - 0x30);
      c = src[++at] as number;
    }
    const isPlain =
      at > digits &&
      at - digits <= 15 &&
      (at - digits === 1 || src[digits] !== 0x30) &&
      !(isNegative && value === 0);
    if (!isPlain || c === 0x2e || c === 0x65 || c === 0x45) {
      this.longNumber(plan, slot);
      return;
    }
    cursor.pos = at;
    if (at > cursor.end) throw BAIL_OUT;
    judgeNumber(plan, isNegative ? -value : value);
    this.slots.note(slot, start, at);
  }

  private longNumber(plan: NumberPlan, slot: number): void {
    const { cursor } = this;
    const { src, pos, end } = cursor;
    const written = NUMBER_FORM.exec(src.toString("latin1", pos, Math.min(end, pos + LONG_NUMBER)))?.[0];
    if (written === undefined || written.length === LONG_NUMBER) throw BAIL_OUT;
    const value = Number(written);
    if (!isExact(written, value)) throw BAIL_OUT;
    cursor.pos += written.length;
    judgeNumber(plan, value);
    this.slots.rewrite(slot, String(value));
  }
}
