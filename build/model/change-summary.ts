import { instantOf } from "../base/instant.ts";
import { plural, thousands } from "../base/numbers.ts";
import { SITE, TYPES } from "../source/site-files.ts";
import { formats } from "./formats.ts";
import { formatDate, type LIVE_FIELDS } from "./schedule.ts";

/* The effects of changed sources in words, the same in `diff`, in the comment on a pull request and in the editor. */

type SummaryWords = string | ((n: number) => string);

/** By what happens to a page: the words after the number of such pages. */
const PAGES = {
  added: "added",
  nowLive: "now live",
  removed: "removed",
  noLongerLive: "no longer live",
  drafts: (n) => (n === 1 ? "becomes a draft" : "become drafts"),
  changed: "changed",
  moved: "moved",
  children: "changed because their parent changed",
  retyped: `changed because of ${TYPES}`,
} satisfies Record<string, SummaryWords>;

/** The words for numbers of files, images, dates, ids and addresses; of parents whose subpages have another order. */
const OTHERS = {
  site: () => `${SITE} changes`,
  types: () => `${TYPES} changes`,
  imagesAdded: (n) => `${plural(n, "image")} added`,
  imagesChanged: (n) => `${plural(n, "image")} changed`,
  imagesRemoved: (n) => `${plural(n, "image")} removed`,
  orders: (n) => `order of the subpages of ${plural(n, "page")} changed`,
  dates: (n) => `${plural(n, "date")} of going live or expiring changed`,
  vanished: (n) => `${plural(n, "id")} removed`,
  reused: (n) => `${plural(n, "id")} used for another page`,
  addresses: (n) => `${thousands(n)} ${n === 1 ? "address" : "addresses"} removed`,
  broken: (n) => `${plural(n, "file")} with errors`,
} satisfies Record<string, (n: number) => string>;

export type ChangeCounts = Record<keyof typeof PAGES | keyof typeof OTHERS, number>;

/** `Pages: 1 added, 2 changed, 1 moved. 1 address removed.`, of all parts together. */
export function summaryOf(parts: readonly Partial<ChangeCounts>[]): string {
  const worded = (words: Record<string, SummaryWords>, print: (n: number, text: string) => string): string =>
    Object.entries(words)
      .flatMap(([name, text]) => {
        const n = parts.reduce((sum, part) => sum + (part[name as keyof ChangeCounts] ?? 0), 0);
        return n === 0 ? [] : [print(n, typeof text === "string" ? text : text(n))];
      })
      .join(", ");
  const pages = worded(PAGES, (n, text) => `${thousands(n)} ${text}`);
  const rest = capital(worded(OTHERS, (_, text) => text));
  return (
    [pages && `Pages: ${pages}.`, rest && `${rest}.`].filter((part) => part !== "").join(" ") ||
    "Nothing that is published changes."
  );
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
