import { API, pathOf } from "../base/api.ts";
import {
  addressesPath,
  childrenPath,
  columnOf,
  filterPath,
  idsPath,
  INDEX_FILE,
  listPath,
  LISTS_FILE,
  MAX_CHILDREN,
  MAX_LISTED,
  readMembers,
  type ColumnName,
  type FilterKind,
  type ListColumn,
  type ListedFields,
  type ListedPages,
} from "../base/website.ts";
import { listedFacts, type Item } from "../model/item.ts";
import { BadRequest, projection } from "./fields.ts";
import { pathIn } from "./paths.ts";
import { allRows, byPlace, membersIn, ranks, rowIn, rowsWith, sorted, type SortKey } from "./rows.ts";

/** The requests of Wagtail's clients that need a program (“Pages for a website” in docs/reference.md). */

/** The index of the published pages, as a host reads it. */
export interface ListSource {
  /** The text of a file of the index; undefined if there is no such file, or if the site has no index. */
  read: (path: string) => Promise<string | undefined>;
  /** The response of a page as text; undefined if the page is not published. */
  page: (id: number) => Promise<string | undefined>;
  /** Maximum number of pages that the host reads for a request. */
  maxPages?: number;
}

interface ListResponse {
  status: number;
  headers: Record<string, string>;
  body?: string;
}

interface IndexFile {
  /** The digits in the name of a file of addresses. */
  digits: number;
  /** The id of the home page. */
  root: number;
  /** Maximum number of pages in a response. */
  limit?: number;
}

type Parameters = Readonly<Record<string, string | undefined>>;

const FIND = `${API}find/`;

/** Whether a path lacks its last slash, which front ends leave out and Django adds. */
export const isUnended = (path: string): boolean => `${path}/` === API || `${path}/` === FIND;

/** Maximum number of pages in a response, and their number if a request has no `limit`: Wagtail's. */
const MAX_SHOWN = 20;

/**
 * Responds to `find/` and to lists as Wagtail does, with its messages; undefined for any other request, and if the site
 * has no index.
 *
 * @param target the path and query of the request.
 * @param headers of every response below the pages' folder.
 */
export async function respondList(
  target: string,
  headers: Record<string, string>,
  index: ListSource,
): Promise<ListResponse | undefined> {
  const path = pathIn(target);
  const isWhole = path === FIND || path === API;
  if (!isWhole && !isUnended(path)) return undefined;
  const about = await readJson<IndexFile | undefined>(index, INDEX_FILE, undefined);
  if (about === undefined) return undefined;
  if (!isWhole)
    return { status: 301, headers: { ...headers, Location: `${path}/${target.slice(path.length)}` } };
  const query = new URLSearchParams(target.slice(path.length));
  // As in Wagtail, the last of several equal names counts.
  const parameters: Parameters = Object.fromEntries(query);
  const message = (status: number, text: string): ListResponse => ({
    status,
    headers,
    body: JSON.stringify({ message: text }),
  });
  if (path === FIND) {
    const id = await find(index, about, parameters);
    if (id === undefined) return message(404, "not found");
    for (const name of ["html_path", "id"]) query.delete(name);
    const rest = query.size === 0 ? "" : `?${query.toString()}`;
    return { status: 302, headers: { ...headers, Location: `${pathOf(id)}${rest}` } };
  }
  try {
    return { status: 200, headers, body: JSON.stringify(await list(index, about, parameters)) };
  } catch (cause) {
    if (cause instanceof BadRequest) return message(400, cause.message);
    throw cause;
  }
}

