import { linksOf } from "../check/nodes.ts";
import { PageChecker } from "../check/page.ts";
import { inWordsOfForm } from "../findings/catalogue/in-form.ts";
import {
  byPlace,
  correctionOf,
  finding,
  hintOf,
  isError,
  messageOf,
  type Finding,
} from "../findings/finding.ts";
import type { Correction, Severity } from "../findings/entry.ts";
import type { Args, Code } from "../findings/catalogue/index.ts";
import { valueOf, isObject, valueAt } from "../source/json/object.ts";
import { isDraftFile } from "../source/page-files.ts";
import { parseJson, type ParsedJson } from "../source/json/parse.ts";
import { beginsWith, type MediaSite } from "../model/media.ts";
import { inWords } from "../model/names.ts";
import { languagesOf } from "../model/languages.ts";
import type { Placement } from "../model/derive.ts";
import type { PageModel, PageResponse, ParentSummary } from "../model/page.ts";
import type { PageType } from "../model/page-types.ts";
import { referenceIn } from "../model/reference.ts";
import type { Site } from "../model/site.ts";
import { inWordsOfDates, fieldsOf, type Field, type FieldPath, type PageField } from "./form/fields.ts";
import {
  clocksOf,
  correctedIn,
  exampleDate,
  isDate,
  isMonthFirst,
  lacksTime,
  readDate,
  shownDate,
  type Clocks,
} from "./form/dates.ts";
import { blockField, onlyMember, pathText } from "./form/values.ts";

/** A finding of `npm run check` at a field of the form. */
export interface FieldFinding {
  /**
   * The path in the source, as in `data-path`; empty if the finding is about the whole page. It may be longer than the
   * field's path: the field is the longest beginning of the path that has a control.
   */
  path: string;
  code: Code;
  severity: Severity;
  message: string;
  hint: string;
  /** The correction that the hint describes, if the form can carry it out. */
  correction?: Correction | undefined;
  line: number;
  column: number;
}

/** A field such as `subjects[3].name`, if it is known, and its label with those around it, as the form shows them. */
export function labelAt(pages: PageModel, type: PageType, page: unknown, fieldName: string) {
  const path = fieldName.replace(/\[(\d+)\]/g, ".$1").split(".");
  const fields = fieldsOf(pages, type);
  const isAt = (length: number) => (one: PageField) => pathText(one.path) === path.slice(0, length).join(".");
  const length = fields.some(isAt(2)) ? 2 : 1;
  let field = fields.find(isAt(length))?.field;
  if (field === undefined) return { label: inWords(path.at(-1) ?? ""), isRequired: false, field };
  const around = [field.label];
  let isBlock = false;
  for (const [k, step] of path.entries()) {
    if (k < length || (isBlock && step === "value")) continue;
    const element: Field | undefined = /^\d+$/.test(step) ? field.element : undefined;
    const block: Field | undefined = element && blockField(element, valueAt(page, path.slice(0, k + 1)));
    isBlock = block !== undefined;
    const member: Field | undefined = block ?? element ?? field.fields.find(({ name }) => name === step);
    if (member === undefined || onlyMember(field, valueAt(page, path.slice(0, k)))?.name !== step) {
      // An element's label contains that of its list, unless this is in a list itself.
      if (element !== undefined && element.label !== "") around.pop();
      const name = member?.label ?? inWords(step);
      const label = element === undefined ? name : `${name} ${Number(step) + 1}`.trimStart();
      around.push(around.length === 0 ? label : lowered(label));
    }
    if (member === undefined) return { label: around.join(", "), isRequired: false, field: member };
    field = member;
  }
  return { label: around.join(", "), isRequired: field.isRequired, field };
}

/** A label inside a sentence; abbreviations stay in capitals. */
const lowered = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label.slice(0, 1).toLowerCase() + label.slice(1) : label;

export type FindingWords = Pick<FieldFinding, "message" | "hint" | "correction">;

/** The words of the form for findings of a page, whose text may have changed since. */
export function wordsInForm(pages: PageModel, text: string, site: Partial<Site>) {
  const { root } = parseJson("", new TextEncoder().encode(text));
  const page = root && valueOf(root);
  const type = valueAt(page, ["meta", "type"]);
  const clocks = clocksOf(site);
  return (found: Finding) => wordsOf(pages, pages.has(type) ? type : pages.usual, page, found, clocks);
}

function wordsOf(pages: PageModel, type: PageType, page: unknown, found: Finding, clocks: Clocks) {
  // A source that is no object has no form: it is edited as text.
  if (!isObject(page))
    return { message: messageOf(found), hint: hintOf(found), correction: correctionOf(found) };
  const at = (field: string) => labelAt(pages, type, page, field);
  const { field = "" } = found.args as { field?: string };
  const { field: own, isRequired } = at(field);
  const ofDate = own !== undefined && isDate(own) ? dateWords(found, own, clocks) : undefined;
  const { message, hint } = inWordsOfForm(ofDate?.found ?? found, {
    label: (name) => at(name).label,
    choiceLabel: (name, value) =>
      at(name).field?.choices.find((one) => String(one.value) === value)?.label ?? value,
    typeLabel: (name) => (pages.has(name) ? pages.of(name).label : name),
    isRequired,
    ...(own !== undefined && {
      choices: own.choices.flatMap(({ value, label }) => (value === null ? [] : [label])),
    }),
  });
  const { say = inWordsOfDates, correction = correctionOf(found) } = ofDate ?? {};
  return { message: say(message), hint: say(hint), correction };
}

