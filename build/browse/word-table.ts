import { integers, type Integers } from "../base/columns.ts";
import { compareTexts, TextColumn, type PackedTexts } from "./packed-texts.ts";

/** A hash table that numbers words: equal words have the same number. A `Map` of texts takes several times as long. */
export class WordTable {
  /** Pairs of a word's number plus 1 and its hash, at the first free slot from its hash on; 0 in a free slot. */
  private slots = new Int32Array(1 << 10);
  private readonly words: TextColumn;
  private count = 0;
  /** The bytes of the text whose words are looked up. They are read faster than the characters of a text. */
  private text = Buffer.alloc(1 << 10);

  constructor(expected: number) {
    this.words = new TextColumn(expected, 16);
  }

  /** @param word in latin1. */
  numberOf(word: string): number {
    const length = this.load(word);
    const { text } = this;
    let hash = SEED;
    for (let at = 0; at < length; at++) hash = Math.imul(hash ^ (text[at] as number), PRIME);
    return this.find(hash, 0, length);
  }

  /**
   * The numbers of the words of a text in ASCII without apostrophes, in lowercase: its runs of letters and digits.
   *
   * @param latin1 the text; of any other text, the result is undefined.
   */
  numbersIn(latin1: string): number[] | undefined {
    const length = this.load(latin1);
    const { text } = this;
    for (let at = 0; at < length; at++)
      if ((text[at] as number) >= 0x80 || text[at] === APOSTROPHE) return undefined;
    const numbers: number[] = [];
    let hash = SEED;
    let from = 0;
    for (let at = 0; at < length; at++) {
      let code = text[at] as number;
      if (code >= 0x41 && code <= 0x5a) text[at] = code |= 0x20;
      if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)) {
        hash = Math.imul(hash ^ code, PRIME);
        continue;
      }
      if (at > from) numbers.push(this.find(hash, from, at));
      hash = SEED;
      from = at + 1;
    }
    if (length > from) numbers.push(this.find(hash, from, length));
    return numbers;
  }

  private load(latin1: string): number {
    if (latin1.length > this.text.length) this.text = Buffer.alloc(2 * latin1.length);
    return this.text.write(latin1, "latin1");
  }

  /** The number of a word, given as part of the loaded text. */
  private find(unmixed: number, from: number, to: number): number {
    const hash = unmixed ^ (unmixed >>> 15);
    const { slots } = this;
    let slot = this.first(hash);
    for (; slots[slot] !== 0; slot = (slot + 2) & (slots.length - 1)) {
      const number = (slots[slot] as number) - 1;
      if (slots[slot + 1] === hash && this.isWord(number, from, to)) return number;
    }
    const number = this.count++;
    this.words.push(this.text, from, to);
    slots[slot] = number + 1;
    slots[slot + 1] = hash;
    if (3 * number > slots.length) this.widen();
    return number;
  }

  private first(hash: number): number {
    return (2 * hash) & (this.slots.length - 1);
  }

  private isWord(number: number, from: number, to: number): boolean {
    const { text } = this;
    const { bytes } = this.words;
    const [start, end] = this.words.bounds(number);
    if (end - start !== to - from) return false;
    for (let at = from; at < to; at++) if (bytes[start + at - from] !== text[at]) return false;
    return true;
  }

  private widen(): void {
    const before = this.slots;
    const wider = (this.slots = new Int32Array(2 * before.length));
    for (let k = 0; k < before.length; k += 2) {
      if (before[k] === 0) continue;
      let slot = this.first(before[k + 1] as number);
      while (wider[slot] !== 0) slot = (slot + 2) & (wider.length - 1);
      wider[slot] = before[k] as number;
      wider[slot + 1] = before[k + 1] as number;
    }
  }

  /** The words in the order of their bytes, and the place of each word in this order by its number. */
  finish(): { sorted: PackedTexts; places: Integers } {
    const words = this.words.finish();
    const order = words.ends.map((_, number) => number).sort((a, b) => compareTexts(words, a, words, b));
    const sorted = new TextColumn(order.length, 16);
    const places = integers(order.length);
    for (const [place, number] of order.entries()) {
      sorted.copy(words, number);
      places[number] = place;
    }
    return { sorted: sorted.finish(), places };
  }
}

const APOSTROPHE = 0x27;

/** The constants of the hash function FNV-1a. */
const [SEED, PRIME] = [0x811c9dc5, 0x01000193];
