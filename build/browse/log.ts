import { PAGE_TYPES } from "../page/types.ts";
import { Bytes } from "./bytes.ts";
import { fold, subjectWord, wordsOf } from "./client/words.js";
import { Key } from "./key.ts";
import { HASH_OF_NOTHING, hashed, WordTable } from "./word-table.ts";

/** How well a word stands for a page: its title is this word, or is short and has it, or has it, or something else has it. */
const WHOLE = 0;
const SHORT = 1;
const TITLE = 2;
const OTHER = 3;
export const CLASS_BITS = 2;
export const CLASSES = 1 << CLASS_BITS;

/** So many words make a short title. */
const SHORT_TITLE = 4;

/** What the page to look at needs of pages that one thread has read, in columns that can be handed over. */
export interface Entries {
  ids: Float64Array<ArrayBuffer>;
  /** By page; 0 for the home page. */
  parents: Float64Array<ArrayBuffer>;
  /** What is shown of each page in a list, as JSON, one after the other, and where each ends. */
  rows: Uint8Array<ArrayBuffer>;
  rowEnds: Uint32Array<ArrayBuffer>;
  /** The words of each page, no word twice, as `number * CLASSES + class`, and where those of each end. */
  pairs: Uint32Array<ArrayBuffer>;
  pairEnds: Uint32Array<ArrayBuffer>;
  /** Folded, in the order of their numbers, a line each. */
  words: Uint8Array<ArrayBuffer>;
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, CLOSING_BRACKET, BRACE, ZERO] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x30,
];

/** What `fold` and `wordsOf` make of the bytes of a text of JSON, where they are plain letters. */
const SEPARATOR = 0;
const LEFT_OUT = 1;
const NOT_PLAIN = 2;
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === BACKSLASH || byte >= 0x80) return NOT_PLAIN;
  const character = String.fromCharCode(byte);
  if (character === "'") return LEFT_OUT;
  return /[a-z0-9]/i.test(character) ? character.toLowerCase().charCodeAt(0) : SEPARATOR;
});

/** The same of two bytes that begin with 0xc3, by the second, where they are one letter with a mark. */
const LATIN = Uint8Array.from({ length: 256 }, (_, byte) => {
  const folded = byte >= 0x80 && byte < 0xc0 ? fold(String.fromCharCode(byte + 0x40)) : "";
  return /^[a-z]$/.test(folded) ? folded.charCodeAt(0) : NOT_PLAIN;
});

/** The same of three bytes that begin with 0xe2 and 0x80, by the third: dashes, quotation marks, dots. */
const PUNCTUATION = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x99) return LEFT_OUT;
  return byte >= 0x90 && byte < 0xa8 ? SEPARATOR : NOT_PLAIN;
});

/** The place behind a text of JSON that begins at a place. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (; bytes[at] !== QUOTE; at++) {
    if (bytes[at] === BACKSLASH) at++;
    if (at >= bytes.length) throw new Error("a text of a response does not end");
  }
  return at + 1;
}

/** A whole number that begins at a place. */
function numberAt(bytes: Uint8Array, start: number): number {
  let number = 0;
  for (let at = start; ; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return number;
    number = 10 * number + digit;
  }
}

const textOf = (bytes: Buffer, start: number, end: number): string =>
  JSON.parse(bytes.toString("utf8", start, end)) as string;

/** For numbers and signs around a text. */
const ROOM = 32;
const FIRST = '{"id":'.length;
const TYPE = new Key("type");
const SLUG = new Key("slug");
const PARENT = new Key("parent");
const TITLE_OF = new Key("title");
const ACNO = new Key("acno");
const ARTISTS = new Key("allArtists");
const DATE = new Key("dateText");
const SUBJECTS = new Key("subject_tags", "[");
const IMAGES = new Key("master_images", "[");
const SIZES = new Key("sizes", "[");
const WORK = PAGE_TYPES.indexOf("artworks.ArtworkPage");

/**
 * Reads what the page to look at needs off the bytes of responses: both ways to a response end there, and what is published
 * is at hand when it changes. A key and its colon never stand inside a text, where the quote would be escaped.
 */
