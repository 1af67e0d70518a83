import { viewOf } from "./bytes.ts";
import type { KeyTable } from "./keys.ts";

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/** The full path must take this page. Thrown without a stack: it is no failure. */
export const BAIL_OUT = Symbol("bail out");

/** Passes over a source's bytes. */
export class Cursor {
  src: Buffer = Buffer.alloc(0);
  /** The same bytes. */
  view: DataView = viewOf(this.src);
  pos = 0;
  end = 0;

  begin(source: Buffer): void {
    this.src = source;
    this.view = viewOf(source);
    this.end = source.length;
    this.pos = 0;
  }

  space(): void {
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

  expect(byte: number): void {
    if (this.src[this.pos] !== byte || this.pos >= this.end) throw BAIL_OUT;
    this.pos++;
  }

  /** Passes what stands between two members or elements; gives whether that was a comma, and not the closing bracket. */
  continues(closing: number): boolean {
    this.space();
    const c = this.src[this.pos++];
    if (this.pos > this.end) throw BAIL_OUT;
    if (c === closing) return false;
    if (c !== COMMA) throw BAIL_OUT;
    return true;
  }

  literal(bytes: Uint8Array): void {
    const { src, pos: start } = this;
    for (let i = 0; i < bytes.length; i++) if (src[start + i] !== bytes[i]) throw BAIL_OUT;
    this.pos = start + bytes.length;
    if (this.pos > this.end) throw BAIL_OUT;
  }

  /** Passes the next key, its colon and the space around them; gives the field's number, -1 for `$schema` on top. */
  key(keys: KeyTable, last: number, depth: number): number {
    const { src, pos: start } = this;
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
    else if (depth !== 1 || src.toString("latin1", name, at) !== "$schema") throw BAIL_OUT;
    return number;
  }
}
