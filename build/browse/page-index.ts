import { bytesOf, indexIn, IntegerColumn, Numbering, TextColumn, type TextList } from "../base/columns.ts";
import { mediaUrl, NO_MEDIA, type MediaSite } from "../page/media.ts";
import type { PageTypes } from "../page/page-types.ts";
import {
  addressKey,
  addressName,
  beginningKey,
  idFile,
  MAX_COUNTED,
  partsOfNumber,
  partWord,
  shortBeginnings,
  subjectWord,
  typeWord,
  wordFile,
  wordsOfTitle,
  wordsThatFind,
} from "./client/words.js";
import { dataPath, printDataFile, type Counts, type DataFile, type DataKind } from "./data-files.ts";
import type { Positioned } from "../page/position.ts";
import { ListPrinter, treeOf } from "./lists.ts";
import { listedFacts, type ListedFacts } from "./shown.ts";

/**
 * The class of a word: it occurs outside the title, in the title, or at the beginning of a title of one word,
 * two words, and so on. So the search finds a short title exactly.
 */
const [OTHER, TITLE, FIRST] = [0, 1, 2];
export const CLASSES = FIRST + MAX_COUNTED;

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

type Response = IndexedFields & {
  meta: { type: string; slug: string; html_url: string; parent: { id: number } | null };
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
  /** For each word of each page, its number in `words` times `CLASSES`, plus its class on the page. */
  entries: Uint32Array;
  /** By page: the end of its entries. */
  ends: Uint32Array;
}

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
  /** By word: the last page that has it, counted from 1. */
  private readonly last: number[] = [];
  /** The words of lines, such as artists, of subjects by their ids, of types, and parts of numbers: many pages have the same. */
  private readonly known = {
    lines: new Map<string, Uint32Array>(),
    subjects: new Map<unknown, { name: string; word: number }>(),
    types: new Map<string, number>(),
    parts: [] as number[],
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
    { type, parent, slug, address, position }: IndexedPlace,
    media: MediaSite,
  ): ListedFacts {
    const { id, title, acno = "", subjects = [] } = page;
    const facts = this.factsOf(type, page);
    const { line, date, image, searched } = facts;
    const row: unknown[] = [
      this.types.names.indexOf(type),
      parent,
      title,
      line,
      acno,
      date,
      image === "" ? "" : mediaUrl(image, media),
    ];
    while (row.at(-1) === "") row.pop();
    // The path begins with the first slash after “https://” and the host.
    const path = Buffer.from(address.slice(address.indexOf("/", "https://".length)));
    this.rows.push(JSON.stringify(row));
    this.pages.ids.push(id);
    this.pages.parents.push(parent);
    this.pages.positions.push(position);
    this.pages.addressKeys.push(addressKey(path));
    const words = this.addTitle(title);
    for (const text of [line, date, searched])
      for (const number of this.wordsOfLine(text)) this.addWord(number, OTHER);
    const numberWords = wordsThatFind(acno);
    for (const word of numberWords) this.addWord(this.words.ofRare(word), OTHER);
    // Most slugs consist of the words of the title, of the accession number and of few others.
    let rest = `-${slug}-`;
    for (const known of [words, numberWords]) rest = rest.replace(`-${known.join("-")}-`, "-");
    for (const word of wordsThatFind(rest))
      if (!numberWords.includes(word)) this.addWord(this.words.of(word), OTHER);
    for (const part of partsOfNumber(acno))
      this.addWord((this.known.parts[part] ??= this.words.of(partWord(part))), OTHER);
    this.addSubjects(subjects);
    this.addWord(this.wordOfType(type), OTHER);
    this.ends.push(this.entries.length);
    return facts;
  }

  /** @returns the words of the title. */
  private addTitle(title: string): readonly string[] {
    const { words, finding } = wordsOfTitle(title);
    const { length } = words;
    for (const [k, word] of finding.entries()) {
      const isCounted = k === 0 && length > 0 && length <= MAX_COUNTED;
      this.addWord(this.words.of(word), isCounted ? FIRST + length - 1 : TITLE);
    }
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

  /** Adds a page that the build printed. */
  addResponse(response: Buffer, position = 0): void {
    const { meta, subject_tags: tags = [], ...fields } = JSON.parse(response.toString()) as Response;
    const { type, slug, html_url: address, parent } = meta;
    const subjects = tags.map((name) => ({ name }));
    this.addPage(
      { ...fields, meta, subjects },
      { type, parent: parent?.id ?? 0, slug, address, position },
      NO_MEDIA,
    );
  }

  private wordsOfLine(line: string): Uint32Array {
    let numbers = this.known.lines.get(line);
    if (numbers === undefined) {
      numbers = Uint32Array.from(wordsThatFind(line), (word) => this.words.of(word));
      this.known.lines.set(line, numbers);
    }
    return numbers;
  }

  private wordOfType(type: string): number {
    let number = this.known.types.get(type);
    if (number === undefined) this.known.types.set(type, (number = this.words.of(typeWord(type))));
    return number;
  }

  /** If the page has the word more than once, the first class counts. */
  private addWord(number: number, kind: number): void {
    const { pages, last } = this;
    if (last[number] === pages.ids.length) return;
    last[number] = pages.ids.length;
    this.entries.push(number * CLASSES + kind);
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

const rowOf = ({ rows }: PageIndex, page: number): string => Buffer.from(bytesOf(rows, page)).toString();

export const pagesIn = (index: PageIndex): BrowsedPage[] =>
  index.ids.map((id, k) => {
    const entries = Array.from(index.entries.subarray(k === 0 ? 0 : index.ends[k - 1], index.ends[k]));
    const words = entries.map(
      (entry) => [index.words[Math.floor(entry / CLASSES)] ?? "", entry % CLASSES] as const,
    );
    return {
      id,
      parent: index.parents[k] ?? 0,
      position: index.positions[k] ?? 0,
      row: rowOf(index, k),
      addressKey: index.addressKeys[k] ?? 0,
      words: new Map(words),
    };
  });

export function pageOfResponse(response: Buffer, types: PageTypes, position = 0): BrowsedPage {
  const indexer = new PageIndexer(types);
  indexer.addResponse(response, position);
  return pagesIn(indexer.finish())[0] as BrowsedPage;
}

/** All data files that are derived from the pages. */
export function* makeDataFiles(indexes: readonly PageIndex[], counts: Counts): Generator<DataFile> {
  const ids = new Float64Array(indexes.flatMap((index) => index.ids)).sort();
  const sorted: SortedPage[] = Array.from({ length: ids.length });
  for (const index of indexes)
    for (const [number, id] of index.ids.entries()) sorted[indexIn(ids, id)] = { index, number };
  const filesOf = <T>(kind: DataKind): T[][] => Array.from({ length: counts[kind] }, () => []);
  function* print<T>(kind: DataKind, files: T[][], member: (one: T) => string): Generator<DataFile> {
    for (const [file, members] of files.entries())
      yield [dataPath(kind, file), Buffer.from(printDataFile(counts[kind], members.map(member)))];
  }

  yield* wordFiles(postingsOf(indexes, sorted), ids, counts.words);

  const records = filesOf<SortedPage>("records");
  const addresses = filesOf<string>("addresses");
  const subpages = new Map<number, Positioned[]>();
  for (const [place, page] of sorted.entries()) {
    const { index, number } = page;
    const id = ids[place] as number;
    const key = index.addressKeys[number] as number;
    const parent = index.parents[number] as number;
    records[idFile(id, counts.records)]?.push(page);
    addresses[key % counts.addresses]?.push(`"${addressName(key)}":${id}`);
    const subpage = { id, position: index.positions[number] as number };
    const siblings = subpages.get(parent);
    if (siblings === undefined) subpages.set(parent, [subpage]);
    else siblings.push(subpage);
  }
  subpages.delete(0);
  const trees = filesOf<[parent: number, subpages: Positioned[]]>("trees");
  for (const entry of [...subpages].sort(([a], [b]) => a - b))
    trees[idFile(entry[0], counts.trees)]?.push(entry);
  yield* print("records", records, ({ index, number }) => `"${index.ids[number]}":${rowOf(index, number)}`);
  yield* print("addresses", addresses, (member) => member);
  yield* print("trees", trees, ([parent, children]) => `"${parent}":${treeOf(children)}`);
}

interface SortedPage {
  index: PageIndex;
  /** In the index. */
  number: number;
}

/** For each word of each page, the page's place in the order of ids times `CLASSES`, plus the class: word by word. */
interface Postings {
  words: string[];
  entries: Uint32Array;
  /** By word: the end of its entries. */
  ends: Uint32Array;
}

function postingsOf(indexes: readonly PageIndex[], sorted: readonly SortedPage[]): Postings {
  const words = new Numbering();
  const numbers = new Map(
    indexes.map((index) => [index, Uint32Array.from(index.words, (word) => words.of(word))]),
  );
  const next = new Uint32Array(words.texts.length + 1);
  for (const [{ entries: own }, numberOf] of numbers)
    for (let k = 0; k < own.length; k++)
      (next[(numberOf[Math.floor((own[k] as number) / CLASSES)] as number) + 1] as number)++;
  for (let word = 1; word < next.length; word++) (next[word] as number) += next[word - 1] as number;
  const entries = new Uint32Array(next.at(-1) ?? 0);
  for (let place = 0; place < sorted.length; place++) {
    const { index, number } = sorted[place] as SortedPage;
    const numberOf = numbers.get(index) as Uint32Array;
    const { entries: own, ends } = index;
    const end = ends[number] as number;
    for (let k = ends[number - 1] ?? 0; k < end; k++) {
      const entry = own[k] as number;
      const kind = entry % CLASSES;
      entries[(next[numberOf[(entry - kind) / CLASSES] as number] as number)++] = place * CLASSES + kind;
    }
  }
  return { words: words.texts, entries, ends: next };
}

/** The lists of each word and of each short beginning of words. */
function* wordFiles(postings: Postings, ids: Float64Array, files: number): Generator<DataFile> {
  const { words } = postings;
  /** By file: the numbers of its words, and its beginnings, each with the numbers of the words that begin so. */
  const divided = Array.from({ length: files }, () => ({
    words: [] as number[],
    beginnings: new Map<string, number[]>(),
  }));
  const partOf = (text: string) => divided[wordFile(text, files)] as (typeof divided)[number];
  for (let number = 0; number < words.length; number++) {
    const word = words[number] as string;
    partOf(word).words.push(number);
    for (const beginning of shortBeginnings(word)) {
      const { beginnings } = partOf(beginning);
      const found = beginnings.get(beginning);
      if (found === undefined) beginnings.set(beginning, [number]);
      else found.push(number);
    }
  }
  const printer = new ListPrinter();
  const bits = new Uint32Array(Math.ceil(ids.length / 32));
  for (const [file, part] of divided.entries()) {
    const members: [key: string, lists: string][] = [];
    for (const number of part.words) {
      addByClass(printer, postings, number, ids);
      members.push([words[number] as string, printer.finish()]);
    }
    for (const [beginning, numbers] of part.beginnings) {
      addAll(printer, postings, numbers, ids, bits);
      members.push([beginningKey(beginning), printer.finish()]);
    }
    members.sort(([a], [b]) => (a < b ? -1 : 1));
    const printed = members.map(([key, lists]) => `"${key}":"${lists}"`);
    yield [dataPath("words", file), Buffer.from(printDataFile(files, printed))];
  }
}

/** Adds one list for each class. */
function addByClass(
  printer: ListPrinter,
  { entries, ends }: Postings,
  word: number,
  ids: Float64Array,
): void {
  const [from, to] = [ends[word - 1] ?? 0, ends[word] as number];
  let left = to - from;
  for (let kind = 0; left > 0; kind++) {
    for (let k = from; k < to; k++) {
      const entry = entries[k] as number;
      if (entry % CLASSES !== kind) continue;
      printer.add(ids[(entry - kind) / CLASSES] as number);
      left--;
    }
    printer.endList();
  }
}

/** Adds a list of the pages with any of some words. @param bits one for each page, all 0. */
function addAll(
  printer: ListPrinter,
  { entries, ends }: Postings,
  words: readonly number[],
  ids: Float64Array,
  bits: Uint32Array,
): void {
  for (const word of words)
    for (let k = ends[word - 1] ?? 0; k < (ends[word] as number); k++) {
      const place = Math.floor((entries[k] as number) / CLASSES);
      (bits[place >>> 5] as number) |= 1 << (place & 31);
    }
  for (let k = 0; k < bits.length; k++) {
    for (let rest = bits[k] as number; rest !== 0; rest &= rest - 1)
      printer.add(ids[32 * k + 31 - Math.clz32(rest & -rest)] as number);
    bits[k] = 0;
  }
  printer.endList();
}
