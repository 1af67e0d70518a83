import { resolve } from "node:path";
import { BULK_INDEX } from "../base/api.ts";
import { Failure } from "../base/failure.ts";
import { mirrorBulk, readIndex } from "./bulk.ts";
import { MirrorFolder } from "./folder.ts";
import { MirrorHost } from "./host.ts";
import { mirrorPages } from "./pages.ts";
import type { MirrorOptions, MirrorReport } from "./work.ts";

/** Updates a folder to a host's pages, or only compares them. @throws Failure */
export async function mirror(options: MirrorOptions): Promise<MirrorReport> {
  const { url, concurrency, ids, isCheck = false } = options;
  const folder = new MirrorFolder(resolve(options.folder));
  const host = new MirrorHost(url, concurrency, options.wait);
  const report: MirrorReport = { pages: 0, written: [], removed: [], damaged: [], requests: 0, bytes: 0 };
  const work = { host, folder, options, report };
  try {
    // Before opening the folder: the URL may be misspelt.
    const index = ids === undefined ? await readIndex(host) : undefined;
    if (ids === undefined && index === undefined)
      throw new Failure(
        `${host.address}/${BULK_INDEX}: the host offers no bulk download. Name the pages with --ids, such as --ids 1-5000.`,
      );
    if (isCheck) folder.openToRead();
    else folder.openToWrite();
    if (index !== undefined) await mirrorBulk(work, index);
    else await mirrorPages(work, ids ?? []);
  } finally {
    folder.close();
    host.close();
  }
  return {
    ...report,
    written: ascending(report.written),
    removed: ascending(report.removed),
    requests: host.requests(),
    bytes: host.bytes,
  };
}

/** Sorts the ids and removes duplicates, which occur if the index was read several times. */
const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);
