/* The types of `import … from "static-page-api"` (“Programs” in docs/reference.md). prepack.ts copies this file. */

/** A mistake in a source, as `--reporter json` prints it. */
export interface Diagnostic {
  /** The path of the file, relative to the current folder. */
  file: string;
  /** From 1. */
  line: number;
  column: number;
  /** A permanent code (docs/findings.md). */
  code: string;
  severity: "error" | "warning";
  message: string;
  hint: string;
}

export interface CheckSiteOptions {
  /** The site folder; by default, the nearest one from the current folder upwards. */
  site?: string;
  /** The folder of the page sources (default: `content` in the site folder). */
  content?: string;
  /** The time that decides which pages are live (default: now). */
  at?: Date;
  /** Whether warnings count as errors. */
  strict?: boolean;
}

export interface CheckedSources {
  /** The number of live pages. */
  pages: number;
  diagnostics: Diagnostic[];
}

export interface BuildSiteOptions extends CheckSiteOptions {
  /** The output folder (default: `public` in the site folder). */
  out?: string;
  /** Publish for this URL of the API (default: `base_url` in `_site.json`). */
  baseUrl?: string;
  /** Whether to publish the browse UI (default: true). */
  browse?: boolean;
  /** Whether to read and compare everything, without the cache of earlier builds. */
  full?: boolean;
}

export interface BuiltSite extends CheckedSources {
  /** The numbers of files; absent if there are errors, which leave the output as it was. */
  published?: { written: number; removed: number; unchanged: number };
}

/** Checks the page sources of a site. Throws an `Error` if this cannot be done; mistakes are diagnostics. */
export declare function check(options?: CheckSiteOptions): Promise<CheckedSources>;

/** Checks the page sources of a site and, if they have no errors, publishes them to the output folder. */
export declare function build(options?: BuildSiteOptions): Promise<BuiltSite>;
