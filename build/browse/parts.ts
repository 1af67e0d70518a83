import { Bytes } from "./bytes.ts";
import { idPart, wordPart } from "./client/words.js";
import { CLASS_BITS, CLASSES, type Entries } from "./log.ts";
import { NEWLINE, WordTable } from "./word-table.ts";

const [QUOTE, COMMA, COLON, BRACKET, CLOSING_BRACKET, BRACE] = [0x22, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b];

/** For a number and the signs around it. */
const ROOM = 32;

/**
 * What the page to look at asks for: the pages that have a word, what is shown of a page in a list, and which pages lie
 * below one. All of it lies in parts, at most 1,000 files whatever the number of pages; which part, a hash tells. A
 * part says the same however it came to be: made anew, or changed by the pages that changed.
 */
export interface Counts {
  pages: number;
  words: number;
  records: number;
  trees: number;
}

const powerOfTwo = (n: number, most: number): number => {
  let power = 1;
  while (power < n && power < most) power *= 2;
  return power;
};

export const countsFor = (pages: number): Counts => ({
  pages,
  words: powerOfTwo(pages / 64, 512),
  records: powerOfTwo(pages / 128, 256),
  trees: powerOfTwo(pages / 2048, 64),
});

/** Whether the parts of another number of pages are divided in the same way. */
export const areDividedAlike = (one: Counts, two: Counts): boolean =>
  one.words === two.words && one.records === two.records && one.trees === two.trees;

export type Kind = "words" | "records" | "trees";

export const partPath = (kind: Kind, part: number): string => `browse/${kind}/${part}.json`;

/** A part's path and bytes, good until the next. One that holds nothing is there too: asking for it is no error. */
export type Part = [path: string, bytes: Uint8Array];

/** All parts of a site, one after the other. @param logs the entries of all its pages. */
export function* makeParts(logs: readonly Entries[], counts: Counts): Generator<Part> {
  const pages = new SortedPages(logs);
  const { ids } = pages;
  const byRecord = divide(ids.length, counts.records, (place) =>
    idPart(ids[place] as number, counts.records),
  );
  for (const [part, places] of byRecord.entries())
    yield [partPath("records", part), pages.printRecords(places)];

  const below = pages.below();
  const parents = [...below.keys()].sort((a, b) => a - b);
  const byTree = divide(parents.length, counts.trees, (k) => idPart(parents[k] as number, counts.trees));
  for (const [part, numbers] of byTree.entries())
    yield [
      partPath("trees", part),
      pages.printTrees(
        numbers.map((k) => parents[k] as number),
        below,
      ),
    ];

  const postings = pages.postings();
  const { names } = postings;
  const byWord = divide(names.length, counts.words, (word) => wordPart(names[word] as string, counts.words));
  for (const [part, words] of byWord.entries()) {
    words.sort((a, b) => ((names[a] as string) < (names[b] as string) ? -1 : 1));
    yield [partPath("words", part), pages.printWords(words, postings)];
  }
}

/** The numbers below a count, by the parts that they belong to. */
function divide(count: number, parts: number, partOf: (number: number) => number): number[][] {
  const divided = Array.from({ length: parts }, (): number[] => []);
  for (let number = 0; number < count; number++) divided[partOf(number)]?.push(number);
  return divided;
}

/** Which pages have which words. */
interface Postings {
  /** The words by their numbers. */
  names: string[];
  /** By `word * CLASSES + class`: where the places of the pages begin that have the word so. */
  starts: Uint32Array;
  places: Uint32Array;
}

/**
 * The pages of all logs in the order of their ids.
 *
 * What is done for each page, or each list of ids, is a function of its own: the engine compiles a function of several long
 * loops once for each of them, and a generator badly.
 */
class SortedPages {
  readonly ids: Float64Array;
  private readonly logs: readonly Entries[];
  /** By place in the order: the log of the page, and its place there. */
  private readonly logOf: Uint8Array;
  private readonly placeInLog: Uint32Array;
  private readonly out = new Bytes();

  constructor(logs: readonly Entries[]) {
    this.logs = logs;
    this.ids = new Float64Array(logs.reduce((count, { ids }) => count + ids.length, 0));
    let filled = 0;
    for (const { ids } of logs) {
      this.ids.set(ids, filled);
      filled += ids.length;
    }
    this.ids.sort();
    this.logOf = new Uint8Array(this.ids.length);
    this.placeInLog = new Uint32Array(this.ids.length);
    for (const [log, { ids }] of logs.entries())
      for (const [k, id] of ids.entries()) {
        const place = placeOf(this.ids, id);
        this.logOf[place] = log;
        this.placeInLog[place] = k;
      }
  }

