import { nodeAt, isObject, jsonIn, type JsonObject } from "../../source/json/object.ts";
import { isTooDeep, MAX_BYTES, MAX_DEPTH, parseJson } from "../../source/json/parse.ts";
import { isReservedName, isSlug, nameOfSlug, slugKey } from "../../source/address.ts";
import { formats } from "../../model/formats.ts";
import type { PageModel } from "../../model/page.ts";
import type { ShownPage } from "../../model/reference.ts";
import type { PageType, PageTypes } from "../../model/page-types.ts";
import { codesIn, translationsIn, languagesAmong, type HostLanguages } from "./languages.ts";
import {
  isReadable,
  type Excluded,
  type ResponseReader,
  type Responses,
  type SavedResponse,
} from "./documents.ts";
import type { ImportReport } from "./report.ts";
import { openVotes } from "./site.ts";
import { linkPath } from "../../model/tree.ts";
import { addressAbove, idOf, isId, shown, shownValue, withoutSlash } from "./values.ts";
import { grouped } from "../../base/grouped.ts";
import { positionsFor } from "../../model/position.ts";

export type ParentRef = { id: number } | { address: string } | "none";

/** The facts in a response about its page, whatever types the site has. */
export function factsIn(response: JsonObject) {
  const meta = isObject(response["meta"]) ? response["meta"] : {};
  const { type, detail_url, html_url, locale } = meta;
  const translations = translationsIn(meta["translations"]);
  return {
    meta,
    address: typeof html_url === "string" ? html_url : undefined,
    locale: typeof locale === "string" ? locale : undefined,
    translations: translations ?? translationsIn(response["translations"]),
    /** The languages of translations that are as this API has them. */
    codes: translations && codesIn(translations),
    /** The page as the responses of other pages show it. */
    shown: { type, detail_url, html_url, title: response["title"] } as ShownPage,
  };
}

type PageFacts = ReturnType<typeof factsIn>;

/** The facts about a page that the tree needs. */
export interface PageOutline extends Pick<PageFacts, "locale" | "translations" | "shown"> {
  response: SavedResponse;
  id: number;
  /** Undefined if the page cannot be written; it is kept for its subpages. */
  type: PageType | undefined;
  parent: ParentRef;
  slug: string;
  /** The accession number in uppercase; empty if it has none of the form N00530. */
  acno: string;
  /** The address on the website, only of pages that can have subpages. */
  address: string | undefined;
}

