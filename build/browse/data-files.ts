/**
 * The data files of the browse UI: at most 1,000, whatever the number of pages, and at most 40 more for its editor.
 *
 * - `words`: the pages with a word, or with any word that has a short beginning;
 * - `addresses`: the page with an address;
 * - `records`: a page's entry in lists;
 * - `trees`: the subpages of a page;
 * - `sources`: the source file of a page, for the editor;
 * - `things`: the most frequent subjects, contributors and so on, one file for each kind of thing, for the editor.
 *
 * `words.js` computes the file of a word or an id. A full build and a change page by page write the same bytes.
 */
export type DataKind = "words" | "addresses" | "records" | "trees" | EditorKind;
type EditorKind = "sources" | "things";

export const KINDS: readonly DataKind[] = ["words", "addresses", "records", "trees", "sources", "things"];

/** The number of files of each kind, and the number of pages that they cover. */
export type Counts = Record<DataKind | "pages", number>;

/** Maximum number of files of each kind; until it is reached, the maximum number of pages per file. */
const MAX_DATA_FILES: Record<Exclude<DataKind, "things">, readonly [files: number, pages: number]> = {
  words: [384, 64],
  addresses: [64, 1024],
  records: [480, 64],
  trees: [32, 2048],
  sources: [32, 1024],
};

/** The number of files grows by powers of two, so that it rarely changes with the number of pages. */
function filesFor(pages: number, kind: keyof typeof MAX_DATA_FILES): number {
  const [most, each] = MAX_DATA_FILES[kind];
  let files = 1;
  while (files < pages / each && files < most) files *= 2;
  return Math.min(files, most);
}

/** @param things the number of kinds of things that the editor picks from; undefined if there is no editor. */
export const countsFor = (pages: number, things?: number): Counts => ({
  pages,
  words: filesFor(pages, "words"),
  addresses: filesFor(pages, "addresses"),
  records: filesFor(pages, "records"),
  trees: filesFor(pages, "trees"),
  sources: things === undefined ? 0 : filesFor(pages, "sources"),
  things: things ?? 0,
});

/** Whether two counts have the same number of files of each kind. */
export const areDividedAlike = (one: Counts, two: Counts): boolean =>
  KINDS.every((kind) => one[kind] === two[kind]);

export const dataPath = (kind: DataKind, number: number): string => `browse/${kind}/${number}.json`;

/** A data file without members is written too, so that a request for it does not fail. */
export type DataFile = [path: string, bytes: Uint8Array];

/** The empty key, no word or id, has the number of files: another number means a newer release. */
export const dataFileStart = (files: number): string => `{"":${files}`;
export const DATA_FILE_END = "}\n";

/** @param members each with its key. */
export const printDataFile = (files: number, members: readonly string[]): string =>
  [dataFileStart(files), ...members].join(",") + DATA_FILE_END;

/** The translations of a site, for the browse UI and the editor. */
export interface ListedTranslations {
  /** The ids of the live pages of each group, by language; 0 if it has none. Groups of one page are left out. */
  rows: number[][];
  /**
   * By language: the pages that it lacks although it has their parents, by type, with their number and the first ones.
   * Types that have pages in the language are first, then those that lack the fewest.
   */
  missing: Record<string, [type: string, count: number, ids: number[]][]>;
  /** The translations that are older than their originals, with the times of these, if git is there and an editor is published. */
  older?: [id: number, time: string][] | undefined;
}
