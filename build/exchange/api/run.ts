import { createHash } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import { Failure } from "../../base/failure.ts";
import type { IdRange } from "../../base/ids.ts";
import { modelFrom, modelIn as modelFromFile } from "../../model/types.ts";
import { formatJson } from "../../source/json/format.ts";
import { declaresTypes, schemaReference } from "../../outputs/contract/location.ts";
import { writeSiteSchema } from "../../change/schema.ts";
import { MAX_TYPES_BYTES } from "../../model/declared.ts";
import { SITE_SCHEMA, TYPES } from "../../source/site-files.ts";
import type { ModelLanguages, PageModel } from "../../model/page.ts";
import { SourceReader } from "../../source/read.ts";
import type { Progress } from "../progress.ts";
import { SourceWriter } from "../writer.ts";
import { pruneCaches, ResponseCache } from "./cache.ts";
import { openApiClient, type ApiClient, type ApiClientOptions } from "./client.ts";
import { crawl } from "./crawl.ts";
import { ResponseReader, savedIn, type SavedResponse } from "./documents.ts";
import { importImages } from "./images.ts";
import { importResponses } from "./import.ts";
import { inferTypes } from "./infer.ts";
import { ImportReport } from "./report.ts";

export interface ImportRunOptions {
  /** The page types of the site; the program's own by default. */
  model?: PageModel;
  /** The address of a running API, or a folder of saved responses. */
  source: URL | string;
  content: string;
  /** Whether to infer `_types.json`, or the path of the one to use; by default, the one in the content folder. */
  types?: boolean | string | undefined;
  ids?: readonly IdRange[] | undefined;
  concurrency: number;
  /** The progress of requesting pages, of reading and writing their responses, and of copying images. */
  progress: (stage: "requested" | "read" | "copied") => Progress;
  cache: string;
  wait?: ApiClientOptions["wait"];
}

/**
 * Turns the responses of a running API, or saved responses, into sources. Writes nothing if no page can be
 * written, or if it throws. @throws Failure if the import cannot finish.
 */
export async function runImport(options: ImportRunOptions): Promise<ImportReport> {
  const { source, content, ids, concurrency, progress, wait, types = false } = options;
  const report = new ImportReport();
  const given = types === true ? undefined : givenTypes(options);
  const writer = new SourceWriter(content, types === false ? [TYPES, dirname(SITE_SCHEMA)] : []);
  let cache: ResponseCache | undefined;
  let client: ApiClient | undefined;
  try {
    if (typeof source !== "string") {
      cache = cacheOf(source, options);
      client = openApiClient({ address: source, cache, concurrency, ...(wait && { wait }) });
    }
    const crawled =
      client === undefined
        ? savedIn(String(source))
        : await crawl({
            types: given?.modelIn(),
            client,
            ids,
            concurrency,
            report,
            progress: progress("requested"),
          });
    const { modelIn, text } = given ?? inferred(crawled.files, options, report);
    if (text !== undefined) writer.writeFile(TYPES, text);
    writer.hasOwnSchema = text !== undefined || declaresTypes(content);
    const { site, images, model } = await importResponses({
      modelIn,
      ...crawled,
      writer,
      report,
      progress: progress("read"),
    });
    if (report.written > 0) {
      const copying = { addresses: images, site, writer, report, progress: progress("copied") };
      await importImages({ ...options, ...copying });
      writer.commit();
      writeSiteSchema(content, model);
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

function givenTypes({ types, content, model }: ImportRunOptions) {
  const reader = new SourceReader();
  const file = typeof types === "string" ? types : join(content, TYPES);
  const { bytes, parsed } =
    typeof types === "string" || declaresTypes(content) ? reader.read(dirname(file), basename(file)) : {};
  const json = parsed?.();
  return {
    modelIn: (languages?: ModelLanguages): PageModel => {
      const program = programIn(model, languages);
      return json === undefined ? program : modelFromFile(json, program, types === file ? file : TYPES);
    },
    text: typeof types === "string" ? (bytes?.toString() ?? "") : undefined,
  };
}

const programIn = (model: PageModel | undefined, languages?: ModelLanguages): PageModel =>
  modelFrom(undefined, model).inLanguages(languages);

function inferred(
  files: readonly SavedResponse[],
  { content, model, progress }: ImportRunOptions,
  report: ImportReport,
) {
  const { declared, guesses } = inferTypes(programIn(model), files, new ResponseReader(), progress("read"));
  for (const guess of guesses) report.guesses.push(guess);
  const text = formatJson({ $schema: schemaReference(content, TYPES), ...declared });
  if (Buffer.byteLength(text) > MAX_TYPES_BYTES)
    throw new Failure(
      `An inferred ${TYPES} would have more than ${MAX_TYPES_BYTES / 1024} KiB. Write a shorter one, and give it with --types FILE.`,
    );
  return { modelIn: (languages?: ModelLanguages) => modelFrom(text, programIn(model, languages)), text };
}

/** The cache of imports from this address into this folder: different imports never share one. */
function cacheOf(source: URL, { content, cache }: ImportRunOptions): ResponseCache {
  const name = createHash("sha256")
    .update(`${source.href}\n${resolve(content)}`)
    .digest("hex");
  pruneCaches(cache);
  return new ResponseCache(join(cache, name.slice(0, 16)));
}
