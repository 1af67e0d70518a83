import { Numbering } from "../base/columns.ts";
import { mediaUrl, NO_MEDIA, type MediaSite } from "../page/media.ts";
import type { PageTypes } from "../page/page-types.ts";
import {
  addressKey,
  addressName,
  beginningKey,
  idFile,
  MAX_COUNTED,
  partsOfNumber,
  shortBeginnings,
  subjectWord,
  typeWord,
  wordFile,
  wordsOfTitle,
  wordsThatFind,
} from "./client/words.js";
import { dataPath, printDataFile, type Counts, type DataFile, type DataKind } from "./data-files.ts";
import type { Positioned } from "../page/position.ts";
import { listOf, treeOf } from "./lists.ts";
import { listedFacts } from "./shown.ts";

/**
 * The class of a word: it occurs outside the title, in the title, or at the beginning of a title of one word,
 * two words, and so on. So the search finds a short title exactly.
 */
const [OTHER, TITLE, FIRST] = [0, 1, 2];
export const CLASSES = FIRST + MAX_COUNTED;

/** The fields of a source or a response that the browse UI searches or lists, besides those that the type shows. */
export interface IndexedFields {
  id: number;
  title: string;
  acno?: string;
  subjects?: readonly { name?: string }[];
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

/** The pages that one thread has read. */
export interface PageIndex {
  pages: Omit<BrowsedPage, "words">[];
  words: string[];
  /** For each word of each page, its number in `words` times `CLASSES`, plus its class on the page. */
  entries: Uint32Array;
  /** By page: the end of its entries. */
  ends: number[];
}

export class PageIndexer {
  private readonly types: PageTypes;
  private readonly factsOf: ReturnType<typeof listedFacts>;
  private readonly pages: PageIndex["pages"] = [];
  private readonly words = new Numbering();
  private readonly ends: number[] = [];
  private entries = new Uint32Array(1 << 10);
  private count = 0;
  /** By word: the last page that has it, counted from 1. */
  private readonly last: number[] = [];
  /** The words of lines, such as artists, and of subjects: many pages have the same. */
  private readonly known = { lines: new Map<string, number[]>(), subjects: new Map<string, number>() };

  constructor(types: PageTypes) {
    this.types = types;
    this.factsOf = listedFacts(types);
  }

  addPage(
    page: IndexedFields,
    { type, parent, slug, address, position }: IndexedPlace,
    media: MediaSite,
  ): void {
    const { id, title, acno = "", subjects = [] } = page;
    const { line, date, image, searched } = this.factsOf(type, page);
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
    this.pages.push({ id, parent, position, row: JSON.stringify(row), addressKey: addressKey(path) });
    const { words: counted, finding } = wordsOfTitle(title);
    const [first] = counted;
    if (first !== undefined && counted.length <= MAX_COUNTED)
      this.addWord(this.words.of(first), FIRST + counted.length - 1);
    for (const word of finding) this.addWord(this.words.of(word), TITLE);
    for (const word of wordsThatFind(slug)) this.addWord(this.words.of(word), OTHER);
    for (const text of [line, date, searched])
      for (const number of this.wordsOfLine(text)) this.addWord(number, OTHER);
    for (const word of wordsThatFind(acno)) this.addWord(this.words.of(word), OTHER);
    for (const part of partsOfNumber(acno)) this.addWord(this.words.of(part), OTHER);
    for (const { name = "" } of subjects) this.addWord(this.wordOfSubject(name), OTHER);
    this.addWord(this.words.of(typeWord(type)), OTHER);
    this.ends.push(this.count);
  }

  /** Adds a page that the build printed. */
  addResponse(response: Buffer, position = 0): void {
    const { meta, subject_tags: tags = [], ...fields } = JSON.parse(response.toString()) as Response;
    const { type, slug, html_url: address, parent } = meta;
    const subjects = tags.map((name) => ({ name }));
    this.addPage(
      { ...fields, subjects },
      { type, parent: parent?.id ?? 0, slug, address, position },
      NO_MEDIA,
    );
  }

  private wordsOfLine(line: string): number[] {
    let numbers = this.known.lines.get(line);
    if (numbers === undefined) {
      numbers = wordsThatFind(line).map((word) => this.words.of(word));
      this.known.lines.set(line, numbers);
    }
    return numbers;
  }

  private wordOfSubject(name: string): number {
    let number = this.known.subjects.get(name);
    if (number === undefined) this.known.subjects.set(name, (number = this.words.of(subjectWord(name))));
    return number;
  }

  /** If the page has the word more than once, the first class counts. */
  private addWord(number: number, kind: number): void {
    const { pages, last } = this;
    if (last[number] === pages.length) return;
    last[number] = pages.length;
    if (this.count === this.entries.length) {
      const { entries } = this;
      this.entries = new Uint32Array(2 * entries.length);
      this.entries.set(entries);
    }
    this.entries[this.count++] = number * CLASSES + kind;
  }

