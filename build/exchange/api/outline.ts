import { nodeAt } from "../../source/json/node.ts";
import { isObject, jsonIn, type JsonObject } from "../../source/json/object.ts";
import { isTooDeep, MAX_BYTES, MAX_DEPTH, parseJson } from "../../source/json/parse.ts";
import { isReservedName, isSlug, nameOfSlug } from "../../source/address.ts";
import { formats } from "../../model/formats.ts";
import type { ValueModel } from "../../model/model.ts";
import type { PageModel } from "../../model/page.ts";
import type { ShownPage } from "../../model/reference.ts";
import type { PageType, PageTypes } from "../../model/page-types.ts";
import { codesIn, translationsIn } from "./languages.ts";
import { isReadable, type ResponseReader, type SavedResponse } from "./documents.ts";
import type { ImportReport, ReasonCode } from "./report.ts";
import { SiteVotes } from "./site.ts";
import { linkPath } from "../../model/tree.ts";
import { addressAbove, isId, shown, shownValue, withoutSlash } from "./values.ts";

export type ParentRef = { id: number } | { address: string } | "none";

/** The facts about a page that the tree needs. */
export interface PageOutline {
  response: SavedResponse;
  id: number;
  /** Undefined if the page cannot be written; it is kept for its subpages. */
  type: PageType | undefined;
  parent: ParentRef;
  slug: string;
  acno: number;
  /** The address on the website, only of pages that can have subpages. */
  address: string | undefined;
  /** `meta.locale`, on hosts with languages. */
  locale?: string | undefined;
  /** Its translations, if the response has them, and the page as other responses show it. */
  translations?: JsonObject[];
  shown?: ShownPage;
}

/** Results of a crawl other than the responses. */
export interface CrawlNotes {
  address: string;
  /** Ids of parents that are not published. */
  missing: ReadonlySet<number>;
  /** Pages that must not be imported, even if a list contains them. */
  excluded: ReadonlyMap<number, Excluded>;
}

export interface Excluded {
  code: ReasonCode;
  reason: string;
}

/** Reads all responses once, to find the tree and the settings of `_site.json`. */
export function outlineOf(
  types: PageModel,
  files: readonly SavedResponse[],
  reader: ResponseReader,
  crawled: CrawlNotes | undefined,
  report: ImportReport,
  progress: (done: number) => void,
) {
  const hasShown = types.names.some((type) => showsPages(types.sourceOf(type)));
  /** The pages as others show them, if the site has references that show pages. */
  const shownPages = hasShown ? new Map<number, ShownPage>() : undefined;
  const pages: PageOutline[] = [];
  const votes = new SiteVotes(types);
  /** The languages of the translations in responses, and whether all have them as this API has. */
  const sequences = new Set<string>();
  let haveTranslations = true;
  const byId = new Map<number, PageOutline>();
  /** The types of pages with subpages, which are found by their addresses. Other addresses are not kept. */
  const withSubpages = new Set([undefined, ...types.names.flatMap((type) => types.of(type).parents)]);
  // The parents' addresses: all subpages of one page share one string, to save memory.
  const addresses = new Map<string, string>();

  const families: FoundItems[] = [];

  const addPage = (response: SavedResponse, value: unknown): void => {
    const { name } = response;
    if (!isObject(value)) return report.leave("damaged", null, name, "it is not an object");
    const meta = isObject(value["meta"]) ? value["meta"] : {};
    const htmlUrl = typeof meta["html_url"] === "string" ? meta["html_url"] : undefined;
    const place = htmlUrl ?? name;
    const { id } = value;
    if (!isId(id)) return report.leave("no-id", null, place, `its id is ${shownValue(id)}`);
    const first = byId.get(id);
    if (first !== undefined) {
      // In a crawl, the first response is the better one. Of saved files neither is, and a copy is no loss.
      if (crawled === undefined && !isCopy(reader, first.response, response))
        report.leave("id-taken", id, place, `${first.response.name} has the same id, and is used instead`);
      return;
    }
    const page = pageOf(types, response, id, value, meta, htmlUrl);
    if (!withSubpages.has(page.type)) page.address = undefined;
    if (page.parent !== "none" && "address" in page.parent) {
      const { address } = page.parent;
      page.parent.address = addresses.get(address) ?? address;
      addresses.set(page.parent.address, page.parent.address);
    }
    byId.set(id, page);
    pages.push(page);
    const translations = translationsIn(meta["translations"]);
    const codes = translations && codesIn(translations);
    if (codes === undefined) haveTranslations = false;
    else sequences.add(codes.join(" "));
    const others = translations ?? translationsIn(value["translations"]);
    if (others !== undefined) page.translations = others;
    if (codes !== undefined && page.type !== undefined) page.shown = shownIn(page.type, value);
    const fault = crawled?.excluded.get(id) ?? faultOf(types, meta, page);
    if (fault === undefined) {
      votes.count(value, id, page.type, htmlUrl);
      if (page.type !== undefined) shownPages?.set(id, shownIn(page.type, value));
    } else {
      page.type = undefined;
      report.leave(fault.code, id, place, fault.reason);
    }
  };

  for (const [i, file] of files.entries()) {
    progress(i);
    const found = responsesIn(file, reader);
    if ("fault" in found) for (const id of found.ids) report.leave("damaged", id, file.name, found.fault);
    else {
      for (const { response, value } of found.responses) addPage(response, value);
      if (crawled === undefined && found.responses.length > 1) families.push(found.responses);
    }
  }
  const ofLanguages = { sequences, haveTranslations };
  return { types, pages, shown: shownPages, votes, siblings: savedSiblings(families), ...ofLanguages };
}

