import { printable } from "../../findings/printable.ts";
import { thousands } from "../../base/numbers.ts";
import type { ChangedChildren, Comparison, GoneAddress, MovedPage, ReusedId } from "../comparison.ts";
import type { FieldChange } from "../../json/changes.ts";
import type { NotLive, PageName } from "../snapshot.ts";
import { shownChange } from "../../page/shown-change.ts";
import {
  beyondMove,
  childrenOf,
  comeAndGone,
  dateInWords,
  effectOf,
  imagesOf,
  NO_LONGER_LIVE,
  notes,
  NOW_LIVE,
  summary,
  whyNotLive,
} from "./words.ts";
import { SITE } from "../../page/files.ts";

/** Maximum number of entries in a section; the summary above has the full counts. */
const MAX_ENTRIES = 50;
/** Maximum number of fields listed for a page. */
const MAX_FIELDS = 20;

/** The report for a terminal. */
export function human(comparison: Comparison): string {
  const { base, at, site, changed, moved, children, dates, ids, addresses, broken } = comparison;
  const { added, nowLive, removed, noLongerLive, drafts } = comeAndGone(comparison);
  const images = imagesOf(comparison);
  const sections = [
    section(SITE, site.length, site.map(siteChange)),
    section(
      "Added",
      added.length,
      pick(added).map((page) => name("+", page) + reason(page) + sourceFields(page.fields ?? [])),
    ),
    section(
      NOW_LIVE,
      nowLive.length,
      pick(nowLive).map((page) => name("+", page)),
    ),
    section(
      "Becomes a draft",
      drafts.length,
      pick(drafts).map((page) => name("-", { ...page, file: page.draft ?? page.file })),
    ),
    section(
      "Removed",
      removed.length,
      pick(removed).map((page) => name("-", page)),
    ),
    section(
      NO_LONGER_LIVE,
      noLongerLive.length,
      pick(noLongerLive).map((page) => name("-", page) + reason(page)),
    ),
    section(
      "Changed",
      changed.length,
      pick(changed).map((page) => name("~", page) + fields(page.fields)),
    ),
    section("Moved", moved.length, pick(moved).map(movedPage)),
    section(
      "Dates",
      dates.length,
      pick(dates).map(
        (change) =>
          `  @ ${change.id}  ${printable(change.title)}  ${printable(dateInWords(change, at))}\n      ${printable(change.file)}\n${titles(change.subpages)}`,
      ),
    ),
    section("Changed because their parent changed", childrenOf(children), children.map(childrenBelow)),
    section("Ids used for another page", ids.reused.length, pick(ids.reused).map(reused)),
    section(
      "Removed ids",
      ids.vanished.length,
      pick(ids.vanished).map(
        ({ was, replacedBy }) =>
          `  ${was.id}  ${printable(was.title)}${replacedBy === undefined ? "" : `; its address is now that of ${replacedBy.id}, ${printable(replacedBy.title)}`}\n`,
      ),
    ),
    section("Removed addresses", addresses.length, pick(addresses).map(gone)),
    section(
      "Images",
      images.length,
      pick(images).map(
        ({ sign, file, address }) => `  ${sign} ${printable(file)}\n      ${printable(address)}\n`,
      ),
    ),
    section(
      "Skipped because of errors",
      broken.length,
      pick(broken).map(
        ({ file, belowBroken }) => `  ${printable(file)}${belowBroken ? " (in its parent page)" : ""}\n`,
      ),
    ),
  ];
  const lines = notes(comparison, printable).map((note) => `${note}\n`);
  return `Compared with ${base.commit.slice(0, 12)} (${printable(base.from)}).\n${summary(comparison)}\n${lines.join("")}${sections.join("")}`;
}

const pick = <T>(all: readonly T[]): readonly T[] => all.slice(0, MAX_ENTRIES);

function section(title: string, total: number, entries: readonly string[]): string {
  if (total === 0) return "";
  const isCut = entries.length === MAX_ENTRIES && total > MAX_ENTRIES;
  const rest = isCut ? `  … and ${thousands(total - MAX_ENTRIES)} more\n` : "";
  return `\n${title}\n${entries.join("")}${rest}`;
}

const name = (sign: string, { id, title, type, address, file }: PageName): string =>
  `  ${sign} ${id}  ${printable(title)}  (${type})\n      ${printable(address)}\n      ${printable(file)}\n`;

const reason = (page: Partial<NotLive>): string =>
  page.isNotLive ? `      ${printable(whyNotLive(page))}\n` : "";

function fields(changes: readonly FieldChange[]): string {
  const shown = changes.slice(0, MAX_FIELDS).map((change) => {
    const { old, new: now } = shownChange(change);
    return `      ${printable(change.field)}\n${old === undefined ? "" : `        - ${old}\n`}${now === undefined ? "" : `        + ${now}\n`}`;
  });
  const rest = changes.length - shown.length;
  return shown.join("") + (rest > 0 ? `      … and ${rest} more fields\n` : "");
}

function sourceFields(all: readonly FieldChange[]): string {
  const shown = all
    .slice(0, MAX_FIELDS)
    .map((one) => `        ${printable(one.field)}: ${shownChange(one).new ?? ""}\n`);
  const rest = all.length - shown.length;
  return shown.join("") + (rest > 0 ? `        … and ${rest} more fields\n` : "");
}

const siteChange = (change: FieldChange): string =>
  `${fields([change])}        changes ${effectOf(change)}\n`;

function movedPage({ id, title, type, address, file, from, fields: changes, isAlong }: MovedPage): string {
  if (isAlong)
    return `  > ${id}  ${printable(title)}  (with its parent)\n      ${printable(from.address)}\n      ${printable(address)}\n`;
  return `  > ${id}  ${printable(title)}  (${type})\n      ${printable(from.address)}\n      ${printable(address)}\n      ${printable(from.file)}\n      ${printable(file)}\n${fields(beyondMove(changes))}`;
}

const childrenBelow = ({ parent, fields: changes, pages }: ChangedChildren): string =>
  `  below ${parent.id}  ${printable(parent.title)}\n${fields(changes)}${titles(pages)}`;

function titles(pages: readonly PageName[]): string {
  const shown = pick(pages).map(({ id, title }) => `      ${id}  ${printable(title)}\n`);
  const rest = pages.length - shown.length;
  return shown.join("") + (rest > 0 ? `      … and ${thousands(rest)} more\n` : "");
}

const reused = ({ id, was, is }: ReusedId): string =>
  `  ${id}  was ${printable(was.title)}  ${printable(was.address)}\n      is  ${printable(is.title)}  ${printable(is.address)}\n`;

const gone = ({ address, id, now }: GoneAddress): string =>
  `  ${printable(address)}  (page ${id}, ${now === undefined ? "removed" : "moved"})\n`;
