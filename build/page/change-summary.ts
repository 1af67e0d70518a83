import { instantOf } from "../base/instant.ts";
import { plural, thousands } from "../base/numbers.ts";
import { SITE, TYPES } from "./files.ts";
import { formats } from "./formats.ts";
import { formatDate, type LIVE_FIELDS } from "./schedule.ts";

/* The effects of changed sources in words, the same in `diff`, in the comment on a pull request and in the editor. */

/** Numbers of pages, files, dates, ids and addresses. */
const NONE = {
  added: 0,
  nowLive: 0,
  removed: 0,
  noLongerLive: 0,
  drafts: 0,
  changed: 0,
  moved: 0,
  children: 0,
  /** Parents whose subpages have another order. */
  orders: 0,
  retyped: 0,
  site: 0,
  types: 0,
  imagesAdded: 0,
  imagesChanged: 0,
  imagesRemoved: 0,
  dates: 0,
  vanished: 0,
  reused: 0,
  addresses: 0,
  broken: 0,
};
export type ChangeCounts = typeof NONE;

const count = (n: number, words: string): string[] => (n === 0 ? [] : [`${thousands(n)} ${words}`]);
const counted = (n: number, one: string, words: string): string[] =>
  n === 0 ? [] : [`${plural(n, one)} ${words}`.trim()];

/** `Pages: 1 added, 2 changed, 1 moved. 1 address removed.`, of all parts together. */
export function summaryOf(parts: readonly Partial<ChangeCounts>[]): string {
  const n = { ...NONE };
  for (const part of parts)
    for (const [name, more] of Object.entries(part)) n[name as keyof ChangeCounts] += more;
  const pages = [
    ...count(n.added, "added"),
    ...count(n.nowLive, "now live"),
    ...count(n.removed, "removed"),
    ...count(n.noLongerLive, "no longer live"),
    ...count(n.drafts, n.drafts === 1 ? "becomes a draft" : "become drafts"),
    ...count(n.changed, "changed"),
    ...count(n.moved, "moved"),
    ...count(n.children, "changed because their parent changed"),
    ...count(n.retyped, `changed because of ${TYPES}`),
  ];
  const rest = [
    ...(n.site === 0 ? [] : [`${SITE} changes`]),
    ...(n.types === 0 ? [] : [`${TYPES} changes`]),
    ...counted(n.imagesAdded, "image", "added"),
    ...counted(n.imagesChanged, "image", "changed"),
    ...counted(n.imagesRemoved, "image", "removed"),
    ...(n.orders === 0 ? [] : [`order of the subpages of ${plural(n.orders, "page")} changed`]),
    ...counted(n.dates, "date", "of going live or expiring changed"),
    ...counted(n.vanished, "id", "removed"),
    ...counted(n.reused, "id", "used for another page"),
    ...count(n.addresses, n.addresses === 1 ? "address removed" : "addresses removed"),
    ...counted(n.broken, "file", "with errors"),
  ];
  if (pages.length + rest.length === 0) return "Nothing that is published changes.";
  const first = pages.length === 0 ? "" : `Pages: ${pages.join(", ")}. `;
  return `${first}${rest.length === 0 ? "" : `${capital(rest.join(", "))}.`}`.trim();
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

interface ChangedDate {
  field: (typeof LIVE_FIELDS)[number];
  old?: string | undefined;
  new?: string | undefined;
}

/**
 * The effect of a changed date: `goes live on 1 March 2027, 10:00 (09:00 UTC)`.
 *
 * @param subpages the number of subpages that go live, or expire, with the page.
 * @param at the instant of the comparison.
 */
export function dateMessage({ field, old, new: now }: ChangedDate, subpages: number, at: string): string {
  const isPast = now !== undefined && instantOf(now) <= instantOf(at);
  const [past, present] = field === "go_live_at" ? ["went live", "goes live"] : ["expired", "expires"];
  const verb = isPast ? past : present;
  const infinitive = field === "go_live_at" ? "go live" : "expire";
  const instead = old === undefined || now === undefined ? "" : ` instead of ${dateAsWritten(old)}`;
  const change =
    now === undefined
      ? `does not ${infinitive} on ${dateAsWritten(old ?? "")} any more`
      : `${verb} on ${dateAsWritten(now)}${instead}`;
  return subpages === 0 ? change : `${change}, with ${plural(subpages, "subpage")}`;
}

/** A date with errors is shown as written. */
const dateAsWritten = (date: string): string =>
  formats["date-time"].matches(date) ? formatDate(date) : date;
