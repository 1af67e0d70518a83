import { isUtf8 } from "node:buffer";
import { isExact } from "../json/parse.ts";
import { forms } from "../page/forms.ts";
import { checkFragment } from "../page/html.ts";
import { isBelowMedia, mediaUrl } from "../page/media.ts";
import { sourceSchemas } from "../page/page.ts";
import { PAGE_TYPES, PARENT_TYPES, type PageType } from "../page/types.ts";
import type { Site } from "../page/site.ts";
import {
  ARRAY,
  BARE,
  BOOLEAN,
  FRAME_HEAD,
  NUMBER,
  makeTemplate,
  nextTemplates as next,
  OBJECT,
  planOf,
  SLOT_SIZE,
  STRING,
  TUPLE,
  type ArrayPlan,
  type FieldPlan,
  type NumberPlan,
  type ObjectPlan,
  type Step,
  type StringPlan,
  type Template,
  type TuplePlan,
  type ValuePlan,
} from "./plan.ts";
import { displayName, slugName } from "./render.ts";
import { FactLog, Hash } from "../source/facts.ts";
import { childAddress, homeAddress, type Owner } from "../tree/tree.ts";

/**
 * The fast lane: the bytes of a sound, ordinary source become the bytes of its response in two passes, without a
 * string or an object in between. It judges nothing by itself: whatever it is not sure of (any defect, any warning,
 * any field that it does not know) it leaves to the lane of `parseJson`, `checkPage` and `render`, whose answer on
 * all that it takes is the same to the byte.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const MINUS = 0x2d;
const LESS = 0x3c;
const AMPERSAND = 0x26;

export interface Transcoded {
  id: number;
  /** Empty where a page of the type has none. */
  acno: string;
  bytes: Buffer;
}

/** What the page above contributes, ready to be copied. */
export interface Above {
  type: PageType | "root";
  /** The address below which the page's slug follows; of the home page the address itself. */
  address: Uint8Array;
  parent: Uint8Array;
}

export function aboveOf(owner: Owner | "root" | undefined, site: Site): Above | undefined {
  if (owner === "root")
    return {
      type: owner,
      address: encoder.encode(JSON.stringify(homeAddress(site))),
      parent: encoder.encode("null"),
    };
  if (owner?.type === undefined || owner.summary === undefined) return undefined;
  const address = JSON.stringify(childAddress(owner.address, "", { ...site, append_slash: false })).slice(
    0,
    -1,
  );
  return {
    type: owner.type,
    address: encoder.encode(address),
    parent: encoder.encode(JSON.stringify(owner.summary)),
  };
}

/** The other lane must take this page. Thrown once, without a stack: it is no failure. */
const LEAVE = Symbol("leave");

const encoder = new TextEncoder();

const SHORT = 32;
/** The bytes that a text does not simply go on with; behind the buffer's end there are none. */
const SPECIAL = Uint8Array.from({ length: 256 }, (_, c) =>
  c < 0x20 || c === QUOTE || c === BACKSLASH || c === LESS || c === AMPERSAND ? 1 : 0,
);
const NULL = encoder.encode("null");
const TRUE = encoder.encode("true");
const FALSE = encoder.encode("false");
const NUMBER_FORM = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;

export class Transcoder {
  private readonly plans: Map<PageType, ObjectPlan>;
  private readonly detailPrefix: Uint8Array;
  private readonly slash: boolean;
  private readonly media: string;
  private src: Buffer = Buffer.alloc(0);
  private pos = 0;
  private end = 0;
  private out = Buffer.allocUnsafe(1 << 17);
  private outPos = 0;
  /** Frames of the objects of a page: where each field's value stands. */
  private arena = new Int32Array(1 << 14);
  private top = 0;
  /** Values that are printed otherwise than they were written; their places are negative. */
  private side = Buffer.allocUnsafe(1 << 12);
  private sideTop = 0;
  private depth = 0;
  /** The bytes that the page's own derived fields can take. */
  private pageRoom = 0;
  // Of the page at hand, for its derived fields:
  private id = 0;
  private slug = "";
  private above: Above = { type: "root", address: NULL, parent: NULL };

  private readonly facts: FactLog;
  private readonly hash = new Hash();
  private readonly leavesLinks: boolean;