export class EntryLog {
  private readonly ids: number[] = [];
  private readonly parents: number[] = [];
  private readonly rows = new Bytes();
  private readonly rowEnds: number[] = [];
  private pairs: Uint32Array<ArrayBuffer>;
  private pairCount = 0;
  private readonly pairEnds: number[] = [];
  private readonly words: WordTable;
  /** By word: the page that had it last, counted from 1. */
  private last: Uint32Array<ArrayBuffer>;
  /** Page types, in their order. */
  private readonly types = new WordTable();
  /** Subjects as they stand in responses, and the words that they are. */
  private readonly subjects = new WordTable();
  private readonly subjectWords: number[] = [];
  /** The word that is read. */
  private word = Buffer.alloc(1 << 6);
  /** The words of the text that was read last. */
  private found = new Uint32Array(1 << 6);

  /** @param pages so many are expected. */
  constructor(pages = 0) {
    this.words = new WordTable(pages);
    this.last = new Uint32Array(Math.max(1 << 6, pages));
    this.pairs = new Uint32Array(Math.max(1 << 6, 8 * pages));
    for (const type of PAGE_TYPES) this.types.numberOf(Buffer.from(type), 0, type.length);
  }

  /** @param bytes a response as the build prints it; it need not stay. */
  add(bytes: Buffer): void {
    const typeAt = TYPE.after(bytes, FIRST);
    const typeEnd = endOfText(bytes, typeAt);
    const slugAt = SLUG.after(bytes, typeEnd);
    const slugEnd = endOfText(bytes, slugAt);
    const parentAt = PARENT.after(bytes, slugEnd);
    const isRoot = bytes[parentAt] !== BRACE;
    const parent = isRoot ? 0 : numberAt(bytes, parentAt + FIRST);
    // The first title behind it is the parent's own.
    const titleAt = TITLE_OF.after(bytes, isRoot ? parentAt : TITLE_OF.after(bytes, parentAt));
    const titleEnd = endOfText(bytes, titleAt);
    const type = this.types.numberOf(bytes, typeAt + 1, typeEnd - 1);

    this.ids.push(numberAt(bytes, FIRST));
    this.parents.push(parent);
    const { rows } = this;
    rows.room(ROOM + titleEnd - titleAt);
    rows.byte(BRACKET);
    rows.number(type);
    rows.byte(COMMA);
    rows.number(parent);
    rows.byte(COMMA);
    rows.copy(bytes, titleAt, titleEnd);
    const count = this.read(bytes, titleAt, titleEnd);
    this.addFound(count, count === 1 ? WHOLE : count <= SHORT_TITLE ? SHORT : TITLE);
    this.addFound(this.read(bytes, slugAt, slugEnd), OTHER);
    if (type === WORK) this.addWork(bytes, titleEnd);
    rows.byte(CLOSING_BRACKET);
    this.rowEnds.push(rows.length);
    this.pairEnds.push(this.pairCount);
  }

  private addWork(bytes: Buffer, from: number): void {
    const acno = ACNO.after(bytes, from);
    const acnoEnd = endOfText(bytes, acno);
    const artists = ARTISTS.after(bytes, acnoEnd);
    const artistsEnd = endOfText(bytes, artists);
    const date = DATE.after(bytes, artistsEnd);
    const dateEnd = endOfText(bytes, date);
    this.addFound(this.read(bytes, artists, artistsEnd), OTHER);
    this.addFound(this.read(bytes, acno, acnoEnd), OTHER);
    const subjectsEnd = this.addSubjects(bytes, SUBJECTS.after(bytes, dateEnd));
    let shown = this.show(bytes, artists, artistsEnd, this.rows.length);
    shown = this.show(bytes, acno, acnoEnd, shown);
    shown = this.show(bytes, date, dateEnd, shown);
    const image = firstImage(bytes, IMAGES.after(bytes, subjectsEnd));
    if (image !== undefined) shown = this.show(bytes, image, endOfText(bytes, image), shown);
    this.rows.length = shown;
  }

  /** Adds a text to what is shown; gives where that ends, as empty texts at the end are left out. */
  private show(bytes: Buffer, start: number, end: number, shown: number): number {
    this.rows.room(ROOM + end - start);
    this.rows.byte(COMMA);
    this.rows.copy(bytes, start, end);
    return end - start === 2 ? shown : this.rows.length;
  }

