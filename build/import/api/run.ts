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
import { importResponses } from "./import.ts";
import { ImportReport } from "./report.ts";

export interface ImportRunOptions {
  /** The address of a running API, or a folder of saved responses. */
  source: URL | string;
  /** The folder of the sources. */
  content: string;
  ids?: readonly IdRange[] | undefined;
  concurrency: number;
  /** Is told how many pages have been asked for, and then how many responses have been read and written. */
  progress: (stage: "asked" | "read") => Progress;
  /** Where answers are kept; a folder of the project by default. */
  cache?: string | undefined;
  wait?: ApiClientOptions["wait"];
}

/**
 * From a running API, or saved responses, to sources. Nothing is written if no page can be.
 *
 * @throws Failure where it cannot be done; nothing is written then.
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
    importResponses({ ...crawled, writer, report, progress: progress("read") });
    // Without a page there is no home page, and so no site that builds.
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

/** Answers are kept by what is asked and where it is written: two imports never share them. */
function cacheOf(source: URL, { content, cache }: ImportRunOptions): ResponseCache {
  const name = createHash("sha256")
    .update(`${source.href}\n${resolve(content)}`)
    .digest("hex");
  const folder = cache ?? join(PROJECT, ".cache", "imports");
  pruneCaches(folder);
  return new ResponseCache(join(folder, name.slice(0, 16)));
}
