import { PAGE_TYPES } from "../page/types.ts";
import { addressKey, MOST_COUNTED, subjectWord, wordsOfTitle, wordsThatFind } from "./client/words.js";

/**
 * How well a word stands for a page: something else than its title has it, or its title has it, or its title begins with
 * it and has one word, two words, and so on. So a title of few words is found exactly.
 */
export const OTHER = 0;
const TITLE = 1;
const FIRST = 2;
export const CLASSES = FIRST + MOST_COUNTED;
/** A word of a page is one number: the word's own, times this, plus its class. */
export const CLASS_SPAN = 16;

/**
 * The fields of a response that the browse UI searches or lists. Their texts are in UTF-8, one character for each byte:
 * so `JSON.parse` need not decode a page, of which few texts are asked for.
 */
export interface IndexedPage {
  id: number;
  meta: { type: string; slug: string; html_url: string; parent: { id: number } | null };
  title: string;
  acno?: string;
  allArtists?: string;
  dateText?: string;
  subject_tags?: readonly string[];
  master_images?: readonly { sizes: readonly (readonly [number, string, string])[] }[];
}

export const pageOf = (response: Buffer): IndexedPage =>
  JSON.parse(response.toString("latin1")) as IndexedPage;

const decoded = (text: string): string =>
  /[\x80-\xff]/.test(text) ? Buffer.from(text, "latin1").toString("utf8") : text;

/** 0 for the home page. */
export const parentIn = ({ meta }: IndexedPage): number => meta.parent?.id ?? 0;

/** The page in a list, as JSON: type, parent, title, artists, accession number, date and picture. */
export function rowOf(page: IndexedPage): string {
  const { title, allArtists = "", acno = "", dateText = "", master_images: images } = page;
  const image = images?.[0]?.sizes[0]?.[2] ?? "";
  const facts = [allArtists, acno, dateText, image];
  while (facts.at(-1) === "") facts.pop();
  return JSON.stringify([PAGE_TYPES.indexOf(page.meta.type as never), parentIn(page), title, ...facts]);
}

/** Takes the words of a page, some more than once: then the first class counts. */
interface WordSink {
  add(word: string, kind: number): void;
  /** Words of a text that many pages share. */
  addShared(kind: SharedText, text: string): void;
}

/** How such a text becomes words. */
export const SHARED = {
  artists: (text: string): string[] => wordsThatFind(decoded(text)),
  subject: (text: string): string[] => [subjectWord(decoded(text))],
};
type SharedText = keyof typeof SHARED;

/** What a slug has beside ASCII letters and digits. */
const NO_LETTERS = /[-_]+/;

/** Gives the words of a page. */
export function readWords(
  { title, meta, allArtists, acno, subject_tags: subjects }: IndexedPage,
  sink: WordSink,
): void {
  const { words, finding } = wordsOfTitle(decoded(title));
  const [first] = words;
  if (first !== undefined && words.length <= MOST_COUNTED) sink.add(first, FIRST + words.length - 1);
  for (const word of finding) sink.add(word, TITLE);
  for (const word of meta.slug.toLowerCase().split(NO_LETTERS)) if (word !== "") sink.add(word, OTHER);
  if (allArtists) sink.addShared("artists", allArtists);
  if (acno) for (const word of wordsThatFind(decoded(acno))) sink.add(word, OTHER);
  if (subjects) for (const subject of subjects) sink.addShared("subject", subject);
}

/** The number by which the page is found if its address is known. */
export const addressKeyOf = ({ meta }: IndexedPage): number =>
  addressKey(meta.html_url.replace(/^https?:\/\/[^/]*/, ""));

/** The index of the pages that one thread has read, in columns that can be handed over. */
export interface PageIndex {
  ids: Float64Array<ArrayBuffer>;
  /** By page; 0 for the home page. */
  parents: Float64Array<ArrayBuffer>;
  addressKeys: Float64Array<ArrayBuffer>;
  /** The rows of so many pages, one after the other; and by page where its row ends in them. */
  rows: Uint8Array<ArrayBuffer>[];
  rowEnds: Uint32Array<ArrayBuffer>;
  /** The words of each page, no word twice, as `number * CLASS_SPAN + class`; and by page where they end. */
  words: Uint32Array<ArrayBuffer>;
  wordEnds: Uint32Array<ArrayBuffer>;
  /** All words in the order of their numbers, one in each line. */
  dictionary: string;
}

