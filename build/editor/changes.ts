import { inWords, type FieldWords, type TitleOf } from "../browse/own-fields.js";
import { includes, instantOf } from "../base/instant.ts";
import { isObject, valueAt, type JsonObject } from "../source/json/object.ts";
import { dateMessage, summaryOf, type ChangeCounts } from "../model/change-summary.ts";
import { HISTORY, SITE, SYNC, TYPES } from "../source/site-files.ts";
import { imagePath } from "../source/image-kinds.ts";
import { LIVE_FIELDS, ownPeriod, periodOrAlways } from "../model/schedule.ts";
import { changedBy, type Owner } from "../model/ownership.ts";
import type { PageModel } from "../model/page.ts";
import { aroundDifference, sourceChanges } from "../model/shown-change.ts";
import type { Site } from "../model/site.ts";
import { addressPathOf } from "../model/tree.ts";
import { findingsOf, labelAt } from "./findings.ts";
import { pageOf } from "./form/model.ts";
import { draftSection, hasFolder, isDraftIn } from "../source/page-files.ts";
import { isEqual, onlyMember, shownText } from "./form/values.ts";
import type { FileChange } from "../change/change.ts";

/* Changed sources page by page, as people read them: before saving, in a proposal, and since the last commit. */

export interface ShownField {
  label: string;
  /** Missing if the field is new. */
  old?: string;
  /** Missing if the field was removed. */
  new?: string;
}

type FileKind = "new" | "changed" | "moved" | "removed";
/** A page whose file has another name may keep its address, or have become a draft or a page. */
type ChangeKind = FileKind | "published" | "unpublished";

export interface ShownChange {
  kind: ChangeKind;
  file: string;
  /** Undefined for a file that is no page. */
  id: number | undefined;
  /** The title of the page, or the name of the file. */
  title: string;
  fields: ShownField[];
  /** The effects of changed dates. */
  dates: string[];
  /** Number of errors in the page. */
  errors: number;
  /** Its part of the summary. */
  counts: Partial<ChangeCounts>;
  /** Whether its subpages show the change, because they repeat a part of their parent. */
  isOfParent?: boolean;
  /** The path of the parent whose subpages get another order, which no response contains. */
  reordered?: string | undefined;
  /** Whether the pages below it are published with it, or become drafts with it: it was a draft section, or is one now. */
  withSubpages?: "published" | "withdrawn" | undefined;
  /** The collection system whose fields are all that changed, and these fields. */
  owned?: { owner: Owner; fields: { field: string }[] } | undefined;
  /** The changed files: two if the page has moved. */
  files: FileChange[];
}

interface ChangeOptions {
  pages: PageModel;
  site: Site | undefined;
  /** `_sync.json` */
  sync?: JsonObject | undefined;
  titleOf?: TitleOf | undefined;
  /** The instant that decides whether a date has passed. */
  at: string;
  /** The folders of draft sections, such as `visit/tours/`: those before the changes, or those after them. */
  sections?: Iterable<string>;
}

/** Tells before and after the changes whether a file is a draft, or in a draft section. */
function draftsOf(changes: readonly FileChange[], sections: Iterable<string>) {
  const [was, is] = [new Set(sections), new Set(sections)];
  for (const { file, before, after } of changes) {
    const section = draftSection(file);
    if (section === undefined) continue;
    was[before === null ? "delete" : "add"](section);
    is[after === null ? "delete" : "add"](section);
  }
  return { wasDraft: isDraftIn(was), isDraft: isDraftIn(is) };
}

/** The changes of pages, in the order of the files. A file that was removed is paired with the new file of its page. */
export function pageChanges(changes: readonly FileChange[], options: ChangeOptions): ShownChange[] {
  const gone = changes.filter(({ after }) => after === null);
  const removed = new Map(gone.map((change) => [idIn(pageOf(change.before)), change]));
  const moved = new Map<FileChange, FileChange>();
  for (const change of changes.filter(({ before }) => before === null)) {
    const id = idIn(pageOf(change.after));
    const from = id === undefined ? undefined : removed.get(id);
    if (from !== undefined) moved.set(change, from);
  }
  const left = new Set(moved.values());
  const drafts = draftsOf(changes, options.sections ?? []);
  return changes
    .filter((change) => !left.has(change))
    .map((one) => pageChange(one, moved.get(one), { ...options, ...drafts }));
}