/** The id of the page at an address, or at the address that replaces it. As in Wagtail, the last slash does not matter. */
async function find(
  index: ListSource,
  { digits }: IndexFile,
  { html_path: address, id }: Parameters,
): Promise<number | undefined> {
  if (address === undefined) {
    const known = NUMBER.test(id ?? "") ? Number(id) : undefined;
    return known !== undefined && (await index.page(known)) !== undefined ? known : undefined;
  }
  const at = async (one: string): Promise<number | { to: string } | undefined> => {
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(one));
    const hex = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const path = addressesPath(hex.slice(0, digits));
    return (await readJson<Record<string, number | { to: string }>>(index, path, {}))[one];
  };
  const names = address.split("/").filter((name) => name !== "");
  const way =
    names.length === 0
      ? ""
      : new URL(`https://path/${names.join("/").normalize("NFC")}`).pathname.replaceAll(
          /%[0-9a-f]{2}/gi,
          (code) => code.toUpperCase(),
        );
  const entry = (await at(`${way}/`)) ?? (await at(way));
  const current = typeof entry === "object" ? await at(entry.to.replace(/[?#].*$/s, "")) : entry;
  return typeof current === "number" ? current : undefined;
}

const NUMBER = /^\d{1,15}$/;
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

/** The parameters that every list has. */
const KNOWN = new Set(
  "type slug show_in_menus child_of ancestor_of descendant_of translation_of locale order limit offset fields search search_operator format _".split(
    " ",
  ),
);

interface ListRequest {
  /** Undefined for all. */
  types: readonly string[] | undefined;
  slug: string | undefined;
  locale: string | undefined;
  isInMenus: boolean | undefined;
  /** The filters by fields of the type. */
  filters: readonly { name: string; value: string | number | boolean }[];
  /** The page above which, and those below which the pages are. */
  ancestorOf: number | undefined;
  childOf: number | undefined;
  descendantOf: number | undefined;
  /** The page whose translations they are. */
  translationOf: number | undefined;
  /** Undefined for the usual order. */
  order: readonly { name: string; isReversed: boolean }[] | undefined;
}

const ANY_TYPE = "wagtailcore.page";

/** @throws BadRequest with the message of the query's first mistake, in the order in which Wagtail finds them */
async function list(index: ListSource, about: IndexFile, parameters: Parameters): Promise<object> {
  const file = await index.read(LISTS_FILE);
  if (file === undefined) throw new Error(`there is no file ${LISTS_FILE}`);
  const pages = readMembers(file) as ListedPages;
  const lists = new SiteLists(index, pages);
  const types = typesIn(parameters["type"], pages.types);
  const ofType = pages.fields[types?.length === 1 ? (types[0] as string) : ""] ?? NO_FIELDS;
  const own = Object.entries(parameters).filter(([name]) => !KNOWN.has(name));
  const unknown = own.map(([name]) => name).filter((name) => !Object.hasOwn(ofType.filters, name));
  if (unknown.length > 0)
    throw new BadRequest(
      `query parameter is not an operation or a recognised field: ${unknown.sort().join(", ")}`,
    );
  const { show_in_menus: menus, slug, locale } = parameters;
  const isInMenus = menus === undefined ? undefined : (valueOf("show_in_menus", menus, "boolean") as boolean);
  const filters = own.map(([name, text = ""]) => ({
    name,
    value: valueOf(name, text, ofType.filters[name]),
  }));
  const pageIn = async (name: string, missing: string): Promise<number | undefined> => {
    const given = parameters[name];
    if (given === undefined) return undefined;
    const isRoot = given === "root" && name !== "ancestor_of";
    if (!isRoot && !NUMBER.test(given)) throw new BadRequest(`${name} must be a positive integer`);
    const id = isRoot ? about.root : Number(given);
    if (!(await lists.has(id))) throw new BadRequest(missing);
    return id;
  };
  const ancestorOf = await pageIn("ancestor_of", "descendant page doesn't exist");
  const childOf = await pageIn("child_of", "parent page doesn't exist");
  if (childOf !== undefined && parameters["descendant_of"] !== undefined)
    throw new BadRequest("filtering by descendant_of with child_of is not supported");
  const descendantOf = await pageIn("descendant_of", "ancestor page doesn't exist");
  const order = orderIn(parameters["order"], parameters["offset"] !== undefined);
  const translationOf = await pageIn("translation_of", "translation_of page doesn't exist");
  if (parameters["search"] !== undefined || parameters["search_operator"] !== undefined)
    throw new BadRequest("search is disabled: this API has no search");
  const offset = countIn("offset", parameters["offset"] ?? "0");
  const max = about.limit ?? MAX_SHOWN;
  const limit = countIn("limit", parameters["limit"] ?? `${Math.min(MAX_SHOWN, max)}`);
  if (limit > max) throw new BadRequest(`limit cannot be higher than ${max}`);
  const project = projection(parameters["fields"], ofType);
  const position = { ancestorOf, childOf, descendantOf, translationOf };
  const request = { types, slug, locale, isInMenus, filters, ...position, order };
  const found = await lists.find(request, offset, offset + limit);
  const known = parameters["fields"] === undefined ? found.items : undefined;
  const toRead = found.ids.filter((id) => known?.has(id) !== true);
  if (toRead.length > (index.maxPages ?? Infinity))
    throw new BadRequest(`limit cannot be higher than ${index.maxPages} on this host`);
  const items = await Promise.all(
    found.ids.map(async (id) => project(known?.get(id) ?? (await lists.page(id)))),
  );
  return { meta: { total_count: found.total }, items };
}

const NO_FIELDS: ListedFields = { body: [], meta: [], nested: [], filters: {} };

/** The named types, without regard to case; undefined for all. */
function typesIn(given: string | undefined, types: readonly string[]): string[] | undefined {
  if (!given) return undefined;
  const names = new Map(types.map((type) => [type.toLowerCase(), type]));
  const wanted = given.toLowerCase().split(",");
  if (!wanted.every((type) => type === ANY_TYPE || names.has(type)))
    throw new BadRequest("type doesn't exist");
  return wanted.includes(ANY_TYPE) ? undefined : wanted.flatMap((type) => names.get(type) ?? []);
}

function valueOf(name: string, text: string, kind: FilterKind | undefined): string | number | boolean {
  const wrong = (reason: string): BadRequest =>
    new BadRequest(`field filter error. '${text}' is not a valid value for ${name} (${reason})`);
  if (kind === "boolean") {
    const value = Object.hasOwn(BOOLEANS, text) ? BOOLEANS[text] : undefined;
    if (value === undefined) throw wrong(`expected 'true' or 'false', got '${text}'`);
    return value;
  }
  if (kind !== "integer") return text;
  if (!/^\s*[-+]?\d+\s*$/.test(text)) throw wrong(`invalid literal for int() with base 10: '${text}'`);
  return Number(text);
}

function countIn(name: string, text: string): number {
  if (!/^\s*\+?\d{1,15}\s*$/.test(text)) throw new BadRequest(`${name} must be a positive integer`);
  return Number(text);
}

const ORDERS = new Set(["id", "title", "slug", "first_published_at"]);

function orderIn(given: string | undefined, isOffset: boolean): ListRequest["order"] {
  if (given === "random")
    throw new BadRequest(`random ordering ${isOffset ? "with offset " : ""}is not supported`);
  const order = given?.split(",").map((name) => ({
    name: name.replace(/^-/, ""),
    isReversed: name.startsWith("-"),
  }));
  for (const { name } of order ?? [])
    if (!ORDERS.has(name)) throw new BadRequest(`cannot order by '${name}' (unknown field)`);
  return order;
}

/** Pages among which a request chooses: those of the files of lists, or some whose items are at hand. */
type Rows = Pick<ListedPages, "ids" | "type" | "menus">;

/** Undefined for the languages of a site without them. */
type ReadColumn = (name: ColumnName) => Promise<ListColumn | undefined>;

/** The pages of a list. */
interface FoundPages {
  total: number;
  /** Those to show. */
  ids: readonly number[];
  /** Those of which the fields that lists show by default are known. */
  items?: ReadonlyMap<number, PageJson>;
}

type PageJson = Record<string, unknown>;

const TOO_MANY = `more than ${MAX_LISTED} pages can only be listed in the order of ids: add type, or child_of without a filter and an order`;

/** Maximum number of pages that a request reads to find those above them. */
const MAX_READ = 20;

/** The pages of a site, by the files of lists. */
class SiteLists {
  private readonly index: ListSource;
  private readonly pages: ListedPages;
  private readonly responses = new Map<number, Promise<PageJson | undefined>>();

  constructor(index: ListSource, pages: ListedPages) {
    this.index = index;
    this.pages = pages;
  }

  async has(id: number): Promise<boolean> {
    if (rowIn(this.pages.ids, id) !== undefined) return true;
    return !this.isComplete && (await this.published(id)) !== undefined;
  }

  async page(id: number): Promise<PageJson> {
    const page = await this.published(id);
    if (page === undefined) throw new Error(`the page ${id} is listed, but not published`);
    return page;
  }

  /** Reads a page once. */
  private published(id: number): Promise<PageJson | undefined> {
    const known = this.responses.get(id);
    if (known !== undefined) return known;
    const page = this.index
      .page(id)
      .then((text) => (text === undefined ? undefined : (JSON.parse(text) as PageJson)));
    this.responses.set(id, page);
    return page;
  }

  async find(request: ListRequest, from: number, to: number): Promise<FoundPages> {
    const { ancestorOf, childOf, translationOf } = request;
    if (translationOf !== undefined) {
      const { meta } = (await this.page(translationOf)) as { meta: { translations?: { id: number }[] } };
      return this.among(meta.translations?.map(({ id }) => id) ?? [], request, from, to);
    }
    if (ancestorOf !== undefined) return this.among(await this.above(ancestorOf), request, from, to);
    if (childOf !== undefined) return this.children(childOf, request, from, to);
    const isListed = request.types?.every((type) => !this.isLarge(type)) ?? this.isComplete;
    return isListed ? this.listed(request, from, to) : this.byId(request, from, to);
  }

  private get isComplete(): boolean {
    return Object.keys(this.pages.large).length === 0;
  }

  private isLarge(type: string): boolean {
    return Object.hasOwn(this.pages.large, type);
  }

  /** The ids of the pages above a page, the nearest first. */
  private async above(id: number): Promise<number[]> {
    const { ids, parent, above } = this.pages;
    const found: number[] = [];
    for (let next = id, reads = 0; ; found.push(next)) {
      const row = rowIn(ids, next);
      const known = row === undefined ? above?.[next] : parent[row];
      if (known === undefined && ++reads > MAX_READ) throw new BadRequest(TOO_MANY);
      next = known ?? parentOf(await this.page(next)) ?? 0;
      if (next === 0) return found;
    }
  }

  /** Those of a few pages that a request wants. */
  private async among(
    few: readonly number[],
    request: ListRequest,
    from: number,
    to: number,
  ): Promise<FoundPages> {
    const { ancestorOf, childOf, descendantOf } = request;
    const below = ancestorOf === undefined ? few : await this.above(ancestorOf);
    const wanted: number[] = [];
    for (const id of few.toSorted((a, b) => a - b)) {
      if (!below.includes(id)) continue;
      const above = childOf === undefined && descendantOf === undefined ? [] : await this.above(id);
      if (childOf !== undefined && above[0] !== childOf) continue;
      if (descendantOf === undefined || above.includes(descendantOf)) wanted.push(id);
    }
    const pages = await Promise.all(wanted.map((id) => this.page(id)));
    const items = new Map(wanted.map((id, k) => [id, pages[k] as PageJson]));
    const inOrder = { ...request, order: request.order ?? [] };
    return { ...(await this.selectItems(pages as unknown as Item[], inOrder, from, to)), items };
  }

  /** The pages directly below a page: from their own files, unless filters and orders would need many. */
  private async children(id: number, request: ListRequest, from: number, to: number): Promise<FoundPages> {
    const first = await this.childrenIn(id, 1);
    const { total } = first;
    const isPlain = isUnfiltered(request) && request.types === undefined && request.order === undefined;
    if (total > MAX_CHILDREN && !isPlain) {
      if (this.isComplete) return this.listed(request, from, to, id);
      if (total > MAX_LISTED) throw new BadRequest(TOO_MANY);
    }
    const [start, end] = isPlain ? [from, Math.min(to, total)] : [0, total];
    const lines: string[] = [];
    for (let part = Math.floor(start / MAX_CHILDREN); part * MAX_CHILDREN < end; part++) {
      const all = part === 0 ? first : await this.childrenIn(id, part + 1);
      lines.push(...all.lines.slice(Math.max(0, start - part * MAX_CHILDREN), end - part * MAX_CHILDREN));
    }
    const children = JSON.parse(`[${lines.join("").replace(/,$/, "")}]`) as Item[];
    const items = new Map(children.map((item) => [item.id, item as unknown as PageJson]));
    if (isPlain) return { total, ids: [...items.keys()], items };
    return { ...(await this.selectItems(children, request, from, to)), items };
  }

  /** The pages of a file, each a line with a comma behind it, and the number of pages in all such files. */
  private async childrenIn(id: number, part: number): Promise<{ lines: string[]; total: number }> {
    const text = await this.index.read(childrenPath(id, part));
    const [head = "", ...lines] = text?.trimEnd().split("\n").slice(0, -1) ?? [];
    const { total } = JSON.parse(head === "" ? "{}" : `${head}]}`) as { total?: number };
    return { lines, total: total ?? lines.length };
  }

  private selectItems(
    items: readonly Item[],
    request: ListRequest,
    from: number,
    to: number,
  ): Promise<FoundPages> {
    const { types } = this.pages;
    const rows = {
      ids: items.map(({ id }) => id),
      type: items.map(({ meta }) => types.indexOf(meta.type)),
      menus: items.filter(({ meta }) => meta.show_in_menus).map(({ id }) => id),
    };
    return this.select(rows, request, [from, to], (name) => {
      const values = items.map((item) => listedFacts(item)[name] ?? null);
      const hasValues = name !== "locale" || values.some((value) => value !== null);
      return Promise.resolve(hasValues ? columnOf(values, (numberOf) => values.map(numberOf)) : undefined);
    });
  }

  /** @param childOf the page directly below which they are */
  private async listed(
    request: ListRequest,
    from: number,
    to: number,
    childOf?: number,
  ): Promise<FoundPages> {
    const { pages, index } = this;
    const column: ReadColumn = async (name) => {
      const text = await index.read(listPath(name));
      return text === undefined ? undefined : (readMembers(text) as ListColumn);
    };
    const { descendantOf, order } = request;
    const { parent } = pages;
    const chosen =
      childOf !== undefined
        ? rowsWith(undefined, parent, childOf)
        : descendantOf !== undefined
          ? this.rowsBelow(descendantOf)
          : undefined;
    if (childOf === undefined || order !== undefined)
      return this.select(pages, request, [from, to], column, chosen);
    const { total, ids } = await this.select(pages, request, [0, Infinity], column, chosen);
    return { total, ids: byPlace(ids, pages.order).slice(from, to) };
  }

  /** The rows of the pages somewhere below a page. */
  private rowsBelow(top: number): number[] {
    const { ids, parent, above } = this.pages;
    if (above === null) throw new BadRequest(TOO_MANY);
    /** By the id of a parent: whether its subpages are. */
    const known = new Map([
      [0, false],
      [top, true],
    ]);
    const isIn = (over: number): boolean => {
      let found = known.get(over);
      if (found === undefined) {
        const row = rowIn(ids, over);
        found = isIn((row === undefined ? above[over] : parent[row]) ?? 0);
        known.set(over, found);
      }
      return found;
    };
    const rows: number[] = [];
    // Most neighbours have the same parent.
    for (let row = 0, last = -1, isWanted = false; row < parent.length; row++) {
      const over = parent[row] as number;
      if (over !== last) isWanted = isIn((last = over));
      if (isWanted) rows.push(row);
    }
    return rows;
  }

  /** The pages of all types, or of a large one, which no filter and no other order can have. */
  private async byId(request: ListRequest, from: number, to: number): Promise<FoundPages> {
    const { types, order } = request;
    const isPlain =
      isUnfiltered(request) &&
      request.descendantOf === undefined &&
      (order === undefined || (order.length === 1 && order[0]?.name === "id"));
    if (!isPlain || (types !== undefined && types.length > 1)) throw new BadRequest(TOO_MANY);
    const { large, ids: others } = this.pages;
    const [type] = types ?? [];
    const total =
      type === undefined
        ? Object.values(large).reduce((sum, count) => sum + count, others.length)
        : (large[type] ?? 0);
    const isReversed = order?.[0]?.isReversed === true;
    const [first, last] = isReversed
      ? [Math.max(0, total - to), Math.max(0, total - from)]
      : [Math.min(from, total), Math.min(to, total)];
    const ids: number[] = [];
    for (let part = Math.floor(first / MAX_LISTED); part * MAX_LISTED < last; part++) {
      const some = await readJson<number[]>(this.index, idsPath(part + 1, type), []);
      ids.push(...some.slice(Math.max(0, first - part * MAX_LISTED), last - part * MAX_LISTED));
    }
    return { total, ids: isReversed ? ids.reverse() : ids };
  }

  /**
   * The pages that a request wants: in its order, or if it has none, in that of the rows.
   *
   * @param chosen the rows among which they are; all by default
   */
  private async select(
    pages: Rows,
    { types, slug, locale, isInMenus, filters, order }: ListRequest,
    [from, to]: readonly [number, number],
    columnOfRows: ReadColumn,
    chosen?: readonly number[],
  ): Promise<FoundPages> {
    const isListed = pages === this.pages;
    let rows = chosen;
    if (types?.length === 1) rows = rowsWith(rows, pages.type, this.pages.types.indexOf(types[0] as string));
    else if (types !== undefined) {
      const numbers = new Set(types.map((name) => this.pages.types.indexOf(name)));
      rows = (rows ?? allRows(pages.ids)).filter((row) => numbers.has(pages.type[row] as number));
    }
    if (isInMenus !== undefined) {
      rows = rowsWith(rows, membersIn(pages.ids, new Set(pages.menus)), isInMenus ? 1 : 0);
    }
    for (const [name, value] of Object.entries({ slug, locale }) as [ColumnName, string | undefined][]) {
      const found = value === undefined ? undefined : await columnOfRows(name);
      if (value === undefined || found === undefined) continue;
      const number = found.values.indexOf(value);
      rows = number === -1 ? [] : rowsWith(rows, found.rows, number);
    }
    for (const { name, value } of filters) {
      const found = await this.filtered(types?.[0] ?? "", name, value);
      rows = isListed
        ? rowsWith(rows, found, 1)
        : (rows ?? allRows(pages.ids)).filter(
            (row) => found[rowIn(this.pages.ids, pages.ids[row] as number) ?? -1] === 1,
          );
    }
    rows = rows ?? allRows(pages.ids);
    const [first] = order ?? [];
    const total = rows.length;
    const shown = (some: readonly number[]): FoundPages => ({
      total,
      ids: some.map((row) => pages.ids[row] as number),
    });
    // The rows of listed pages are in the order of their ids.
    if (first === undefined && (order === undefined || isListed)) return shown(rows.slice(from, to));
    if (first?.name === "id" && isListed)
      return shown(
        first.isReversed
          ? rows.slice(Math.max(0, total - to), Math.max(0, total - from)).reverse()
          : rows.slice(from, to),
      );
    const keys: SortKey[] = [];
    // No two pages have the same id, so that what follows it has no effect.
    const last = order?.findIndex(({ name }) => name === "id") ?? -1;
    for (const { name, isReversed } of order?.slice(0, last === -1 ? undefined : last + 1) ?? [])
      keys.push({
        numbers: name === "id" ? ranks(pages.ids) : ((await columnOfRows(name as ColumnName))?.rows ?? []),
        isReversed,
      });
    if (!isListed) keys.push({ numbers: ranks(pages.ids), isReversed: false });
    return shown(sorted(rows, keys, from, to));
  }

  /** By row: 1 if a page of a type has a value of a field. A text with commas names elements of a list, as Wagtail's tags. */
  private async filtered(of: string, field: string, value: string | number | boolean): Promise<Uint8Array> {
    if (this.isLarge(of)) throw new BadRequest(TOO_MANY);
    const path = filterPath(of, field);
    const text = await this.index.read(path);
    const { types, type } = this.pages;
    const found = new Uint8Array(type.length);
    if (text === undefined) return found;
    const { values, rows } = readMembers(text) as ListColumn<number | number[]>;
    const whole = values.indexOf(value);
    const parts = typeof value === "string" ? value.split(",").map((part) => values.indexOf(part)) : [whole];
    const number = types.indexOf(of);
    for (let row = 0, k = 0; row < type.length; row++) {
      if (type[row] !== number) continue;
      const has = rows[k++] as number | number[];
      if (
        typeof has === "number" ? has === whole : has.includes(whole) || parts.every((n) => has.includes(n))
      )
        found[row] = 1;
    }
    return found;
  }
}

const isUnfiltered = ({ slug, isInMenus, filters, locale }: ListRequest): boolean =>
  slug === undefined && isInMenus === undefined && locale === undefined && filters.length === 0;

const parentOf = ({ meta }: PageJson): number | undefined =>
  (meta as { parent?: { id: number } | null }).parent?.id;

/** @param otherwise the value if there is no such file. */
async function readJson<T>(index: ListSource, path: string, otherwise: T): Promise<T> {
  const text = await index.read(path);
  return text === undefined ? otherwise : (JSON.parse(text) as T);
}
