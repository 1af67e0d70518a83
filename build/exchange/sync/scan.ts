import { availableParallelism } from "node:os";
import { Failure } from "../../base/failure.ts";
import { Thread } from "../../base/threads.ts";
import { idIn } from "../../change/ids.ts";
import { objectIn, valueAt } from "../../source/json/object.ts";
import { SourceReader } from "../../source/read.ts";
import { SourceIndex, type SourceIndexColumns } from "../../source/source-index.ts";
import { uniqueValues, type UniqueFields } from "./unique.ts";
import { fingerprint } from "./values.ts";

/* Reads what a sync must know of the sources of a site. Two threads share the work of a large one. */

export interface ScanJob {
  content: string;
  listing: SourceIndexColumns;
  /** Begins `meta.external_id` of the pages that follow a record. */
  prefix: string;
  /** The paths of the fields that the fingerprints are about. */
  fields: readonly (readonly string[])[];
  unique: UniqueFields;
  /** The number of files that are taken, and the id of each file, 0 for none: both threads fill this shared memory. */
  taken: Int32Array;
  ids: Float64Array;
}

export interface ScanPart {
  /** The keys of the pages that follow a record, with the fingerprints of their fields. */
  keys: [file: number, key: string, fingerprint: string][];
  /** The pages that follow no record, of this name or another. */
  free: number[];
  /** The values that no other page may have: the number of the file, and that of the value. In pairs, they would take more memory. */
  values: number[];
}

export const scanJob = (given: Omit<ScanJob, "taken" | "ids">): ScanJob => ({
  ...given,
  taken: new Int32Array(new SharedArrayBuffer(4)),
  ids: new Float64Array(new SharedArrayBuffer(8 * given.listing.names.length)),
});

/** Minimum number of sources for a second thread: with fewer, its start costs more time than it saves. */
const MIN_SOURCES_FOR_THREAD = 2000;

/** @throws Failure if the source of a page that follows a record has errors. */
export async function scan(job: ScanJob): Promise<ScanPart[]> {
  if (job.listing.names.length < MIN_SOURCES_FOR_THREAD || availableParallelism() === 1)
    return [scanSources(job)];
  // Objects of a page are garbage at the next page.
  const thread = new Thread<ScanJob, ScanPart>("exchange/sync", {
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  try {
    const other = thread.run(job);
    other.catch(() => undefined);
    return [scanSources(job), await other];
  } finally {
    await thread.end();
  }
}

/** Number of files that a thread takes at a time. */
const BATCH_SIZE = 64;

export function scanSources(job: ScanJob): ScanPart {
  const { content, prefix, fields, taken, ids, unique } = job;
  const listing = new SourceIndex(job.listing);
  const reader = new SourceReader();
  const part: ScanPart = { keys: [], free: [], values: [] };
  for (;;) {
    const from = Atomics.add(taken, 0, BATCH_SIZE);
    if (from >= listing.count) return part;
    for (let i = from; i < Math.min(from + BATCH_SIZE, listing.count); i++) {
      const file = listing.path(i);
      const text = reader.readBytes(`${content}/${file}`, file).bytes?.toString("utf8") ?? "";
      const page = objectIn(text);
      const id = page === undefined ? idIn(text) : page["id"];
      if (typeof id === "number") ids[i] = id;
      if (page === undefined) {
        if (text.includes(`"${prefix}`))
          throw new Failure(`${file} has errors: fix it first (npx page-api check).`);
        continue;
      }
      for (const [number] of uniqueValues(page, unique)) part.values.push(i, number);
      const external = valueAt(page, ["meta", "external_id"]);
      if (external === undefined) part.free.push(i);
      if (typeof external !== "string" || !external.startsWith(prefix)) continue;
      const owned = fingerprint(fields.map((path) => valueAt(page, path)));
      part.keys.push([i, external.slice(prefix.length), owned]);
    }
  }
}