/** A finding about a date, as the readers of the site write dates, with its correction. */
function dateWords(found: Finding, field: Field, clocks: Clocks) {
  const example = exampleDate(field, clocks);
  const say = (text: string): string =>
    text
      .replace(/,? as (?:year-month-day|hours:minutes:seconds)|,? with(?:out)? an offset(?: or Z)?/, "")
      .replace(field.example ?? example, example);
  if (found.code !== "bad-form") return { found, say };
  const args = found.args as Args<"bad-form">;
  const read = readDate(args.found, field, clocks);
  const isSame = read !== args.found || args.isSame === true;
  const meant = isMonthFirst(clocks) ? (args.other ?? args.example) : args.example;
  const { zone } = clocks;
  // Without a time zone of the site, no other is guessed.
  const isPlain = zone === undefined && args.isSame === true;
  const right = isPlain ? meant : read === args.found ? correctedIn(read, meant, zone) : read;
  const expected = args.expected.replace(/ \(.*?(; a day ends .*)?\)$/, (reason, end: string = "") =>
    lacksTime(args.found, field, clocks)
      ? ` (the time is missing${end})`
      : / has \d+ days/.test(reason)
        ? reason
        : "",
  );
  const shown = isSame ? shownDate(right, field, clocks) : example;
  const own = { ...args, expected, isSame, example: shown, other: undefined };
  const correction: Correction | undefined = isSame ? { write: right } : undefined;
  return { found: { ...found, args: own } as Finding, say, ...(isSame && { correction }) };
}

/**
 * The response of a page as the build would print it; undefined if the page has errors, or its position is not known.
 *
 * @param origin the address of this host, which has the images that are kept with the pages.
 */
export function responseOf(
  pages: PageModel,
  text: string,
  site: Site,
  { parent, slug, locale, translations }: Placement,
  origin: string,
): PageResponse | undefined {
  const above = parent as ParentSummary | null;
  if (above !== null && above.meta === undefined) return undefined;
  const position =
    above === null ? "root" : { address: above.meta.html_url, type: above.meta.type, summary: above };
  const { base_url, media_url } = site;
  const own = beginsWith(media_url, base_url) ? origin + media_url.slice(base_url.length) : media_url;
  const printedMedia = { media_url: own, written_media_url: media_url };
  const checker = new PageChecker({ model: pages, site, printedMedia });
  const { response } = checker.check(parseJson("", new TextEncoder().encode(text)), {
    parent: position,
    slug,
    language: languagesOf(site).find(({ code }) => code === locale),
    translations: JSON.stringify(translations),
  });
  return response === undefined ? undefined : (JSON.parse(response) as PageResponse);
}

function wrongReferences(
  pages: PageModel,
  { source, root }: ParsedJson,
  typeOf: (id: number) => PageType | undefined,
): Finding[] {
  if (root === undefined) return [];
  return linksOf(source, root, pages).flatMap(({ href, field, path, place }): Finding[] => {
    const { id, types } = referenceIn(href) ?? {};
    const type = id === undefined || types === undefined ? undefined : typeOf(id);
    if (id === undefined || type === undefined || types?.includes(type) !== false) return [];
    return [{ ...finding("dead-reference", { field, id, type, types }, place), path }];
  });
}

/**
 * The findings of one source, in order of location: those of `npm run check`, except findings that need other pages.
 *
 * @param file its path below the content folder.
 * @param site undefined if `_site.json` has errors or is not known.
 * @param isDraft whether it is a draft, whose findings are warnings; derived from `file` by default.
 * @param typeOf the types of other pages, as far as they are known.
 */
export function findingsOf(
  pages: PageModel,
  file: string,
  text: string,
  site: (MediaSite & Pick<Site, "time_zone" | "locales">) | undefined,
  isDraft = isDraftFile(file),
  typeOf: (id: number) => PageType | undefined = () => undefined,
): FieldFinding[] {
  const parsed = parseJson(file, new TextEncoder().encode(text));
  const { findings, type = pages.usual } = new PageChecker({ model: pages, media: site }).check(parsed);
  const page = parsed.root && valueOf(parsed.root);
  const all = [...findings, ...wrongReferences(pages, parsed, typeOf)];
  const clocks = clocksOf(site ?? {});
  return all.sort(byPlace).map((found): FieldFinding => {
    const { message, hint, correction } = wordsOf(pages, type, page, found, clocks);
    return {
      path: pathText((found.path ?? []) as FieldPath),
      code: found.code,
      severity: isError(found) && !isDraft ? "error" : "warning",
      message,
      hint,
      correction,
      line: found.place.line,
      column: found.place.column,
    };
  });
}
