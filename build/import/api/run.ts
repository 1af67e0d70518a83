import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { PROJECT } from "../../base/project.ts";
import type { Progress } from "../progress.ts";
import { SourceWriter } from "../writer.ts";
import { pruneCaches, ResponseCache } from "./cache.ts";
import { ApiClient, type ApiClientOptions } from "./client.ts";
import { crawl, type Crawled } from "./crawl.ts";
import { documentsIn } from "./documents.ts";
import type { IdRange } from "../../base/ids.ts";
import { importImages } from "./images.ts";
import { importResponses } from "./import.ts";
import { ImportReport } from "./report.ts";

export interface ImportRunOptions {
  /** The address of a running API, or a folder of saved responses. */
  source: URL | string;
  /** The folder to write the sources to. */
  content: string;
  ids?: readonly IdRange[] | undefined;
  concurrency: number;
  /** The progress of the requests for pages, of reading and writing their responses, and of copying images. */
  progress: (stage: "asked" | "read" | "copied") => Progress;
  /** The folder of the caches (default: a folder of the project). */
  cache?: string | undefined;
  wait?: ApiClientOptions["wait"];
}

/**
 * Turns the responses of a running API, or saved responses, into sources. Writes nothing if no page can be written.
 *
 * @throws Failure if the import cannot finish; it writes nothing then.
 */
export async function runImport(options: ImportRunOptions): Promise<ImportReport> {
  const { source, content, progress } = options;
  const report = new ImportReport();
  const writer = new SourceWriter(content);
  const cache = typeof source === "string" ? undefined : cacheOf(source, options);
  try {
    const crawled =
      typeof source === "string" || cache === undefined
        ? { documents: documentsIn(String(source)) }
        : await crawlHost(source, cache, options, report);
    const { site, images } = importResponses({ ...crawled, writer, report, progress: progress("read") });
    if (report.written > 0)
      await importImages({
        ...options,
        addresses: images,
        site,
        writer,
        report,
        progress: progress("copied"),
      });
    // If no page is written, there is no home page, so the site would not build.
    if (report.written === 0) writer.abandon();
    else writer.commit();
    cache?.finish();
    return report;
  } catch (cause) {
    writer.abandon();
    cache?.suspend();
    throw cause;
  }
}

async function crawlHost(
  address: URL,
  cache: ResponseCache,
  { ids, concurrency, progress, wait }: ImportRunOptions,
  report: ImportReport,
): Promise<Crawled> {
  const client = new ApiClient({ address, cache, concurrency, ...(wait === undefined ? {} : { wait }) });
  try {
    return await crawl({ client, ids, concurrency, report, progress: progress("asked") });
  } finally {
    client.close();
  }
}

/** The cache of imports from this address into this folder: different imports never share one. */
function cacheOf(source: URL, { content, cache }: ImportRunOptions): ResponseCache {
  const name = createHash("sha256")
    .update(`${source.href}\n${resolve(content)}`)
    .digest("hex");
  const folder = cache ?? join(PROJECT, ".cache", "imports");
  pruneCaches(folder);
  return new ResponseCache(join(folder, name.slice(0, 16)));
}