  /** `facts` gets what the pages that are taken state of things that other pages speak of too. */
  constructor(site: Site, facts: FactLog) {
    this.facts = facts;
    this.leavesLinks = site.owned_paths.length > 0;
    this.plans = new Map(PAGE_TYPES.map((type) => [type, planOf(sourceSchemas[type]) as ObjectPlan]));
    this.detailPrefix = encoder.encode(JSON.stringify(`${site.base_url}/api/v2/pages/`).slice(0, -1));
    this.slash = site.append_slash;
    this.media = site.media_url;
  }

  /**
   * The response of a source below a page, and its id; undefined where the other lane must decide. The bytes are
   * the transcoder's own and good until the next call.
   */
  transcode(source: Buffer, above: Above, slug: string): Transcoded | undefined {
    if (!isUtf8(source)) return undefined;
    for (const type of PAGE_TYPES) {
      const isAllowed =
        above.type === "root" ? type === "home.HomePage" : PARENT_TYPES[type].includes(above.type);
      const done = isAllowed ? this.attempt(source, above, slug, type) : undefined;
      if (done !== undefined) return done;
    }
    return undefined;
  }

  private attempt(source: Buffer, above: Above, slug: string, type: PageType): Transcoded | undefined {
    this.src = source;
    this.end = source.length;
    this.pos = 0;
    this.top = 1;
    this.sideTop = 0;
    this.depth = 0;
    this.outPos = 0;
    this.above = above;
    this.slug = slug;
    const { facts } = this;
    const plan = this.plans.get(type) as ObjectPlan;
    try {
      this.space();
      const frame = this.object(plan);
      this.space();
      if (this.pos !== this.end) throw LEAVE;
      this.id = Number(this.printed(frame + fieldOf(plan, "id").slot));
      this.pageRoom =
        above.parent.length + 2 * (above.address.length + slug.length) + this.detailPrefix.length + 64;
      this.printObject(plan, frame);
      const acno = plan.byName.get("acno");
      return {
        id: this.id,
        acno: acno === undefined ? "" : this.printed(frame + acno.slot).slice(1, -1),
        bytes: this.out.subarray(0, this.outPos),
      };
    } catch (cause) {
      facts.rollBack();
      if (cause === LEAVE) return undefined;
      throw cause;
    }
  }

  // First pass: judge, and note where each value stands.

