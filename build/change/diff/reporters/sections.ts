import { thousands } from "../../../base/numbers.ts";
import { SITE, TYPES } from "../../../source/site-files.ts";
import { dateMessage, summaryOf, type ChangeCounts } from "../../../model/change-summary.ts";
import { printable } from "../../../findings/printable.ts";
import { changesByOwner } from "../../../model/ownership.ts";
import { formatDate } from "../../../model/schedule.ts";
import type { ChangedImage, Comparison, DateChange } from "../comparison.ts";
import type { FieldChange } from "../../../source/json/changes.ts";
import type { NotLive } from "../version.ts";

const pagesIn = (groups: readonly { pages: unknown[] }[]): number =>
  groups.reduce((sum, { pages }) => sum + pages.length, 0);

/** The changes by kind, as the sections list them and the summary counts them. */
function groupsOf({ added, removed, ids, images, ...comparison }: Comparison) {
  const { changed, moved, dates, children, orders, retyped, site, types, addresses, broken } = comparison;
  // Without the pages whose id is used for another page: they are listed there.
  const reused = new Set(ids.reused.map(({ id }) => id));
  const kept = added.filter(({ id }) => !reused.has(id));
  const left = removed.filter(({ id }) => !reused.has(id));
  const others = { changed, moved, dates, children, orders, retyped, site, types, addresses, broken };
  return {
    ...others,
    ...ids,
    added: kept.filter(({ wasNotLive }) => !wasNotLive),
    nowLive: kept.filter(({ wasNotLive }) => wasNotLive),
    removed: left.filter(({ draft, isNotLive }) => draft === undefined && !isNotLive),
    noLongerLive: left.filter(({ isNotLive }) => isNotLive),
    drafts: left.filter(({ draft }) => draft !== undefined),
    imagesAdded: images.added,
    imagesChanged: images.changed,
    imagesRemoved: images.removed,
  } satisfies Record<keyof ChangeCounts, readonly unknown[]>;
}

type ChangeGroups = ReturnType<typeof groupsOf>;

/** The page types before and after the change: HTML is shown as text. */
export type Models = Comparison["models"];

/** The kinds whose entries are printed like those of another kind, or with more than the change itself. */
type SharedPrinting = "nowLive" | "noLongerLive" | "drafts" | "dates" | `images${string}`;

/** Prints an entry of each kind. */
export type EntryPrinter = {
  [Kind in Exclude<keyof ChangeGroups, SharedPrinting>]: (entry: ChangeGroups[Kind][number]) => string;
} & {
  /** The title of the changes of a file. */
  titleOf: (file: string) => string;
  /** @param message the effect of the changed date. */
  date: (change: DateChange, message: string) => string;
  image: (image: ImageChange) => string;
};

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
  const groups = groupsOf(comparison);
  const { children, orders, retyped } = groups;
  return [
    section(printer.titleOf(SITE), groups.site, printer.site),
    section(printer.titleOf(TYPES), groups.types, printer.types),
    section("Added", groups.added, printer.added),
    section("Now live", groups.nowLive, (page) => printer.added({ ...page, fields: [] })),
    section("Becomes a draft", groups.drafts, printer.removed),
    section("Removed", groups.removed, printer.removed),
    section("No longer live: the API returns 404", groups.noLongerLive, printer.removed),
    section(
      "Changed",
      groups.changed.filter(({ owner }) => owner === undefined),
      printer.changed,
    ),
    section("Moved", groups.moved, printer.moved),
    section("Dates", groups.dates, (change) =>
      printer.date(change, dateMessage(change, change.subpages.length, comparison.at)),
    ),
    section("Changed because their parent changed", children, printer.children, pagesIn(children)),
    section("Order of subpages", orders, printer.orders, pagesIn(orders)),
    section(`Changed because of ${TYPES}`, retyped, printer.retyped, pagesIn(retyped)),
    section("Ids used for another page", groups.reused, printer.reused),
    section("Removed ids", groups.vanished, printer.vanished),
    section("Removed addresses", groups.addresses, printer.addresses),
    section("Images", imagesOf(comparison), printer.image),
    section("Skipped because of errors", groups.broken, printer.broken),
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
  { changed, withoutEffect, unaffectedFiles, submodules }: Comparison,
  name: (file: string) => string,
): string[] {
  const named = unaffectedFiles.map(({ file }) => name(file)).join(", ");
  const files = withoutEffect === 1 ? "file changes" : "files change";
  const rest = unaffectedFiles.length < withoutEffect ? ", …" : "";
  const repositories = submodules.map(({ file }) => name(file)).join(", ");
  return [
    ...changesByOwner(changed).map(printable),
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
  const groups = Object.entries(groupsOf(comparison));
  const counts = Object.fromEntries(groups.map(([kind, group]) => [kind, group.length]));
  const { children, retyped } = comparison;
  return summaryOf([{ ...counts, children: pagesIn(children), retyped: pagesIn(retyped) }]);
}

/** The parts of the responses that a change of each field of `_site.json` affects. */
const EFFECTS: Record<string, string> = {
  base_url: "meta.detail_url of every page, and of its parent in it",
  site_url: "meta.html_url of every page, and of its parent in it: all old addresses on the website change",
  append_slash: "meta.html_url of every page but the home page: all old addresses on the website change",
  media_url: "the address of every image whose source begins with a slash",
};

export const effectOf = ({ field }: FieldChange): string => EFFECTS[field] ?? "no response; only the checks";
