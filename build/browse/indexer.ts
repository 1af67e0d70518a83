import { doubles, integers, NumberColumn, type Doubles, type Integers } from "../base/columns.ts";
import { decoded, encoded } from "../json/latin1.ts";
import { mediaUrl, NO_MEDIA, type MediaSite } from "../page/media.ts";
import { PAGE_TYPES } from "../page/types.ts";
import { addressKey, MAX_COUNTED, subjectWord, wordsOfTitle, wordsThatFind } from "./client/words.js";
import type { PackedTexts } from "./packed-texts.ts";
import { BytesReader, BytesWriter, integersIn, type StoredBytes } from "./stored-bytes.ts";
import { WordTable } from "./word-table.ts";

/**
 * The class of a word on a page: the word occurs outside the title, in the title, or at the beginning of a title of one
 * word, two words, and so on. So the search finds a short title exactly.
 */
export const OTHER = 0;
const TITLE = 1;
const FIRST = 2;
export const CLASSES = FIRST + MAX_COUNTED;
/** An entry is the number of a word or a page, with a class in its lowest bits. It has 32 bits. */
const CLASS_BITS = 32 - Math.clz32(CLASSES - 1);
const CLASS_MASK = (1 << CLASS_BITS) - 1;
export const entryOf = (number: number, kind: number): number => ((number << CLASS_BITS) | kind) >>> 0;
export const numberIn = (entry: number): number => entry >>> CLASS_BITS;
export const classIn = (entry: number): number => entry & CLASS_MASK;

/** The fields of a source or a response that the browse UI searches or lists. */
export interface IndexedFields {
  id: number;
  title: string;
  acno?: string;
  allArtists?: string;
  dateText?: string;
  subjects?: readonly Subject[];
  master_images?: readonly { sizes: readonly (readonly [number, string, string])[] }[];
}

interface Subject {
  id: number;
  name?: string;
}

/** The location of a page. */
export interface IndexedPlace {
  type: string;
  /** The id of the parent; 0 for the home page. */
  parent: number;
  slug: string;
  address: string;
}

type Response = IndexedFields & {
  meta: { type: string; slug: string; html_url: string; parent: { id: number } | null };
  subject_tags?: readonly string[];
};

/** The index of the pages that one thread has read, in columns that the threads share. */
export interface PageIndex {
  ids: Doubles;
  /** By page; 0 for the home page. */
  parents: Doubles;
  addressKeys: Doubles;
  /** By page, as a JSON array: type, parent, title, artists, accession number, date and picture. */
  rows: StoredBytes;
  rowEnds: Integers;
  /** The words of each page, without duplicates, as entries of four bytes. */
  words: StoredBytes;
  wordEnds: Integers;
  /** By word: the number of pages with it. */
  frequencies: Integers;
  /** The words, ordered by their bytes, and the place of each word in this order by its number. */
  dictionary: PackedTexts;
  places: Integers;
}

/** Bytes of words that are read at a time. */
const READ_AHEAD = 1 << 18;

/** Calls a function with the words of each page: they are in `words` from the index `from` up to `to`. */
export function forEachPage(
  { words, wordEnds }: PageIndex,
  use: (page: number, words: Uint32Array, from: number, to: number) => void,
): void {
  const reader = new BytesReader(words, READ_AHEAD);
  try {
    let { window } = reader;
    let numbers = integersIn(window);
    for (let page = 0, start = 0; page < wordEnds.length; page++) {
      const end = wordEnds[page] as number;
      const from = reader.locate(start, end) / 4;
      if (window !== reader.window) numbers = integersIn((window = reader.window));
      use(page, numbers, from, from + (end - start) / 4);
      start = end;
    }
  } finally {
    reader.close();
  }
}

/** Maximum number of subjects whose words are kept, by the subjects' ids. */
const MAX_KNOWN_SUBJECTS = 1 << 15;

export class PageIndexer {
  private readonly media: MediaSite;
  private readonly ids: NumberColumn<Doubles>;
  private readonly parents: NumberColumn<Doubles>;
  private readonly addressKeys: NumberColumn<Doubles>;
  private address = Buffer.alloc(1 << 10);
  private readonly rows: BytesWriter;
  private readonly rowEnds: NumberColumn<Integers>;
  private readonly words: BytesWriter;
  private readonly wordEnds: NumberColumn<Integers>;
  private readonly table: WordTable;
  /** Kept because many pages have the same artists and subjects. */
  private readonly artists = new Map<string, number[]>();
  private readonly subjects: ({ name: string; number: number } | undefined)[];
  /** By word, a pair: the last page with it, counted from 1, and the number of pages with it. */
  private seen: Uint32Array;

  /**
   * @param media gives the addresses of pictures.
   * @param files the start of the paths of files for data that does not fit in memory.
   */
  constructor(pages: number, { media_url, written_media_url: before }: MediaSite = NO_MEDIA, files?: string) {
    this.media = { media_url: encoded(media_url), written_media_url: before && encoded(before) };
    const words = 2 * pages;
    this.table = new WordTable(words);
    this.seen = new Uint32Array(2 * words);
    this.ids = new NumberColumn(doubles, pages);
    this.parents = new NumberColumn(doubles, pages);
    this.addressKeys = new NumberColumn(doubles, pages);
    this.rows = new BytesWriter(128 * pages, files && `${files}-rows`);
    this.rowEnds = new NumberColumn(integers, pages);
    this.words = new BytesWriter(96 * pages, files && `${files}-words`);
    this.wordEnds = new NumberColumn(integers, pages);
    this.subjects = Array.from({ length: Math.min(MAX_KNOWN_SUBJECTS, 1 + pages) });
  }

