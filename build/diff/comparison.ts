import type { Finding } from "../findings/finding.ts";
import type { Base } from "../sources/git.ts";
import type { FieldChange } from "../json/changes.ts";
import type { LIVE_FIELDS } from "../page/live.ts";
import type { PageName } from "./snapshot.ts";

/** What a change of the sources publishes. Pages are sorted by address; files are relative to the content folder. */
export interface Comparison {
  base: Base;
  /** How many pages there are after the change, drafts not counted. */
  pages: number;
  /** What changes in `_site.json`, and with it in every response. Pages are compared as if it had been so before. */
  site: FieldChange[];
  added: AddedPage[];
  removed: RemovedPage[];
  changed: ChangedPage[];
  moved: MovedPage[];
  /** Dates that set when pages are live, if a change adds, moves or removes them. */
  dates: DateChange[];
  /** Pages whose own sources do not change. */
  children: ChangedChildren[];
  ids: { vanished: VanishedId[]; reused: ReusedId[] };
  addresses: GoneAddress[];
  /** Files of which nothing can be shown, as they have errors or the page above them has. */
  broken: { file: string; id?: number; belowBroken: boolean }[];
  /** How many changed files change nothing that is published (formatting, drafts), and the first of them. */
  withoutEffect: number;
  unaffectedFiles: { file: string }[];
  /** Folders that are repositories of git themselves, submodules perhaps: what changes in them is not compared. */
  submodules: { file: string }[];
  findings: Finding[];
}

/** A changed `go_live_at` or `expire_at`, as the sources have it; absent if there is none. */
export interface DateChange extends PageName {
  field: (typeof LIVE_FIELDS)[number];
  old?: string;
  new?: string;
  /** The number of pages below, which go live and expire with the page. */
  below: number;
}

export interface AddedPage extends PageName {
  /** What stands in its source; of the first pages alone. */
  says?: FieldChange[];
}

/** A page that is not published any more. */
export interface RemovedPage extends PageName {
  /** The file of the draft that it has become. */
  draft?: string;
}

export interface ChangedPage extends PageName {
  fields: FieldChange[];
}

/** The same id at another address. */
export interface MovedPage extends ChangedPage {
  from: { address: string; file: string };
  /** It only went along: the page above it moved, and nothing changes but what follows from that. */
  isAlong: boolean;
}

/** The pages below one whose summary in their responses changes. */
export interface ChangedChildren {
  parent: PageName;
  /** `meta.parent.title` */
  fields: FieldChange[];
  pages: PageName[];
}

export interface VanishedId {
  was: PageName;
  /** The page that has its address now. */
  replacedBy?: PageName;
}

export interface ReusedId {
  id: number;
  was: PageName;
  is: PageName;
}

export interface GoneAddress {
  address: string;
  id: number;
  /** Where the page of that id is now. */
  now?: string;
}
