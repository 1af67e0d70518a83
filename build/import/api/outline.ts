import { isObject, jsonIn, type JsonObject } from "../../json/object.ts";
import type { Node } from "../../json/node.ts";
import { isTooDeep } from "../../json/depth.ts";
import { parseJson } from "../../json/parse.ts";
import { PAGE_TYPES, isPageType, isRootType, parentTypes, type PageType } from "../../page/types.ts";
import { acnoNumber } from "../../check/site.ts";
import { formats } from "../../page/formats.ts";
import { isReadable, TOO_DEEP, TOO_LARGE, type Documents } from "./documents.ts";
import type { ReasonCode, ImportReport } from "./report.ts";
import { SiteVotes } from "./site.ts";
import { slugFault } from "./slug.ts";
import { addressAbove, isId, shown, shownValue, withoutSlash } from "./values.ts";

/** A page's reference to its parent. */
export type ParentRef = { id: number } | { address: string } | "none";

/** The facts about a page that the tree needs. */
export interface PageOutline {
  document: number;
  id: number;
  /** Undefined if the page cannot be written; it is kept for its subpages. */
  type: PageType | undefined;
  parent: ParentRef;
  slug: string;
  acno: number;
  /** The address on the website, only of pages that can have subpages. */
  address: string | undefined;
}

export interface Outline {
  pages: PageOutline[];
  byId: Map<number, PageOutline>;
  votes: SiteVotes;
}

/** Results of a crawl other than the responses. */
export interface CrawlNotes {
  /** The address of the API. */
  address: string;
  /** Ids of parents that are not published. */
  missing: ReadonlySet<number>;
  /** Pages that must not be imported, even if a listing contains them. */
  excluded: ReadonlyMap<number, Excluded>;
}

export interface Excluded {
  code: ReasonCode;
  reason: string;
}

/** Reads all responses once, to find the tree and the settings of `_site.json`. */
export function outlineOf(
  documents: Documents,
  crawled: CrawlNotes | undefined,
  report: ImportReport,
  progress: (done: number) => void,
): Outline {
  const outline: Outline = { pages: [], byId: new Map(), votes: new SiteVotes() };
  const reader = new OutlineReader(documents, crawled, report, outline);
  for (let file = 0; file < documents.files.length; file++) {
    progress(file);
    reader.readFile(file);
  }
  return outline;
}

class OutlineReader {
  private readonly documents: Documents;
  private readonly crawled: CrawlNotes | undefined;
  private readonly report: ImportReport;
  private readonly outline: Outline;
  /** The parents' addresses: all subpages of one page share one string, to save memory. */
  private readonly addresses = new Map<string, string>();

  constructor(documents: Documents, crawled: CrawlNotes | undefined, report: ImportReport, outline: Outline) {
    this.documents = documents;
    this.crawled = crawled;
    this.report = report;
    this.outline = outline;
  }

  readFile(file: number): void {
    const name = this.documents.files[file]?.name ?? "";
    if (!isReadable(name))
      return this.report.leave("damaged", null, name, "its name is not UTF-8: rename it");
    const bytes = this.documents.readFile(file);
    if (bytes === undefined) return this.report.leave("damaged", null, name, TOO_LARGE);
    const value = jsonIn(bytes.toString());
    if (value === undefined)
      return this.report.leave(
        "damaged",
        null,
        name,
        `it is not JSON, or is cut off: ${shown(bytes.toString("utf8", 0, 200), 60)}`,
      );
    const isDeep = isTooDeep(value);
    if (isListing(value)) {
      if (isDeep) this.leaveListing(file, value.items, `in its list, ${TOO_DEEP}`);
      else this.readListing(file, bytes, value.items);
    } else if (isDeep) this.report.leave("damaged", idOf(value), name, TOO_DEEP);
    else this.readPage(this.documents.add(file, 0), value);
  }

  /** Adds each item of a listing as a response of its own, by its range of bytes in the file. */
  private readListing(file: number, bytes: Buffer, values: unknown[]): void {
    const { root, source } = parseJson("", bytes);
    const items = root && itemsOf(root);
    if (items?.length !== values.length) return this.leaveListing(file, values, NOT_STRICT);
    let at = 0;
    let offset = 0;
    for (const [i, value] of values.entries()) {
      const item = items[i] as Node;
      offset += Buffer.byteLength(source.text.slice(at, item.start));
      const start = offset;
      offset += Buffer.byteLength(source.text.slice(item.start, item.end));
      at = item.end;
      this.readPage(this.documents.add(file, start, offset), value);
    }
  }

