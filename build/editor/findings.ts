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
import type { Code } from "../findings/catalogue/index.ts";
import { valueOf, isObject, valueAt } from "../source/json/object.ts";
import { parseJson, type ParsedJson } from "../source/json/parse.ts";
import { formats } from "../model/formats.ts";
import { beginsWith, type MediaSite } from "../model/media.ts";
import { inWords } from "../model/names.ts";
import { languagesOf } from "../model/languages.ts";
import type { Placement } from "../model/derive.ts";
import type { PageModel, PageResponse, ParentSummary } from "../model/page.ts";
import type { PageType } from "../model/page-types.ts";
import { referenceIn } from "../model/reference.ts";
import type { Site } from "../model/site.ts";
import { inWordsOfDates, fieldsOf, type Field, type FieldPath, type PageField } from "./form/fields.ts";
import { correctedIn } from "./form/dates.ts";
import { blockField, onlyMember, pathText, shownText } from "./form/values.ts";

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
      // An element's label contains that of its list.
      if (element !== undefined) around.pop();
      const label = (member?.label ?? inWords(step)) + (element === undefined ? "" : ` ${Number(step) + 1}`);
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

function wordsOf(pages: PageModel, type: PageType, page: unknown, found: Finding) {
  // A source that is no object has no form: it is edited as text.
  if (!isObject(page)) return { message: messageOf(found), hint: hintOf(found) };
  const at = (field: string) => labelAt(pages, type, page, field);
  const { field = "" } = found.args as { field?: string };
  const { message, hint } = inWordsOfForm(found, {
    label: (name) => at(name).label,
    choiceLabel: (name, value) =>
      at(name).field?.choices.find((one) => String(one.value) === value)?.label ?? value,
    typeLabel: (name) => (pages.has(name) ? pages.of(name).label : name),
    isRequired: at(field).isRequired,
  });
  return { message: inWordsOfDates(message), hint };
}

/** A date that was typed without an offset is meant in the time zone of the site. */
const inSiteZone = <T>(written: T, typed: string, zone: string | undefined): T | string =>
  zone !== undefined && typeof written === "string" && formats["date-time"].matches(written)
    ? correctedIn(typed, written, zone)
    : written;

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
  site: (MediaSite & Pick<Site, "time_zone">) | undefined,
  isDraft = /(?:^|\/)_[^/]*$/.test(file),
  typeOf: (id: number) => PageType | undefined = () => undefined,
): FieldFinding[] {
  const parsed = parseJson(file, new TextEncoder().encode(text));
  const { findings, type = pages.usual } = new PageChecker({ model: pages, media: site }).check(parsed);
  const page = parsed.root && valueOf(parsed.root);
  const all = [...findings, ...wrongReferences(pages, parsed, typeOf)];
  return all.sort(byPlace).map((found): FieldFinding => {
    const { message, hint } = wordsOf(pages, type, page, found);
    const correction = correctionOf(found);
    const path = (found.path ?? []) as FieldPath;
    const typed = shownText(valueAt(page, path));
    const written = correction && "write" in correction ? correction.write : undefined;
    const zoned = inSiteZone(written, typed, site?.time_zone);
    return {
      path: pathText(path),
      code: found.code,
      severity: isError(found) && !isDraft ? "error" : "warning",
      message,
      hint: zoned === written ? hint : hint.replaceAll(String(written), String(zoned)),
      correction: zoned === written || zoned === undefined ? correction : { write: zoned },
      line: found.place.line,
      column: found.place.column,
    };
  });
}