/** Reads all responses once, to find the tree and the settings of `_site.json`. */
export function outlineOf(
  types: PageModel,
  { files, crawled }: Responses,
  reader: ResponseReader,
  report: ImportReport,
  progress: (done: number) => void,
) {
  const pages: PageOutline[] = [];
  const votes = openVotes(types);
  /** The languages of the translations in responses, and whether all have them as this API has. */
  const sequences = new Set<string>();
  let haveTranslations = true;
  const byId = new Map<number, PageOutline>();
  /** The types of pages with subpages, which are found by their addresses. */
  const withSubpages = new Set([undefined, ...types.names.flatMap((type) => types.of(type).parents)]);
  const families: FoundItems[] = [];

  const addPage = (response: SavedResponse, value: unknown): void => {
    const { name } = response;
    if (!isObject(value)) return report.leave("damaged", null, name, "it is not an object");
    const facts = factsIn(value);
    const { meta, address, codes } = facts;
    const place = address ?? name;
    const { id } = value;
    if (!isId(id)) return report.leave("no-id", null, place, `its id is ${shownValue(id)}`);
    const first = byId.get(id);
    if (first !== undefined) {
      // In a crawl, the first response is the better one. Of saved files neither is, and a copy is no loss.
      if (crawled === undefined && !isCopy(reader, first.response, response))
        report.leave("id-taken", id, place, `${first.response.name} has the same id, and is used instead`);
      return;
    }
    const page = pageOf(types, response, id, value, facts);
    if (!withSubpages.has(page.type)) page.address = undefined;
    byId.set(id, page);
    pages.push(page);
    if (codes === undefined) haveTranslations = false;
    else sequences.add(codes.join(" "));
    const fault = crawled?.excluded.get(id) ?? faultOf(types, meta, page);
    if (fault === undefined) votes.count(value, id, page.type, address);
    else {
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
  return { types, pages, votes, siblings: savedSiblings(families), ...ofLanguages };
}

/**
 * The places of pages among their siblings in saved lists of the pages below one page, by id. A list in the order of ids
 * can be any list, so it counts only beside one in another order.
 */
function savedSiblings(lists: readonly FoundItems[]): Map<number, number> | undefined {
  const parentOf = ({ value }: FoundItems[number]): string =>
    JSON.stringify(isObject(value) ? parentRefOf(factsIn(value), true) : "none");
  const ofOne = lists.filter((items) => new Set(items.map(parentOf)).size === 1);
  const families = Array.from(grouped(ofOne.flat(), parentOf).values(), (items) =>
    items.flatMap(({ value }) => idOf(value) ?? []),
  );
  const sorted = families.filter((ids) => ids.some((id, i) => id < (ids[i - 1] ?? 0)));
  return sorted.length === 0 ? undefined : new Map(sorted.flatMap((ids) => ids.map((id, i) => [id, i])));
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

const isList = (value: unknown): value is { items: unknown[] } =>
  isObject(value) && Array.isArray(value["items"]) && isObject(value["meta"]) && !("id" in value);

function pageOf(
  types: PageTypes,
  response: SavedResponse,
  id: number,
  { acno }: JsonObject,
  facts: PageFacts,
): PageOutline {
  const { meta, address, locale, translations, shown: ofOthers } = facts;
  const type = types.names.find((known) => known === meta["type"]);
  const slug =
    meta["slug"] ??
    (address === undefined ? undefined : linkPath(/[^/]*$/.exec(withoutSlash(address))?.[0] ?? ""));
  return {
    response,
    id,
    type,
    parent: parentRefOf(facts, type === undefined || !types.isRoot(type)),
    slug: typeof slug === "string" ? slug.normalize("NFC") : "",
    acno: typeof acno === "string" && formats.acno.matches(acno) ? acno.toUpperCase() : "",
    address,
    locale,
    translations,
    shown: ofOthers,
  };
}

export function parentRefOf({ meta: { parent }, address }: PageFacts, mayHaveParent: boolean): ParentRef {
  if (isObject(parent) && isId(parent["id"])) return { id: parent["id"] };
  // Lists lack `meta.parent`, so the address shows the parent.
  return parent === undefined && mayHaveParent && address !== undefined
    ? { address: addressAbove(address) }
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

/** A page, and the location of its source. */
export interface Placed {
  page: PageOutline;
  parent: PageOutline | undefined;
  /** The path of its source, relative to the content folder. */
  path: string;
  hasChildren: boolean;
  /** Its `meta.order`; undefined if it needs none. */
  order?: number | undefined;
}

/** Maximum number of subpages in one folder. More are divided among grouping folders. */
const MAX_TOGETHER = 500;

/** Accession numbers, or ids, per grouping folder, which has no more pages: each number is used once. */
const GROUP_SIZE = 500;

/** Pages with their subpages, by the ids or the addresses of their parents. */
export function familiesOf<P extends Pick<PageOutline, "id" | "parent" | "address">>(pages: readonly P[]) {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const byAddress = new Map<string, P>();
  // Reversed, so that the first page with an address counts.
  for (const page of pages.toReversed())
    if (page.address !== undefined) byAddress.set(withoutSlash(page.address), page);
  const parents = new Map<P, P>();
  for (const page of pages) {
    const { parent } = page;
    if (parent === "none") continue;
    const above = "id" in parent ? byId.get(parent.id) : byAddress.get(parent.address);
    if (above !== undefined) parents.set(page, above);
  }
  const children = grouped(parents.keys(), (page) => parents.get(page));

  function countBelow(page: P): number {
    let count = 0;
    const open = [page];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const family = children.get(next) ?? [];
      count += family.length;
      for (const child of family) open.push(child);
    }
    return count;
  }

  /** Pages without parents: those with the most subpages at any depth first, then those with the lowest ids. */
  const largestFirst = (tops: readonly P[]): P[] =>
    tops
      .map((page) => ({ page, below: countBelow(page) }))
      .sort((a, b) => b.below - a.below || a.page.id - b.page.id)
      .map(({ page }) => page);
  return { parents, children, largestFirst };
}

export function responseTree({ types, pages }: Pick<ReturnType<typeof outlineOf>, "types" | "pages">) {
  const families = familiesOf(pages);
  const { parents, children } = families;

  function isRoot({ type, parent }: PageOutline): boolean {
    return type !== undefined && types.isRoot(type) && parent === "none";
  }

  const languagesWith = (hints: Parameters<typeof languagesAmong>[2]): HostLanguages<PageOutline> =>
    languagesAmong(pages.filter(isRoot), families, hints);

  /**
   * Visits the pages that have a location, parents before subpages. If `write` returns false, skips the
   * subpages of that page. Reports all other pages with their reasons.
   * `homes`: the home page of each language, the main one first. `missing`: ids of parents that are not published on the
   * host. `siblings`: the places of pages among their siblings, by id, if they are known.
   */
  function place(
    report: ImportReport,
    homes: readonly PageOutline[],
    missing: ReadonlySet<number>,
    write: (placed: Placed) => boolean,
    siblings: ReadonlyMap<number, number> = new Map(),
  ) {
    const done = new Set<PageOutline>();
    const folders: { page: PageOutline; folder: string }[] = [];
    const languages = new Set(homes.slice(1).map(folderOfLanguage));
    const visit = (placed: Placed, folder: string): void => {
      done.add(placed.page);
      if (write(placed) && placed.hasChildren) folders.push({ page: placed.page, folder });
    };
    for (const home of homes) {
      // A work can have a page in each language.
      const acnos = new Map<string, number>();
      const top = home === homes[0] ? "" : `${folderOfLanguage(home)}/`;
      visit(
        { page: home, parent: undefined, path: `${top}index.json`, hasChildren: children.has(home) },
        top,
      );
      for (let next = folders.pop(); next !== undefined; next = folders.pop()) placeBelow(next, top, acnos);
    }
    reportOthers(report, homes[0], missing, done);

    function placeBelow(above: (typeof folders)[number], top: string, acnos: Map<string, number>): void {
      const { page: parent, folder } = above;
      const family = (children.get(parent) ?? []).sort((a, b) => a.id - b.id);
      const orders = ordersOf(family, siblings);
      const isLarge = family.length > MAX_TOGETHER;
      const slugs = new Map<string, number>();
      for (const page of family) {
        done.add(page);
        if (page.type === undefined) continue;
        const slug = slugKey(page.slug);
        const [bySlug, byAcno] = [slugs.get(slug), acnos.get(page.acno)];
        if (bySlug !== undefined) {
          report.leave("slug-taken", page.id, addressOf(page), `page ${bySlug} has this address already`);
          continue;
        }
        if (byAcno !== undefined) {
          const reason = `page ${byAcno} has this accession number already`;
          report.leave("acno-taken", page.id, addressOf(page), reason);
          continue;
        }
        slugs.set(slug, page.id);
        if (page.acno !== "") acnos.set(page.acno, page.id);
        // The name of a language's folder would make the page one of that language.
        const isGrouped = isLarge || (folder === top && languages.has(slug));
        const below = `${folder}${isGrouped ? `${groupOf(page)}/` : ""}${nameOfSlug(page.slug)}`;
        const hasChildren = children.has(page);
        // `index.json` is the parent's own source, so a page with the slug “index” needs a folder.
        const isFolder = hasChildren || types.of(page.type).isFolder === true || page.slug === "index";
        const path = isFolder ? `${below}/index.json` : `${below}.json`;
        visit({ page, parent, path, hasChildren, order: orders.get(page.id) }, `${below}/`);
      }
    }
  }

  /** The ids of pages with several subpages, which have an order. */
  const parentsOfSeveral = (): Set<number> =>
    new Set([...children].flatMap(([page, family]) => (page && family.length > 1 ? [page.id] : [])));

  function addressOf(page: PageOutline): string {
    const above = parents.get(page)?.address;
    if (page.address !== undefined || above === undefined) return page.address ?? page.slug;
    return `${withoutSlash(above)}/${page.slug}${above.endsWith("/") ? "/" : ""}`;
  }

  function reportOthers(
    report: ImportReport,
    home: PageOutline | undefined,
    missing: ReadonlySet<number>,
    done: ReadonlySet<PageOutline>,
  ) {
    const others = new Set(pages.filter((page) => !done.has(page) && page.type !== undefined));
    const below = new Map<number, number>();
    for (const page of others) {
      const { id, parent } = page;
      const above = parents.get(page);
      const top = topOf(page);
      if (top !== page) below.set(top.id, (below.get(top.id) ?? 0) + 1);
      const leave = (code: Parameters<ImportReport["leave"]>[0], reason: string): void =>
        report.leave(code, id, addressOf(page), reason);
      if (above !== undefined && top === page)
        leave("loop", `it is below page ${above.id}, which is below it`);
      else if (above !== undefined) leave("parent-left", `its parent page, ${above.id}, is not written`);
      else if (isRoot(page))
        leave(
          "second-home",
          page.locale === home?.locale
            ? `a site has one home page, and that is page ${home?.id}`
            : `its language is ${shownValue(page.locale)}, whose address or code is not that of a language of this site`,
        );
      else if (parent === "none") leave("orphan", "it has no parent page");
      else if ("address" in parent)
        leave("orphan", `no page has its parent's address, ${shown(parent.address)}`);
      else if (missing.has(parent.id))
        leave("unpublished", `its parent page, ${parent.id}, is not published (404)`);
      else leave("orphan", `its parent page, ${parent.id}, is not among the responses`);
    }
    report.addBelow(below);

    /** The page because of which a page is not written: itself if it has no parent, or is below itself. */
    function topOf(page: PageOutline): PageOutline {
      const seen = new Set<PageOutline>();
      let top = page;
      while (others.has(top) && !seen.has(top)) {
        seen.add(top);
        top = parents.get(top) ?? top;
      }
      return top;
    }
  }

  return { children, languagesWith, place, parentsOfSeveral };
}

const folderOfLanguage = ({ locale = "" }: PageOutline): string => locale.toLowerCase();

/** The values of `meta.order`, by id. Pages without a place follow the others, by id. */
function ordersOf(
  family: readonly PageOutline[],
  siblings: ReadonlyMap<number, number>,
): Map<number, number> {
  const placeOf = ({ id }: PageOutline): number => siblings.get(id) ?? Infinity;
  const wanted = family.toSorted((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
  return positionsFor(wanted.map(({ id }) => ({ id, position: 0 })));
}

/**
 * The grouping folder of a page with many siblings: the range that contains its accession number, or, if it
 * has none, its id. It depends on nothing else, so it stays the same when other pages are added or removed.
 */
export function groupOf({ acno, id }: Pick<PageOutline, "acno" | "id">): string {
  const number = acno === "" ? id : Number(acno.slice(1));
  const from = Math.floor(number / GROUP_SIZE) * GROUP_SIZE;
  const to = from + GROUP_SIZE - 1;
  if (acno === "") return `_${from}-${to}`;
  const numbered = (n: number): string => acno.charAt(0).toLowerCase() + String(n).padStart(5, "0");
  return `_${numbered(from)}-${numbered(to)}`;
}

/** Groups the pages of several languages. @param homes of the languages, in their order */
export function openTranslations(
  homes: readonly PageOutline[],
  children: ReadonlyMap<PageOutline | undefined, readonly PageOutline[]>,
) {
  const places = new Map<PageOutline, { language: number; path: string }>();
  const byId = new Map<number, PageOutline>();
  const byPath = new Map<string, PageOutline[]>();
  for (const [language, home] of homes.entries()) {
    const open: [PageOutline, string][] = [[home, ""]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [page, path] = next;
      if (page.type === undefined) continue;
      places.set(page, { language, path });
      byId.set(page.id, page);
      byPath.set(path, [...(byPath.get(path) ?? []), page]);
      for (const child of children.get(page) ?? []) open.push([child, `${path}/${child.slug}`]);
    }
  }
  const languageOf = (page: PageOutline): number => places.get(page)?.language ?? homes.length;
  const byLanguage = (a: PageOutline, b: PageOutline): number => languageOf(a) - languageOf(b);
  const pathOf = (page: PageOutline): string => places.get(page)?.path ?? "";

  /** The ids of the pages whose translations neither a response nor their paths show. */
  const unknown = (): number[] =>
    [...places].flatMap(([{ id, translations }, { language, path }]) =>
      language > 0 && translations === undefined && byPath.get(path)?.length === 1 ? [id] : [],
    );

  /** @param said the ids of the translations of pages, by their ids, as far as the host lists them */
  function group(said: ReadonlyMap<number, readonly number[]>) {
    /** The pages that say the page of which they are a translation. */
    const of = new Map<PageOutline, PageOutline>();
    for (const page of places.keys()) {
      const ids = page.translations?.map(({ id }) => id as number) ?? said.get(page.id) ?? [];
      const [original = page] = [page, ...ids.flatMap((id) => byId.get(id) ?? [])].sort(byLanguage);
      const isSame = languageOf(original) === languageOf(page) || original.type !== page.type;
      if (!isSame && pathOf(original) !== pathOf(page)) of.set(page, original);
    }
    const groups = new Map<string, PageOutline[]>();
    const add = (page: PageOutline, path: string): boolean => {
      const members = groups.get(path) ?? [];
      if (members.some((one) => languageOf(one) === languageOf(page))) return false;
      groups.set(path, [...members, page].sort(byLanguage));
      return true;
    };
    for (const page of places.keys()) if (!of.has(page)) add(page, pathOf(page));
    // A page of this language with the same path as the original is its translation, whatever the host says.
    for (const [page, original] of of) if (!add(page, pathOf(original))) of.delete(page);
    /** Pages that would be translations of pages of another type, by their paths. */
    const wrong = new Map<PageOutline, PageOutline>();
    const membersOf = new Map<PageOutline, PageOutline[]>();
    for (const members of groups.values()) {
      const [original] = members;
      for (const page of members) {
        membersOf.set(page, members);
        if (original !== undefined && page.type !== original.type) wrong.set(page, original);
      }
    }

    /** As JSON, with the pages that the host lists and that cannot be written. */
    function printed(page: PageOutline): string {
      const others = (membersOf.get(page) ?? []).filter((one) => one !== page);
      const listed = page.translations ?? [];
      const known = listed.flatMap(({ id }) => byId.get(id as number) ?? []);
      const isSame = known.length === others.length && known.every((one, k) => one === others[k]);
      const summaries = isSame
        ? listed.map((one) => summaryOf(byId.get(one["id"] as number)) ?? one)
        : others.map(summaryOf);
      return JSON.stringify(summaries);
    }
    return { of, wrong, printed };
  }
  return { unknown, group };
}

function summaryOf(page: PageOutline | undefined): object | undefined {
  if (page === undefined) return undefined;
  const { type, detail_url, html_url, title } = page.shown;
  return { id: page.id, meta: { type, locale: page.locale, detail_url, html_url }, title };
}