  /** Leaves out every page of a listing with a fault that cannot be attributed to one item. */
  private leaveListing(file: number, values: unknown[], reason: string): void {
    const name = this.documents.files[file]?.name ?? "";
    for (const value of values) this.report.leave("damaged", idOf(value), name, reason);
  }

  private readPage(document: number, value: unknown): void {
    const name = this.documents.nameOf(document);
    const { report, outline } = this;
    if (!isObject(value)) return report.leave("damaged", null, name, "it is not an object");
    const meta = isObject(value["meta"]) ? value["meta"] : {};
    const htmlUrl = typeof meta["html_url"] === "string" ? meta["html_url"] : undefined;
    const place = htmlUrl ?? name;
    const { id } = value;
    if (!isId(id)) return report.leave("no-id", null, place, `its id is ${shownValue(id)}`);
    const first = outline.byId.get(id);
    if (first !== undefined) return this.readAgain(document, id, first, place);
    const page = this.pageOf(document, id, value, meta, htmlUrl);
    outline.byId.set(id, page);
    outline.pages.push(page);
    const fault = this.crawled?.excluded.get(id) ?? faultOf(meta, page);
    if (fault === undefined)
      outline.votes.count(value, id, page.type !== undefined && isRootType(page.type), htmlUrl);
    else {
      page.type = undefined;
      report.leave(fault.code, id, place, fault.reason);
    }
  }

  /**
   * Handles a second response of one page. In a crawl, the first response is the better one. Among saved files
   * neither is known to be better, so a different one is reported.
   */
  private readAgain(document: number, id: number, first: PageOutline, place: string): void {
    if (this.crawled !== undefined) return;
    const text = this.documents.read(document).toString();
    // Leaving out an exact copy loses no data.
    if (this.documents.read(first.document).toString() === text) return;
    const reason = `${this.documents.nameOf(first.document)} has the same id, and is used instead`;
    this.report.leave("id-taken", id, place, reason);
  }

  private pageOf(
    document: number,
    id: number,
    value: Record<string, unknown>,
    meta: Record<string, unknown>,
    htmlUrl: string | undefined,
  ): PageOutline {
    const type = isPageType(meta["type"]) ? PAGE_TYPES.find((known) => known === meta["type"]) : undefined;
    const { acno } = value;
    const slug = meta["slug"] ?? (htmlUrl === undefined ? undefined : lastOf(htmlUrl));
    return {
      document,
      id,
      type,
      parent: this.parentOf(meta["parent"], type, htmlUrl),
      slug: typeof slug === "string" ? slug : "",
      acno: typeof acno === "string" && formats.acno.matches(acno) ? acnoNumber(acno) : 0,
      address: htmlUrl === undefined || !MAY_HAVE_SUBPAGES.has(type) ? undefined : htmlUrl,
    };
  }

  private parentOf(parent: unknown, type: PageType | undefined, htmlUrl: string | undefined): ParentRef {
    if (parent === null) return "none";
    if (isObject(parent) && isId(parent["id"])) return { id: parent["id"] };
    // Listings lack `meta.parent`, so the address shows the parent.
    if (parent !== undefined || (type !== undefined && isRootType(type)) || htmlUrl === undefined)
      return "none";
    const above = addressAbove(htmlUrl);
    const address = this.addresses.get(above) ?? above;
    this.addresses.set(address, address);
    return { address };
  }
}

/**
 * Types whose pages can have subpages, which are found by the address. Most pages are of other types, whose addresses
 * are not kept.
 */
const MAY_HAVE_SUBPAGES: ReadonlySet<PageType | undefined> = new Set([
  undefined,
  ...PAGE_TYPES.flatMap(parentTypes),
]);

const NOT_STRICT = "its list is not strict JSON in UTF-8";

const idOf = (value: unknown): number | null => (isObject(value) && isId(value["id"]) ? value["id"] : null);

const isListing = (value: unknown): value is { items: unknown[] } =>
  isObject(value) && Array.isArray(value["items"]) && isObject(value["meta"]) && !("id" in value);

const itemsOf = (root: Node): Node[] | undefined => {
  const items =
    root.type === "object" ? root.members.findLast(({ key }) => key === "items")?.value : undefined;
  return items?.type === "array" ? items.items : undefined;
};

const lastOf = (address: string): string => {
  const own = withoutSlash(address);
  return own.slice(own.lastIndexOf("/") + 1);
};

function faultOf({ type, slug }: JsonObject, page: PageOutline): Excluded | undefined {
  if (page.type === undefined)
    return { code: "type", reason: `its type is ${shownValue(type)}, which this API does not have` };
  const fault = isRootType(page.type) ? undefined : slugFault(page.slug);
  return fault === undefined
    ? undefined
    : { code: "slug", reason: `its slug ${shownValue(slug ?? page.slug)} ${fault}` };
}
