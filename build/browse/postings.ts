import { MOST_OF_BEGINNING, wordPart } from "./client/words.js";
import { CLASS_BITS, CLASSES, type Entries } from "./log.ts";
import { divide } from "./parts.ts";
import type { PartPrinter } from "./printer.ts";
import type { SortedPages } from "./sorted-pages.ts";
import { NEWLINE, WordTable } from "./word-table.ts";

const COLON = 0x3a;

/** Which pages have which words. Words are bytes until they are printed: as strings, all of them would cost more than the rest. */
export class Postings {
  private readonly printer: PartPrinter;
  private readonly words: SortedWords;
  /** By `rank * CLASSES + class`: where the places of the pages begin that have the word so. */
  private readonly starts: Uint32Array;
  private readonly places: Uint32Array;

  /** @param logs their columns are used up. */
  constructor(logs: readonly Entries[], pages: SortedPages, parts: number) {
    this.printer = pages.printer;
    const table = new WordTable(pages.ids.length);
    const numbers = logs.map((log) => numbersOf(log, table));
    this.words = new SortedWords(table, parts);
    for (const [k, { pairs }] of logs.entries()) rankPairs(pairs, numbers[k] ?? [], this.words.ranks);
    // One further: while places are put down, each key's own start stands one behind where it ends up.
    this.starts = new Uint32Array(table.count * CLASSES + 2);
    for (const { pairs } of logs) countKeys(pairs, this.starts);
    addUp(this.starts);
    this.places = new Uint32Array(this.starts.at(-1) ?? 0);
    for (let place = 0; place < pages.ids.length; place++) {
      const { pairs, pairEnds } = logs[pages.logOf[place] as number] as Entries;
      const k = pages.placeInLog[place] as number;
      putDown(place, pairs, pairEnds[k - 1] ?? 0, pairEnds[k] as number, this.starts, this.places);
    }
  }

  print(part: number): Uint8Array {
    const { ends } = this.words;
    for (let rank = ends[part - 1] ?? 0; rank < (ends[part] as number); rank++) this.printWord(rank);
    return this.printer.finish();
  }

  private printWord(rank: number): void {
    const { printer, starts, words } = this;
    const word = words.order[rank] as number;
    printer.wordKey(words.text, words.starts[word] as number, (words.starts[word + 1] as number) - 1);
    const first = rank * CLASSES;
    // Empty lists at the end are left out.
    let last = first + CLASSES;
    while (starts[last] === starts[last - 1]) last--;
    printer.listsAt(this.places, starts, first, last);
  }
}

/** All words, by their parts and within them by their letters, as `<` compares strings. */
class SortedWords {
  readonly text: Buffer;
  /** By number: where the word begins; a line's end stands behind it. */
  readonly starts: Uint32Array;
  /** The numbers of the words by their ranks, and the reverse. */
  readonly order: Uint32Array;
  readonly ranks: Uint32Array;
  /** By part: how many words it and those before it have. */
  readonly ends: number[] = [];

  constructor(table: WordTable, parts: number) {
    this.text = table.lines();
    this.starts = table.starts;
    this.order = new Uint32Array(table.count);
    this.ranks = new Uint32Array(table.count);
    let rank = 0;
    const known = new Map<number, number>();
    for (const words of divide(table.count, parts, (word) => this.partOf(word, parts, known))) {
      words.sort((a, b) => this.compare(a, b));
      for (const word of words) {
        this.ranks[word] = rank;
        this.order[rank++] = word;
      }
      this.ends.push(rank);
    }
  }

  /** @param known the parts of beginnings, by their bytes. */
  private partOf(word: number, parts: number, known: Map<number, number>): number {
    const { text } = this;
    const start = this.starts[word] as number;
    const end = (this.starts[word + 1] as number) - 1;
    const few = Math.min(end, start + MOST_OF_BEGINNING);
    let beginning = 0;
    let all = 0;
    for (let at = start; at < few; at++) {
      beginning = (beginning << 8) | (text[at] as number);
      all |= text[at] as number;
    }
    // Of a subject all letters count. No other word has a colon.
    if (all >= 0x80 || text[start + "subject".length] === COLON)
      return wordPart(text.toString("utf8", start, end), parts);
    let part = known.get(beginning);
    if (part === undefined)
      known.set(beginning, (part = wordPart(text.toString("latin1", start, few), parts)));
    return part;
  }

  private compare(a: number, b: number): number {
    const { text, starts } = this;
    let one = starts[a] as number;
    let other = starts[b] as number;
    while (text[one] === text[other] && text[one] !== NEWLINE) {
      one++;
      other++;
    }
    return inUtf16(text[one] as number) - inUtf16(text[other] as number);
  }
}

/** Bytes of UTF-8 in the order of the UTF-16 that they stand for: letters of four bytes come before the last of three. */
const inUtf16 = (byte: number): number => (byte < 0xee ? byte : byte < 0xf0 ? byte + 5 : byte - 2);

/** The numbers that the words of a log have in a table. */
function numbersOf({ words }: Entries, table: WordTable): number[] {
  const numbers: number[] = [];
  for (let start = 0; start < words.length;) {
    const end = words.indexOf(NEWLINE, start);
    numbers.push(table.numberOf(words, start, end));
    start = end + 1;
  }
  return numbers;
}

function rankPairs(pairs: Uint32Array, numbers: readonly number[], ranks: Uint32Array): void {
  for (let k = 0; k < pairs.length; k++) {
    const pair = pairs[k] as number;
    const rank = ranks[numbers[pair >>> CLASS_BITS] as number] as number;
    pairs[k] = rank * CLASSES + (pair & (CLASSES - 1));
  }
}

function countKeys(keys: Uint32Array, starts: Uint32Array): void {
  for (let k = 0; k < keys.length; k++) (starts[(keys[k] as number) + 2] as number)++;
}

function addUp(starts: Uint32Array): void {
  for (let key = 2; key < starts.length; key++) (starts[key] as number) += starts[key - 1] as number;
}

function putDown(
  place: number,
  keys: Uint32Array,
  from: number,
  to: number,
  starts: Uint32Array,
  places: Uint32Array,
): void {
  for (let k = from; k < to; k++) {
    const key = (keys[k] as number) + 1;
    const at = starts[key] as number;
    places[at] = place;
    starts[key] = at + 1;
  }
}
