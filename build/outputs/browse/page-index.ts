import {
  bytesOf,
  IdMap,
  IntegerColumn,
  MAX_UNIT_BYTES,
  Numbering,
  TextColumn,
  type TextList,
} from "../../base/columns.ts";
import { mediaUrl, NO_MEDIA, type MediaSite } from "../../model/media.ts";
import type { PageTypes } from "../../model/page-types.ts";
import {
  addressKey,
  languageWord,
  MAX_COUNTED,
  PARTS,
  partsOfNumber,
  partWord,
  subjectWord,
  typeWord,
  wordsOfTitle,
  wordsThatFind,
} from "../../browse/words.js";
import { listedFacts, type ListedFacts } from "./shown.ts";

/**
 * The class of a word: it occurs outside the title, in the title, or at the beginning of a title of one word,
 * two words, and so on. So the search finds a short title exactly.
 */
const [OTHER, TITLE, FIRST] = [0, 1, 2];
export const CLASSES = FIRST + MAX_COUNTED;
/** The bits of a class in an entry. */
export const CLASS_BITS = 4;
export const CLASS_MASK = 2 ** CLASS_BITS - 1;

/** The fields of a source or a response that the browse UI searches or lists, besides those that the type shows. */
export interface IndexedFields {
  id: number;
  /** The type may show fields of it. */
  meta?: object;
  title: string;
  acno?: string;
  subjects?: readonly IndexedSubject[];
}

interface IndexedSubject {
  id?: number;
  name?: string;
}

export interface IndexedPlace {
  type: string;
  /** The id of the parent; 0 for the home page. */
  parent: number;
  slug: string;
  address: string;
  /** As in `positionOf`. */
  position: number;
  /** Its code, on a site with several. */
  language?: string | undefined;
}

/** The content of the data files about one page. */
export interface BrowsedPage {
  id: number;
  /** 0 for the home page. */
  parent: number;
  /** As in `positionOf`. */
  position: number;
  /** The page's entry in lists, as JSON: type, parent, title, artists, accession number, date and picture. */
  row: string;
  addressKey: number;
  /** By word: its class. */
  words: ReadonlyMap<string, number>;
}

/** A page as the build printed it. */
export type PrintedPage = Omit<IndexedFields, "meta" | "subjects"> & {
  meta: {
    type: string;
    slug: string;
    html_url: string;
    parent: { id: number } | null;
    locale?: string;
    first_published_at: string | null;
  };
  subject_tags?: readonly string[];
};

/** The pages that one thread has read, in few objects. */
export interface PageIndex {
  /** By page, as in `BrowsedPage`. */
  ids: number[];
  parents: number[];
  positions: number[];
  addressKeys: number[];
  rows: TextList;
  words: string[];
  /** For each word of each page, its number in `words` and, in the lowest bits, its class on the page. */
  entries: Uint32Array;
  /** By page: the end of its entries. */
  ends: Uint32Array;
}

/** Other pages are unlikely to have a line of more UTF-16 units. */
const MAX_REPEATED = 200;

/** A guess, to reserve space; unused space takes no memory. */
const WORDS_PER_PAGE = 32;

export class PageIndexer {
  private readonly types: PageTypes;
  private readonly factsOf: ReturnType<typeof listedFacts>;
  private readonly pages = {
    ids: [] as number[],
    parents: [] as number[],
    positions: [] as number[],
    addressKeys: [] as number[],
  };
  private readonly rows: TextColumn;
  private readonly words = new Numbering();
  private readonly entries: IntegerColumn;
  private readonly ends: IntegerColumn;
  /** The path of the last page. */
  private path = Buffer.allocUnsafeSlow(1 << 10);
  /** The title of the last page, with its words and the numbers of all words that find it. */
  private title = { text: "", words: [] as readonly string[], numbers: [] as number[] };
  /** The lines of the last page, with their words: the next page often has the same. */
  private readonly lines = Array.from({ length: 4 }, () => ({ line: "", numbers: [] as number[] }));
  /** By word: the last page that has it, counted from 1. */
  private last = new Int32Array(1 << 10);
  /** The words of lines, such as artists, of subjects, types and parts of numbers: many pages have the same. */
  private readonly known = {
    lines: new Map<string, number[]>(),
    /** By id. */
    subjects: new IdMap<{ name: string; word: number }>(),
    types: [] as number[],
    parts: Array.from<number | undefined>({ length: PARTS }),
  };

  /** @param expected the number of pages, at most. */
  constructor(types: PageTypes, expected = 1) {
    this.rows = new TextColumn(expected);
    this.entries = new IntegerColumn(WORDS_PER_PAGE * expected);
    this.ends = new IntegerColumn(expected);
    this.types = types;
    this.factsOf = listedFacts(types);
  }

  /** @returns what lists show of it. */
  addPage(
    page: IndexedFields,
    { type, parent, slug, address, position, language }: IndexedPlace,
    media: MediaSite,
  ): ListedFacts {
    const { id, title, acno = "", subjects = [] } = page;
    const facts = this.factsOf(type, page);
    const { line, date, searched } = facts;
    const typeNumber = this.types.names.indexOf(type);
    const row = listedRow(page, facts, typeNumber, parent, media);
    // The path begins with the first slash after “https://” and the host.
    const path = address.slice(address.indexOf("/", "https://".length));
    if (this.path.length < MAX_UNIT_BYTES * path.length)
      this.path = Buffer.allocUnsafeSlow(2 * MAX_UNIT_BYTES * path.length);
    this.rows.push(JSON.stringify(row));
    this.pages.ids.push(id);
    this.pages.parents.push(parent);
    this.pages.positions.push(position);
    this.pages.addressKeys.push(addressKey(this.path, this.path.write(path)));
    const words = this.addTitle(title);
    const numberWords = wordsThatFind(acno);
    for (const number of this.numbersOf(numberWords)) this.addWord(number, OTHER);
    this.addLine(0, line);
    this.addLine(1, date);
    this.addLine(2, searched);
    // Most slugs consist of the words of the title, of the accession number and of few others.
    this.addLine(3, withoutWords(withoutWords(`-${slug}-`, words), numberWords));
    for (const part of partsOfNumber(acno))
      this.addWord((this.known.parts[part] ??= this.words.of(partWord(part))), OTHER);
    this.addSubjects(subjects);
    this.addWord((this.known.types[typeNumber] ??= this.words.of(typeWord(type))), OTHER);
    if (language !== undefined) this.addWord(this.words.of(languageWord(language)), OTHER);
    this.ends.push(this.entries.length);
    return facts;
  }

