import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import { BULK_INDEX, pathOf } from "../../base/api.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { Failure } from "../../base/failure.ts";
import { countIds, idsIn, type IdRange } from "../../base/ids.ts";
import { objectIn } from "../../source/json/object.ts";
import { mirrorBulk, readIndex } from "./bulk.ts";
import { openMirrorFolder } from "./folder.ts";
import { openMirrorHost } from "./host.ts";
import { keepPage, removePages, type MirrorOptions, type MirrorReport, type MirrorWork } from "./work.ts";

/** Updates a folder to a host's pages, or only compares them. @throws Failure */
export async function mirror(options: MirrorOptions): Promise<MirrorReport> {
  const { url, concurrency, ids, isCheck = false } = options;
  const folder = openMirrorFolder(resolve(options.folder));
  const host = openMirrorHost(url, concurrency, options.wait);
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
    bytes: host.bytes(),
  };
}

/** Sorts the ids and removes duplicates, which occur if the index was read several times. */
const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** Requests pages one by one, for a host without a bulk download. Pages outside the ranges stay. */
async function mirrorPages(work: MirrorWork, ranges: readonly IdRange[]): Promise<void> {
  const { folder, options } = work;
  const local = new Set(folder.ids());
  const of = countIds(ranges);
  let done = 0;
  await forEachConcurrent(idsIn(ranges), options.concurrency, async (id) => {
    await mirrorPage(work, id, local.has(id));
    options.progress?.(++done, of);
  });
}

async function mirrorPage(work: MirrorWork, id: number, isLocal: boolean): Promise<void> {
  const { host, report } = work;
  const path = pathOf(id);
  const fetched = await host.fetch(path);
  if (fetched.kind === "unusable") report.damaged.push(`${path}: ${fetched.reason}`);
  // A 404 without JSON is not from the API, so the page may still exist.
  else if (fetched.kind === "missing" && !fetched.isJson)
    report.damaged.push(`${path}: a 404 that is not JSON, so it is not a response of the API`);
  else if (fetched.kind === "missing") {
    if (isLocal) removePages(work, [id]);
  } else if (!isUtf8(fetched.bytes)) report.damaged.push(`${path}: the response is not UTF-8`);
  else if (objectIn(fetched.bytes.toString())?.["id"] !== id)
    report.damaged.push(`${path}: the response is not the page ${id}`);
  else {
    report.pages++;
    keepPage(work, id, fetched.bytes);
  }
}