export const wordsIn = ({ dictionary }: PageIndex): string[] =>
  dictionary === "" ? [] : dictionary.split("\n");

/** Gives the row of a page by its number in an index, in latin1. */
export function rowsIn({ rows, rowEnds }: PageIndex): (number: number) => string {
  const texts = rows.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
  return (number) => {
    const start = number % ROWS_TOGETHER === 0 ? 0 : (rowEnds[number - 1] as number);
    const text = texts[Math.floor(number / ROWS_TOGETHER)] as Buffer;
    return text.toString("latin1", start, rowEnds[number]);
  };
}

/** The buffers of an index, to be handed over to another thread. */
export const buffersOf = ({
  rows,
  ids,
  parents,
  addressKeys,
  rowEnds,
  words,
  wordEnds,
}: PageIndex): ArrayBuffer[] =>
  [...rows, ids, parents, addressKeys, rowEnds, words, wordEnds].map(({ buffer }) => buffer);

/** So many rows are kept together. */
const ROWS_TOGETHER = 1024;

/** Collects what the browse UI needs of pages. */
export class PageIndexer {
  private readonly ids = new Column(Float64Array);
  private readonly parents = new Column(Float64Array);
  private readonly addressKeys = new Column(Float64Array);
  private readonly rows: Uint8Array<ArrayBuffer>[] = [];
  private readonly rowEnds = new Column(Uint32Array);
  private openRows: string[] = [];
  private openLength = 0;
  private readonly words = new Column(Uint32Array);
  private readonly wordEnds = new Column(Uint32Array);
  private readonly numbers = new Map<string, number>();
  private readonly shared = { artists: new Map<string, number[]>(), subject: new Map<string, number[]>() };
  /** By word: the page that had it last, counted from 1. */
  private readonly last: number[] = [];

  private readonly sink: WordSink = {
    add: (word, kind) => this.addNumber(this.numberOf(word), kind),
    addShared: (kind, text) => this.addShared(kind, text),
  };

  add(page: IndexedPage): void {
    this.ids.push(page.id);
    this.parents.push(parentIn(page));
    this.addRow(rowOf(page));
    this.addressKeys.push(addressKeyOf(page));
    readWords(page, this.sink);
    this.wordEnds.push(this.words.length);
  }

  private addRow(row: string): void {
    this.openRows.push(row);
    this.openLength += row.length;
    this.rowEnds.push(this.openLength);
    if (this.openRows.length === ROWS_TOGETHER) this.closeRows();
  }

  private closeRows(): void {
    this.rows.push(Uint8Array.from(Buffer.from(this.openRows.join(""), "latin1")));
    this.openRows = [];
    this.openLength = 0;
  }

  private addShared(kind: SharedText, text: string): void {
    let numbers = this.shared[kind].get(text);
    if (numbers === undefined) {
      numbers = SHARED[kind](text).map((word) => this.numberOf(word));
      this.shared[kind].set(text, numbers);
    }
    for (const number of numbers) this.addNumber(number, OTHER);
  }

  private numberOf(word: string): number {
    let number = this.numbers.get(word);
    if (number === undefined) this.numbers.set(word, (number = this.numbers.size));
    return number;
  }

  private addNumber(number: number, kind: number): void {
    if (this.last[number] === this.ids.length) return;
    this.last[number] = this.ids.length;
    this.words.push(number * CLASS_SPAN + kind);
  }

  finish(): PageIndex {
    this.closeRows();
    return {
      ids: this.ids.finish(),
      parents: this.parents.finish(),
      addressKeys: this.addressKeys.finish(),
      rows: this.rows,
      rowEnds: this.rowEnds.finish(),
      words: this.words.finish(),
      wordEnds: this.wordEnds.finish(),
      dictionary: [...this.numbers.keys()].join("\n"),
    };
  }
}

type Numbers = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Numbers, one after the other. */
class Column<T extends Numbers> {
  length = 0;
  private values: T;
  private readonly make: new (length: number) => T;

  constructor(make: new (length: number) => T) {
    this.make = make;
    this.values = new make(1 << 8);
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const wider = new this.make(2 * this.length);
      wider.set(this.values);
      this.values = wider;
    }
    this.values[this.length++] = value;
  }

  finish(): T {
    return this.values.slice(0, this.length) as T;
  }
}
