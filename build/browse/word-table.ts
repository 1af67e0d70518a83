import { TextColumn, type Texts } from "./columns.ts";

/** Numbers words: a word that comes again has the same number. A map of texts takes several times as long. */
export class WordTable {
  /** At the place that a word's hash tells, or behind: its number, plus 1, and its hash; 0 if there is none. */
  private slots = new Int32Array(1 << 9);
  private readonly words = new TextColumn(1 << 8, 8);
  private readonly ends: number[] = [0];

  /** The number of the word that is part of a text, in latin1. */
  numberOf(text: string, from = 0, to = text.length): number {
    let hash = 0x811c9dc5;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
    const { slots } = this;
    let slot = this.first(hash);
    for (; slots[slot] !== 0; slot = (slot + 2) & (slots.length - 1)) {
      const number = (slots[slot] as number) - 1;
      if (slots[slot + 1] === hash && this.isWord(number, text, from, to)) return number;
    }
    const number = this.ends.length - 1;
    this.words.push(text.slice(from, to));
    this.ends.push(this.words.length);
    slots[slot] = number + 1;
    slots[slot + 1] = hash;
    if (4 * number > slots.length) this.widen();
    return number;
  }

  private first(hash: number): number {
    return (2 * hash) & (this.slots.length - 1);
  }

  private isWord(number: number, text: string, from: number, to: number): boolean {
    const { bytes } = this.words;
    const start = this.ends[number] as number;
    if ((this.ends[number + 1] as number) - start !== to - from) return false;
    for (let at = from; at < to; at++) if (bytes[start + at - from] !== text.charCodeAt(at)) return false;
    return true;
  }

  private widen(): void {
    const before = this.slots;
    const wider = (this.slots = new Int32Array(4 * before.length));
    for (let k = 0; k < before.length; k += 2) {
      if (before[k] === 0) continue;
      let slot = this.first(before[k + 1] as number);
      while (wider[slot] !== 0) slot = (slot + 2) & (wider.length - 1);
      wider.set(before.subarray(k, k + 2), slot);
    }
  }

  finish(): Texts {
    return this.words.finish();
  }
}