  /** By id: the places of the pages below it. */
  below(): Map<number, number[]> {
    const below = new Map<number, number[]>();
    for (let place = 0; place < this.ids.length; place++) {
      const parent = this.logs[this.logOf[place] as number]?.parents[this.placeInLog[place] as number] ?? 0;
      const siblings = below.get(parent);
      if (siblings === undefined) below.set(parent, [place]);
      else siblings.push(place);
    }
    below.delete(0);
    return below;
  }

  postings(): Postings {
    const table = new WordTable(this.ids.length);
    for (const log of this.logs) renumber(log, table);
    const names = table.lines().toString("utf8").split("\n");
    names.pop();
    // One further: while places are put down, each key's own start stands one behind where it ends up.
    const starts = new Uint32Array(names.length * CLASSES + 2);
    for (const { pairs } of this.logs) countKeys(pairs, starts);
    addUp(starts);
    const places = new Uint32Array(starts.at(-1) ?? 0);
    for (let place = 0; place < this.ids.length; place++) {
      const { pairs, pairEnds } = this.logs[this.logOf[place] as number] as Entries;
      const k = this.placeInLog[place] as number;
      putDown(place, pairs, pairEnds[k - 1] ?? 0, pairEnds[k] as number, starts, places);
    }
    return { names, starts, places };
  }

  printRecords(places: readonly number[]): Uint8Array {
    for (let n = 0; n < places.length; n++) this.printRecord(places[n] as number);
    return this.finish();
  }

  private printRecord(place: number): void {
    const { rows, rowEnds } = this.logs[this.logOf[place] as number] as Entries;
    const k = this.placeInLog[place] as number;
    const [start, end] = [rowEnds[k - 1] ?? 0, rowEnds[k] as number];
    this.out.room(ROOM + end - start);
    this.printIdKey(this.ids[place] as number);
    this.out.copy(rows, start, end);
  }

  printTrees(parents: readonly number[], below: ReadonlyMap<number, number[]>): Uint8Array {
    for (const parent of parents) {
      const places = Uint32Array.from(below.get(parent) ?? []);
      this.out.room(ROOM);
      this.printIdKey(parent);
      this.printIds(places, 0, places.length);
    }
    return this.finish();
  }

  printWords(words: readonly number[], postings: Postings): Uint8Array {
    for (let n = 0; n < words.length; n++) this.printWord(words[n] as number, postings);
    return this.finish();
  }

  private printWord(word: number, { names, starts, places }: Postings): void {
    const { out } = this;
    const name = names[word] as string;
    out.room(ROOM + 3 * name.length);
    this.openKey();
    out.text(name);
    this.closeKey();
    const first = word * CLASSES;
    // Empty lists at the end are left out.
    let last = first + CLASSES;
    while (starts[last] === starts[last - 1]) last--;
    for (let key = first; key < last; key++) {
      out.byte(key === first ? BRACKET : COMMA);
      this.printIds(places, starts[key] as number, starts[key + 1] as number);
    }
    out.byte(CLOSING_BRACKET);
  }

  private printIdKey(id: number): void {
    this.openKey();
    this.out.number(id);
    this.closeKey();
  }

  private openKey(): void {
    this.out.byte(this.out.length === 0 ? BRACE : COMMA);
    this.out.byte(QUOTE);
  }

  private closeKey(): void {
    this.out.byte(QUOTE);
    this.out.byte(COLON);
  }

  /** Each but the first as its difference to the one before. */
  private printIds(places: Uint32Array, from: number, to: number): void {
    const { ids, out } = this;
    out.room(ROOM * (to - from + 1));
    out.byte(BRACKET);
    let before = 0;
    for (let k = from; k < to; k++) {
      const id = ids[places[k] as number] as number;
      if (k > from) out.byte(COMMA);
      out.number(id - before);
      before = id;
    }
    out.byte(CLOSING_BRACKET);
  }

  private finish(): Uint8Array {
    const { out } = this;
    out.room(ROOM);
    out.text(out.length === 0 ? "{}\n" : "}\n");
    const bytes = out.written();
    out.length = 0;
    return bytes;
  }
}

function placeOf(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Gives the words of a log the numbers that they have in a table. */
function renumber({ words, pairs }: Entries, table: WordTable): void {
  const numbers: number[] = [];
  for (let start = 0; start < words.length;) {
    const end = words.indexOf(NEWLINE, start);
    numbers.push(table.numberOf(words, start, end));
    start = end + 1;
  }
  replaceWords(pairs, numbers);
}

function replaceWords(pairs: Uint32Array, numbers: readonly number[]): void {
  for (let k = 0; k < pairs.length; k++) {
    const pair = pairs[k] as number;
    pairs[k] = (numbers[pair >>> CLASS_BITS] as number) * CLASSES + (pair & (CLASSES - 1));
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