  private space(): void {
    const { src } = this;
    let at = this.pos;
    for (;;) {
      const c = src[at];
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) break;
      at++;
    }
    if (at > this.end) throw LEAVE;
    this.pos = at;
  }

  private expect(byte: number): void {
    if (this.src[this.pos] !== byte || this.pos >= this.end) throw LEAVE;
    this.pos++;
  }

  /** Gives the object's frame. */
  private object(plan: ObjectPlan): number {
    this.expect(OPEN_BRACE);
    const frame = this.reserve(FRAME_HEAD + SLOT_SIZE * plan.fields.length);
    this.depth++;
    this.space();
    if (this.src[this.pos] === CLOSE_BRACE) this.pos++;
    else {
      let hasSchema = false;
      let last = -1;
      for (;;) {
        const number = this.key(plan, last);
        last = number;
        this.space();
        this.expect(COLON);
        this.space();
        if (number === -1) {
          if (hasSchema) throw LEAVE;
          hasSchema = true;
          this.string(ANY_TEXT, 0);
        } else {
          const field = plan.fields[number] as ObjectPlan["fields"][number];
          const slot = frame + field.slot;
          if (this.arena[slot + 1] !== 0) throw LEAVE;
          this.readValue(field.plan, slot);
        }
        this.space();
        const c = this.src[this.pos++];
        if (this.pos > this.end) throw LEAVE;
        if (c === CLOSE_BRACE) break;
        if (c !== COMMA) throw LEAVE;
        this.space();
      }
    }
    this.depth--;
    for (const field of plan.fields)
      if (field.required && this.arena[frame + field.slot + 1] === 0) throw LEAVE;
    for (const [start, end] of plan.ordered)
      this.checkOrder(frame, start.slot, end.slot, start.plan.kind === NUMBER);
    if (plan.image !== undefined) this.checkImage(plan.image, frame);
    if (plan.fact !== undefined) this.noteFact(plan.fact, frame);
    return frame;
  }

  private noteFact({ identity, key, values }: NonNullable<ObjectPlan["fact"]>, frame: number): void {
    const { hash, arena } = this;
    hash.start(identity.seed);
    if (!this.hashValue(frame + key.slot)) return;
    const keyHash = hash.value();
    for (const { slot } of values)
      if (arena[frame + slot + 1] === 0 || !this.hashValue(frame + slot)) hash.separate();
    this.facts.add(keyHash, hash.value());
  }

  /** A value as it is printed, without quotation marks; false where there is nothing. */
  private hashValue(slot: number): boolean {
    let start = this.arena[slot] as number;
    let end = this.arena[slot + 1] as number;
    if (end === 0) return false;
    const from = start < 0 ? this.side : this.src;
    if (start < 0) [start, end] = [-start - 1, -end - 1];
    if (from[start] === QUOTE) {
      start++;
      end--;
    }
    if (start === end) return false;
    this.hash.bytes(from, start, end);
    return true;
  }

  private reserve(size: number): number {
    const frame = this.top;
    this.top += size;
    if (this.top > this.arena.length) {
      const wider = new Int32Array(2 * Math.max(this.top, this.arena.length));
      wider.set(this.arena);
      this.arena = wider;
    }
    const { arena, top } = this;
    for (let i = frame; i < top; i++) arena[i] = 0;
    return frame;
  }

  /** The number of the field whose name stands here; -1 for `$schema`, which is ignored. */
  private key(plan: ObjectPlan, last: number): number {
    this.expect(QUOTE);
    const { src } = this;
    const start = this.pos;
    // Most sources have their fields in one order, so the field that followed last time is tried first.
    const guess = plan.followers[last + 1] as number;
    const name = plan.keys.names[guess] as Uint8Array;
    let at = start;
    let k = 0;
    while (k < name.length && src[at] === name[k]) {
      at++;
      k++;
    }
    if (k === name.length && src[at] === QUOTE && at < this.end) {
      this.pos = at + 1;
      return guess;
    }
    const { multiplier } = plan.keys;
    at = start;
    let hash = 0;
    let c = src[at] as number;
    while (c !== QUOTE) {
      if (at >= this.end || c === BACKSLASH) throw LEAVE;
      hash = (Math.imul(hash, multiplier) + c) | 0;
      c = src[++at] as number;
    }
    this.pos = at + 1;
    const number = plan.keys.find(src, start, at, hash);
    if (number !== -1) plan.followers[last + 1] = number;
    else if (this.depth !== 1 || src.toString("latin1", start, at) !== "$schema") throw LEAVE;
    return number;
  }

  private readValue(plan: ValuePlan, slot: number): void {
    switch (plan.kind) {
      case STRING:
        if (plan.nullable && this.src[this.pos] === 0x6e) this.word(NULL, slot);
        else this.string(plan, slot);
        return;
      case NUMBER:
        this.number(plan, slot);
        return;
      case BOOLEAN:
        this.word(this.src[this.pos] === 0x74 ? TRUE : FALSE, slot);
        return;
      case BARE:
        this.word(plan.text, slot);
        return;
      case OBJECT: {
        const frame = this.object(plan);
        this.arena[slot] = frame;
        this.arena[slot + 1] = 1;
        return;
      }
      case ARRAY:
        this.array(plan, slot);
        return;
      case TUPLE:
        this.tuple(plan, slot);
        return;
      default:
        throw LEAVE;
    }
  }

  private note(slot: number, start: number, end: number): void {
    this.arena[slot] = start;
    this.arena[slot + 1] = end;
  }

  private word(bytes: Uint8Array, slot: number): void {
    const start = this.pos;
    for (let i = 0; i < bytes.length; i++) if (this.src[start + i] !== bytes[i]) throw LEAVE;
    this.pos = start + bytes.length;
    if (this.pos > this.end) throw LEAVE;
    this.note(slot, start, this.pos);
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
        if (plan.element.kind === OBJECT) frame = this.object(plan.element);
        else {
          frame = this.reserve(FRAME_HEAD + SLOT_SIZE);
          this.readValue(plan.element, frame + FRAME_HEAD);
        }
        if (count === 0) first = frame;
        else this.arena[last] = frame;
        last = frame;
        count++;
        this.space();
        const c = this.src[this.pos++];
        if (this.pos > this.end) throw LEAVE;
        if (c === CLOSE_BRACKET) break;
        if (c !== COMMA) throw LEAVE;
        this.space();
      }
    }
    if (this.pos > this.end) throw LEAVE;
    this.note(slot, first, count + 1);
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
      this.readValue(items[k] as ValuePlan, frame + FRAME_HEAD + SLOT_SIZE * k);
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
    let isEscaped = false;
    let isMarkup = false;
    for (;;) {
      while (SPECIAL[src[at] as number] === 0) at++;
      const c = src[at] as number;
      if (c === QUOTE) break;
      if (c === BACKSLASH) {
        isEscaped = true;
        at += 2;
      } else if (c === LESS || c === AMPERSAND) {
        isMarkup = true;
        at++;
      } else throw LEAVE;
    }
    if (at >= end) throw LEAVE;
    this.pos = at + 1;
    const isEmpty = at === start + 1;
    // Where links may have to be followed, the other lane notes their places.
    if (this.leavesLinks && plan.html && (isMarkup || isEscaped)) throw LEAVE;
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
    const isFree =
      plan.form === undefined &&
      plan.literal === undefined &&
      plan.occurring === undefined &&
      !(plan.html && isMarkup);
    if (isEmpty ? plan.required : !isFree) judgeText(plan, src.toString("utf8", start + 1, at));
    if (slot !== 0) this.note(slot, start, at + 1);
  }

  private mediaUrl(written: string, slot: number): void {
    if (!forms["media-url"].holds(written) || !isBelowMedia(written, this.media)) throw LEAVE;
    this.aside(slot, JSON.stringify(mediaUrl(written, this.media)));
  }

  /** Of an image: that its default address and its current size are those of one of its sizes. */
  private checkImage(
    { sizes, defaultUrl, currentSize }: NonNullable<ObjectPlan["image"]>,
    frame: number,
  ): void {
    const url = this.printed(frame + defaultUrl.slot);
    const label = this.printed(frame + currentSize.slot);
    let hasUrl = false;
    let hasLabel = false;
    let element = this.arena[frame + sizes.slot] as number;
    const count = (this.arena[frame + sizes.slot + 1] as number) - 1;
    for (let i = 0; i < count; i++) {
      const size = (this.arena[element + FRAME_HEAD] as number) + FRAME_HEAD;
      hasLabel ||= this.printed(size + SLOT_SIZE) === label;
      hasUrl ||= this.printed(size + 2 * SLOT_SIZE) === url;
      element = this.arena[element] as number;
    }
    if (!hasUrl || !hasLabel) throw LEAVE;
  }

  /** Keeps a value that is not printed as it was written. */
  private aside(slot: number, text: string): void {
    const length = Buffer.byteLength(text);
    if (this.sideTop + length > this.side.length) {
      const wider = Buffer.allocUnsafe(2 * (this.sideTop + length));
      this.side.copy(wider, 0, 0, this.sideTop);
      this.side = wider;
    }
    const start = this.sideTop;
    this.sideTop += this.side.write(text, start);
    // Shifted by one, as there is no negative zero.
    if (slot !== 0) this.note(slot, -start - 1, -this.sideTop - 1);
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
    if (at > this.end) throw LEAVE;
    judgeNumber(plan, isNegative ? -value : value);
    this.note(slot, start, at);
  }

  private longNumber(plan: NumberPlan, slot: number): void {
    NUMBER_FORM.lastIndex = 0;
    const written = NUMBER_FORM.exec(
      this.src.toString("latin1", this.pos, Math.min(this.end, this.pos + 40)),
    )?.[0];
    if (written === undefined || written.length === 40) throw LEAVE;
    const value = Number(written);
    if (!isExact(written, value)) throw LEAVE;
    this.pos += written.length;
    judgeNumber(plan, value);
    this.aside(slot, String(value));
  }

  private checkOrder(frame: number, start: number, end: number, isNumber: boolean): void {
    if (this.arena[frame + start + 1] === 0 || this.arena[frame + end + 1] === 0) return;
    const [a, b] = [this.printed(frame + start), this.printed(frame + end)];
    if (isNumber ? Number(b) < Number(a) : b < a) throw LEAVE;
  }

  /** A value as it is printed. */
  private printed(slot: number): string {
    const start = this.arena[slot] as number;
    const end = this.arena[slot + 1] as number;
    return start < 0
      ? this.side.toString("utf8", -start - 1, -end - 1)
      : this.src.toString("utf8", start, end);
  }

  // Second pass: print in the response's order.

  private printObject(plan: ObjectPlan, frame: number): void {
    this.room(plan.fixed + 2 * this.end + 2 * this.sideTop + this.pageRoom);
    for (const { bytes, step } of this.templateOf(plan, frame)) {
      this.copy(bytes);
      if (step === undefined) break;
      const { field } = step;
      if (field === undefined) this.printDerived(plan, frame, step);
      else if (this.arena[frame + field.slot + 1] !== 0) this.printValue(field.plan, frame + field.slot);
      else this.printDisplayName(plan, frame, step);
    }
  }

  /** Which fields are there decides all bytes between the values, and few combinations occur: each is put together once. */
  private templateOf(plan: ObjectPlan, frame: number): Template {
    const { arena } = this;
    if (plan.fields.length <= 30) return this.smallTemplateOf(plan, frame);
    let node = plan.templates;
    let mask = 0;
    let bits = 0;
    for (const { slot } of plan.fields) {
      mask = (mask << 1) | (arena[frame + slot + 1] === 0 ? 0 : 1);
      if (++bits === 30) {
        node = next(node, mask);
        mask = 0;
        bits = 0;
      }
    }
    node = next(node, mask);
    return (node.template ??= makeTemplate(plan, (field) => arena[frame + field.slot + 1] !== 0));
  }

  /** The same for the objects of lists, which are many and mostly alike. */
  private smallTemplateOf(plan: ObjectPlan, frame: number): Template {
    const { arena } = this;
    const { fields } = plan;
    let mask = 0;
    let slot = frame + FRAME_HEAD + 1;
    for (let k = 0; k < fields.length; k++, slot += SLOT_SIZE)
      mask = (mask << 1) | (arena[slot] === 0 ? 0 : 1);
    if (mask === plan.lastMask && plan.lastTemplate !== undefined) return plan.lastTemplate;
    const node = next(plan.templates, mask);
    node.template ??= makeTemplate(plan, (field) => arena[frame + field.slot + 1] !== 0);
    plan.lastMask = mask;
    plan.lastTemplate = node.template;
    return node.template;
  }

  private printValue(plan: ValuePlan, slot: number): void {
    const start = this.arena[slot] as number;
    const end = this.arena[slot + 1] as number;
    if (plan.kind === OBJECT) this.printObject(plan, start);
    else if (plan.kind === ARRAY) this.printArray(plan.element, start, end - 1);
    else if (plan.kind === TUPLE) this.printTuple(plan.items, start);
    else if (start < 0) this.copyFrom(this.side, -start - 1, -end - 1);
    else this.copyFrom(this.src, start, end);
  }

  private printTuple(items: ValuePlan[], frame: number): void {
    this.out[this.outPos++] = OPEN_BRACKET;
    for (let k = 0; k < items.length; k++) {
      if (k > 0) this.out[this.outPos++] = COMMA;
      this.printValue(items[k] as ValuePlan, frame + FRAME_HEAD + SLOT_SIZE * k);
    }
    this.out[this.outPos++] = CLOSE_BRACKET;
  }

  private printArray(element: ValuePlan, first: number, count: number): void {
    this.out[this.outPos++] = OPEN_BRACKET;
    let frame = first;
    for (let i = 0; i < count; i++) {
      if (i > 0) this.out[this.outPos++] = COMMA;
      if (element.kind === OBJECT) this.printObject(element, frame);
      else this.printValue(element, frame + FRAME_HEAD);
      frame = this.arena[frame] as number;
    }
    this.out[this.outPos++] = CLOSE_BRACKET;
  }

  /** The derived fields (DESIGN, section 2), by their names, which no other fields share. */
  private printDerived(plan: ObjectPlan, frame: number, { name }: Step): void {
    const { above } = this;
    switch (name) {
      case "detail_url":
        this.copy(this.detailPrefix);
        this.ascii(`${this.id}/"`);
        return;
      case "url":
      case "html_url":
        this.copy(above.address);
        if (above.type !== "root") this.ascii(this.slash ? `${this.slug}/"` : `${this.slug}"`);
        return;
      case "slug":
        this.ascii(`"${this.slug}"`);
        return;
      case "alias_of":
        this.ascii("null");
        return;
      case "parent":
        this.copy(above.parent);
        return;
      case "classificationId":
        this.printClassificationId(plan, frame);
        return;
      case "subject_tags":
        this.printSubjectTags(plan, frame);
        return;
      case "slug_name":
        this.text(JSON.stringify(slugName(this.textOf(plan, frame, "type"))));
        return;
      default:
        throw new Error(`the transcoder does not know how to derive ${name}`);
    }
  }

  private printClassificationId(plan: ObjectPlan, frame: number): void {
    const classification = fieldOf(plan, "classification");
    const { slot, plan: inner } = fieldOf(classification.plan, "id");
    this.printValue(inner, (this.arena[frame + classification.slot] as number) + slot);
  }

  private printSubjectTags(plan: ObjectPlan, frame: number): void {
    const subjects = fieldOf(plan, "subjects");
    const name = fieldOf(subjects.plan.kind === ARRAY ? subjects.plan.element : subjects.plan, "name");
    this.ascii("[");
    let element = this.arena[frame + subjects.slot] as number;
    const count = (this.arena[frame + subjects.slot + 1] as number) - 1;
    for (let i = 0; i < count; i++) {
      if (i > 0) this.out[this.outPos++] = COMMA;
      if (this.arena[element + name.slot + 1] === 0) this.ascii('""');
      else this.printValue(name.plan, element + name.slot);
      element = this.arena[element] as number;
    }
    this.ascii("]");
  }

  /** The one field that has neither a value of its own nor one for all where it is left out. */
  private printDisplayName(plan: ObjectPlan, frame: number, { name }: Step): void {
    if (name !== "display_name") throw new Error(`the transcoder has nothing to print for ${name}`);
    this.text(JSON.stringify(displayName(this.textOf(plan, frame, "type"))));
  }

  private textOf(plan: ObjectPlan, frame: number, name: string): string {
    return JSON.parse(this.printed(frame + fieldOf(plan, name).slot)) as string;
  }

  private room(bytes: number): void {
    if (this.outPos + bytes <= this.out.length) return;
    const wider = Buffer.allocUnsafe(2 * (this.outPos + bytes));
    this.out.copy(wider, 0, 0, this.outPos);
    this.out = wider;
  }

  private copy(bytes: Uint8Array): void {
    const { out, outPos } = this;
    // A call into the runtime costs more than a short loop.
    if (bytes.length > SHORT) out.set(bytes, outPos);
    else for (let i = 0; i < bytes.length; i++) out[outPos + i] = bytes[i] as number;
    this.outPos = outPos + bytes.length;
  }

  private copyFrom(from: Buffer, start: number, end: number): void {
    const { out, outPos } = this;
    const length = end - start;
    if (length > SHORT) from.copy(out, outPos, start, end);
    else for (let i = 0; i < length; i++) out[outPos + i] = from[start + i] as number;
    this.outPos = outPos + length;
  }

  private ascii(text: string): void {
    this.outPos += this.out.write(text, this.outPos, "latin1");
  }

  private text(text: string): void {
    this.room(3 * text.length + 2 * this.end);
    this.outPos += this.out.write(text, this.outPos);
  }
}

