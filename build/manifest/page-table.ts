import type { Staged } from "../output/stage.ts";
import type { FileStat } from "../base/stat.ts";

/** What is known of each file, in columns over shared manifest; times in milliseconds, ids 0 where unknown. */
export interface PageTable {
  id: Float64Array;
  /** Accession numbers, as `acnoNumber` has them; 0 where there is none. */
  acno: Float64Array;
  /** What the file states of things that other pages speak of too, as a hash; 0 for nothing. */
  claims: Float64Array;
  sourceSize: Float64Array;
  sourceMtime: Float64Array;
  sourceCtime: Float64Array;
  sourceInode: Float64Array;
  outSize: Float64Array;
  outMtime: Float64Array;
  outCtime: Float64Array;
  outInode: Float64Array;
  /** When an entry of the page's folder last changed, as far as builds know of it. */
  folderCtime: Float64Array;
  /** What became of the page in this build: an index into STATES. */
  state: Uint8Array;
}

export const STATES = ["untouched", "checked", "same", "new", "changed"] as const;

export function pageTable(count: number): PageTable {
  const numbers = () => new Float64Array(new SharedArrayBuffer(8 * count));
  return {
    id: numbers(),
    acno: numbers(),
    claims: numbers(),
    sourceSize: numbers(),
    sourceMtime: numbers(),
    sourceCtime: numbers(),
    sourceInode: numbers(),
    outSize: numbers(),
    outMtime: numbers(),
    outCtime: numbers(),
    outInode: numbers(),
    folderCtime: numbers(),
    state: new Uint8Array(new SharedArrayBuffer(count)),
  };
}

export function setOutput(columns: PageTable, i: number, stat: FileStat): void {
  columns.outSize[i] = stat.size;
  columns.outMtime[i] = stat.mtime;
  columns.outCtime[i] = stat.ctime;
  columns.outInode[i] = stat.inode;
}

export const stateOf = (columns: PageTable, i: number): "untouched" | "checked" | Staged =>
  STATES[columns.state[i] ?? 0] ?? "untouched";