export const idIn = (page: JsonObject | undefined): number | undefined =>
  typeof page?.["id"] === "number" ? page["id"] : undefined;

function pageChange(
  change: FileChange,
  from: FileChange | undefined,
  { pages, site, sync, at, titleOf, wasDraft, isDraft }: ChangeOptions & ReturnType<typeof draftsOf>,
): ShownChange {
  const { file, after } = change;
  const before = from === undefined ? change.before : from.before;
  const ofFile: FileKind =
    after === null ? "removed" : before === null ? "new" : from === undefined ? "changed" : "moved";
  const files = from === undefined ? [change] : [from, change];
  const title = FILE_TITLES[file] ?? file;
  const other = { kind: ofFile, file, title, files, id: undefined, dates: [], errors: 0 };
  if (imagePath(file) !== undefined) return { ...other, fields: [], counts: { [IMAGES[ofFile]]: 1 } };
  const [was, is] = [pageOf(before), pageOf(after)];
  const page = is ?? was ?? {};
  const [id, given] = [idIn(page), valueAt(page, ["meta", "type"])];
  const type = pages.has(given) ? given : pages.usual;
  const changed = sourceChanges(was, is);
  const owner = ofFile === "changed" ? changedBy(page, sync, changed) : undefined;
  const fields = changed.map((one): ShownField => {
    const known = labelAt(pages, type, Object.hasOwn(one, "new") ? page : was, one.field);
    const { label, field } = file === HISTORY ? historyField(one.field) : known;
    const words = (key: "old" | "new"): string | undefined => {
      if (!Object.hasOwn(one, key)) return undefined;
      // As the form shows it: of a new classification, its id.
      const only = known.field && isObject(one[key]) ? onlyMember(known.field, one[key]) : undefined;
      const [shown, value] = only ? [only, valueAt(one[key], [only.name])] : [field, one[key]];
      return inWords(shown, value, titleOf);
    };
    const [old, now] = [words("old"), words("new")];
    // The same words may have other tags.
    const isSame = old === now && old !== undefined;
    const [first, last] = isSame ? [shownText(one.old), shownText(one.new)] : [old, now];
    return Object.assign(aroundDifference(first, last), { label });
  });
  if (id === undefined) {
    const counts = file === SITE ? { site: 1 } : file === TYPES ? { types: 1 } : {};
    return { ...other, fields, counts };
  }
  const errors = after === null ? 0 : findingsOf(pages, file, after, site).filter(isError).length;
  const fromFile = from?.file ?? file;
  const states = { was: stateOf(was, wasDraft(fromFile), at), is: stateOf(is, isDraft(file), at) };
  const kind = ofFile === "moved" ? movedKind(states, fromFile, file) : ofFile;
  const [wasSection, isSection] = [draftSection(fromFile), draftSection(file)];
  const valuesOf = (...path: string[]): unknown[] => [was, is].map((one) => valueAt(one, path));
  const dates = LIVE_FIELDS.flatMap((field) => {
    const [old, now] = valuesOf("meta", field).map((one) => shownText(one) || undefined);
    return states.is === "unpublished" || old === now ? [] : [dateMessage({ field, old, new: now }, 0, at)];
  });
  const hasOrder = kind === "changed" && isChanged(valuesOf("meta", "order"));
  const isPublished = states.was !== "unpublished" && states.is !== "unpublished";
  const counts = countsOf(kind, states, errors > 0, fields.length > dates.length + Number(hasOrder));
  return {
    ...other,
    kind,
    id,
    title: shownText(page["title"]) || "Untitled",
    fields,
    dates,
    errors,
    owned: owner && { owner, fields: changed },
    counts: { ...counts, dates: dates.length },
    reordered: hasOrder && isPublished ? addressPathOf(file)?.replace(/\/?[^/]*$/, "") : undefined,
    withSubpages:
      wasSection !== undefined && hasFolder(file) && !isDraft(file)
        ? "published"
        : isSection !== undefined && hasFolder(fromFile) && !wasDraft(fromFile)
          ? "withdrawn"
          : undefined,
    isOfParent: "changed" in counts && (isChanged(valuesOf("title")) || isChanged(valuesOf("meta", "type"))),
  };
}

