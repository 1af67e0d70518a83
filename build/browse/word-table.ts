import { wordPart } from "./client/words.js";
import { CLASSES } from "./entry.ts";

/** Which pages have which words, in columns: a million pages have some thirty million of such pairs. */
export class WordTable {
  private readonly numbers = new Map<string, number>();
  private readonly ids: number[] = [];
  /** By word: the page that had it last. */
  private last = new Uint32Array(1 << 12);
  /** By pair: the word's number and what it stands for, and the page's number. */
  private keys = new Uint32Array(1 << 12);
  private pages = new Uint32Array(1 << 12);
  private count = 0;

  /** Pages come in the order of their ids. */
  addPage(id: number): void {
    this.ids.push(id);
  }

  /** A word of the page added last. Where it comes again, the first counts. */
  addWord(word: string, kind: number): void {
    let number = this.numbers.get(word);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(word, number);
      if (number === this.last.length) this.last = grown(this.last);
    }
    const page = this.ids.length;
    if (this.last[number] === page) return;
    this.last[number] = page;
    if (this.count === this.keys.length) [this.keys, this.pages] = [grown(this.keys), grown(this.pages)];
    this.keys[this.count] = number * CLASSES + kind;
    this.pages[this.count++] = page - 1;
  }

  /** By part: its words, each with its pages' ids by what it stands for. */
  *parts(count: number): Generator<Map<string, number[][]>> {
    const { starts, sorted } = this.sort();
    const byPart = Array.from({ length: count }, (): string[] => []);
    for (const word of this.numbers.keys()) byPart[wordPart(word, count)]?.push(word);
    for (const words of byPart) {
      const part = new Map<string, number[][]>();
      for (const word of words) {
        const first = (this.numbers.get(word) ?? 0) * CLASSES;
        const lists = Array.from({ length: CLASSES }, (_, kind) =>
          Array.from(
            sorted.subarray(starts[first + kind], starts[first + kind + 1]),
            (page) => this.ids[page] ?? 0,
          ),
        );
        part.set(word, lists);
      }
      yield part;
    }
  }

  /** The pages of all pairs in the order of their keys, and where those of each begin. */
  private sort(): { starts: Uint32Array; sorted: Uint32Array } {
    const { keys, pages, count } = this;
    const starts = new Uint32Array(this.numbers.size * CLASSES + 2);
    for (let k = 0; k < count; k++) (starts[(keys[k] as number) + 2] as number)++;
    for (let key = 2; key < starts.length; key++) (starts[key] as number) += starts[key - 1] as number;
    const sorted = new Uint32Array(count);
    for (let k = 0; k < count; k++) {
      const key = (keys[k] as number) + 1;
      sorted[starts[key] as number] = pages[k] as number;
      (starts[key] as number)++;
    }
    return { starts, sorted };
  }
}

function grown(column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(2 * column.length);
  wider.set(column);
  return wider;
}
