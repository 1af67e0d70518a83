import { TextColumn, type Texts } from "./columns.ts";

/** Numbers words: a word that comes again has the same number. A map of texts takes ten times as long. */
export class WordTable {
  /** The number of a word, plus 1, at the place that its hash tells or behind; 0 if there is none. A power of two long. */
  private slots = new Uint32Array(1 << 8);
  private readonly words = new TextColumn();
  private readonly starts: number[] = [];
  private readonly hashes: number[] = [];

  get size(): number {
    return this.starts.length;
  }

  /** The number of the word that is part of a text, in latin1. */
  numberOf(text: string, from = 0, to = text.length): number {
    let hash = 0x811c9dc5;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
    for (let slot = hash; ; slot++) {
      const number = (this.slots[slot & (this.slots.length - 1)] as number) - 1;
      if (number === -1) return this.add(text.slice(from, to), hash);
      if (this.hashes[number] === hash && this.isWord(number, text, from, to)) return number;
    }
  }

  private isWord(number: number, text: string, from: number, to: number): boolean {
    const { bytes } = this.words;
    const start = this.starts[number] as number;
    if ((this.starts[number + 1] ?? this.words.length) - start !== to - from) return false;
    for (let at = from; at < to; at++)
      if (bytes[start + at - from] !== text.charCodeAt(at)) return false;
    return true;
  }

  private add(word: string, hash: number): number {
    const number = this.size;
    this.starts.push(this.words.length);
    this.hashes.push(hash);
    this.words.push(word);
    if (2 * this.size > this.slots.length) {
      this.slots = new Uint32Array(4 * this.slots.length);
      for (const [other, known] of this.hashes.entries()) this.put(other, known);
    } else this.put(number, hash);
    return number;
  }

  private put(number: number, hash: number): void {
    let slot = hash;
    const last = this.slots.length - 1;
    while (this.slots[slot & last] !== 0) slot++;
    this.slots[slot & last] = number + 1;
  }

  finish(): Texts {
    return this.words.finish();
  }
}
