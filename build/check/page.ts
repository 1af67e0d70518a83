import { NO_FUTURE, type Instant, type Period, type Times } from "../base/instant.ts";
import { capFindings, isError, nearest, type FieldMistake, type Finding } from "../findings/finding.ts";
import {
  fieldName,
  valueOf,
  type Node,
  describeValue,
  isObject,
  type JsonObject,
} from "../source/json/object.ts";
import { isTooDeep, type ParsedJson } from "../source/json/parse.ts";
import { SourceText } from "../source/json/place.ts";
import { LIVE_FIELDS } from "../model/schedule.ts";
import type { Language } from "../model/languages.ts";
import { NO_MEDIA, type MediaSite } from "../model/media.ts";
import { fieldsIn, valueIn, type ObjectValue } from "../model/model.ts";
import { meantBy, TEXT_NAMES } from "../model/names.ts";
import type { PageModel } from "../model/page.ts";
import type { PageType } from "../model/page-types.ts";
import type { Site } from "../model/site.ts";
import { childAddress, detailUrl, homeAddressIn, type Parent } from "../model/tree.ts";
import { Engine } from "./engine.ts";
import { likeliest, misspelt, unknownName } from "./mistakes.ts";
import { located, type Report } from "../source/report.ts";
import { NO_PLACE, type EngineOptions, type PlaceJson, type Print, type Steps } from "./state.ts";

/** A valid page as it is written: without its derived fields, and without fields that have their empty value. */
interface WrittenPage extends JsonObject {
  id: number;
  meta: JsonObject & { type: PageType };
  title: string;
}

export interface CheckedPage {
  findings: Finding[];
  /** The facts that other pages need, if they are valid. */
  id?: number | undefined;
  type?: PageType | undefined;
  /** The page as it is written, if each of its fields is valid by itself. */
  page?: WrittenPage | undefined;
  /** The JSON of its response; absent if the page has errors, or no position on the site. */
  response?: string | undefined;
  /** The page's URL on the website. */
  address?: string | undefined;
  /** The facts that follow from its position, as JSON. */
  place?: PlaceJson;
  links: string[];
  /** The ids of the pages that its response shows. */
  shown: readonly number[];
  /** The instants after `Times.knownSince` at which time changes the page or a finding of it. */
  changeInstants: Instant[];
}

/** The findings and links of one file; `file` is its number. */
export interface PageFindings
  extends Pick<CheckedPage, "findings">, Partial<Pick<CheckedPage, "shown" | "changeInstants">> {
  file: number;
  /** The distinct targets of links, which are looked up once all pages are known. */
  links: string[];
  /** The period in which the page is live according to its own dates; undefined if it has no such dates. */
  live?: Period;
}

/** `parent` is "root" for the home page, and undefined if there is no parent page. */
export interface PagePosition {
  parent: Parent | "root" | undefined;
  slug: string;
  /** On a site with several languages. */
  language?: Language | undefined;
  /** The page's translations as JSON, for its response: encoded as that is. */
  translations?: string | undefined;
}

/** A source as JSON.parse reads it, with facts that it does not report. */
export interface ParsedQuickly {
  text: () => string;
  value: unknown;
  /** The number of keys of all objects: a duplicate key is counted twice. */
  keys: number;
  /** The kinds of characters in the texts, as a sum of flags. */
  signs: number;
}

export interface CheckerOptions extends Pick<EngineOptions, "printedMedia" | "claims" | "pages" | "encode"> {
  model: PageModel;
  /** Undefined if `_site.json` has errors. */
  site?: Site | undefined;
  /** The media host, if the rest of the site is not known. */
  media?: MediaSite | undefined;
  /** By default no date is in the future. */
  times?: Times | undefined;
}

export class PageChecker {
  private readonly model: PageModel;
  private readonly site: Site | undefined;
  private readonly engine: Engine;
  /** For pages of an unknown type. */
  private readonly common: Engine;
  /** Compiled when a type first occurs: one edited page needs only one plan. */
  private readonly plans = new Map<PageType | undefined, Print>();
  /** Kept because the subpages of one parent mostly follow each other. */
  private lastParent: Parent | "root" | undefined;
  private lastParentJson = "";
  /** Whether the addresses below the last parent are the same encoded, if the slug is. */
  private isPlainBelow = false;

