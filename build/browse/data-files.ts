/**
 * The data files of the browse UI, at most 1,000 whatever the number of pages, and at most 40 more for its editor:
 *
 * - `words`: the pages that have a word, or a word with a short beginning;
 * - `addresses`: the page with an address;
 * - `records`: the page as it is shown in a list;
 * - `trees`: the pages below a page;
 * - `sources`: the source file of a page, for the editor;
 * - `things`: the subjects, contributors and so on of all pages, one file for each kind of thing, for the editor.
 *
 * A hash tells which file has a word or an id. A file is the same, whether it is written in full or changed page by page.
 */
export type DataKind = "words" | "addresses" | "records" | "trees" | EditorKind;
type EditorKind = "sources" | "things";

export const KINDS: readonly DataKind[] = ["words", "addresses", "records", "trees", "sources", "things"];

/** How many files of each kind there are, and for how many pages. */
export type Counts = Record<DataKind | "pages", number>;

/** Maximum files of a kind; pages for each before. */
const MAX_DATA_FILES: Record<Exclude<DataKind, "things">, readonly [files: number, pages: number]> = {
  words: [384, 64],
  addresses: [64, 1024],
  records: [480, 64],
  trees: [32, 2048],
  sources: [32, 1024],
};

/** A power of two, so that few changes of the number of pages change the number of files. */
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

/** Whether the data files of another number of pages are divided in the same way. */
export const areDividedAlike = (one: Counts, two: Counts): boolean =>
  KINDS.every((kind) => one[kind] === two[kind]);

export const dataPath = (kind: DataKind, number: number): string => `browse/${kind}/${number}.json`;

/** A file without members is there too: a request for it is no error. */
export type DataFile = [path: string, bytes: Uint8Array];

/**
 * The text of a data file, in latin1. Its first member, which no word or id can be, is how many files there are of its
 * kind: a browser sees by it that there was another release since it asked.
 */
export const printDataFile = (files: number, members: readonly string[]): string =>
  `{"":${[files, ...members].join(",")}}\n`;

/** The numbers below a count, by the files that they belong to. */
export function divide(count: number, files: number, fileOf: (number: number) => number): number[][] {
  const divided = Array.from({ length: files }, (): number[] => []);
  for (let number = 0; number < count; number++) divided[fileOf(number)]?.push(number);
  return divided;
}
