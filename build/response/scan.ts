import type { ObjectPlan } from "./plan.ts";
import { viewOf } from "./repeats.ts";

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The other lane must take this page. Thrown once, without a stack: it is no failure. */
export const LEAVE = Symbol("leave");

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
  protected sideTop = 0;

  protected begin(source: Buffer): void {
    this.src = source;
    this.view = viewOf(source);
    this.end = source.length;
    this.pos = 0;
    this.depth = 0;
    // 0 is no frame.
    this.top = 1;
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
    if (at > this.end) throw LEAVE;
    this.pos = at;
  }

  protected expect(byte: number): void {
    if (this.src[this.pos] !== byte || this.pos >= this.end) throw LEAVE;
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

  /** The number of the field whose name stands here; -1 for `$schema`, which is ignored. */
  protected key(plan: ObjectPlan, last: number): number {
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

  protected note(slot: number, start: number, end: number): void {
    this.arena[slot] = start;
    this.arena[slot + 1] = end;
  }

  protected word(bytes: Uint8Array, slot: number): void {
    const start = this.pos;
    for (let i = 0; i < bytes.length; i++) if (this.src[start + i] !== bytes[i]) throw LEAVE;
    this.pos = start + bytes.length;
    if (this.pos > this.end) throw LEAVE;
    this.note(slot, start, this.pos);
  }

  /** Keeps a value that is not printed as it was written. */
  protected aside(slot: number, text: string): void {
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

  /** A value as it is printed. */
  protected printed(slot: number): string {
    const start = this.arena[slot] as number;
    const end = this.arena[slot + 1] as number;
    return start < 0
      ? this.side.toString("utf8", -start - 1, -end - 1)
      : this.src.toString("utf8", start, end);
  }
}