  constructor(given: CheckerOptions) {
    const { model, site, media = site ?? NO_MEDIA, times = NO_FUTURE, claims, ...rest } = given;
    this.model = model;
    this.site = site;
    const unknown = (of: ObjectValue, path: Steps, name: string, value: unknown): FieldMistake =>
      unknownField(model, of, path, name, value);
    const options = { ...rest, media, times, unknown };
    this.engine = new Engine({ ...options, claims });
    this.common = new Engine({ ...options, onlyKinds: true });
  }

  /** Undefined if the strict parser must read it: an unknown type, unknown fields, or values that are too deep. */
  checkQuickly(
    file: string,
    { text, value, keys, signs }: ParsedQuickly,
    at?: PagePosition,
  ): CheckedPage | undefined {
    if (!isObject(value)) return undefined;
    const checked = this.run(value, () => new SourceText(file, text()), [], at, undefined, signs);
    const { engine } = this;
    // An unknown or a duplicate key was counted only in the source.
    const read = engine.keys + (typeof value["$schema"] === "string" ? 1 : 0);
    if (checked.type === undefined || engine.needsNodes || read !== keys) return undefined;
    // Values of another kind were not read.
    return checked.page === undefined && isTooDeep(value) ? undefined : checked;
  }

  check({ source, root, findings }: ParsedJson, at?: PagePosition): CheckedPage {
    const address = this.addressOf(at);
    const without: CheckedPage = {
      findings: capFindings(findings),
      links: [],
      shown: [],
      changeInstants: [],
      address,
    };
    if (root === undefined) return without;
    const nodes = new WeakMap<object, Node>();
    const value = valueOf(root, nodes);
    if (isObject(value)) return this.run(value, () => source, findings, at, nodes);
    const args = { found: describeValue(value), isPage: true };
    const report: Report = { code: "not-an-object", args, path: [], on: "start" };
    return { ...without, findings: capFindings([...findings, ...located(source, [report])]) };
  }

  private run(
    page: JsonObject,
    source: () => SourceText,
    parsed: Finding[],
    at: PagePosition | undefined,
    nodes: WeakMap<object, Node> | undefined,
    signs?: number,
  ): CheckedPage {
    const reports: Report[] = [];
    const type = this.typeOf(page, reports);
    // If the type is unknown, only the fields of every page can be checked.
    const engine = type === undefined ? this.common : this.engine;
    const id = isId(page["id"]) ? page["id"] : undefined;
    const address = this.addressOf(at);
    const { place, encoded } = this.placeOf(at, id, address);
    engine.begin(encoded, nodes, signs);
    const json = this.planOf(type)(page);
    const { links, shown, changeInstants, mistakes } = engine;
    const isValid = type !== undefined && mistakes === 0;
    const misplaced = type === undefined ? undefined : this.misplaced(type, at);
    const checked: CheckedPage = {
      findings: parsed,
      links,
      shown,
      changeInstants,
      id,
      type,
      page: isValid ? (page as WrittenPage) : undefined,
      response: undefined,
      address,
      place,
    };
    if (reports.length + engine.reports.length + parsed.length > 0 || misplaced !== undefined) {
      const all = [...reports, ...engine.reports.filter((one) => type !== undefined || !isOfType(one))];
      const own = type === undefined ? [] : this.model.of(type).own;
      // If a misplaced page has no field of its type, its type is the only mistake.
      const isTypeAlone = misplaced !== undefined && !own.some((field) => Object.hasOwn(page, field));
      const kept = all.filter(
        ({ code, path }) =>
          !(isTypeAlone && code === "missing-field" && path.length === 1 && own.includes(String(path[0]))),
      );
      const text = source();
      const found = [...parsed, ...located(text, kept, parsed, nodes === undefined)];
      checked.findings = capFindings(found, engine.unlisted, engine.isCut);
      if (misplaced !== undefined) checked.findings = [...checked.findings, ...located(text, [misplaced])];
    }
    const hasPlace = at?.parent === "root" || at?.parent?.summary !== undefined;
    if (isValid && hasPlace && this.site !== undefined && !checked.findings.some(isError))
      checked.response = at.parent === "root" ? withHomeSlug(json, page, at) : json;
    return checked;
  }