  /** Gives where they end. */
  private addSubjects(bytes: Buffer, from: number): number {
    const { subjects, subjectWords } = this;
    let at = from;
    while (bytes[at] === QUOTE) {
      let hash = HASH_OF_NOTHING;
      let end = at + 1;
      for (; end < bytes.length && bytes[end] !== QUOTE; end++) {
        hash = hashed(hash, bytes[end] as number);
        if (bytes[end] === BACKSLASH) hash = hashed(hash, bytes[++end] as number);
      }
      const subject = subjects.numberOf(bytes, at + 1, end, hash);
      if (subject === subjectWords.length) {
        const word = Buffer.from(subjectWord(textOf(bytes, at, end + 1)));
        subjectWords.push(this.words.numberOf(word, 0, word.length));
      }
      this.addWord(subjectWords[subject] as number, OTHER);
      at = end + (bytes[end + 1] === COMMA ? 2 : 1);
    }
    return at;
  }

  /** Finds the words of a text; gives how many they are. */
  private read(bytes: Buffer, start: number, end: number): number {
    const room = end - start;
    if (room > this.word.length) this.word = Buffer.alloc(2 * room);
    if (room > this.found.length) this.found = new Uint32Array(2 * room);
    const { words, found, word } = this;
    let count = 0;
    let length = 0;
    let hash = HASH_OF_NOTHING;
    // The last quotation mark ends a word too.
    for (let at = start + 1; at < end; at++) {
      let folded = FOLDED[bytes[at] as number] as number;
      if (folded === NOT_PLAIN)
        if (bytes[at] === 0xc3) folded = LATIN[bytes[++at] as number] as number;
        else if (bytes[at] === 0xe2 && bytes[at + 1] === 0x80)
          folded = PUNCTUATION[bytes[(at += 2)] as number] as number;
      if (folded > NOT_PLAIN) {
        word[length++] = folded;
        hash = hashed(hash, folded);
      } else if (folded === NOT_PLAIN) return this.readFolded(wordsOf(textOf(bytes, start, end)));
      else if (folded === SEPARATOR && length > 0) {
        found[count++] = words.numberOf(word, 0, length, hash);
        length = 0;
        hash = HASH_OF_NOTHING;
      }
    }
    return count;
  }

  private readFolded(texts: readonly string[]): number {
    if (texts.length > this.found.length) this.found = new Uint32Array(2 * texts.length);
    for (let k = 0; k < texts.length; k++) {
      const bytes = Buffer.from(texts[k] as string);
      this.found[k] = this.words.numberOf(bytes, 0, bytes.length);
    }
    return texts.length;
  }

  private addFound(count: number, kind: number): void {
    for (let k = 0; k < count; k++) this.addWord(this.found[k] as number, kind);
  }

  /** A word of the page added last. Where it comes again, the first counts. */
  private addWord(number: number, kind: number): void {
    if (number >= this.last.length) this.last = grown(this.last);
    if (this.last[number] === this.ids.length) return;
    this.last[number] = this.ids.length;
    if (this.pairCount === this.pairs.length) this.pairs = grown(this.pairs);
    this.pairs[this.pairCount++] = number * CLASSES + kind;
  }

  finish(): Entries {
    return {
      ids: Float64Array.from(this.ids),
      parents: Float64Array.from(this.parents),
      rows: this.rows.written(),
      rowEnds: Uint32Array.from(this.rowEnds),
      pairs: this.pairs.subarray(0, this.pairCount),
      pairEnds: Uint32Array.from(this.pairEnds),
      words: this.words.lines(),
    };
  }
}

/** Where the address of the first size of the first image begins: `{"sizes":[[480,"0-480","https://…"]`. */
function firstImage(bytes: Buffer, images: number): number | undefined {
  if (bytes[images] !== BRACE) return undefined;
  const sizes = SIZES.after(bytes, images);
  if (bytes[sizes] !== BRACKET) return undefined;
  return bytes.indexOf(QUOTE, endOfText(bytes, bytes.indexOf(QUOTE, sizes)));
}

function grown(column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(2 * column.length);
  wider.set(column);
  return wider;
}
