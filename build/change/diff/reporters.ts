import { thousands, plural } from "../../base/numbers.ts";
import { SITE, TYPES } from "../../source/site-files.ts";
import { dateMessage, summaryOf, type ChangeCounts } from "../../model/change-summary.ts";
import { printable, printableJson } from "../../findings/printable.ts";
import { changesByOwner } from "../../model/ownership.ts";
import { formatDate } from "../../model/schedule.ts";
import type { ChangedImage, Comparison, DateChange, MovedPage } from "./pages.ts";
import type { FieldChange } from "../../source/json/changes.ts";
import type { NotLive, PageName } from "./version.ts";
import { shownChange } from "../../model/shown-change.ts";
import { API } from "../../base/api.ts";
import { isError, type Finding } from "../../findings/finding.ts";
import { code, findingEntry, diagnosticOf } from "../../findings/reporters.ts";
import { isObject, type JsonObject } from "../../source/json/object.ts";

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
type Models = Comparison["models"];

/** The kinds whose entries are printed like those of another kind, or with more than the change itself. */
type SharedPrinting = "nowLive" | "noLongerLive" | "drafts" | "dates" | `images${string}`;

/** Prints an entry of each kind. */
type EntryPrinter = {
  [Kind in Exclude<keyof ChangeGroups, SharedPrinting>]: (entry: ChangeGroups[Kind][number]) => string;
} & {
  /** The title of the changes of a file. */
  titleOf: (file: string) => string;
  /** @param message the effect of the changed date. */
  date: (change: DateChange, message: string) => string;
  image: (image: ImageChange) => string;
};

interface Section {
  title: string;
  length: number;
  /** Number of pages, if an entry contains several. */
  pages: number | undefined;
  print: (k: number) => string;
}

const section = <T>(
  title: string,
  entries: readonly T[],
  print: (entry: T) => string,
  pages?: number,
): Section => ({ title, length: entries.length, pages, print: (k) => print(entries[k] as T) });