  /** @returns the words of the title. */
  private addTitle(text: string): readonly string[] {
    if (this.title.text !== text) {
      const { words, finding } = wordsOfTitle(text);
      this.title = { text, words, numbers: this.numbersOf(finding) };
    }
    const { words, numbers } = this.title;
    const isCounted = words.length > 0 && words.length <= MAX_COUNTED;
    for (let k = 0; k < numbers.length; k++)
      this.addWord(numbers[k] as number, k === 0 && isCounted ? FIRST + words.length - 1 : TITLE);
    return words;
  }

  private addSubjects(subjects: readonly IndexedSubject[]): void {
    for (let k = 0; k < subjects.length; k++) {
      const { id, name = "" } = subjects[k] as IndexedSubject;
      let known = this.known.subjects.get(id);
      if (known?.name !== name) {
        known = { name, word: this.words.of(subjectWord(name)) };
        this.known.subjects.set(id, known);
      }
      this.addWord(known.word, OTHER);
    }
  }

  /** Adds a page that the build printed. @param hasLanguages whether the site has several */
  addResponse(response: Buffer, position = 0, hasLanguages = false): void {
    const { meta, subject_tags: tags = [], ...fields } = JSON.parse(response.toString()) as PrintedPage;
    const { type, slug, html_url: address, parent } = meta;
    const language = hasLanguages ? meta.locale : undefined;
    const subjects = tags.map((name) => ({ name }));
    this.addPage(
      { ...fields, meta, subjects },
      { type, parent: parent?.id ?? 0, slug, address, position, language },
      NO_MEDIA,
    );
  }

  /** @param place of the line among those of the page. */
  private addLine(place: number, line: string): void {
    const last = this.lines[place] as (typeof this.lines)[number];
    if (last.line !== line) {
      last.line = line;
      let numbers = this.known.lines.get(line);
      if (numbers === undefined) {
        numbers = this.numbersOf(wordsThatFind(line));
        if (line.length <= MAX_REPEATED) this.known.lines.set(line, numbers);
      }
      last.numbers = numbers;
    }
    for (const number of last.numbers) this.addWord(number, OTHER);
  }

  private numbersOf(words: readonly string[]): number[] {
    const numbers: number[] = [];
    for (const word of words) numbers.push(this.words.of(word));
    return numbers;
  }

  /** If the page has the word more than once, the first class counts. */
  private addWord(number: number, kind: number): void {
    if (number >= this.last.length) {
      const wider = new Int32Array(2 * number);
      wider.set(this.last);
      this.last = wider;
    }
    const { pages, last } = this;
    if (last[number] === pages.ids.length) return;
    last[number] = pages.ids.length;
    this.entries.push((number << CLASS_BITS) | kind);
  }

  finish(): PageIndex {
    const { pages, rows, words, entries, ends } = this;
    return {
      ...pages,
      rows: rows.finish(),
      words: words.texts,
      entries: entries.finish(),
      ends: ends.finish(),
    };
  }
}

function listedRow(
  { title, acno = "" }: Pick<IndexedFields, "title" | "acno">,
  { line, date, image }: ListedFacts,
  type: number,
  parent: number,
  media: MediaSite,
): unknown[] {
  const row = [type, parent, title, line, acno, date, image === "" ? "" : mediaUrl(image, media)];
  while (row.at(-1) === "") row.pop();
  return row;
}

/** A function that returns the entries of pages in lists, without reading their words. */
export function rowsOf(types: PageTypes): (page: PrintedPage) => unknown[] {
  const factsOf = listedFacts(types);
  return (page) => {
    const { type, parent } = page.meta;
    return listedRow(page, factsOf(type, page), types.names.indexOf(type), parent?.id ?? 0, NO_MEDIA);
  };
}

/** A slug between hyphens, without some words that follow each other in it. */
const withoutWords = (slug: string, words: readonly string[]): string =>
  slug.replace(`-${words.join("-")}-`, "-");

export const pagesIn = (index: PageIndex): BrowsedPage[] =>
  index.ids.map((id, k) => {
    const entries = Array.from(index.entries.subarray(k === 0 ? 0 : index.ends[k - 1], index.ends[k]));
    const words = entries.map(
      (entry) => [index.words[entry >>> CLASS_BITS] ?? "", entry & CLASS_MASK] as const,
    );
    return {
      id,
      parent: index.parents[k] ?? 0,
      position: index.positions[k] ?? 0,
      row: Buffer.from(bytesOf(index.rows, k)).toString(),
      addressKey: index.addressKeys[k] ?? 0,
      words: new Map(words),
    };
  });

export function pageOfResponse(
  response: Buffer,
  types: PageTypes,
  position = 0,
  hasLanguages = false,
): BrowsedPage {
  const indexer = new PageIndexer(types);
  indexer.addResponse(response, position, hasLanguages);
  return pagesIn(indexer.finish())[0] as BrowsedPage;
}
