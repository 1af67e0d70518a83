import { viewOf } from "./bytes.ts";
import { FRAME_HEAD, type ObjectPlan } from "./plan.ts";

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** The other lane must take this page. Thrown once, without a stack: it is no failure. */
export const BAIL_OUT = Symbol("leave");

/** A place in `side` is noted as a negative number, shifted by one, as there is no negative zero. */
const placeInSide = (at: number): number => -at - 1;
/** The place that a noted number stands for, in the source or in `side`. */
export const placeAt = (noted: number): number => (noted < 0 ? -noted - 1 : noted);

/** Reads a source's bytes, and keeps where each value stands. */
export class Scanner {
  protected src: Buffer = Buffer.alloc(0);
  /** The same bytes. */
  protected view: DataView = viewOf(this.src);
  protected pos = 0;
  protected end = 0;
  protected depth = 0;
  /** Frames of the objects of a page: where each field's value stands. */
  protected arena = new Int32Array(1 << 14);
  protected top = 0;
  /** Values that are printed otherwise than they were written; their places are negative. */
  protected side = Buffer.allocUnsafe(1 << 12);
  protected sideView = viewOf(this.side);
  protected sideTop = 0;

  protected begin(source: Buffer): void {
    this.src = source;
    this.view = viewOf(source);
    this.end = source.length;
    this.pos = 0;
    this.depth = 0;
    // 0 is no frame: its head says that there is none after it, and that it is not among the repeats.
    this.top = FRAME_HEAD;
    this.sideTop = 0;
  }

  protected space(): void {
    const { src } = this;
    let at = this.pos;
    for (;;) {
      const c = src[at] as number;
      // Most bytes are no space.
      if (c > 0x20 || (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09)) break;
      at++;
    }
    if (at > this.end) throw BAIL_OUT;
    this.pos = at;
  }

  protected expect(byte: number): void {
    if (this.src[this.pos] !== byte || this.pos >= this.end) throw BAIL_OUT;
    this.pos++;
  }

  protected reserve(size: number): number {
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

  /** Passes the next key, its colon and the space around them; gives the field's number, -1 for `$schema`. */
  protected key(plan: ObjectPlan, last: number): number {
    const { src, pos: start } = this;
    const { keys } = plan;
    const expected = keys.expected(this.view, start, last);
    if (expected !== -1) {
      this.pos = start + keys.length(expected);
      if ((src[this.pos] as number) <= 0x20) this.space();
      return expected;
    }
    this.space();
    this.expect(QUOTE);
    const { multiplier } = keys;
    const name = this.pos;
    let at = name;
    let hash = 0;
    let c = src[at] as number;
    while (c !== QUOTE) {
      if (at >= this.end || c === BACKSLASH) throw BAIL_OUT;
      hash = (Math.imul(hash, multiplier) + c) | 0;
      c = src[++at] as number;
    }
    this.pos = at + 1;
    const number = keys.find(src, name, at, hash);
    this.space();
    this.expect(COLON);
    this.space();
    if (number !== -1) keys.keep(number, last, src, start, this.pos);
    else if (this.depth !== 1 || src.toString("latin1", name, at) !== "$schema") throw BAIL_OUT;
    return number;
  }

  protected note(slot: number, start: number, end: number): void {
    this.arena[slot] = start;
    this.arena[slot + 1] = end;
  }

  protected word(bytes: Uint8Array, slot: number): void {
    const start = this.pos;
    for (let i = 0; i < bytes.length; i++) if (this.src[start + i] !== bytes[i]) throw BAIL_OUT;
    this.pos = start + bytes.length;
    if (this.pos > this.end) throw BAIL_OUT;
    this.note(slot, start, this.pos);
  }

  /** Keeps a value that is not printed as it was written. */
  protected aside(slot: number, text: string): void {
    const length = Buffer.byteLength(text);
    if (this.sideTop + length > this.side.length) {
      const wider = Buffer.allocUnsafe(2 * (this.sideTop + length));
      this.side.copy(wider, 0, 0, this.sideTop);
      this.side = wider;
      this.sideView = viewOf(wider);
    }
    const start = this.sideTop;
    this.sideTop += this.side.write(text, start);
    if (slot !== 0) this.note(slot, placeInSide(start), placeInSide(this.sideTop));
  }

  /** The value of a number. */
  protected numberAt(slot: number): number {
    const start = this.arena[slot] as number;
    const end = this.arena[slot + 1] as number;
    let value = 0;
    // Few digits: exact, and no text is needed.
    if (start < 0 || end - start > 9) return Number(this.printed(slot));
    for (let at = start; at < end; at++) {
      const digit = (this.src[at] as number) - 0x30;
      if (digit < 0 || digit > 9) return Number(this.printed(slot));
      value = value * 10 + digit;
    }
    return value;
  }

  /** What holds the value that begins there. */
  protected viewAt(start: number): DataView {
    const { view, sideView } = this;
    return start < 0 ? sideView : view;
  }

  /** A value as it is printed. */
  protected printed(slot: number): string {
    const start = this.arena[slot] as number;
    const end = this.arena[slot + 1] as number;
    const from = start < 0 ? this.side : this.src;
    return from.toString("utf8", placeAt(start), placeAt(end));
  }
}
