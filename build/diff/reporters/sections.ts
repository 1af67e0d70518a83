import { thousands } from "../../base/numbers.ts";
import { SITE, TYPES } from "../../page/files.ts";
import { dateMessage, summaryOf } from "../../page/change-summary.ts";
import { formatDate } from "../../page/schedule.ts";
import type {
  AddedPage,
  ChangedChildren,
  ChangedImage,
  ChangedOrder,
  ChangedPage,
  Comparison,
  DateChange,
  RemovedAddress,
  MovedPage,
  RemovedPage,
  RetypedPages,
  ReusedId,
  RemovedId,
} from "../comparison.ts";
import type { FieldChange } from "../../json/changes.ts";
import type { NotLive } from "../snapshot.ts";

const pagesIn = (groups: readonly { pages: unknown[] }[]): number =>
  groups.reduce((sum, { pages }) => sum + pages.length, 0);

/** Without the pages whose id is used for another page: they are listed there. */
function splitChanges({ added, removed, ids }: Comparison) {
  const reused = new Set(ids.reused.map(({ id }) => id));
  const kept = added.filter(({ id }) => !reused.has(id));
  const left = removed.filter(({ id }) => !reused.has(id));
  return {
    added: kept.filter(({ wasNotLive }) => !wasNotLive),
    nowLive: kept.filter(({ wasNotLive }) => wasNotLive),
    removed: left.filter(({ draft, isNotLive }) => draft === undefined && !isNotLive),
    noLongerLive: left.filter(({ isNotLive }) => isNotLive),
    drafts: left.filter(({ draft }) => draft !== undefined),
  };
}

/** The page types before and after the change: HTML is shown as text. */
export type Models = Comparison["models"];

export interface EntryPrinter {
  /** The title of the changes of a file. */
  titleOf: (file: string) => string;
  siteChange: (change: FieldChange) => string;
  typeChange: (change: FieldChange) => string;
  added: (page: AddedPage) => string;
  removed: (page: RemovedPage) => string;
  changed: (page: ChangedPage) => string;
  moved: (page: MovedPage) => string;
  /** @param message the effect of the changed date. */
  date: (change: DateChange, message: string) => string;
  /** Pages whose parent changed. */
  children: (change: ChangedChildren) => string;
  order: (change: ChangedOrder) => string;
  retyped: (change: RetypedPages) => string;
  reusedId: (id: ReusedId) => string;
  removedId: (id: RemovedId) => string;
  removedAddress: (address: RemovedAddress) => string;
  image: (image: ImageChange) => string;
  broken: (file: Comparison["broken"][number]) => string;
}

export interface Section {
  title: string;
  length: number;
  /** Number of pages, if an entry contains several. */
  pages: number | undefined;
  print: (k: number) => string;
}

export const section = <T>(
  title: string,
  entries: readonly T[],
  print: (entry: T) => string,
  pages?: number,
): Section => ({ title, length: entries.length, pages, print: (k) => print(entries[k] as T) });

/** The sections of a report; some have no entries. */
export function sectionsOf(comparison: Comparison, printer: EntryPrinter): Section[] {
  const { at, site, types, changed, moved, dates, children, orders, retyped, ids, addresses, broken } =
    comparison;
  const { added, nowLive, removed, noLongerLive, drafts } = splitChanges(comparison);
  return [
    section(printer.titleOf(SITE), site, printer.siteChange),
    section(printer.titleOf(TYPES), types, printer.typeChange),
    section("Added", added, printer.added),
    section("Now live", nowLive, (page) => printer.added({ ...page, fields: [] })),
    section("Becomes a draft", drafts, printer.removed),
    section("Removed", removed, printer.removed),
    section("No longer live: the API returns 404", noLongerLive, printer.removed),
    section("Changed", changed, printer.changed),
    section("Moved", moved, printer.moved),
    section("Dates", dates, (change) =>
      printer.date(change, dateMessage(change, change.subpages.length, at)),
    ),
    section("Changed because their parent changed", children, printer.children, pagesIn(children)),
    section("Order of subpages", orders, printer.order, pagesIn(orders)),
    section(`Changed because of ${TYPES}`, retyped, printer.retyped, pagesIn(retyped)),
    section("Ids used for another page", ids.reused, printer.reusedId),
    section("Removed ids", ids.vanished, printer.removedId),
    section("Removed addresses", addresses, printer.removedAddress),
    section("Images", imagesOf(comparison), printer.image),
    section("Skipped because of errors", broken, printer.broken),
  ];
}

