import { isExact } from "../../json/exact.ts";
import { forms } from "../../page/forms.ts";
import { isBelowMedia, mediaUrl } from "../../page/media.ts";
import type { Site } from "../../page/site.ts";
import { Hash, type ClaimLog } from "../../check/claims.ts";
import {
  ARRAY,
  FRAME_HEAD,
  NUMBER,
  OBJECT,
  SLOT_SIZE,
  STRING,
  TUPLE,
  LITERAL,
  type ArrayPlan,
  type FieldPlan,
  type NumberPlan,
  type ObjectPlan,
  type RulePlan,
  type StringPlan,
  type TuplePlan,
  type ValuePlan,
  type WordPlan,
} from "./plan.ts";
import { BAIL_OUT, placeAt, QUOTE, Scanner } from "./scan.ts";
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
const encoder = new TextEncoder();
export const NULL = encoder.encode("null");
const NUMBER_FORM = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;

/** The first pass: judges a source by a plan, and notes where each value stands. */
export class Judge extends Scanner {
  private readonly hash = new Hash();
  /** The number of what the last object states. */
  private claim = -1;
  private readonly leavesLinks: boolean;
  private readonly media: string;
  protected readonly claims: ClaimLog;

  constructor(site: Site, claims: ClaimLog) {
    super();
    this.claims = claims;
    this.media = site.media_url;
    this.leavesLinks = site.owned_paths.length > 0;
  }

  /** Gives the object's frame. */
  protected object(plan: ObjectPlan): number {
    this.expect(OPEN_BRACE);
    const frame = this.reserve(FRAME_HEAD + SLOT_SIZE * plan.fields.length);
    this.depth++;
    this.space();
    // Not a branch of its own: it is so rare that the engine would compile this without it, and then once more.
    const isEmpty = this.src[this.pos] === CLOSE_BRACE;
    this.pos += isEmpty ? 1 : 0;
    if (!isEmpty) {
      let hasSchema = false;
      let last = -1;
      for (;;) {
        const number = this.key(plan, last);
        last = number;
        if (number === -1) {
          if (hasSchema) throw BAIL_OUT;
          hasSchema = true;
          this.string(ANY_TEXT, 0);
        } else {
          const field = plan.fields[number] as ObjectPlan["fields"][number];
          const slot = frame + field.slot;
          if (this.arena[slot + 1] !== 0) throw BAIL_OUT;
          this.readValue(field.kind, field.plan, slot);
        }
        this.space();
        const c = this.src[this.pos++];
        if (this.pos > this.end) throw BAIL_OUT;
        if (c === CLOSE_BRACE) break;
        if (c !== COMMA) throw BAIL_OUT;
      }
    }
    this.depth--;
    // Counted loops, here and where else every object passes: an iterator takes the engine long to compile.
    const { required, rules } = plan;
    for (let k = 0; k < required.length; k++)
      if (this.arena[frame + (required[k] as number) + 1] === 0) throw BAIL_OUT;
    for (let k = 0; k < rules.length; k++) this.checkRule(rules[k] as RulePlan, frame);
    if (plan.claim !== undefined) this.noteClaim(plan.claim, frame);
    return frame;
  }

  private noteClaim({ identity, key, values }: NonNullable<ObjectPlan["claim"]>, frame: number): void {
    const { hash, arena } = this;
    hash.start(identity.seed);
    if (!this.hashValue(frame + key.slot)) return;
    const keyHash = hash.value();
    for (let k = 0; k < values.length; k++) {
      const slot = frame + (values[k] as FieldPlan).slot;
      if (arena[slot + 1] === 0 || !this.hashValue(slot)) hash.separate();
    }
    this.claim = this.claims.add(keyHash, hash.value());
  }

