import { areSame, viewOf } from "./bytes.ts";

const encoder = new TextEncoder();
/** A key that takes more with its colon and the space around is not tried at once. */
const ROOM = 64;

/**
 * Finds the number of a key by its bytes: a hash without collisions among the keys, chosen once. Most sources have
 * their fields in one order and are laid out alike, so what followed last time is tried first.
 */
export class KeyTable {
  private readonly names: Uint8Array[];
  private readonly slots: Int16Array;
  readonly multiplier: number;
  private readonly mask: number;
  /** Which key came last time after a key (at its number plus one), and after the opening brace (at 0). */
  private readonly followers: Int16Array;
  /** Each key as it was written last time, with its colon and the space around. */
  private readonly written: Buffer;
  private readonly view: DataView;
  private readonly lengths: Uint8Array;

  constructor(names: string[]) {
    this.names = names.map((name) => encoder.encode(name));
    this.followers = Int16Array.from({ length: names.length + 1 }, (_, k) => Math.min(k, names.length - 1));
    this.written = Buffer.alloc(ROOM * names.length);
    this.view = viewOf(this.written);
    this.lengths = new Uint8Array(names.length);
    for (let size = 2 ** Math.ceil(Math.log2(2 * names.length + 1)); ; size *= 2) {
      for (let multiplier = 31; multiplier < 1031; multiplier += 2) {
        const slots = new Int16Array(size).fill(-1);
        const isPerfect = this.names.every((key, i) => {
          let hash = 0;
          for (const byte of key) hash = (Math.imul(hash, multiplier) + byte) | 0;
          const slot = (hash ^ (hash >>> 11)) & (size - 1);
          if (slots[slot] !== -1) return false;
          slots[slot] = i;
          return true;
        });
        if (!isPerfect) continue;
        this.slots = slots;
        this.multiplier = multiplier;
        this.mask = size - 1;
        return;
      }
    }
  }

  /** The number of the key that stands at `start` to `end`, whose hash by `multiplier` is known; -1 for none. */
  find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const number = this.slots[(hash ^ (hash >>> 11)) & this.mask] as number;
    if (number === -1) return -1;
    const key = this.names[number] as Uint8Array;
    if (key.length !== end - start) return -1;
    for (let i = 0; i < key.length; i++) if (key[i] !== bytes[start + i]) return -1;
    return number;
  }

  /** The number of the key that is expected after the key `last`, where it stands at `start` as last time; -1 where not. */
  expected(source: DataView, start: number, last: number): number {
    const number = this.followers[last + 1] as number;
    const length = this.lengths[number] as number;
    return length > 0 &&
      start + length <= source.byteLength &&
      areSame(this.view, number * ROOM, source, start, length)
      ? number
      : -1;
  }

  /** How many bytes a key that was expected takes. */
  length(number: number): number {
    return this.lengths[number] as number;
  }

  /** Keeps that the key stood after the key `last`, and how it was written. */
  keep(number: number, last: number, source: Buffer, start: number, end: number): void {
    this.followers[last + 1] = number;
    const length = end - start;
    if (length > ROOM) return;
    const at = number * ROOM;
    for (let i = 0; i < length; i++) this.written[at + i] = source[start + i] as number;
    this.lengths[number] = length;
  }
}