/**
 * The places of pages among their siblings in saved lists of the pages below one page, by id. A list in the order of ids
 * can be any list, so it counts only beside one in another order.
 */
function savedSiblings(lists: readonly FoundItems[]): Map<number, number> | undefined {
  const byParent = new Map<string, number[]>();
  for (const items of lists) {
    const parents = items.map(({ value }) => {
      const { parent, html_url } = isObject(value) && isObject(value["meta"]) ? value["meta"] : {};
      return JSON.stringify(parentRefOf(parent, true, typeof html_url === "string" ? html_url : undefined));
    });
    const [parent = ""] = parents;
    const ids = items.flatMap(({ value }) => idOf(value) ?? []);
    if (new Set(parents).size === 1) byParent.set(parent, [...(byParent.get(parent) ?? []), ...ids]);
  }
  const sorted = [...byParent.values()].filter((ids) => ids.some((id, i) => id < (ids[i - 1] ?? 0)));
  return sorted.length === 0 ? undefined : new Map(sorted.flatMap((ids) => ids.map((id, i) => [id, i])));
}

/** Whether responses show pages that they refer to. */
function showsPages(model: ValueModel): boolean {
  switch (model.kind) {
    case "number":
      return model.reference?.shows !== undefined;
    case "list":
      return showsPages(model.element);
    case "object":
      return [...model.fields.values()].some(showsPages);
    case "block":
      return [...model.variants.values()].some(showsPages);
    default:
      return false;
  }
}

/** A page as the responses of other pages show it. */
export function shownIn(type: PageType, { meta, title }: JsonObject): ShownPage {
  const { detail_url, html_url } = isObject(meta) ? meta : {};
  return { type, detail_url, html_url, title } as ShownPage;
}

function isCopy(reader: ResponseReader, first: SavedResponse, second: SavedResponse): boolean {
  const text = reader.read(second)?.toString();
  return reader.read(first)?.toString() === text;
}

const TOO_DEEP = `lists and objects are nested more than ${MAX_DEPTH} levels deep`;
const TOO_LARGE = `it is larger than ${MAX_BYTES / 2 ** 20} MiB`;

type FoundItems = readonly { response: SavedResponse; value: unknown }[];

type FoundResponses =
  | { responses: FoundItems }
  /** A fault that cannot be attributed to one item of a list. `ids`: of all pages in the file. */
  | { fault: string; ids: (number | null)[] };

const damaged = (fault: string, ids: (number | null)[] = [null]): FoundResponses => ({ fault, ids });

