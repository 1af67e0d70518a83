import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import type { IdRange } from "../../base/ids.ts";
import type { Progress } from "../progress.ts";
import type { PageModel } from "../../page/page.ts";
import { modelOf } from "../../check/types.ts";
import { SourceWriter } from "../writer.ts";
import { pruneCaches, ResponseCache } from "./cache.ts";
import { ApiClient, type ApiClientOptions } from "./client.ts";
import { crawl } from "./crawl.ts";
import { savedFilesIn } from "./documents.ts";
import { importImages } from "./images.ts";
import { importResponses } from "./import.ts";
import { ImportReport } from "./report.ts";

export interface ImportRunOptions {
  /** The page types of the site; the program's own by default. */
  model?: PageModel;
  /** The address of a running API, or a folder of saved responses. */
  source: URL | string;
  content: string;
  ids?: readonly IdRange[] | undefined;
  concurrency: number;
  /** The progress of requesting pages, of reading and writing their responses, and of copying images. */
  progress: (stage: "asked" | "read" | "copied") => Progress;
  /** The folder of the caches. */
  cache: string;
  wait?: ApiClientOptions["wait"];
}

/**
 * Turns the responses of a running API, or saved responses, into sources. Writes nothing if no page can be
 * written, or if it throws. @throws Failure if the import cannot finish.
 */
export async function runImport(options: ImportRunOptions): Promise<ImportReport> {
  const { source, content, ids, concurrency, progress, wait } = options;
  const model = modelOf(content, options.model);
  const report = new ImportReport();
  const writer = new SourceWriter(content);
  let cache: ResponseCache | undefined;
  let client: ApiClient | undefined;
  try {
    if (typeof source !== "string") {
      cache = cacheOf(source, options);
      client = new ApiClient({ address: source, cache, concurrency, ...(wait && { wait }) });
    }
    const crawled =
      client === undefined
        ? { files: savedFilesIn(String(source)) }
        : await crawl({ types: model, client, ids, concurrency, report, progress: progress("asked") });
    const { site, images } = importResponses({
      model,
      ...crawled,
      writer,
      report,
      progress: progress("read"),
    });
    if (report.written > 0) {
      const copying = { addresses: images, site, writer, report, progress: progress("copied") };
      await importImages({ ...options, ...copying });
      writer.commit();
    }
    // If no page is written, there is no home page, so the site would not build.
    else writer.abandon();
    cache?.finish();
    return report;
  } catch (cause) {
    writer.abandon();
    cache?.suspend();
    throw cause;
  } finally {
    client?.close();
  }
}

/** The cache of imports from this address into this folder: different imports never share one. */
function cacheOf(source: URL, { content, cache }: ImportRunOptions): ResponseCache {
  const name = createHash("sha256")
    .update(`${source.href}\n${resolve(content)}`)
    .digest("hex");
  pruneCaches(cache);
  return new ResponseCache(join(cache, name.slice(0, 16)));
}
