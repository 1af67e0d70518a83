import type { IdRange } from "../../base/ids.ts";
import type { MirrorFolder } from "./folder.ts";
import type { MirrorHost } from "./host.ts";

export interface MirrorOptions {
  /** The URL in front of `/api/v2/pages/` and `/bulk/`. */
  url: URL;
  folder: string;
  /** The pages to request one by one; undefined for the bulk download. */
  ids?: readonly IdRange[] | undefined;
  /** Whether to compare only, without writing. */
  isCheck?: boolean;
  /** Maximum number of concurrent requests. */
  concurrency: number;
  progress?: ((done: number, of: number) => void) | undefined;
  /** Waits for a number of milliseconds; tests replace it. */
  wait?: (milliseconds: number) => Promise<unknown>;
}

/** The result of a mirror run; with `isCheck`, the changes that it would have made. */
export interface MirrorReport {
  /** Pages that the host has. */
  pages: number;
  written: number[];
  removed: number[];
  /** Messages about files that were damaged or missing, one line each. */
  damaged: string[];
  requests: number;
  bytes: number;
}

/** The state that the modules of a mirror share. */
export interface MirrorWork {
  host: MirrorHost;
  folder: MirrorFolder;
  options: MirrorOptions;
  report: MirrorReport;
}

export function keepPage({ folder, report }: MirrorWork, id: number, bytes: Uint8Array): void {
  if (folder.isSame(id, bytes)) return;
  report.written.push(id);
  folder.write(id, bytes);
}

export function removePages({ folder, report }: MirrorWork, ids: readonly number[]): void {
  for (const id of ids) {
    report.removed.push(id);
    folder.remove(id);
  }
}
