import { isAfter, hasReliableFolderTime, statIfThere } from "../../base/file.ts";
import { foreignInPage } from "../output/foreign.ts";
import { isOutputUnchanged, type PageTable } from "./page-table.ts";

/** The published file is not the written one. */
export const OUTPUT = 2;
/** The published page's folder has changed: it may have foreign entries. */
export const FOLDER = 4;

/** The comparison of published pages with a manifest. It can be passed to another thread. */
export interface OutputComparison {
  /** The folder of published pages. */
  pages: string;
  /** The ids of published pages by file; 0 for other files. */
  ids: Float64Array;
  /** `folderCtime` is in shared memory. */
  table: Pick<PageTable, "outSize" | "outMtime" | "outCtime" | "outInode" | "folderCtime">;
  ended: number;
  staged: number | undefined;
  /** The flags OUTPUT and FOLDER by file, in shared memory. */
  flags: Uint8Array;
  /** `[number of files that are taken, number of threads that compare]` */
  shared: Int32Array;
}

/** Number of files that a thread takes at a time. */
const BATCH_SIZE = 512;

/** Compares until all files are taken. Several threads can share the work. */
export function comparePages({ pages, ids, flags, shared, ...comparison }: OutputComparison): void {
  Atomics.add(shared, 1, 1);
  try {
    for (;;) {
      const first = Atomics.add(shared, 0, BATCH_SIZE);
      if (first >= ids.length) return;
      for (let i = first; i < Math.min(first + BATCH_SIZE, ids.length); i++)
        if (ids[i] !== 0) flags[i] = flagsOf(`${pages}/${ids[i]}`, comparison, i);
    }
  } finally {
    Atomics.sub(shared, 1, 1);
    Atomics.notify(shared, 1);
  }
}

/** Compares, and returns after all threads have. A thread that has not begun by then finds all files taken. */
export function comparePagesToTheEnd(comparison: OutputComparison): void {
  comparePages(comparison);
  const { shared } = comparison;
  for (let count = Atomics.load(shared, 1); count > 0; count = Atomics.load(shared, 1))
    Atomics.wait(shared, 1, count);
}

type KnownOutput = Pick<OutputComparison, "table" | "ended" | "staged">;

function flagsOf(folder: string, { table, ended, staged }: KnownOutput, i: number): number {
  const output = statIfThere(`${folder}/index.json`);
  const around = statIfThere(folder);
  const isSame =
    output !== undefined &&
    isOutputUnchanged(table, i, output) &&
    !isAfter(output.ctime, ended) &&
    // A link to a folder with the same content counts as changed.
    around?.type === "folder";
  if (around === undefined) return OUTPUT;
  const { ctime } = around;
  if (staged !== undefined && !isAfter(ctime, staged)) table.folderCtime[i] = ctime;
  // A file that is not the written one may be in another folder, so its folder counts as changed.
  const isFolderChanged =
    !isSame ||
    ctime !== table.folderCtime[i] ||
    isAfter(ctime, ended) ||
    (!hasReliableFolderTime(ctime) && foreignInPage(folder).length > 0);
  return (isSame ? 0 : OUTPUT) | (isFolderChanged ? FOLDER : 0);
}
