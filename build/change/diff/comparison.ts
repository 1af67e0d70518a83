import type { Finding } from "../../findings/finding.ts";
import type { Owner } from "../../model/ownership.ts";
import type { Base } from "../../source/git.ts";
import type { FieldChange } from "../../source/json/changes.ts";
import type { LIVE_FIELDS } from "../../model/schedule.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import type { NotLive, PageName } from "./version.ts";

/** Pages are sorted by address; files are relative to the content folder. */
export interface Comparison {
  base: Base;
  /** The instant of the comparison, in UTC with Z. */
  at: string;
  /** Number of pages after the change, without drafts, and without pages that are not live at the given instant. */
  pages: number;
  /**
   * Changes of `_site.json`, which affect every response. The pages before the change are compared with the new
   * addresses. Only image addresses that their sources write in full keep the former `media_url`.
   */
  site: FieldChange[];
  types: FieldChange[];
  models: readonly PageModel[];
  added: AddedPage[];
  removed: RemovedPage[];
  changed: ChangedPage[];
  moved: MovedPage[];
  /** Added, changed and removed dates at which pages go live or expire. */
  dates: DateChange[];
  children: ChangedChildren[];
  orders: ChangedOrder[];
  retyped: RetypedPages[];
  ids: {
    /** With the page that has its address now. */
    vanished: { was: PageName; replacedBy?: PageName }[];
    reused: { id: number; was: PageName; is: PageName }[];
  };
  addresses: RemovedAddress[];
  images: ChangedImages;
  /** Files that cannot be shown, because they or their parents have errors. */
  broken: { file: string; id?: number; belowBroken: boolean }[];
  /** Number of changed files that change no response (formatting, drafts), and the first of them. */
  withoutEffect: number;
  unaffectedFiles: { file: string }[];
  /** Folders with a git repository of their own, such as submodules. Changes in them are not compared. */
  submodules: { file: string }[];
  findings: Finding[];
}

/** A changed `go_live_at` or `expire_at`, as in the sources. `old` or `new` is missing if there is no date. */
export interface DateChange extends PageName {
  field: (typeof LIVE_FIELDS)[number];
  old?: string;
  new?: string;
  /** The subpages that go live, or expire, with the page. */
  subpages: PageName[];
}

/** The images of `_media/` that a change adds, changes or removes, sorted by path. */
export type ChangedImages = Record<"added" | "changed" | "removed", ChangedImage[]>;

export interface ChangedImage {
  file: string;
  /** Its URL; of a removed image, the former one. */
  address: string;
}

export interface AddedPage extends PageName, Partial<NotLive> {
  /** It was in the sources before the change, but not live at the instant of the comparison. */
  wasNotLive?: true;
  /** The fields of its source, only for the first pages. */
  fields?: FieldChange[];
}

/** A page that is no longer published; with `isNotLive`, it is in the sources, but not live. */
export interface RemovedPage extends PageName, Partial<NotLive> {
  /** The file of the draft that replaces the page. */
  draft?: string;
}

export interface ChangedPage extends PageName {
  fields: FieldChange[];
  /** The collection system whose fields are all that changed. */
  owner?: Omit<Owner, "fields">;
}

/** The same id at another address. */
export interface MovedPage extends ChangedPage {
  from: { address: string; file: string };
  /** Whether it moved only because its parent moved, without any other change. */
  isAlong: boolean;
}

/** Pages whose responses contain a changed summary of their parent. */
export interface ChangedChildren {
  parent: PageName;
  /** For example `meta.parent.title`. */
  fields: FieldChange[];
  pages: PageName[];
}

/** A changed order of the pages below one page, which no response contains. */
export interface ChangedOrder {
  parent: PageName;
  /** The subpages with another `meta.order`. */
  pages: PageName[];
}

/** Pages of one type whose responses change in the same way, only because `_types.json` changes. */
export interface RetypedPages {
  type: PageType;
  fields: FieldChange[];
  pages: PageName[];
}

export interface RemovedAddress {
  address: string;
  id: number;
  /** The new address of the page with that id. */
  now?: string;
}
