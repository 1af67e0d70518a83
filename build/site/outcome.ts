import { currentInstant, type Instant } from "../base/instant.ts";
import { byPlace, severityOf, type Finding } from "../findings/finding.ts";
import type { PageTable } from "./manifest/page-table.ts";
import { programTypes } from "../model/program-types.ts";
import type { PageModel } from "../model/page.ts";
import type { PageTypes } from "../model/page-types.ts";
import type { SourceIndex } from "../source/source-index.ts";

/** The page types of a site, and their fields as soon as they are needed: a build with nothing to do needs only the types. */
export interface ModelSource {
  types: PageTypes;
  load: () => Promise<PageModel>;
  /** Whether another thread can make the same model, from `declared`. */
  isShareable: boolean;
  /** The languages on which the page types depend, as JSON; undefined for a site with one. */
  languages?: string | undefined;
  /** The text of `_types.json`; undefined if there is none. */
  declared?: string | undefined;
}

/** The page types of the program, which `_types.json` extends. */
export function modelSource({ model }: CheckOptions): ModelSource {
  if (model !== undefined) return { types: model, load: () => Promise.resolve(model), isShareable: false };
  return PROGRAM;
}

const PROGRAM: ModelSource = {
  types: programTypes,
  load: async () => (await import("../model/program-model.ts")).programModel,
  isShareable: true,
};

export interface CheckOptions {
  content: string;
  /** Replaces `base_url` of `_site.json`; a valid URL. */
  baseUrl?: string | undefined;
  /** The instant that decides which pages are live; the current time by default. */
  at?: Instant | undefined;
  /** The page types that `_types.json` extends; the program's own by default. */
  model?: PageModel | undefined;
  /** Whether warnings count as errors. */
  strict?: boolean | undefined;
  /** The path of `_headers`; the program's own by default. */
  headersFile?: string | undefined;
  /** Called repeatedly with the number of pages that have been read, and of all pages to read. */
  progress?: ((done: number, of: number) => void) | undefined;
}

export interface BuildOptions extends CheckOptions {
  out: string;
  /** Whether to ignore the manifest of earlier builds. */
  full?: boolean | undefined;
  /** Whether to publish the browse UI, or to remove it. */
  browse?: boolean | undefined;
  /** Whether the browse UI has the editor, if `_site.json` has a repository; true by default. */
  editor?: boolean | undefined;
  /** Whether to publish a bulk download, or to remove it; `_site.json` decides by default. */
  bulk?: boolean | undefined;
  /** The folder for manifests. */
  cache: string;
}

export interface CheckedSite {
  /** The number of live pages; drafts do not count. */
  pages: number;
  /** Sorted by file and position; files are relative to the content folder. */
  findings: Finding[];
}

/** The published output, until another build changes it. */
export interface Output {
  /** The output folder's real path. */
  root: string;
  /** Its folder of manifests. */
  cache: string;
  /** The ids of the pages, and the stats of their files. */
  table: PageTable;
  /** The paths of the other files, except those that configure a host. */
  files: string[];
  headers: Buffer;
  bulk: boolean;
  /** Whether it has the files for websites. */
  index: boolean;
}

export interface Built extends CheckedSite {
  /** Absent if there are errors: the output is unchanged. */
  published?: { written: number; removed: number; unchanged: number };
  /** Present if `published` is. */
  output?: Output;
  /** The error if no manifest could be saved: the output is correct, but the next build has more to do. */
  manifestError?: unknown;
}

/** The instant of a build, which is read once and passed down. */
export const instantFor = ({ at = currentInstant() }: CheckOptions): Instant => at;

export function summarise(
  { strict }: CheckOptions,
  listing: SourceIndex,
  { reservedId }: PageTable,
  found: Finding[],
): CheckedSite {
  let pages = 0;
  for (let i = 0; i < listing.count; i++) if (listing.kind(i) !== "draft" && reservedId[i] === 0) pages++;
  const findings = found
    .map((f): Finding => (strict === true && severityOf(f) !== "error" ? { ...f, severity: "error" } : f))
    .sort(byPlace);
  return { pages, findings };
}
