import { Bytes } from "./bytes.ts";

export const NEWLINE = 0x0a;

/** Numbers for words given as bytes, which no string need be made of. */
export class WordTable {
  count = 0;
  private readonly text = new Bytes();
  /** By number: where the word begins in the text; behind each stands a line's end. */
  starts: Uint32Array;
  /** By hash, or as near behind as there was room: the word's number and one. */
  private slots: Uint32Array;

  /** @param expected so many words, roughly. */
  constructor(expected = 0) {
    let room = 1 << 6;
    while (room < expected) room *= 2;
    this.starts = new Uint32Array(room);
    this.slots = new Uint32Array(2 * room);
  }

  /** @param hash of these bytes, where they have been passed over already. */
  numberOf(bytes: Uint8Array, start: number, end: number, hash = hashOf(bytes, start, end)): number {
    const { slots, starts, text } = this;
    const mask = slots.length - 1;
    let slot = place(hash) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const number = (slots[slot] as number) - 1;
      if (number === -1) break;
      const at = starts[number] as number;
      if ((starts[number + 1] as number) - at === end - start + 1 && text.isAt(at, bytes, start, end))
        return number;
    }
    text.room(end - start + 1);
    text.copy(bytes, start, end);
    text.byte(NEWLINE);
    slots[slot] = ++this.count;
    starts[this.count] = text.length;
    if (this.count === starts.length - 1) this.grow();
    return this.count - 1;
  }

  private grow(): void {
    const { starts, count } = this;
    const text = this.text.written();
    this.starts = new Uint32Array(2 * starts.length);
    this.starts.set(starts);
    const slots = new Uint32Array(2 * this.slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < count; number++) {
      let slot = place(hashOf(text, starts[number] as number, (starts[number + 1] as number) - 1)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.slots = slots;
  }

  /** All words in the order of their numbers, a line each. */
  lines(): Buffer<ArrayBuffer> {
    return this.text.written();
  }
}

/** FNV-1a. */
export const HASH_OF_NOTHING = 0x811c9dc5;
export const hashed = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);
const place = (hash: number): number => hash ^ (hash >>> 15);

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_OF_NOTHING;
  for (let at = start; at < end; at++) hash = hashed(hash, bytes[at] as number);
  return hash;
}
