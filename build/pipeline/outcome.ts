import { byPlace, severityOf, type Finding } from "../findings/finding.ts";
import type { PageTable } from "../manifest/page-table.ts";
import type { Listing } from "../sources/listing.ts";

export interface CheckOptions {
  content: string;
  /** Stands in for `base_url` of `_site.json`; well-formed. */
  baseUrl?: string | undefined;
  /** The instant at which pages are live or not; the current time by default. */
  at?: number | undefined;
  /** Warnings are errors. */
  strict?: boolean | undefined;
  /** The file of the hosts' headers; the project's own by default. */
  headersFile?: string | undefined;
  /** Is told from time to time how many of the pages have been read. */
  progress?: ((done: number, of: number) => void) | undefined;
}

export interface BuildOptions extends CheckOptions {
  out: string;
  /** Trusts nothing that an earlier build remembers. */
  full?: boolean | undefined;
  /** Whether the browse UI is published too, or else removed. */
  browse?: boolean | undefined;
  /** Whether the browse UI gets its editor if `_site.json` has a repository (by default), or does not. */
  editor?: boolean | undefined;
  /** Whether there is a bulk download, or else none; `_site.json` decides by default. */
  bulk?: boolean | undefined;
  /** Where manifests are kept; a folder of the project by default. */
  cache?: string | undefined;
}

export interface CheckedSite {
  /** How many pages the sources hold that are live; drafts are none. */
  pages: number;
  /** Sorted by file and position; files are relative to the content folder. */
  findings: Finding[];
}

/** What has been published, as long as no other build changes it. */
export interface Output {
  /** The output folder's real path. */
  root: string;
  /** Its folder of manifests. */
  cache: string;
  /** Has the ids of the pages, and the stats of their files. */
  table: PageTable;
  /** The other files by their paths, but for those that configure a host. */
  files: string[];
  /** The bytes of `_headers`. */
  headers: Buffer;
  /** Whether there is a bulk download. */
  bulk: boolean;
}

export interface Built extends CheckedSite {
  /** Absent where there are errors: the output is as it was. */
  published?: { written: number; removed: number; unchanged: number };
  /** Present where `published` is. */
  output?: Output;
  /** Why no manifest could be saved: the output is right, and the next build has more to do. */
  manifestError?: unknown;
}

/** The only place where the clock is read. */
export const instantFor = ({ at = Date.now() }: CheckOptions): number => at;

export function outcome(
  { strict }: CheckOptions,
  listing: Listing,
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