/** The sections of a report; some have no entries. */
function sectionsOf(comparison: Comparison, printer: EntryPrinter): Section[] {
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

const beyondMove = (all: readonly FieldChange[]): FieldChange[] =>
  all.filter(({ field }) => !FOLLOWS.test(field));

/** The reason why a page is not live: `expired on 1 January 2020, 00:00 UTC`. */
function whyNotLive({ expire_at: expired, go_live_at: from }: Partial<NotLive>): string {
  if (expired !== undefined) return `expired on ${formatDate(expired)}`;
  return from === undefined
    ? "never live, because its section expires first"
    : `goes live on ${formatDate(from)}`;
}

/** One line for each group of changes that is not shown page by page. */
function notes(
  { changed, withoutEffect, unaffectedFiles, submodules }: Comparison,
  name: (file: string) => string,
): string[] {
  const unaffected = unaffectedFiles.map(({ file }) => name(file)).join(", ");
  const files = withoutEffect === 1 ? "file changes" : "files change";
  const rest = unaffectedFiles.length < withoutEffect ? ", …" : "";
  const repositories = submodules.map(({ file }) => name(file)).join(", ");
  return [
    ...changesByOwner(changed).map(printable),
    ...(withoutEffect === 0
      ? []
      : [`${thousands(withoutEffect)} changed ${files} no response: ${unaffected}${rest}`]),
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
  locales:
    "meta.locale, meta.translations and meta.html_url of pages: with the path of a language, all its old addresses on the website change",
  translations: "meta.translations of every page",
};

/** The effect of a setting or its member, such as `locales.cy.path`. No response contains a label. */
function effectOf({ field }: FieldChange): string {
  const [setting = "", ...members] = field.split(".");
  return (members.at(-1) === "label" ? undefined : EFFECTS[setting]) ?? "no response; only the checks";
}

/** Maximum number of entries in a section; the summary above has the full counts. */
const MAX_ENTRIES = 50;
/** Maximum number of fields listed for a page. */
const MAX_TERMINAL_FIELDS = 20;

/** The report for a terminal. */
export function human(comparison: Comparison): string {
  const { base, models } = comparison;
  const sections = sectionsOf(comparison, terminalPrinter(models)).map(printSection);
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

const plainName = (sign: string, { id, title, type, address, file }: PageName): string =>
  `  ${sign} ${id}  ${printable(title)}  (${type})\n      ${printable(address)}\n      ${printable(file)}\n`;

const plainReason = (page: Partial<NotLive>): string =>
  page.isNotLive ? `      ${printable(whyNotLive(page))}\n` : "";

function plainFields(changes: readonly FieldChange[], models: Models): string {
  const shown = changes.slice(0, MAX_TERMINAL_FIELDS).map((change) => {
    const { old, new: now } = shownChange(change, models);
    return `      ${printable(change.field)}\n${old === undefined ? "" : `        - ${old}\n`}${now === undefined ? "" : `        + ${now}\n`}`;
  });
  const rest = changes.length - shown.length;
  return shown.join("") + (rest > 0 ? `      … and ${rest} more fields\n` : "");
}

function plainSourceFields(all: readonly FieldChange[], models: Models): string {
  const shown = all
    .slice(0, MAX_TERMINAL_FIELDS)
    .map((one) => `        ${printable(one.field)}: ${shownChange(one, models).new ?? ""}\n`);
  const rest = all.length - shown.length;
  return shown.join("") + (rest > 0 ? `        … and ${rest} more fields\n` : "");
}

function plainMoved(page: MovedPage, models: Models): string {
  const { id, title, type, address, file, from, fields: changes, isAlong } = page;
  const head = `  > ${id}  ${printable(title)}  (${isAlong ? "with its parent" : type})\n      ${printable(from.address)}\n      ${printable(address)}\n`;
  if (isAlong) return head;
  return `${head}      ${printable(from.file)}\n      ${printable(file)}\n${plainFields(beyondMove(changes), models)}`;
}

function titles(pages: readonly PageName[]): string {
  const shown = pages.slice(0, MAX_ENTRIES).map(({ id, title }) => `      ${id}  ${printable(title)}\n`);
  const rest = pages.length - shown.length;
  return shown.join("") + (rest > 0 ? `      … and ${thousands(rest)} more\n` : "");
}

const terminalPrinter = (models: Models): EntryPrinter => ({
  titleOf: (file) => file,
  site: (change) => `${plainFields([change], models)}        changes ${effectOf(change)}\n`,
  types: (change) => plainFields([change], models),
  added: (page) => plainName("+", page) + plainReason(page) + plainSourceFields(page.fields ?? [], models),
  removed: (page) => plainName("-", { ...page, file: page.draft ?? page.file }) + plainReason(page),
  changed: (page) => plainName("~", page) + plainFields(page.fields, models),
  moved: (page) => plainMoved(page, models),
  date: ({ id, title, file, subpages }, message) =>
    `  @ ${id}  ${printable(title)}  ${printable(message)}\n      ${printable(file)}\n${titles(subpages)}`,
  children: ({ parent, fields: changes, pages }) =>
    `  below ${parent.id}  ${printable(parent.title)}\n${plainFields(changes, models)}${titles(pages)}`,
  orders: ({ parent, pages }) => `  below ${parent.id}  ${printable(parent.title)}\n${titles(pages)}`,
  retyped: ({ type, fields: changes, pages }) =>
    `  of the type ${printable(type)}\n${plainFields(changes, models)}${titles(pages)}`,
  reused: ({ id, was, is }) =>
    `  ${id}  was ${printable(was.title)}  ${printable(was.address)}\n      is  ${printable(is.title)}  ${printable(is.address)}\n`,
  vanished: ({ was, replacedBy }) =>
    `  ${was.id}  ${printable(was.title)}${replacedBy === undefined ? "" : `; its address is now that of ${replacedBy.id}, ${printable(replacedBy.title)}`}\n`,
  addresses: ({ address, id, now }) =>
    `  ${printable(address)}  (page ${id}, ${now === undefined ? "removed" : "moved"})\n`,
  image: ({ sign, file, address }) => `  ${sign} ${printable(file)}\n      ${printable(address)}\n`,
  broken: ({ file, belowBroken }) => `  ${printable(file)}${belowBroken ? " (in its parent page)" : ""}\n`,
});

interface ReportOptions {
  /** The address of a preview deployment of the change, to which pages are linked. */
  preview?: string | undefined;
}

/**
 * Maximum bytes of the text. A GitHub comment has at most 65,536 characters, including the report on the contract. A
 * text never has more characters than bytes.
 */
const MAX_BYTES = 50_000;
/** Maximum number of fields listed for a page. */
const MAX_FIELDS = 12;
/** Maximum number of entries in a section that is not folded. */
const MAX_UNFOLDED = 10;

/** For the comment or the job summary of a pull request. No source text is interpreted as Markdown. */
export function markdown(comparison: Comparison, { preview }: ReportOptions): string {
  const { base, models, findings } = comparison;
  const output = new BoundedMarkdown(MAX_BYTES);
  output.print(`### Published changes\n\n${summary(comparison)}\n`);
  for (const note of notes(comparison, code)) output.print(`\n${note}\n`);
  findingsSection(output, findings);
  for (const one of sectionsOf(comparison, printerOf(preview, models))) output.section(one);
  output.print(`\n<sub>Compared with ${base.commit.slice(0, 12)} (${code(base.from)}).</sub>\n`, true);
  return output.text;
}

function printerOf(preview: string | undefined, models: Models): EntryPrinter {
  const name = pageName(preview);
  const was = pageName(undefined);
  return {
    titleOf: (file) => `Changes of \`${file}\``,
    site: (change) => `${fields([change], models)}Changes ${effectOf(change)}.\n\n`,
    types: (change) => `${fields([change], models)}\n`,
    added: (page) => {
      const link = page.isNotLive ? was(page) : name(page);
      return `- ${link}  \n  ${code(page.address)}${reason(page)}\n${sourceFields(page.fields ?? [], models)}`;
    },
    removed: (page) => {
      const draft = page.draft === undefined ? "" : `  \n  ${code(page.draft)}`;
      return `- ${was(page)}  \n  ${code(page.address)}${draft}${reason(page)}\n`;
    },
    changed: (page) => `- ${name(page)}\n\n${indented(fields(page.fields, models))}`,
    moved: (page) => movedPage(page, name, models),
    date: (change, message) => `- ${was(change)} ${code(message)}\n${named(change.subpages, was)}`,
    children: ({ parent, fields: changes, pages }) =>
      `- ${plural(pages.length, "page")} below ${name(parent)}\n\n${indented(fields(changes, models))}${named(pages, name)}`,
    orders: ({ parent, pages }) => `- below ${name(parent)}\n${named(pages, name)}`,
    retyped: ({ type, fields: changes, pages }) =>
      `- ${plural(pages.length, "page")} of the type ${code(type)}\n\n${indented(fields(changes, models))}${named(pages, name)}`,
    reused: ({ was: former, is }) => `- ${was(former)} becomes ${name(is)}\n`,
    vanished: ({ was: former, replacedBy }) =>
      `- ${was(former)}${replacedBy === undefined ? "" : `; its address is now that of ${name(replacedBy)}`}\n`,
    addresses: ({ address, id, now }) =>
      `- ${code(address)} ${now === undefined ? `(page ${id})` : `(page ${id} is now at ${code(now)})`}\n`,
    image: ({ change, file, address }) => `- ${change}: ${code(file)}  \n  ${code(address)}\n`,
    broken: ({ file, belowBroken }) => `- ${code(file)}${belowBroken ? " (in its parent page)" : ""}\n`,
  };
}

/** Prints entries while they fit, and counts the others. */
class BoundedMarkdown {
  text = "";
  private left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }

  print(text: string, always = false): boolean {
    const bytes = Buffer.byteLength(text);
    if (!always && bytes > this.left - RESERVED_BYTES) return false;
    this.left -= bytes;
    this.text += text;
    return true;
  }

  section({ title, length, pages: total = length, print }: Section): void {
    if (length === 0) return;
    const count = thousands(total);
    const isFolded = total > MAX_UNFOLDED;
    const head = isFolded
      ? `\n<details><summary>${title.replaceAll("`", "")} (${count})</summary>\n\n`
      : `\n#### ${title} (${count})\n\n`;
    // Always printed: the heading shows the count, even if no entry fits.
    this.print(head, true);
    let shown = 0;
    while (shown < length && this.print(print(shown))) shown++;
    if (shown < length)
      this.print(`- … and ${thousands(length - shown)} more; \`npx page-api diff\` shows them all\n`, true);
    if (isFolded) this.print("\n</details>\n", true);
  }
}

/** Bytes reserved for text that is always printed: headings, and counts of omitted entries. */
const RESERVED_BYTES = 3000;

function findingsSection(output: BoundedMarkdown, findings: readonly Finding[]): void {
  const errors = findings.filter(isError);
  const warnings = findings.filter((f) => !isError(f));
  output.section(section("Errors: nothing is published until they are fixed", errors, findingEntry));
  output.section(section("Warnings", warnings, findingEntry));
}

const pageName =
  (preview: string | undefined) =>
  ({ id, title }: PageName): string =>
    `${preview === undefined ? `**${id}**` : `[**${id}**](${preview}${API}${id}/)`} ${code(title)}`;

const reason = (page: Partial<NotLive>): string => (page.isNotLive ? `  \n  ${whyNotLive(page)}` : "");

function fields(changes: readonly FieldChange[], models: Models): string {
  const shown = changes.slice(0, MAX_FIELDS).map((change) => {
    const { old, new: now } = shownChange(change, models);
    // Every line begins with a sign, so no value can end the block.
    const lines = [...(old === undefined ? [] : [`- ${old}`]), ...(now === undefined ? [] : [`+ ${now}`])];
    return `${code(change.field)}\n\`\`\`diff\n${lines.join("\n")}\n\`\`\`\n`;
  });
  const rest = changes.length - shown.length;
  return shown.join("") + (rest > 0 ? `and ${plural(rest, "more field")}\n` : "");
}

function sourceFields(all: readonly FieldChange[], models: Models): string {
  if (all.length === 0) return "";
  // A value contains no line break, so none can end the block.
  const lines = all
    .slice(0, MAX_FIELDS)
    .map((one) => `+ ${printable(one.field)}: ${shownChange(one, models).new ?? ""}`);
  const rest = all.length - lines.length;
  const more = rest > 0 ? `and ${plural(rest, "more field")}\n` : "";
  return `\n${indented(`\`\`\`diff\n${lines.join("\n")}\n\`\`\`\n${more}`)}`;
}

function movedPage(
  { from, address, fields: changes, isAlong, ...page }: MovedPage,
  name: (page: PageName) => string,
  models: Models,
): string {
  const head = `- ${name({ ...page, address })}${isAlong ? " (with its parent)" : ""}  \n  ${code(from.address)} →  \n  ${code(address)}\n`;
  return isAlong ? head : `${head}\n${indented(fields(beyondMove(changes), models))}`;
}

/** Maximum number of subpages listed for a parent. */
const MAX_CHILDREN = 20;

function named(pages: readonly PageName[], name: (page: PageName) => string): string {
  const shown = pages.slice(0, MAX_CHILDREN).map((page) => `  - ${name(page)}\n`);
  const rest = pages.length - shown.length;
  return shown.join("") + (rest > 0 ? `  - … and ${thousands(rest)} more\n` : "");
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, "  ");

/** The report for programs: everything, with complete values. In parts, because it may be as long as the site. */
function* json(comparison: Comparison): Generator<string> {
  const { base, models: _, findings, ...rest } = comparison;
  let sign = "{";
  for (const [name, value] of Object.entries({ base, ...rest, diagnostics: findings.map(diagnosticOf) })) {
    yield `${sign}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) yield* printedList(value);
    else yield printableJson(value);
    sign = ",";
  }
  yield "}\n";
}

