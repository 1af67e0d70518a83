import { type Finding, compare, finding, MAX_FINDINGS } from "../../findings/finding.ts";
import type { Owner } from "../../model/ownership.ts";
import type { Base } from "../../source/git.ts";
import { hasFolder } from "../../source/page-files.ts";
import { type FieldChange, fieldChanges, jsonChanges } from "../../source/json/changes.ts";
import type { Placement } from "../../model/derive.ts";
import { modelsIn } from "../../model/model.ts";
import { LIVE_FIELDS, periodOrAlways } from "../../model/schedule.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import type { NotLive, PageName, Contents, RenderedPage, Effect, Version } from "./version.ts";
import { grouped } from "../../base/grouped.ts";
import type { Site } from "../../model/site.ts";
import { pageAddress } from "../../model/tree.ts";

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
interface RemovedPage extends PageName, Partial<NotLive> {
  /** The file of the draft that replaces the page. */
  draft?: string;
}

interface ChangedPage extends PageName {
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
interface ChangedChildren {
  parent: PageName;
  /** For example `meta.parent.title`. */
  fields: FieldChange[];
  pages: PageName[];
}

/** A changed order of the pages below one page, which no response contains. */
interface ChangedOrder {
  parent: PageName;
  /** The subpages with another `meta.order`. */
  pages: PageName[];
}

/** Pages of one type whose responses change in the same way, only because `_types.json` changes. */
interface RetypedPages {
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

/** A file that may have another effect after the change. */
export interface Pair {
  /** Its file before the change; undefined for a new page. */
  from: string | undefined;
  /** Its file after the change; undefined for a removed page. */
  to: string | undefined;
}

const idIn = (version: Version, file: string): number | undefined =>
  version.isPage(file) ? version.facts.get(file)?.id : undefined;

/** Pairs the files before and after the change: the same id is the same page, in any file. */
export function pairsOf(edited: readonly string[], before: Version, after: Version): Pair[] {
  const isSamePage = (file: string, id: number): boolean =>
    idIn(before, file) === id && idIn(after, file) === id;
  // Of two files with the same id, the one that had it before, or else the later path.
  const holders = new Map<number, string>();
  for (const file of edited) {
    const id = idIn(after, file);
    const other = id === undefined ? undefined : holders.get(id);
    if (id !== undefined && (other === undefined || !isSamePage(other, id))) holders.set(id, file);
  }
  const pairs: Pair[] = [];
  const paired = new Set<string>();
  for (const file of edited) {
    if (!before.isPage(file)) continue;
    const id = idIn(before, file);
    const holder = id === undefined ? undefined : holders.get(id);
    // Without a readable id, a page is likely to be the former one.
    const isUnreadable = after.isPage(file) && idIn(after, file) === undefined;
    const to = holder !== undefined && !paired.has(holder) ? holder : isUnreadable ? file : undefined;
    if (to !== undefined) paired.add(to);
    pairs.push({ from: file, to });
  }
  for (const file of edited)
    if (after.files.has(file) && !paired.has(file)) pairs.push({ from: undefined, to: file });
    // A draft that was removed.
    else if (before.files.has(file) && !before.isPage(file) && !after.files.has(file))
      pairs.push({ from: file, to: undefined });
  return pairs;
}

/** Tells by the folder of its parent whether a page that was not edited has another position. */
function movedBelow(before: Version, after: Version, isEdited: (file: string) => boolean) {
  const numbers = new Map(after.listing.folders.map(({ path }, f) => [path, f]));
  const known = new Map([[-1, false]]);
  const isMoved = (folder: number): boolean => {
    const found = known.get(folder);
    if (found !== undefined) return found;
    const { path = "", index = -1 } = before.listing.folders[folder] ?? {};
    const now = numbers.get(path) ?? -1;
    const isThere = index !== -1 && after.listing.folders[now]?.index !== -1;
    const moved =
      isThere && !isEdited(before.listing.path(index))
        ? isMoved(before.listing.parentOf(index))
        : !isSame(before.folderPage(folder), after.folderPage(now));
    known.set(folder, moved);
    return moved;
  };
  return isMoved;
}

/**
 * The files that were not edited, but may have another effect: their parent changed, or their section is a draft now.
 *
 * @param mayDiffer whether a source depends on anything else that changed.
 */
export function dependents(
  before: Version,
  after: Version,
  edited: ReadonlySet<string>,
  mayDiffer: (file: string, bytes: () => Buffer) => boolean,
): Pair[] {
  const isMoved = movedBelow(before, after, (file) => edited.has(file) || before.model !== after.model);
  return [...before.files].flatMap(([file, i]): Pair[] => {
    if (edited.has(file) || !after.files.has(file)) return [];
    const [was, is] = [before.isPage(file), after.isPage(file)];
    const isDependent =
      was !== is ||
      (is &&
        (isMoved(before.listing.parentOf(i)) || mayDiffer(file, () => after.read(file).bytes ?? NO_BYTES)));
    return isDependent ? [{ from: file, to: file }] : [];
  });
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const NO_BYTES = Buffer.alloc(0);

interface Situation {
  before: Version;
  after: Version;
  edited: ReadonlySet<string>;
  /** Edited files with the same bytes. */
  touched: ReadonlySet<string>;
  /** The settings of the site before the change, for its old addresses. */
  former: Site;
  hasOtherTypes: boolean;
  /** Whether responses may contain facts of other pages. */
  showsPages: boolean;
  /** The contents of a pair's files, which are read in this order. */
  contentsOf: (pair: Pair) => Record<keyof Pair, Contents | undefined>;
}

type PageEffect = Pick<RenderedPage, "name" | "notLive" | "position">;

/** Pages that have a response before or after the change. */
interface Compared {
  was: PageEffect | undefined;
  is: PageEffect | undefined;
  /** Why there is none, if it is not live. */
  hidden: NotLive | undefined;
  wasHidden: boolean;
  fields: FieldChange[];
}

/** The changes of pages, from the responses of both versions. */
export function comparePages(pairs: readonly Pair[], given: Situation) {
  const { before, after, edited } = given;
  const compared: Compared[] = [];
  const broken: Comparison["broken"] = [];
  const findings: Finding[] = [];
  /** Findings in sources that were not edited. */
  const caused: Finding[] = [];
  const idle: string[] = [];
  const holders = new Map<number, string>();
  const formerPage = given.showsPages ? () => undefined : formerPages(before, after);
  for (const pair of pairs) {
    const { from, to } = pair;
    const contents = given.contentsOf(pair);
    const is = to === undefined ? NOTHING : after.effectOf(to, contents.to);
    const isSameSource = contents.from !== undefined && contents.from === contents.to;
    const former = isSameSource && is.kind === "page" ? formerPage(pair, is) : undefined;
    const was = former?.was ?? (from === undefined ? NOTHING : before.effectOf(from, contents.from));
    if (to === undefined || edited.has(to)) for (const f of is.findings) findings.push(f);
    else {
      if (hasSameEffect(was, is)) continue;
      const known = new Set(was.findings.map(codeAndPlace));
      for (const f of is.findings) if (!known.has(codeAndPlace(f))) caused.push(f);
    }
    if (is.kind === "broken") {
      const { id, isBelowBroken: belowBroken } = is;
      if (to !== undefined && (edited.has(to) || !belowBroken))
        broken.push({ file: to, ...(id !== undefined && { id }), belowBroken });
      continue;
    }
    if (is.kind === "page") {
      const { id, file } = is.name;
      const other = holders.get(id);
      if (other === undefined) holders.set(id, file);
      else findings.push(...clashes(after, id, file, other));
    }
    if (was.kind === "page" || is.kind === "page")
      compared.push({
        was: was.kind === "page" ? described(was) : undefined,
        is: is.kind === "page" ? described(is) : undefined,
        hidden: is.kind === "hidden" ? is.notLive : undefined,
        wasHidden: was.kind === "hidden",
        fields:
          former?.fields ??
          (was.kind === "page" && is.kind === "page" ? jsonChanges(was.response, is.response) : []),
      });
    else idle.push(...new Set([from, to].filter((file) => file !== undefined)));
  }
  const shown = { broken: broken.sort(byFile), findings: [...findings, ...caused.slice(0, MAX_FINDINGS)] };
  return { ...changesOf(compared, idle, given), ...shown };
}

/**
 * The former page of a source that is as before, in any file, with the changes of its response; undefined if more than what
 * responses show of a page's place may differ.
 */
function formerPages(before: Version, after: Version) {
  const placed = new Map<PageType, [field: string, part: keyof Placement][]>();
  const placedFields = (type: PageType): [field: string, part: keyof Placement][] =>
    [...modelsIn(after.model.sourceOf(type))].flatMap(([model, path]) =>
      model.kind === "derived" && model.row.kind === "place" ? [[path.join("."), model.row.part]] : [],
    );
  /** Of the last parents, because pages of one parent mostly follow each other. */
  let ofParent: { was: unknown; is: unknown; changes: FieldChange[] } | undefined;
  return ({ from = "", to = "" }: Pair, is: RenderedPage) => {
    const { id, type } = is.name;
    if (before.checker !== after.checker || before.translationsOf(from) !== after.translationsOf(to))
      return undefined;
    const [old, now] = [before.placedAt(from, id), after.placedAt(to, id)];
    // A page may be wrong below a parent of another type.
    if (old === undefined || now === undefined || old.parent.type !== now.parent.type) return undefined;
    const notLive = before.reasonOf(is.meta, old.parent);
    if (notLive !== undefined && before.onlyLive) return undefined;
    const [was, own] = [old.placement, now.placement];
    if (ofParent?.was !== was.parent || ofParent.is !== own.parent)
      ofParent = { was: was.parent, is: own.parent, changes: fieldChanges(was.parent, own.parent, PARENT) };
    let fields = placed.get(type);
    if (fields === undefined) placed.set(type, (fields = placedFields(type)));
    const { changes } = ofParent;
    const changed = fields.flatMap(([field, part]) =>
      field === PARENT ? changes : fieldChanges(was[part], own[part], field),
    );
    const name = { ...is.name, address: was.address, file: from };
    // The former response need not be printed to know whether it differs.
    const response = changed.length === 0 ? is.response : "";
    return { was: { ...is, name, notLive, response }, fields: changed };
  };
}

const PARENT = "meta.parent";

const NOTHING: Effect = { kind: "unpublished", findings: [] };

const described = ({ name, notLive, position }: RenderedPage): PageEffect => ({ name, notLive, position });

function hasSameEffect(was: Effect, is: Effect): boolean {
  if (was.kind !== "page" || is.kind !== "page") return was.kind === is.kind;
  return was.response === is.response && was.notLive?.isNotLive === is.notLive?.isNotLive;
}

const codeAndPlace = ({ code, place }: Finding): string => `${code} ${place.line}:${place.column}`;

function clashes({ placeOfId }: Version, id: number, file: string, other: string): Finding[] {
  const [place, otherPlace] = [placeOfId(file), placeOfId(other)];
  return [
    finding("id-clash", { id, file, other }, place, otherPlace),
    finding("id-clash", { id, file: other, other: file }, otherPlace, place),
  ];
}

/** The changes by kind. */
function changesOf(compared: readonly Compared[], idle: string[], given: Situation) {
  const { before, after, edited, touched, hasOtherTypes } = given;
  const added: AddedPage[] = [];
  const removed: RemovedPage[] = [];
  const changed: ChangedPage[] = [];
  const moved: MovedPage[] = [];
  const retyped: ChangedPage[] = [];
  const children: ChangedPage[] = [];
  const reordered: PageName[] = [];
  const ids: Comparison["ids"] = { vanished: [], reused: [] };
  const addresses: Comparison["addresses"] = [];
  const holders = new Map(
    compared.flatMap(({ is }) => (is === undefined ? [] : [[is.name.id, is.name.file]])),
  );
  // A page that stays is not at the former address of another one.
  const successors = new Map(
    compared.flatMap(({ was, is }) =>
      is === undefined || is.name.address === was?.name.address ? [] : [[is.name.address, is.name]],
    ),
  );
  const hasFormerSite = isSame(given.former, before.site);
  const formerly = (name: PageName): PageName =>
    hasFormerSite ? name : { ...name, address: pageAddress(name.file, given.former) };

  function addChange(was: PageEffect, { name, position }: PageEffect, fields: FieldChange[]): void {
    const isReordered = was.position !== position;
    if (isReordered) reordered.push(name);
    if (fields.length === 0) {
      if (!isReordered) idle.push(name.file);
    } else if (edited.has(name.file)) changed.push({ ...name, fields });
    else if (fields.every(({ field }) => field.startsWith("meta.parent.")))
      children.push({ ...name, fields });
    else (hasOtherTypes ? retyped : changed).push({ ...name, fields });
  }

  for (const { was, is, hidden, wasHidden, fields } of compared) {
    if (was === undefined) {
      // Another file with the same id is an error, which is reported.
      if (is !== undefined && holders.get(is.name.id) === is.name.file)
        added.push({ ...is.name, ...is.notLive, ...(wasHidden && { wasNotLive: true }) });
      continue;
    }
    const { id, file, address } = was.name;
    const name = formerly(was.name);
    if (hidden !== undefined) {
      removed.push({ ...name, ...hidden });
      continue;
    }
    const successor = successors.get(address);
    const isReused =
      is !== undefined && is.name.address !== address && isAnotherPage(was.name, is.name, fields, successor);
    if (is === undefined) {
      if (holders.has(id)) continue;
      const draft = draftOf(after, file);
      removed.push({ ...name, ...(draft !== undefined && { draft }) });
      ids.vanished.push({ was: name, ...(successor && { replacedBy: successor }) });
    } else if (isReused) {
      removed.push(name);
      added.push({ ...is.name, ...is.notLive });
      ids.reused.push({ id, was: name, is: is.name });
    } else {
      if (was.notLive === undefined && is.notLive !== undefined) removed.push({ ...name, ...is.notLive });
      if (was.notLive !== undefined && is.notLive === undefined) added.push({ ...is.name, wasNotLive: true });
      if (is.name.address === address) {
        addChange(was, is, fields);
        continue;
      }
      moved.push({ ...is.name, fields, from: { address: name.address, file }, isAlong: false });
    }
    if (successor === undefined)
      addresses.push({
        address: name.address,
        id,
        ...(is !== undefined && !isReused && { now: is.name.address }),
      });
  }
  const drafts = new Set([...removed.map(({ draft }) => draft), ...added.map(({ file }) => asDraft(file))]);
  const isIdle = (file: string): boolean => edited.has(file) && !touched.has(file) && !drafts.has(file);
  return {
    added: added.sort(byAddress),
    removed: removed.sort(byAddress),
    changed: changed.sort(byAddress),
    moved: markAlong(moved.sort(byAddress)),
    retyped: groupRetyped(retyped.sort(byAddress)),
    children: families(after, children)
      .sort((one, other) => one.folder - other.folder)
      .map(({ parent, pages }) => ({ parent, fields: pages[0]?.fields ?? [], pages: pages.map(nameIn) })),
    orders: families(after, reordered.sort(byAddress)).map(({ parent, pages }) => ({ parent, pages })),
    ids,
    addresses: addresses.sort(byAddress),
    idle: idle.filter(isIdle),
  };
}

/** The draft that replaces a page: its file or its section got the name of a draft. */
const draftOf = ({ files, isPage }: Version, file: string): string | undefined =>
  [asDraft(file), file].find((one) => files.has(one) && !isPage(one));

const asDraft = (file: string): string => file.replace(/[^/]+$/, (name) => `_${name}`);

/** A page comes before its subpages. */
const byAddress = (a: { address: string }, b: { address: string }): number => compare(a.address, b.address);

const byFile = (a: { file: string }, b: { file: string }): number => compare(a.file, b.file);

/** Whether an id with a new address seems to belong to another page, rather than to a page that moved. */
function isAnotherPage(
  was: PageName,
  is: PageName,
  fields: readonly FieldChange[],
  successor: PageName | undefined,
): boolean {
  if (was.title === is.title) return false;
  const hasOtherPlace = ["meta.slug", "meta.parent.id"].every((name) =>
    fields.some(({ field }) => field === name),
  );
  return was.type !== is.type || hasOtherPlace || successor !== undefined;
}

/** Fields that change because the parent moved or changed. */
const FOLLOWS = /^(?:url|meta\.html_url|meta\.parent\.(?:title|meta\..+))$/;

function markAlong(moved: MovedPage[]): MovedPage[] {
  const addresses = new Set(moved.map(({ address }) => address));
  for (const page of moved)
    page.isAlong =
      addresses.has(addressAbove(page.address)) && page.fields.every(({ field }) => FOLLOWS.test(field));
  return moved;
}

const addressAbove = (address: string): string => address.replace(/\/[^/]*(\/?)$/, "$1");

/** Pages of one type with the same changes are one entry. */
function groupRetyped(pages: readonly ChangedPage[]): RetypedPages[] {
  const groups = grouped(pages, ({ type, fields }) => JSON.stringify([type, fields]));
  return Array.from(groups.values(), (all) => {
    const { type = "", fields = [] } = all[0] ?? {};
    return { type, fields, pages: all.map(nameIn) };
  });
}

/** The pages by their parents. */
function families<T extends PageName>({ files, listing, nameOf: named }: Version, pages: readonly T[]) {
  const groups = grouped(pages, ({ file }) => listing.parentOf(files.get(file) ?? 0));
  return Array.from(groups).flatMap(([folder, family]) => {
    const parent = named(listing.path(listing.folders[folder]?.index ?? 0));
    return parent === undefined ? [] : [{ folder, parent, pages: family }];
  });
}

const nameIn = ({ id, type, title, address, file }: PageName): PageName => ({
  id,
  type,
  title,
  address,
  file,
});

/** @param formerOf the former file of each page, by its file. */
export function changedDates(
  before: Version,
  after: Version,
  edited: readonly string[],
  formerOf: ReadonlyMap<string, string>,
): DateChange[] {
  return edited.flatMap((file): DateChange[] => {
    if (!after.isPage(file)) return [];
    const former = formerOf.get(file) ?? file;
    const old = before.isPage(former) ? (before.facts.get(former)?.dates ?? {}) : {};
    const now = after.facts.get(file)?.dates ?? {};
    const fields = LIVE_FIELDS.filter((field) => old[field] !== now[field]);
    const name = fields.length === 0 ? undefined : after.nameOf(file);
    if (name === undefined) return [];
    return fields.map((field) => {
      const [was, is] = [old[field], now[field]];
      const subpages = subpagesWith(after, file, field);
      return Object.assign({ field, subpages }, name, was && { old: was }, is && { new: is });
    });
  });
}

/** The pages below a page that go live, or expire, when it does. */
function subpagesWith(
  { pages, periodOf, nameOf, files }: Version,
  file: string,
  field: DateChange["field"],
): PageName[] {
  if (!hasFolder(file)) return [];
  const folder = file.slice(0, -"index.json".length);
  const bound = field === "go_live_at" ? "from" : "until";
  const { [bound]: instant } = periodOrAlways(periodOf(files.get(file) ?? 0));
  const below = pages().filter(([path]) => path !== file && path.startsWith(folder));
  return below
    .flatMap(([path, i]) => {
      const period = periodOrAlways(periodOf(i));
      // A page may expire before its parent goes live.
      return period[bound] === instant && period.from < period.until ? (nameOf(path) ?? []) : [];
    })
    .sort(byAddress);
}
