import type { IdRange } from "../base/ids.ts";
import type { MirrorFolder } from "./folder.ts";
import type { MirrorHost } from "./host.ts";

export interface MirrorOptions {
  /** The address that `/api/v2/pages/` and `/bulk/` are below. */
  url: URL;
  folder: string;
  /** The pages to request one by one; undefined for the bulk download. */
  ids?: readonly IdRange[] | undefined;
  /** Compares only. */
  isCheck?: boolean;
  /** Maximum requests at a time. */
  concurrency: number;
  progress?: ((done: number, of: number) => void) | undefined;
  /** Waits for so many milliseconds. */
  wait?: (milliseconds: number) => Promise<unknown>;
}

/** What a mirror did; with a check, what it would have done. */
export interface MirrorReport {
  /** Pages that the host has. */
  pages: number;
  written: number[];
  removed: number[];
  /** What arrived damaged or not at all, one line each. */
  damaged: string[];
  requests: number;
  bytes: number;
}

/** What the parts of a mirror share. */
export interface MirrorWork {
  host: MirrorHost;
  folder: MirrorFolder;
  options: MirrorOptions;
  report: MirrorReport;
}
