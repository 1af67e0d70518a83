import { API } from "../../../base/api.ts";
import { isError, type Finding } from "../../../findings/finding.ts";
import { printable } from "../../../findings/printable.ts";
import { code, findingEntry } from "../../../findings/reporters.ts";
import { plural, thousands } from "../../../base/numbers.ts";
import type { Comparison, MovedPage } from "../comparison.ts";
import type { FieldChange } from "../../../source/json/changes.ts";
import type { NotLive, PageName } from "../version.ts";
import { shownChange } from "../../../model/shown-change.ts";
import {
  beyondMove,
  effectOf,
  notes,
  section,
  sectionsOf,
  summary,
  whyNotLive,
  type EntryPrinter,
  type Models,
  type Section,
} from "./sections.ts";

export interface ReportOptions {
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