  addResponse(response: Buffer): void {
    const { meta, subject_tags: tags, ...fields } = JSON.parse(response.toString()) as Response;
    const { type, slug, html_url: address, parent } = meta;
    const subjects = tags?.map((name, id) => ({ id, name })) ?? [];
    this.add({ ...fields, subjects }, { type, parent: parent?.id ?? 0, slug, address });
  }

  add(page: IndexedFields, { type, parent, slug, address }: IndexedPlace): void {
    const { id, acno = "", subjects, master_images: images } = page;
    // The index keeps one character for each byte of UTF-8.
    const [title, allArtists, dateText] = [page.title, page.allArtists ?? "", page.dateText ?? ""].map(
      encoded,
    ) as [string, string, string];
    this.ids.push(id);
    this.parents.push(parent);
    this.addressKeys.push(this.keyOf(address));
    const image = mediaUrl(encoded(images?.[0]?.sizes[0]?.[2] ?? ""), this.media);
    const row: unknown[] = [
      PAGE_TYPES.indexOf(type as never),
      parent,
      title,
      allArtists,
      acno,
      dateText,
      image,
    ];
    while (row.at(-1) === "") row.pop();
    this.rows.pushText(JSON.stringify(row));
    this.rowEnds.push(this.rows.endItem());
    this.addTitle(title);
    this.addAll(this.numbersIn(slug));
    if (allArtists !== "") this.addAll(this.artistsOf(allArtists));
    if (acno !== "") this.addAll(this.numbersIn(acno));
    if (subjects) for (const subject of subjects) this.addWord(this.subjectOf(subject), OTHER);
    this.wordEnds.push(this.words.endItem());
  }

  private keyOf(address: string): number {
    if (3 * address.length > this.address.length) this.address = Buffer.alloc(6 * address.length);
    const { address: bytes } = this;
    const to = bytes.write(address);
    // The path begins with the first slash after “https://” and the host.
    let from = "https://".length;
    while (from < to && bytes[from] !== 0x2f) from++;
    return addressKey(bytes, from, to);
  }

  private addTitle(title: string): void {
    let finding = this.table.numbersIn(title);
    let count = finding?.length ?? 0;
    if (finding === undefined) {
      const counted = wordsOfTitle(decoded(title));
      finding = this.numbersOf(counted.finding);
      count = counted.words.length;
    }
    if (count > 0 && count <= MAX_COUNTED) this.addWord(finding[0] as number, FIRST + count - 1);
    this.addAll(finding, TITLE);
  }

  private artistsOf(text: string): number[] {
    let numbers = this.artists.get(text);
    if (numbers === undefined) this.artists.set(text, (numbers = this.numbersIn(text)));
    return numbers;
  }

  private subjectOf({ id, name = "" }: Subject): number {
    let known = this.subjects[id % this.subjects.length];
    if (known?.name !== name) {
      known = { name, number: this.table.numberOf(encoded(subjectWord(name))) };
      this.subjects[id % this.subjects.length] = known;
    }
    return known.number;
  }

  private numbersOf(words: readonly string[]): number[] {
    const numbers: number[] = [];
    for (const word of words) numbers.push(this.table.numberOf(encoded(word)));
    return numbers;
  }

  /** The numbers of the words that find a text. */
  private numbersIn(text: string): number[] {
    return this.table.numbersIn(text) ?? this.numbersOf(wordsThatFind(decoded(text)));
  }

  private addAll(numbers: readonly number[], kind = OTHER): void {
    for (const number of numbers) this.addWord(number, kind);
  }

  /** Adds a word of the current page. If the page has the word more than once, the first class counts. */
  private addWord(number: number, kind: number): void {
    const at = 2 * number;
    if (at >= this.seen.length) this.widen(2 * at + 2);
    const { seen } = this;
    if (seen[at] === this.ids.length) return;
    seen[at] = this.ids.length;
    (seen[at + 1] as number)++;
    this.words.pushNumber(entryOf(number, kind));
  }

  private widen(length: number): void {
    const { seen } = this;
    this.seen = new Uint32Array(length);
    this.seen.set(seen);
  }

  finish(): PageIndex {
    const { sorted, places } = this.table.finish();
    const frequencies = integers(places.length);
    for (let word = 0; word < places.length; word++) frequencies[word] = this.seen[2 * word + 1] as number;
    return {
      ids: this.ids.finish(),
      parents: this.parents.finish(),
      addressKeys: this.addressKeys.finish(),
      rows: this.rows.finish(),
      rowEnds: this.rowEnds.finish(),
      words: this.words.finish(),
      wordEnds: this.wordEnds.finish(),
      frequencies,
      dictionary: sorted,
      places,
    };
  }
}