  finish(): PageIndex {
    const { pages, words, entries, ends, count } = this;
    return { pages, words: words.texts, entries: entries.slice(0, count), ends };
  }
}

const entriesOf = ({ entries, ends }: PageIndex, page: number): Uint32Array =>
  entries.subarray(ends[page - 1] ?? 0, ends[page]);

export const pagesIn = (index: PageIndex): BrowsedPage[] =>
  index.pages.map((page, k) => {
    const entries = Array.from(entriesOf(index, k));
    const words = entries.map(
      (entry) => [index.words[Math.floor(entry / CLASSES)] ?? "", entry % CLASSES] as const,
    );
    return { ...page, words: new Map(words) };
  });

export function pageOfResponse(response: Buffer, types: PageTypes, position = 0): BrowsedPage {
  const indexer = new PageIndexer(types);
  indexer.addResponse(response, position);
  return pagesIn(indexer.finish())[0] as BrowsedPage;
}

/** All data files that are derived from the pages. */
export function* makeDataFiles(indexes: readonly PageIndex[], counts: Counts): Generator<DataFile> {
  const sorted = indexes
    .flatMap((index) => index.pages.map((page, number) => ({ page, index, number })))
    .sort((a, b) => a.page.id - b.page.id);
  const filesOf = <T>(kind: DataKind): T[][] => Array.from({ length: counts[kind] }, () => []);
  function* print(kind: DataKind, files: readonly string[][]): Generator<DataFile> {
    for (const [file, members] of files.entries())
      yield [dataPath(kind, file), Buffer.from(printDataFile(counts[kind], members))];
  }

  const words = filesOf<[key: string, lists: string]>("words");
  for (const [text, key, lists] of wordLists(indexes, sorted))
    words[wordFile(text, counts.words)]?.push([key, lists]);
  for (const members of words) members.sort(([a], [b]) => (a < b ? -1 : 1));
  yield* print(
    "words",
    words.map((members) => members.map(([key, lists]) => `"${key}":"${lists}"`)),
  );

  const [records, addresses, trees] = (["records", "addresses", "trees"] as const).map(filesOf<string>);
  const subpages = new Map<number, Positioned[]>();
  for (const { page } of sorted) {
    const { id, row, addressKey: key, parent } = page;
    records?.[idFile(id, counts.records)]?.push(`"${id}":${row}`);
    addresses?.[key % counts.addresses]?.push(`"${addressName(key)}":${id}`);
    const siblings = subpages.get(parent);
    if (siblings === undefined) subpages.set(parent, [page]);
    else siblings.push(page);
  }
  subpages.delete(0);
  for (const [parent, children] of [...subpages].sort(([a], [b]) => a - b))
    trees?.[idFile(parent, counts.trees)]?.push(`"${parent}":${treeOf(children)}`);
  yield* print("records", records ?? []);
  yield* print("addresses", addresses ?? []);
  yield* print("trees", trees ?? []);
}

interface SortedPage {
  page: PageIndex["pages"][number];
  index: PageIndex;
  number: number;
}

/** The lists of each word and of each short beginning of words, with their key. */
function* wordLists(
  indexes: readonly PageIndex[],
  sorted: readonly SortedPage[],
): Generator<[text: string, key: string, lists: string]> {
  const words = new Numbering();
  const beginnings = new Numbering();
  const numbers = new Map(
    indexes.map((index) => [index, Uint32Array.from(index.words, (word) => words.of(word))]),
  );
  /** By word: the numbers of its short beginnings. */
  const beginningsOf = words.texts.map((word) => shortBeginnings(word).map((one) => beginnings.of(one)));
  /** By short beginning: the places of the pages with such a word. */
  const found = beginnings.texts.map((): number[] => []);
  /** By word: the end of its entries, which follow those of the word before it. */
  const ends = new Uint32Array(words.texts.length);
  for (const [{ entries: all }, own] of numbers)
    for (const entry of all) (ends[own[Math.floor(entry / CLASSES)] as number] as number)++;
  for (let word = 1; word < ends.length; word++) (ends[word] as number) += ends[word - 1] as number;
  const next = new Uint32Array(ends.length);
  next.set(ends.subarray(0, -1), 1);
  const entries = new Uint32Array(ends.at(-1) ?? 0);
  for (let place = 0; place < sorted.length; place++) {
    const { index, number } = sorted[place] as SortedPage;
    const own = numbers.get(index) as Uint32Array;
    for (const entry of entriesOf(index, number)) {
      const kind = entry % CLASSES;
      const word = own[(entry - kind) / CLASSES] as number;
      entries[(next[word] as number)++] = place * CLASSES + kind;
      for (const one of beginningsOf[word] as number[]) {
        const places = found[one] as number[];
        // A page may have several words with this beginning.
        if (places[places.length - 1] !== place) places.push(place);
      }
    }
  }
  const ids = Float64Array.from(sorted, ({ page }) => page.id);
  for (const [k, word] of words.texts.entries())
    yield [word, word, listsOf(entries.subarray(ends[k - 1] ?? 0, ends[k]), ids)];
  for (const [k, beginning] of beginnings.texts.entries())
    yield [beginning, beginningKey(beginning), listOf((found[k] ?? []).map((place) => ids[place] as number))];
}

/** One list for each class. */
function listsOf(entries: Uint32Array, ids: Float64Array): string {
  const lists: number[][] = [];
  for (const entry of entries) {
    const kind = entry % CLASSES;
    (lists[kind] ??= []).push(ids[(entry - kind) / CLASSES] as number);
  }
  let text = "";
  for (let kind = 0; kind < lists.length; kind++) {
    const list = lists[kind];
    text += `${kind === 0 ? "" : ","}${list === undefined ? "" : listOf(list)}`;
  }
  return text;
}
