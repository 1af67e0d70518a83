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

/** The data file of each id. */
const filesOf = (ids: Float64Array, files: number): Uint32Array => {
  const fileOf = new Uint32Array(ids.length);
  for (let k = 0; k < ids.length; k++) fileOf[k] = idFile(ids[k] as number, files);
  return fileOf;
};

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
    const divided = divide(filesOf(ids, files), files);
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
  const groups = new Map<number, number>();
  const groupOf = new Uint32Array(ids.length);
  for (let place = 0; place < ids.length; place++) {
    const parent = indexes[indexOf[place] as number]?.parents[numberOf[place] as number] ?? 0;
    let group = groups.get(parent);
    if (group === undefined) groups.set(parent, (group = groups.size));
    groupOf[place] = group;
  }
  const subpages = divide(groupOf, groups.size);
  const parents = Float64Array.from(groups.keys())
    .filter((id) => id !== 0)
    .sort();
  const divided = divide(filesOf(parents, files), files);
  for (const [file, numbers] of divided.entries()) {
    const members = Array.from(numbers, (k) => {
      const parent = parents[k] as number;
      const places = subpages[groups.get(parent) as number] as Uint32Array;
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
  const keys = new Float64Array(ids.length);
  const fileOf = new Uint32Array(ids.length);
  for (let place = 0; place < ids.length; place++) {
    const key = indexes[indexOf[place] as number]?.addressKeys[numberOf[place] as number] ?? 0;
    keys[place] = key;
    fileOf[place] = key % files;
  }
  for (const [file, places] of divide(fileOf, files).entries()) {
    const members = Array.from(places, (place) => `"${addressName(keys[place] as number)}":${ids[place]}`);
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