/** Number of elements that are printed at once: few, because most of such texts are ASCII. */
const PART = 10;

function* printedList(elements: readonly unknown[]): Generator<string> {
  yield "[";
  for (let from = 0; from < elements.length; from += PART)
    yield (from === 0 ? "" : ",") + printableJson(elements.slice(from, from + PART)).slice(1, -1);
  yield "]";
}

/** Prints a comparison in parts. */
export const reporters = {
  human: (comparison) => [human(comparison)],
  json,
  markdown: (comparison, options) => [markdown(comparison, options)],
} satisfies Record<string, (comparison: Comparison, options: ReportOptions) => Iterable<string>>;

/** Members that contain no names of files, but values of the sources. */
const VALUES: ReadonlySet<string> = new Set(["fields", "args", "site", "types", "models"]);

/** A comparison with other names for its files, for example relative to the current folder. */
export function withPaths(comparison: Comparison, path: (file: string) => string): Comparison {
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    if (!isObject(value)) return value;
    const copy: JsonObject = {};
    for (const [name, member] of Object.entries(value))
      if (typeof member === "string" && (name === "file" || name === "draft")) copy[name] = path(member);
      else copy[name] = VALUES.has(name) ? member : renamed(member);
    return copy;
  };
  return renamed(comparison) as Comparison;
}
