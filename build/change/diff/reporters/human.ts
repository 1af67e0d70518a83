import { printable } from "../../../findings/printable.ts";
import { thousands } from "../../../base/numbers.ts";
import type { Comparison, MovedPage } from "../comparison.ts";
import type { FieldChange } from "../../../source/json/changes.ts";
import type { NotLive, PageName } from "../version.ts";
import { shownChange } from "../../../model/shown-change.ts";
import {
  beyondMove,
  effectOf,
  notes,
  sectionsOf,
  summary,
  whyNotLive,
  type EntryPrinter,
  type Models,
  type Section,
} from "./sections.ts";

/** Maximum number of entries in a section; the summary above has the full counts. */
const MAX_ENTRIES = 50;
/** Maximum number of fields listed for a page. */
const MAX_FIELDS = 20;

/** The report for a terminal. */
export function human(comparison: Comparison): string {
  const { base, models } = comparison;
  const sections = sectionsOf(comparison, printerOf(models)).map(printSection);
  const lines = notes(comparison, printable).map((note) => `${note}\n`);
  return `Compared with ${base.commit.slice(0, 12)} (${printable(base.from)}).\n${summary(comparison)}\n${lines.join("")}${sections.join("")}`;
}

function printSection({ title, length, pages, print }: Section): string {
  if (length === 0) return "";
  // Pages below the same parent are cut for each parent.
  const shown = pages === undefined ? Math.min(length, MAX_ENTRIES) : length;
  const entries = Array.from({ length: shown }, (_, k) => print(k));
  const rest = shown < length ? `  … and ${thousands(length - shown)} more\n` : "";
  return `\n${title}\n${entries.join("")}${rest}`;
}

const name = (sign: string, { id, title, type, address, file }: PageName): string =>
  `  ${sign} ${id}  ${printable(title)}  (${type})\n      ${printable(address)}\n      ${printable(file)}\n`;

const reason = (page: Partial<NotLive>): string =>
  page.isNotLive ? `      ${printable(whyNotLive(page))}\n` : "";

function fields(changes: readonly FieldChange[], models: Models): string {
  const shown = changes.slice(0, MAX_FIELDS).map((change) => {
    const { old, new: now } = shownChange(change, models);
    return `      ${printable(change.field)}\n${old === undefined ? "" : `        - ${old}\n`}${now === undefined ? "" : `        + ${now}\n`}`;
  });
  const rest = changes.length - shown.length;
  return shown.join("") + (rest > 0 ? `      … and ${rest} more fields\n` : "");
}

function sourceFields(all: readonly FieldChange[], models: Models): string {
  const shown = all
    .slice(0, MAX_FIELDS)
    .map((one) => `        ${printable(one.field)}: ${shownChange(one, models).new ?? ""}\n`);
  const rest = all.length - shown.length;
  return shown.join("") + (rest > 0 ? `        … and ${rest} more fields\n` : "");
}

function movedPage(page: MovedPage, models: Models): string {
  const { id, title, type, address, file, from, fields: changes, isAlong } = page;
  if (isAlong)
    return `  > ${id}  ${printable(title)}  (with its parent)\n      ${printable(from.address)}\n      ${printable(address)}\n`;
  return `  > ${id}  ${printable(title)}  (${type})\n      ${printable(from.address)}\n      ${printable(address)}\n      ${printable(from.file)}\n      ${printable(file)}\n${fields(beyondMove(changes), models)}`;
}

function titles(pages: readonly PageName[]): string {
  const shown = pages.slice(0, MAX_ENTRIES).map(({ id, title }) => `      ${id}  ${printable(title)}\n`);
  const rest = pages.length - shown.length;
  return shown.join("") + (rest > 0 ? `      … and ${thousands(rest)} more\n` : "");
}

const printerOf = (models: Models): EntryPrinter => ({
  titleOf: (file) => file,
  site: (change) => `${fields([change], models)}        changes ${effectOf(change)}\n`,
  types: (change) => fields([change], models),
  added: (page) => name("+", page) + reason(page) + sourceFields(page.fields ?? [], models),
  removed: (page) => name("-", { ...page, file: page.draft ?? page.file }) + reason(page),
  changed: (page) => name("~", page) + fields(page.fields, models),
  moved: (page) => movedPage(page, models),
  date: ({ id, title, file, subpages }, message) =>
    `  @ ${id}  ${printable(title)}  ${printable(message)}\n      ${printable(file)}\n${titles(subpages)}`,
  children: ({ parent, fields: changes, pages }) =>
    `  below ${parent.id}  ${printable(parent.title)}\n${fields(changes, models)}${titles(pages)}`,
  orders: ({ parent, pages }) => `  below ${parent.id}  ${printable(parent.title)}\n${titles(pages)}`,
  retyped: ({ type, fields: changes, pages }) =>
    `  of the type ${printable(type)}\n${fields(changes, models)}${titles(pages)}`,
  reused: ({ id, was, is }) =>
    `  ${id}  was ${printable(was.title)}  ${printable(was.address)}\n      is  ${printable(is.title)}  ${printable(is.address)}\n`,
  vanished: ({ was, replacedBy }) =>
    `  ${was.id}  ${printable(was.title)}${replacedBy === undefined ? "" : `; its address is now that of ${replacedBy.id}, ${printable(replacedBy.title)}`}\n`,
  addresses: ({ address, id, now }) =>
    `  ${printable(address)}  (page ${id}, ${now === undefined ? "removed" : "moved"})\n`,
  image: ({ sign, file, address }) => `  ${sign} ${printable(file)}\n      ${printable(address)}\n`,
  broken: ({ file, belowBroken }) => `  ${printable(file)}${belowBroken ? " (in its parent page)" : ""}\n`,
});