/** The files about the site, as people call them. */
const FILE_TITLES: Readonly<Record<string, string>> = {
  [SITE]: "Settings of the site",
  [TYPES]: "Page types",
  [HISTORY]: "Old addresses",
  [SYNC]: "Fields of collection systems",
};

const OLD_ADDRESS: FieldWords = {
  name: "",
  label: "",
  fields: [{ name: "id", label: "Page", control: "page" }],
};

/** A field of `_history.json`: all addresses, one of them, or a member of one. */
function historyField(path: string): { label: string; field: FieldWords | undefined } {
  const label = path.startsWith("moved") ? "Moved" : "Retired";
  const [, index, member] = /^\w+(\[\d+\])?\.?(.*)$/.exec(path) ?? [];
  const field = index === undefined ? { name: "", label, element: OLD_ADDRESS } : OLD_ADDRESS;
  return { label, field: member ? OLD_ADDRESS.fields?.find(({ name }) => name === member) : field };
}

const isChanged = ([old, now]: unknown[]): boolean => !isEqual(old, now);

type Visibility = "unpublished" | "waiting" | "live";

/** Whether a version of a page is published; `waiting`: not live at the instant. */
function stateOf(page: JsonObject | undefined, isDraft: boolean, at: string): Visibility {
  if (page === undefined || isDraft) return "unpublished";
  const { meta } = page;
  const period = isObject(meta) ? ownPeriod(meta) : undefined;
  return includes(periodOrAlways(period), instantOf(at)) ? "live" : "waiting";
}

function movedKind({ was, is }: { was: Visibility; is: Visibility }, from: string, file: string): ChangeKind {
  if ((was === "unpublished") !== (is === "unpublished"))
    return is === "unpublished" ? "unpublished" : "published";
  const address = addressPathOf(file);
  return address !== undefined && address === addressPathOf(from) ? "changed" : "moved";
}

const isError = ({ severity }: { severity: string }): boolean => severity === "error";

const IMAGES = {
  new: "imagesAdded",
  changed: "imagesChanged",
  moved: "imagesChanged",
  removed: "imagesRemoved",
} as const;

/** The part of a page in the summary, which counts published pages only. */
function countsOf(
  kind: ShownChange["kind"],
  { was, is }: { was: Visibility; is: Visibility },
  hasErrors: boolean,
  hasOtherFields: boolean,
): Partial<ChangeCounts> {
  if (is === "unpublished" && was === "unpublished") return {};
  if (is === "unpublished")
    return { [kind === "removed" ? "removed" : "drafts"]: 1, vanished: 1, addresses: 1 };
  if (hasErrors) return { broken: 1 };
  if (was === "unpublished") return { added: 1 };
  return {
    ...(kind === "moved" ? { moved: 1, addresses: 1 } : hasOtherFields && { changed: 1 }),
    ...(was !== is && { [is === "live" ? "nowLive" : "noLongerLive"]: 1 }),
  };
}

/** The part in the summary of the pages below a page that change with it. */
function withPage({ withSubpages }: ShownChange, below: number): Partial<ChangeCounts> {
  if (withSubpages === undefined) return { children: below };
  return withSubpages === "published"
    ? { added: below }
    : { drafts: below, vanished: below, addresses: below };
}

/**
 * The effect of all changes on the published site.
 *
 * @param below by change: the number of pages below the page that change with it, and have no changes of their own.
 */
export function summaryOfChanges(changes: readonly ShownChange[], below: readonly number[]): string {
  const orders = new Set(changes.flatMap(({ reordered = [] }) => reordered)).size;
  const parts = changes.flatMap((change, k) => [change.counts, withPage(change, below[k] ?? 0)]);
  return summaryOf([...parts, { orders }]);
}