/** Fields of a moved page that follow from its address, which is shown. */
const FOLLOWS = /^(?:url|meta\.(?:html_url|slug|parent\..+))$/;

export const beyondMove = (fields: readonly FieldChange[]): FieldChange[] =>
  fields.filter(({ field }) => !FOLLOWS.test(field));

/** The reason why a page is not live: `expired on 1 January 2020, 00:00 UTC`. */
export function whyNotLive({ expire_at: expired, go_live_at: from }: Partial<NotLive>): string {
  if (expired !== undefined) return `expired on ${formatDate(expired)}`;
  return from === undefined
    ? "never live, because its section expires first"
    : `goes live on ${formatDate(from)}`;
}

/** One line for each group of changes that is not shown page by page. */
export function notes(
  { withoutEffect, unaffectedFiles, submodules }: Comparison,
  name: (file: string) => string,
): string[] {
  const named = unaffectedFiles.map(({ file }) => name(file)).join(", ");
  const files = withoutEffect === 1 ? "file changes" : "files change";
  const rest = unaffectedFiles.length < withoutEffect ? ", …" : "";
  const repositories = submodules.map(({ file }) => name(file)).join(", ");
  return [
    ...(withoutEffect === 0
      ? []
      : [`${thousands(withoutEffect)} changed ${files} no response: ${named}${rest}`]),
    ...(submodules.length === 0 ? [] : [`Not compared, because they are git submodules: ${repositories}`]),
  ];
}

const IMAGE_CHANGES = [
  ["added", "+"],
  ["changed", "~"],
  ["removed", "-"],
] as const;

type ImageChange = ChangedImage & { change: string; sign: string };

const imagesOf = ({ images }: Comparison): ImageChange[] =>
  IMAGE_CHANGES.flatMap(([change, sign]) => images[change].map((image) => ({ ...image, change, sign })));

/** `Pages: 1 added, 2 changed, 1 moved.` */
export function summary(comparison: Comparison): string {
  const { changed, moved, children, orders, retyped, dates, ids, addresses, images, broken, site, types } =
    comparison;
  const { added, nowLive, removed, noLongerLive, drafts } = splitChanges(comparison);
  return summaryOf([
    {
      added: added.length,
      nowLive: nowLive.length,
      removed: removed.length,
      noLongerLive: noLongerLive.length,
      drafts: drafts.length,
      changed: changed.length,
      moved: moved.length,
      children: pagesIn(children),
      orders: orders.length,
      retyped: pagesIn(retyped),
      site: site.length,
      types: types.length,
      imagesAdded: images.added.length,
      imagesChanged: images.changed.length,
      imagesRemoved: images.removed.length,
      dates: dates.length,
      vanished: ids.vanished.length,
      reused: ids.reused.length,
      addresses: addresses.length,
      broken: broken.length,
    },
  ]);
}

/** The parts of the responses that a change of each field of `_site.json` affects. */
const EFFECTS: Record<string, string> = {
  base_url: "meta.detail_url of every page, and of its parent in it",
  site_url: "meta.html_url of every page, and of its parent in it: all old addresses on the website change",
  append_slash: "meta.html_url of every page but the home page: all old addresses on the website change",
  media_url: "the address of every image whose source begins with a slash",
};

export const effectOf = ({ field }: FieldChange): string => EFFECTS[field] ?? "no response; only the checks";
