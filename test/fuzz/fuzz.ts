import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { random, type Random } from "../random.ts";
import { parseJson } from "../../build/source/json/parse.ts";
import type { PageType } from "../../build/model/page-types.ts";
import type { PageModel } from "../../build/model/page.ts";
import { modelOf } from "../../build/model/types.ts";
import { TYPES } from "../../build/source/site-files.ts";
import type { Site } from "../../build/model/site.ts";
import { checkSiteConfig } from "../../build/check/config.ts";
import { SourceReader } from "../../build/source/read.ts";
import { validateHeaders, validateSite, validateTypes, PageValidator, type FuzzVerdict } from "./validate.ts";
import { mutate, mutateBytes, mutateTokens } from "./mutate.ts";

export interface Corpus {
  model: PageModel;
  pages: { bytes: Buffer; type: PageType }[];
  site: Buffer;
  /** Absent if the site declares no types. */
  types: Buffer | undefined;
  headers: Buffer;
}

export interface Problem {
  /** The number of the mutant. The same seed gives the same mutant. */
  run: number;
  of: FuzzTarget;
  message: string;
  bytes: Buffer;
}

export type FuzzTarget = "page" | "_site.json" | "_types.json" | "_headers";

export interface FuzzResult {
  accepted: number;
  refused: number;
  problems: Problem[];
}

/** Maximum number of problems, after which a run stops. */
const MAX_PROBLEMS = 20;

/** Maximum time of a mutant, in milliseconds. No mutant is large, so a longer time is a problem. */
const MAX_MUTANT_MS = 10_000;

/** The sources below a folder, with `_site.json` and `_headers`. */
export function readCorpus(content: string, headers: string): Corpus {
  const pages: Corpus["pages"] = [];
  const model = modelOf(content);
  const reader = new SourceReader();
  for (const entry of readdirSync(content, { recursive: true, encoding: "utf8" }).sort()) {
    if (!entry.endsWith(".json")) continue;
    const bytes = Buffer.from(reader.textOf(join(content, entry)) ?? "");
    const type = typeOf(bytes, model);
    if (type !== undefined) pages.push({ bytes, type });
  }
  const site = Buffer.from(reader.textOf(join(content, "_site.json")) ?? "");
  const types = reader.textOf(join(content, TYPES));
  return {
    model,
    pages,
    site,
    types: types === undefined ? undefined : Buffer.from(types),
    headers: readFileSync(headers),
  };
}

function typeOf(bytes: Buffer, model: PageModel): PageType | undefined {
  const type = /"type"\s*:\s*"([\w.]+)"/.exec(bytes.toString("utf8"))?.[1];
  return model.has(type) ? type : undefined;
}

/** Checks mutants of a corpus. A mutant that breaks a guarantee is a problem, whatever was thrown. */
export function fuzz(corpus: Corpus, { runs, seed }: { runs: number; seed: number }): FuzzResult {
  const result: FuzzResult = { accepted: 0, refused: 0, problems: [] };
  const validator = new PageValidator(siteOf(corpus.site), corpus.model);
  const pages = corpus.pages.map(({ bytes }) => bytes);
  for (let run = 0; run < runs && result.problems.length < MAX_PROBLEMS; run++) {
    // Each mutant has its own seed, so that it can be made again without those before it.
    const draw = random(seed * 1_000_003 + run);
    const page = draw.pick(corpus.pages);
    const [of, bytes, validate]: [FuzzTarget, Buffer, (bytes: Buffer) => FuzzVerdict] =
      run % 20 === 0
        ? ["_site.json", mutate(corpus.site, pages, draw), validateSite]
        : run % 20 === 10
          ? ["_headers", mutateHeaders(corpus.headers, draw), validateHeaders]
          : run % 20 === 5 && corpus.types !== undefined
            ? ["_types.json", mutate(corpus.types, pages, draw), validateTypes]
            : ["page", mutate(page.bytes, pages, draw), (mutant) => validator.validate(mutant, page.type)];
    const start = performance.now();
    try {
      result[validate(bytes)]++;
      const took = performance.now() - start;
      if (took > MAX_MUTANT_MS) throw new Error(`took ${Math.round(took)} ms`);
    } catch (cause) {
      const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
      result.problems.push({ run, of, message, bytes });
    }
  }
  return result;
}

const mutateHeaders = (headers: Buffer, draw: Random): Buffer =>
  draw.below(2) === 0
    ? mutateBytes(headers, headers, draw)
    : Buffer.from(mutateTokens(headers.toString("utf8"), draw));

function siteOf(bytes: Buffer): Site {
  const { site } = checkSiteConfig(parseJson("_site.json", bytes));
  if (site === undefined) throw new Error("the corpus's _site.json has errors");
  // Links below the owned paths are checked against all pages, but a mutant has only one.
  return { ...site, owned_paths: [] };
}