/** Of `$schema`. */
const ANY_TEXT: StringPlan = {
  kind: STRING,
  form: undefined,
  required: false,
  html: false,
  nullable: false,
  literal: undefined,
  occurring: undefined,
};

function fieldOf(plan: ValuePlan, name: string): FieldPlan {
  const field = plan.kind === OBJECT ? plan.byName.get(name) : undefined;
  if (field === undefined) throw new Error(`the transcoder finds no field ${name}`);
  return field;
}

/** The text of a string literal with escapes, from its opening to behind its closing quotation mark. */
function unescape(src: Buffer, start: number, end: number): string {
  try {
    const text = JSON.parse(src.toString("utf8", start, end)) as string;
    if (text.isWellFormed()) return text;
  } catch {
    // An escape that JSON does not have.
  }
  throw LEAVE;
}

function judgeText({ required, form, literal, occurring, html }: StringPlan, text: string): void {
  if (text === "") {
    if (required) throw LEAVE;
    return;
  }
  // One with escapes is no ordinary address.
  if (form === "media-url") throw LEAVE;
  if (form !== undefined && !forms[form].holds(text)) throw LEAVE;
  if (literal !== undefined && text !== literal) throw LEAVE;
  if (occurring !== undefined && !occurring.includes(text)) throw LEAVE;
  if (html && checkFragment(text).length > 0) throw LEAVE;
}

function judgeNumber({ integer, id, occurring }: NumberPlan, value: number): void {
  if (integer && !Number.isSafeInteger(value)) throw LEAVE;
  if (id && value < 1) throw LEAVE;
  if (occurring !== undefined && !occurring.includes(value)) throw LEAVE;
}