  /** A value as it is printed, without quotation marks; false where there is nothing. */
  private hashValue(slot: number): boolean {
    const noted = this.arena[slot] as number;
    if (this.arena[slot + 1] === 0) return false;
    const from = noted < 0 ? this.side : this.src;
    let start = placeAt(noted);
    let end = placeAt(this.arena[slot + 1] as number);
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
    switch (kind) {
      case STRING:
        if ((plan as StringPlan).nullable && this.src[this.pos] === 0x6e) this.word(NULL, slot);
        else this.string(plan as StringPlan, slot);
        return;
      case NUMBER:
        this.number(plan as NumberPlan, slot);
        return;
      case LITERAL: {
        const { word, orFalse } = plan as WordPlan;
        this.word(this.src[this.pos] === 0x66 ? orFalse : word, slot);
        return;
      }
      case OBJECT: {
        const frame = this.object(plan as ObjectPlan);
        this.arena[slot] = frame;
        this.arena[slot + 1] = 1;
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

  /** The frame of the first element and the count of them, plus one. */
  private array(plan: ArrayPlan, slot: number): void {
    this.expect(OPEN_BRACKET);
    this.space();
    let count = 0;
    let first = 0;
    let last = 0;
    if (this.src[this.pos] === CLOSE_BRACKET) this.pos++;
    else {
      for (;;) {
        let frame: number;
        if (plan.element.kind === OBJECT) frame = this.element(plan.element, last);
        else {
          frame = this.reserve(FRAME_HEAD + SLOT_SIZE);
          this.readValue(plan.element.kind, plan.element, frame + FRAME_HEAD);
        }
        if (count === 0) first = frame;
        else this.arena[last] = frame;
        last = frame;
        count++;
        this.space();
        const c = this.src[this.pos++];
        if (this.pos > this.end) throw BAIL_OUT;
        if (c === CLOSE_BRACKET) break;
        if (c !== COMMA) throw BAIL_OUT;
        this.space();
      }
    }
    if (this.pos > this.end) throw BAIL_OUT;
    this.note(slot, first, count + 1);
  }

  /** An object of a list. Where it is known what one is printed as, its frame is only its head. */
  private element(plan: ObjectPlan, before: number): number {
    const { repeats } = plan;
    if (repeats === undefined) return this.object(plan);
    const { src, pos: start } = this;
    let known = repeats.find(this.view, start, (this.arena[before + 1] as number) - 1);
    let frame: number;
    if (known !== -1 && repeats.printed[known] !== undefined) {
      frame = this.reserve(FRAME_HEAD);
      this.pos = start + repeats.length(known);
      const claim = repeats.claim(known);
      if (claim !== -1) this.claims.again(claim);
    } else {
      this.claim = -1;
      frame = this.object(plan);
      if (known === -1) known = repeats.add(src, start, this.pos, this.arena, frame + FRAME_HEAD, this.claim);
    }
    this.arena[frame + 1] = known + 1;
    return frame;
  }

  /** The frame of its items. */
  private tuple({ items }: TuplePlan, slot: number): void {
    this.expect(OPEN_BRACKET);
    const frame = this.reserve(FRAME_HEAD + SLOT_SIZE * items.length);
    for (let k = 0; k < items.length; k++) {
      this.space();
      if (k > 0) {
        this.expect(COMMA);
        this.space();
      }
      const item = items[k] as ValuePlan;
      this.readValue(item.kind, item, frame + FRAME_HEAD + SLOT_SIZE * k);
    }
    this.space();
    this.expect(CLOSE_BRACKET);
    this.note(slot, frame, 1);
  }

  private string(plan: StringPlan, slot: number): void {
    const start = this.pos;
    this.expect(QUOTE);
    const { src, end } = this;
    let at = this.pos;
    let seen = 0;
    for (;;) {
      while (MEANING[src[at] as number] === 0) at++;
      const meaning = MEANING[src[at] as number] ?? ENDS;
      seen |= meaning;
      if (meaning === ENDS) break;
      at += meaning === ESCAPE ? 2 : 1;
    }
    if (at >= end || src[at] !== QUOTE) throw BAIL_OUT;
    const isEscaped = (seen & ESCAPE) !== 0;
    const isMarkup = (seen & MARKUP) !== 0;
    this.pos = at + 1;
    const isEmpty = at === start + 1;
    // Where links may have to be followed, the other lane notes their places.
    if (this.leavesLinks && plan.html && (isMarkup || isEscaped)) throw BAIL_OUT;
    if (isEscaped) {
      const text = unescape(src, start, at + 1);
      judgeText(plan, text);
      this.aside(slot, JSON.stringify(text));
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
      !(plan.html && isMarkup) &&
      !(plan.plain && (plan.title || hasSpaces || (seen & (MARKUP | SIGN)) !== 0));
    if (isEmpty ? plan.required : !isFree) judgeText(plan, src.toString("utf8", start + 1, at));
    if (slot !== 0) this.note(slot, start, at + 1);
  }

  private mediaUrl(written: string, slot: number): void {
    if (!forms["media-url"].holds(written) || !isBelowMedia(written, this.media)) throw BAIL_OUT;
    this.aside(slot, JSON.stringify(mediaUrl(written, this.media)));
  }

  private number(plan: NumberPlan, slot: number): void {
    const { src } = this;
    const start = this.pos;
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
    this.pos = at;
    if (at > this.end) throw BAIL_OUT;
    judgeNumber(plan, isNegative ? -value : value);
    this.note(slot, start, at);
  }

  private longNumber(plan: NumberPlan, slot: number): void {
    NUMBER_FORM.lastIndex = 0;
    const written = NUMBER_FORM.exec(
      this.src.toString("latin1", this.pos, Math.min(this.end, this.pos + 40)),
    )?.[0];
    if (written === undefined || written.length === 40) throw BAIL_OUT;
    const value = Number(written);
    if (!isExact(written, value)) throw BAIL_OUT;
    this.pos += written.length;
    judgeNumber(plan, value);
    this.aside(slot, String(value));
  }

  private checkRule({ holds, fields, leftOut }: RulePlan, frame: number): void {
    const values: unknown[] = [];
    for (let k = 0; k < fields.length; k++) {
      const { plan, slot } = fields[k] as FieldPlan;
      const at = frame + slot;
      values.push(this.arena[at + 1] === 0 ? leftOut[k] : this.valueAt(plan, at));
    }
    if (!holds(values, this.media)) throw BAIL_OUT;
  }

  /** A value as it will be published, decoded. It holds no objects. */
  private valueAt(plan: ValuePlan, slot: number): unknown {
    if (plan.kind === NUMBER) return this.numberAt(slot);
    if (plan.kind === TUPLE) {
      const first = (this.arena[slot] as number) + FRAME_HEAD;
      return plan.items.map((item, k) => this.valueAt(item, first + SLOT_SIZE * k));
    }
    if (plan.kind !== ARRAY) return JSON.parse(this.printed(slot));
    const values: unknown[] = [];
    let frame = this.arena[slot] as number;
    for (let left = (this.arena[slot + 1] as number) - 1; left > 0; left--) {
      values.push(this.valueAt(plan.element, frame + FRAME_HEAD));
      frame = this.arena[frame] as number;
    }
    return values;
  }
}
