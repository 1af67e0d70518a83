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

/** The sources of pages by their types, of which `npx page-api types --sources` writes those of the site. */
// oxlint-disable-next-line typescript/no-empty-object-type -- Other declarations add members.
export interface PageSources {}

export interface SyncPlace {
  /** The address of the parent page, such as `/art/artworks/`. */
  parent: string;
  /** A grouping folder, such as `_n01`. */
  folder?: string | undefined;
  slug: string;
  /** Whether a new page begins as a draft. */
  draft?: boolean | undefined;
  /** The id of a new page (default: a free one). */
  id?: number | undefined;
}

interface AnySource {
  meta: { type: string; [field: string]: unknown };
  [field: string]: unknown;
}

type Names<Type> = Type extends unknown ? keyof Type : never;

/** A page of one type, without the fields of other types. */
type OnlySource<Type, All> = Type extends { meta: infer Meta }
  ? Omit<Type, "meta"> & { meta: Meta } & { [Name in Exclude<Names<All>, keyof Type>]?: undefined }
  : never;

type SomeSource<Type> = Type extends { meta: unknown } ? Partial<Type> & Pick<Type, "meta"> : never;

type SiteSource = OnlySource<PageSources[keyof PageSources], PageSources[keyof PageSources]>;

type PageSource = [keyof PageSources] extends [never] ? AnySource : SiteSource;

/** The page of a record of a collection system: its place, which only a new page gets, and the fields that follow the record. */
export type SyncPage<Source = PageSource> = SyncPlace & Source;

/** An image of a record. `url` begins with `/` if the file was copied into `_media/`; then its size is known. */
export interface SyncImage {
  url: string;
  width?: number;
  height?: number;
}

export interface SyncHelpers {
  /** Copies a file, relative to the module, into `_media/`; an address is only referred to. */
  image: (from: string) => SyncImage;
  /** A part of an address, made of texts. */
  slug: (...texts: (string | number | null | undefined)[]) => string;
  /** The first year in a text; undefined if there is none. */
  year: (text: string | number | null | undefined) => number | undefined;
}

// oxlint-disable-next-line typescript/no-explicit-any -- The columns of a record are only known to the module.
interface SyncBase<Item = any> {
  /** Lowercase letters, digits and “-”; part of each page's `meta.external_id`. */
  name: string;
  /** The system, as editors read it (default: `name`). */
  label?: string | undefined;
  /** Files, relative to the module, by name or pattern; or records by any other way. A function can be read again. */
  records: string | readonly string[] | AsyncIterable<Item> | (() => AsyncIterable<Item>);
  /** The element of XML, or the member of a JSON object, that has the records. */
  element?: string | undefined;
  /** The permanent key of a record. */
  key: (record: Item) => string | number | null | undefined;
}

/** A module of `npx page-api sync` (docs/collection.md). A page that was there before the first run needs only some fields. */
// oxlint-disable-next-line typescript/no-explicit-any -- The columns of a record are only known to the module.
export type Sync<Item = any> = SyncBase<Item> &
  (
    | {
        adopt?: undefined;
        /** The page of a record, or undefined if it has none. */
        page: (record: Item, helpers: SyncHelpers) => SyncPage | undefined;
      }
    | {
        /** The key of a page that was there before the first run. */
        adopt: (page: Record<string, unknown>) => string | number | null | undefined;
        /** The page of a record, or undefined if it has none. */
        page: (record: Item, helpers: SyncHelpers) => SyncPage<SomeSource<PageSource>> | undefined;
      }
  );

/** Checks the page sources of a site. Throws an `Error` if this cannot be done; mistakes are diagnostics. */
export declare function check(options?: CheckSiteOptions): Promise<CheckedSources>;

/** Checks the page sources of a site and, if they have no errors, publishes them to the output folder. */
export declare function build(options?: BuildSiteOptions): Promise<BuiltSite>;
