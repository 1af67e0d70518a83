import { addressName, idFile } from "./client/words.js";
import { dataPath, divide, printDataFile, type Counts, type DataFile } from "./data-files.ts";
import type { PageIndex } from "./indexer.ts";
import { listOf } from "./lists.ts";
import { Postings } from "./postings.ts";
import { SortedPages } from "./sorted-pages.ts";

/** Makes the data files except those of words, one by one. @param indexes of all pages. */
export function* makePageFiles(indexes: readonly PageIndex[], counts: Counts): Generator<DataFile> {
  const pages = new SortedPages(indexes);
  yield* recordFiles(pages, counts.records);
  yield* treeFiles(pages, counts.trees);
  yield* addressFiles(pages, counts.addresses);
}

/** Makes the data files of words. It renumbers the words in the indexes, so no other code may read them afterwards. */
export function* makeWordFiles(indexes: readonly PageIndex[], counts: Counts): Generator<DataFile> {
  const postings = new Postings(indexes, new SortedPages(indexes), counts.words);
  for (let file = 0; file < counts.words; file++) {
    const text = printDataFile(counts.words, postings.members(file));
    yield [dataPath("words", file), Buffer.from(text)];
  }
}

function* recordFiles(pages: SortedPages, files: number): Generator<DataFile> {
  const { ids } = pages;
  const divided = divide(ids.length, files, (place) => idFile(ids[place] as number, files));
  for (const [file, places] of divided.entries()) {
    const members = places.map((place) => `"${ids[place]}":${pages.row(place)}`);
    yield [dataPath("records", file), Buffer.from(printDataFile(files, members), "latin1")];
  }
}

function* treeFiles(pages: SortedPages, files: number): Generator<DataFile> {
  const { ids } = pages;
  const below = new Map<number, number[]>();
  for (let place = 0; place < ids.length; place++) {
    const [id, parent] = [ids[place] as number, pages.parent(place)];
    const siblings = below.get(parent);
    if (siblings === undefined) below.set(parent, [id]);
    else siblings.push(id);
  }
  below.delete(0);
  const parents = [...below.keys()].sort((a, b) => a - b);
  const divided = divide(parents.length, files, (k) => idFile(parents[k] as number, files));
  for (const [file, numbers] of divided.entries()) {
    const members = numbers.map((k) => {
      const parent = parents[k] as number;
      return `"${parent}":"${listOf(below.get(parent) ?? [])}"`;
    });
    yield [dataPath("trees", file), Buffer.from(printDataFile(files, members))];
  }
}

function* addressFiles(pages: SortedPages, files: number): Generator<DataFile> {
  const { ids } = pages;
  const divided = divide(ids.length, files, (place) => pages.addressKey(place) % files);
  for (const [file, places] of divided.entries()) {
    const members = places.map((place) => `"${addressName(pages.addressKey(place))}":${ids[place]}`);
    yield [dataPath("addresses", file), Buffer.from(printDataFile(files, members))];
  }
}