/** The responses in a file: one, or each item of a list, by its range of bytes. */
export function responsesIn(file: SavedResponse, reader: ResponseReader): FoundResponses {
  if (!isReadable(file.name)) return damaged("its name is not UTF-8: rename it");
  const bytes = reader.read(file);
  if (bytes === undefined) return damaged(TOO_LARGE);
  const value = jsonIn(bytes.toString());
  if (value === undefined)
    return damaged(`it is not JSON, or is cut off: ${shown(bytes.toString("utf8", 0, 200), 60)}`);
  if (!isList(value))
    return isTooDeep(value) ? damaged(TOO_DEEP, [idOf(value)]) : { responses: [{ response: file, value }] };
  const ids = value.items.map(idOf);
  if (isTooDeep(value)) return damaged(`in its list, ${TOO_DEEP}`, ids);
  const { root, source } = parseJson("", bytes);
  const list = root && nodeAt(root, ["items"]).node;
  if (list?.type !== "array" || list.items.length !== ids.length)
    return damaged("its list is not strict JSON in UTF-8", ids);
  let [at, end] = [0, file.start];
  const responses = list.items.map((item, i) => {
    const start = end + Buffer.byteLength(source.text.slice(at, item.start));
    end = start + Buffer.byteLength(source.text.slice(item.start, item.end));
    at = item.end;
    return { response: { ...file, start, end }, value: value.items[i] };
  });
  return { responses };
}

const idOf = (value: unknown): number | null => (isObject(value) && isId(value["id"]) ? value["id"] : null);

const isList = (value: unknown): value is { items: unknown[] } =>
  isObject(value) && Array.isArray(value["items"]) && isObject(value["meta"]) && !("id" in value);

function pageOf(
  types: PageTypes,
  response: SavedResponse,
  id: number,
  { acno }: JsonObject,
  meta: JsonObject,
  htmlUrl: string | undefined,
): PageOutline {
  const type = types.names.find((known) => known === meta["type"]);
  const slug =
    meta["slug"] ??
    (htmlUrl === undefined ? undefined : linkPath(/[^/]*$/.exec(withoutSlash(htmlUrl))?.[0] ?? ""));
  return {
    response,
    id,
    type,
    parent: parentRefOf(meta["parent"], type === undefined || !types.isRoot(type), htmlUrl),
    slug: typeof slug === "string" ? slug.normalize("NFC") : "",
    acno: typeof acno === "string" && formats.acno.matches(acno) ? acnoNumber(acno) : 0,
    address: htmlUrl,
    locale: typeof meta["locale"] === "string" ? meta["locale"] : undefined,
  };
}

export function parentRefOf(parent: unknown, mayHaveParent: boolean, htmlUrl: string | undefined): ParentRef {
  if (isObject(parent) && isId(parent["id"])) return { id: parent["id"] };
  // Lists lack `meta.parent`, so the address shows the parent.
  return parent === undefined && mayHaveParent && htmlUrl !== undefined
    ? { address: addressAbove(htmlUrl) }
    : "none";
}

function faultOf(types: PageTypes, { type, slug }: JsonObject, page: PageOutline): Excluded | undefined {
  if (page.type === undefined)
    return { code: "type", reason: `its type is ${shownValue(type)}, which this API does not have` };
  const fault = types.isRoot(page.type) ? undefined : slugFault(page.slug);
  return fault === undefined
    ? undefined
    : { code: "slug", reason: `its slug ${shownValue(slug ?? page.slug)} ${fault}` };
}

/** Maximum number of bytes of a slug: with `.json` after it, it is a valid file name on every system. */
const MAX_SLUG_BYTES = 250;

/** The reason why no source can have this slug, as the end of a sentence. */
export function slugFault(slug: string): string | undefined {
  if (!isSlug(slug)) return "has characters other than letters, digits, - and _";
  const bytes = Buffer.byteLength(nameOfSlug(slug));
  if (bytes > MAX_SLUG_BYTES) return `has ${bytes} bytes; a file's name can have at most ${MAX_SLUG_BYTES}`;
  return isReservedName(slug)
    ? "is the name of a device on Windows, so no file there can have it"
    : undefined;
}

/** An accession number of the form N00530; 0 if it is empty. Case is ignored. */
export const acnoNumber = (acno: string): number =>
  acno === "" ? 0 : (acno.toUpperCase().charCodeAt(0) - 0x40) * 100_000 + Number(acno.slice(1));
