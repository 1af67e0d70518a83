import { startOfItem } from "../base/columns.ts";
import { addressName, idFile } from "./client/words.js";
import { dataPath, divide, printDataFile, type DataFile, type DataKind } from "./data-files.ts";
import type { PageIndex } from "./indexer.ts";
import { listOf } from "./lists.ts";
import { membersOfWordFiles } from "./postings.ts";
import type { SortedPages } from "./sorted-pages.ts";
import { BytesReader } from "./stored-bytes.ts";

/**
 * Makes the data files of one kind, one by one.
 *
 * @param indexes of all pages.
 * @param files the number of files.
 */
type Make = (indexes: readonly PageIndex[], sorted: SortedPages, files: number) => Generator<DataFile>;

function* wordFiles(indexes: readonly PageIndex[], sorted: SortedPages, files: number): Generator<DataFile> {
  let file = 0;
  for (const members of membersOfWordFiles(indexes, sorted, files))
    yield [dataPath("words", file++), Buffer.from(printDataFile(files, members))];
}

function* recordFiles(
  indexes: readonly PageIndex[],
  { ids, indexOf, numberOf }: SortedPages,
  files: number,
): Generator<DataFile> {
  const readers = indexes.map(({ rows }) => new BytesReader(rows));
  const rowOf = (place: number): string => {
    const [index, number] = [indexOf[place] as number, numberOf[place] as number];
    const reader = readers[index] as BytesReader;
    const ends = (indexes[index] as PageIndex).rowEnds;
    const [from, to] = [startOfItem(ends, number), ends[number] as number];
    const at = reader.locate(from, to);
    return reader.window.toString("latin1", at, at + to - from);
  };
  try {
    const divided = divide(ids.length, files, (place) => idFile(ids[place] as number, files));
    for (const [file, places] of divided.entries()) {
      const members = Array.from(places, (place) => `"${ids[place]}":${rowOf(place)}`);
      yield [dataPath("records", file), Buffer.from(printDataFile(files, members), "latin1")];
    }
  } finally {
    for (const reader of readers) reader.close();
  }
}

function* treeFiles(
  indexes: readonly PageIndex[],
  { ids, indexOf, numberOf }: SortedPages,
  files: number,
): Generator<DataFile> {
  const parentOf = (place: number): number =>
    indexes[indexOf[place] as number]?.parents[numberOf[place] as number] ?? 0;
  const groupOf = new Map<number, number>();
  for (let place = 0; place < ids.length; place++) {
    const parent = parentOf(place);
    if (!groupOf.has(parent)) groupOf.set(parent, groupOf.size);
  }
  const subpages = divide(ids.length, groupOf.size, (place) => groupOf.get(parentOf(place)) as number);
  const parents = Float64Array.from(groupOf.keys())
    .filter((id) => id !== 0)
    .sort();
  const divided = divide(parents.length, files, (k) => idFile(parents[k] as number, files));
  for (const [file, numbers] of divided.entries()) {
    const members = Array.from(numbers, (k) => {
      const parent = parents[k] as number;
      const places = subpages[groupOf.get(parent) as number] as Uint32Array;
      return `"${parent}":"${listOf(Float64Array.from(places, (place) => ids[place] as number))}"`;
    });
    yield [dataPath("trees", file), Buffer.from(printDataFile(files, members))];
  }
}

function* addressFiles(
  indexes: readonly PageIndex[],
  { ids, indexOf, numberOf }: SortedPages,
  files: number,
): Generator<DataFile> {
  const keyOf = (place: number): number =>
    indexes[indexOf[place] as number]?.addressKeys[numberOf[place] as number] ?? 0;
  const divided = divide(ids.length, files, (place) => keyOf(place) % files);
  for (const [file, places] of divided.entries()) {
    const members = Array.from(places, (place) => `"${addressName(keyOf(place))}":${ids[place]}`);
    yield [dataPath("addresses", file), Buffer.from(printDataFile(files, members))];
  }
}

/** Each kind of data file that is made of the indexes; first the kind that takes longest. */
export const MAKERS: readonly (readonly [kind: DataKind, make: Make])[] = [
  ["words", wordFiles],
  ["records", recordFiles],
  ["addresses", addressFiles],
  ["trees", treeFiles],
];