  private planOf(type: PageType | undefined): Print {
    let plan = this.plans.get(type);
    if (plan === undefined) {
      const engine = type === undefined ? this.common : this.engine;
      this.plans.set(type, (plan = engine.compile(this.model.sourceOf(type))));
    }
    return plan;
  }

  private addressOf(at: PagePosition | undefined): string | undefined {
    if (at?.parent === undefined || this.site === undefined) return undefined;
    if (at.parent === "root") return homeAddressIn(at.language?.folder ?? "", this.site);
    // Without a home page, no page has an address.
    return at.parent.address === "" ? undefined : childAddress(at.parent.address, at.slug, this.site);
  }

  /** The facts that follow from the position, also encoded as the response needs them; the parent page always is. */
  private placeOf(
    at: PagePosition | undefined,
    id: number | undefined,
    address: string | undefined,
  ): { place: PlaceJson; encoded: PlaceJson } {
    if (at === undefined || this.site === undefined || id === undefined || address === undefined)
      return NOWHERE;
    if (at.parent !== this.lastParent) {
      this.lastParent = at.parent;
      this.lastParentJson = this.engine.json(at.parent === "root" ? null : at.parent?.summary);
      const above = at.parent === "root" ? address : (at.parent?.address ?? "");
      this.isPlainBelow = [this.site.base_url, above].every(isPlain);
    }
    const translations = at.translations ?? "[]";
    const isSame = this.isPlainBelow && isPlain(at.slug);
    const quoted = isSame ? inQuotes : JSON.stringify;
    const place = {
      response: quoted(detailUrl(this.site, id)),
      address: quoted(address),
      slug: quoted(at.slug),
      parent: this.lastParentJson,
      locale: `"${at.language?.code ?? ""}"`,
      translations,
    };
    return { place, encoded: isSame ? place : this.encoded(place) };
  }

  private encoded({ response, address, slug, ...others }: PlaceJson): PlaceJson {
    const { encode } = this.engine;
    return {
      response: encode(response),
      address: encode(address),
      slug: encode(slug),
      ...others,
    };
  }

  private misplaced(type: PageType, at: PagePosition | undefined): Report | undefined {
    const parent = at?.parent === "root" ? at.parent : at?.parent?.type;
    const allowed: readonly string[] = this.model.of(type).parents;
    // If `_site.json` has errors, this may be the home page of a language.
    if (allowed.length === 0 && this.site === undefined) return undefined;
    if (parent === undefined || (parent === "root" ? allowed.length === 0 : allowed.includes(parent)))
      return undefined;
    const args = {
      type,
      parent:
        parent === "root"
          ? `nothing (it is the first page of ${at?.language?.label ?? "the site"})`
          : `a page of type ${parent}`,
      allowed:
        allowed.length === 0
          ? `at the very top, as content/index.json${this.site?.locales === undefined ? "" : " or that of a language's folder"}`
          : `below ${allowed.join(" or ")}`,
    };
    return { code: "misplaced-type", args, path: TYPE };
  }

  /** Undefined, with a report, if the type cannot be trusted. */
  private typeOf(page: JsonObject, reports: Report[]): PageType | undefined {
    const { meta } = page;
    const { model } = this;
    if (
      isObject(meta) &&
      model.has(meta["type"]) &&
      model.of(meta["type"]).own.some((name) => Object.hasOwn(page, name))
    )
      return meta["type"];
    const suggested = this.suggestedType(page);
    const likely = suggested?.type ?? model.usual;
    const report = (one: FieldMistake, path: Report["path"], on?: Report["on"]): undefined => {
      reports.push({ ...one, path, on });
    };
    if (meta === undefined) {
      const slip = misspelt(page, "meta", model.fields) ?? (page["type"] === undefined ? undefined : "type");
      if (slip !== undefined) {
        const args = {
          field: slip,
          nearest: slip === "type" ? "meta.type" : "meta",
          owner: "a page of this type",
        };
        return report({ code: "unknown-field", args }, [slip], "name");
      }
      const expected = `{"type": "${likely}"}, or another page type`;
      return report({ code: "missing-field", args: { field: "meta", expected } }, ["meta"]);
    }
    if (!isObject(meta)) {
      const args = { field: "meta", found: describeValue(meta), expected: "an object in curly brackets" };
      return report({ code: "wrong-type", args }, ["meta"]);
    }
    const { type } = meta;
    if (type === undefined) {
      const names = [...fieldsIn(model.common.fields.get("meta")).keys()];
      if (misspelt(meta, "type", names) !== undefined) return undefined;
      const expected = `"${likely}", or another page type`;
      return report({ code: "missing-field", args: { field: "meta.type", expected } }, TYPE);
    }
    if (this.model.has(type)) {
      if (suggested === undefined) return type;
      const args = { found: type, likely, names: suggested.fields };
      return report({ code: "unlikely-type", args }, TYPE);
    }
    if (typeof type === "string") {
      const close = model.names.find((one) => one.endsWith(`.${type}`)) ?? nearest(type, model.names);
      const args = { found: type, nearest: suggested?.type ?? close, known: model.names.join(", ") };
      return report({ code: "unknown-page-type", args }, TYPE);
    }
    const expected = "one of the page types, as a text";
    return report(
      { code: "wrong-type", args: { field: "meta.type", found: describeValue(type), expected } },
      TYPE,
    );
  }

  /** The type that the fields of a page suggest, and the fields that only this type has. */
  private suggestedType(page: JsonObject): { type: PageType; fields: string[] } | undefined {
    for (const type of this.model.names) {
      const fields = this.model
        .of(type)
        .own.filter((field) => Object.hasOwn(page, field) && this.model.typesWith(field).length === 1);
      if (fields.length >= MIN_FOREIGN_FIELDS) return { type, fields };
    }
    return undefined;
  }
}

/** The slug of another language's home page is by default the name of its folder, which the model does not know. */
function withHomeSlug(json: string, { meta }: JsonObject, { slug }: PagePosition): string {
  const isWritten = isObject(meta) && meta["slug"] !== undefined;
  return isWritten || slug === "home"
    ? json
    : json.replace('"slug":"home"', `"slug":${JSON.stringify(slug)}`);
}

/** Minimum number of fields of another type for the page's type to be reported, instead of each field. */
const MIN_FOREIGN_FIELDS = 3;

const TYPE = ["meta", "type"] as const;

const NOWHERE = { place: NO_PLACE, encoded: NO_PLACE };

const inQuotes = (text: string): string => `"${text}"`;

const isPlain = (text: string): boolean => /^[ !#-[\]-~]*$/.test(text);

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** Whether a report is about the type of a page, or about the fields that follow from it. */
const isOfType = ({ code, path }: Report): boolean =>
  path.length === 1 ? path[0] === "meta" || code === "unknown-field" : path.join(".") === TYPE.join(".");

function unknownField(
  model: PageModel,
  of: ObjectValue,
  path: Steps,
  name: string,
  value: unknown,
): FieldMistake {
  const field = fieldName(path);
  if (field === "meta" && (LIVE_FIELDS as readonly string[]).includes(name))
    return { code: "home-dates", args: { field: `meta.${name}` } };
  const isTop = path.length === 0;
  const known = [...of.fields.keys()];
  const inMeta = isTop ? valueIn(of, ["meta", name]) : undefined;
  const like = inMeta !== undefined && inMeta.kind !== "derived" ? `meta.${name}` : likeliest(name, known);
  const why = isTop ? whyUnknown(model, of, name, like) : undefined;
  const close = why === undefined ? like : why === "text" ? undefined : meantBy(name);
  return unknownName(of, isTop ? "a page of this type" : `“${field}”`, name, value, close, why);
}

/** Pages of a type that has only the common fields have no text; or only these types have the field. */
function whyUnknown(
  model: PageModel,
  of: ObjectValue,
  name: string,
  like: string | undefined,
): "text" | { type: string; label: string }[] | undefined {
  if (of.fields.size === model.common.fields.size) {
    if (TEXT_NAMES.test(name)) return "text";
  } else if (like !== undefined) return undefined;
  const types = model.typesWith(meantBy(name) ?? name);
  return types.length === 0 ? undefined : types.map((type) => ({ type, label: model.of(type).label }));
}
