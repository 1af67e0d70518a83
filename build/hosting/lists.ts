import { API, pathOf } from "../base/api.ts";
import {
  addressesPath,
  ascending,
  childrenPath,
  idsPath,
  INDEX_FILE,
  listPath,
  LISTS_FILE,
  MAX_CHILDREN,
  MAX_LISTED,
  memberOf,
  ORDERS,
  ORDERS_FILE,
  readMember,
  type FilterKind,
  type ListedFields,
  type ListedPages,
  type OrderName,
  type OrderPart,
} from "../base/website.ts";
import { listedFacts, type Item } from "../model/item.ts";
import { BadRequest, projection } from "./fields.ts";
import { memoized } from "../base/memoized.ts";
import { both, either, inAscendingOrder, sorted, type SortKey } from "./id-lists.ts";
import { pathIn } from "./paths.ts";

/** The requests of Wagtail's clients that need a program (“Pages for a website” in docs/reference.md). */

/** The index of the published pages, as a host reads it. */
export interface ListSource {
  /** The text of a file of the index; undefined if there is no such file, or if the site has no index. */
  read: (path: string) => Promise<string | undefined>;
  /** The response of a page as text; undefined if the page is not published. */
  page: (id: number) => Promise<string | undefined>;
  /** Maximum number of files and pages that the host reads for a request. */
  maxReads?: number;
}

interface ListResponse {
  status: number;
  headers: Record<string, string>;
  body?: string;
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
  host: ListSource,
): Promise<ListResponse | undefined> {
  const path = pathIn(target);
  const isWhole = path === FIND || path === API;
  if (!isWhole && !isUnended(path)) return undefined;
  const index = counting(host);
  const isFind = FIND.startsWith(path) && path.length > API.length;
  const file = await index.read(isFind ? INDEX_FILE : LISTS_FILE);
  if (file === undefined) return undefined;
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
  if (isFind) {
    const id = await find(index, file, parameters);
    if (id === undefined) return message(404, "not found");
    for (const name of ["html_path", "id"]) query.delete(name);
    const rest = query.size === 0 ? "" : `?${query.toString()}`;
    return { status: 302, headers: { ...headers, Location: `${pathOf(id)}${rest}` } };
  }
  try {
    return { status: 200, headers, body: JSON.stringify(await list(index, file, parameters)) };
  } catch (cause) {
    if (cause instanceof BadRequest) return message(400, cause.message);
    if (cause instanceof NotFound) return message(404, cause.message);
    throw cause;
  }
}

/** Maximum number of pages in a list, if the number of reads is limited. */
const MAX_PAGES = 40;

/** A request that gets the status 404. */
class NotFound extends Error {}

interface CountingSource extends ListSource {
  /** The number of pages that may be read yet. */
  pagesLeft: () => number;
}

/** Refuses a request that needs more reads than a host makes. */
function counting({ read, page, maxReads = Infinity }: ListSource): CountingSource {
  let left = maxReads;
  const counted =
    <T, Found>(get: (what: T) => Promise<Found>) =>
    (what: T): Promise<Found> => {
      if (left-- <= 0) throw new BadRequest("this list needs too many files on this host");
      return get(what);
    };
  const pagesLeft = (): number => (maxReads === Infinity ? Infinity : Math.min(MAX_PAGES, left));
  return { read: counted(read), page: counted(page), pagesLeft };
}

/** The id of the page at an address, or at the address that replaces it. As in Wagtail, the last slash does not matter. */
async function find(
  index: ListSource,
  file: string,
  { html_path: address, id }: Parameters,
): Promise<number | undefined> {
  if (address === undefined) {
    const known = NUMBER.test(id ?? "") ? Number(id) : undefined;
    return known !== undefined && (await index.page(known)) !== undefined ? known : undefined;
  }
  const { digits } = JSON.parse(file) as { digits: number };
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

const NUMBER = /^\d+$/;
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
  order: readonly OrderKey[] | undefined;
}

interface OrderKey {
  name: "id" | OrderName;
  isReversed: boolean;
}

const ANY_TYPE = "wagtailcore.page";

/** @throws BadRequest with the message of the query's first mistake, in the order in which Wagtail finds them */
async function list(index: CountingSource, file: string, parameters: Parameters): Promise<object> {
  const lists = new SiteLists(index, file);
  const fields = lists.member("fields");
  const types = typesIn(
    parameters["type"],
    Object.keys(fields).filter((name) => name !== ""),
  );
  const ofType = fields[types?.length === 1 ? (types[0] as string) : ""] ?? NO_FIELDS;
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
    const id = isRoot ? lists.member("root") : Number(given);
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
  const language = lists.hasLocales() ? locale : undefined;
  if (language !== undefined && !lists.mayHaveLocale(language))
    throw new NotFound("No Locale matches the given query.");
  if (parameters["search"] !== undefined || parameters["search_operator"] !== undefined)
    throw new BadRequest("search is disabled: this API has no search");
  const offset = countIn("offset", parameters["offset"] ?? "0");
  const max = lists.member("limit") ?? MAX_SHOWN;
  const limit = countIn("limit", parameters["limit"] ?? `${Math.min(MAX_SHOWN, max)}`);
  if (limit > max) throw new BadRequest(`limit cannot be higher than ${max}`);
  const project = projection(parameters["fields"], ofType);
  const position = { ancestorOf, childOf, descendantOf, translationOf };
  const request = { types, slug, locale: language, isInMenus, filters, ...position, order };
  const found = await lists.find(request, offset, offset + limit);
  const known = parameters["fields"] === undefined ? found.items : undefined;
  const toRead = found.ids.filter((id) => known?.has(id) !== true);
  const most = index.pagesLeft();
  if (toRead.length > most) throw new BadRequest(`limit cannot be higher than ${most} on this host`);
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
  if (kind === "date" && new Date(text).toJSON()?.slice(0, 10) !== text)
    throw wrong(`“${text}” value has an invalid date format. It must be in YYYY-MM-DD format.`);
  if (kind !== "integer" && kind !== "page") return text;
  if (!/^\s*[-+]?\d+\s*$/.test(text))
    throw wrong(
      kind === "page"
        ? `Field 'id' expected a number but got '${text}'.`
        : `invalid literal for int() with base 10: '${text}'`,
    );
  return Number(text);
}

function countIn(name: string, text: string): number {
  if (!/^\s*\+?\d+\s*$/.test(text)) throw new BadRequest(`${name} must be a positive integer`);
  return Number(text);
}

function orderIn(given: string | undefined, isOffset: boolean): ListRequest["order"] {
  const names = given?.split(",");
  if (names?.includes("random")) {
    if (names.length > 1) throw new BadRequest("random ordering cannot be combined with other fields");
    throw new BadRequest(`random ordering ${isOffset ? "with offset " : ""}is not supported`);
  }
  return names?.map((one) => {
    const name = one.replace(/^-/, "") as OrderKey["name"];
    if (name !== "id" && !ORDERS.includes(name))
      throw new BadRequest(`cannot order by '${name}' (unknown field)`);
    return { name, isReversed: one.startsWith("-") };
  });
}

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

/** Maximum number of pages that are filtered by reading what lists show of each. */
const MAX_ITEMS = 100;

/** Maximum number of pages that a request reads to find those above them. */
const MAX_READ = 20;

/** The pages of a site, by the files of lists. */
class SiteLists {
  private readonly index: ListSource;
  private readonly file: string;
  private readonly members: (name: string) => unknown;
  private readonly text: (path: string) => Promise<string>;
  private readonly published: (id: number) => Promise<PageJson | undefined>;

  /** Reads each member, file and page once. */
  constructor(index: ListSource, file: string) {
    this.index = index;
    this.file = file;
    this.members = memoized((name) => readMember(file, name));
    this.text = memoized(async (path) => (await index.read(path)) ?? "");
    this.published = memoized(async (id) => {
      const text = await index.page(id);
      return text === undefined ? undefined : (JSON.parse(text) as PageJson);
    });
  }

  /** A member of the file of listed pages. */
  member<Name extends keyof ListedPages>(name: Name): ListedPages[Name] {
    return this.members(name) as ListedPages[Name];
  }

  /** A site without languages has no such members. */
  hasLocales(): boolean {
    return this.file.includes(`\n"${memberOf("locale", "")}`);
  }

  /** On a large site, not all pages are in this file. */
  mayHaveLocale(locale: string): boolean {
    return !this.isComplete || this.having("locale", locale).length > 0;
  }

  /** The pages with a value that this file has. */
  private having(name: string, value: string | number | boolean): readonly number[] {
    return (readMember(this.file, memberOf(name, value)) ?? []) as number[];
  }

  async has(id: number): Promise<boolean> {
    if (this.file.includes(`\n"${memberOf("parent", id)}":`) || this.member("ids").includes(id)) return true;
    return !this.isComplete && (await this.published(id)) !== undefined;
  }

  async page(id: number): Promise<PageJson> {
    const page = await this.published(id);
    if (page === undefined) throw new Error(`the page ${id} is listed, but not published`);
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
    return Object.keys(this.member("large")).length === 0;
  }

  private isLarge(type: string): boolean {
    return Object.hasOwn(this.member("large"), type);
  }

  /** The ids of the pages above a page, the nearest first. */
  private async above(id: number): Promise<number[]> {
    const found: number[] = [];
    for (let next = id, reads = 0; ; found.push(next)) {
      const row = this.member("ids").indexOf(next);
      const known = row === -1 ? this.member("above")?.[next] : this.member("parent")[row];
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
    return this.selectItems(pages as unknown as Item[], request, from, to);
  }

  /** The pages directly below a page: from their own files, unless filters and orders would need many. */
  private async children(id: number, request: ListRequest, from: number, to: number): Promise<FoundPages> {
    const isPlain = isUnfiltered(request) && request.types === undefined && request.order === undefined;
    if (!isPlain && this.isComplete && this.having("parent", id).length > MAX_ITEMS)
      return this.listed(request, from, to);
    const first = await this.childrenIn(id, 1);
    const { total } = first;
    if (total > MAX_LISTED && !isPlain) throw new BadRequest(TOO_MANY);
    const [start, end] = isPlain ? [from, Math.min(to, total)] : [0, total];
    const lines: string[] = [];
    for (let part = Math.floor(start / MAX_CHILDREN); part * MAX_CHILDREN < end; part++) {
      const all = part === 0 ? first : await this.childrenIn(id, part + 1);
      lines.push(...all.lines.slice(Math.max(0, start - part * MAX_CHILDREN), end - part * MAX_CHILDREN));
    }
    const children = JSON.parse(`[${lines.join("").replace(/,$/, "")}]`) as Item[];
    if (!isPlain) return this.selectItems(children, request, from, to);
    const items = itemsById(children);
    return { total, ids: [...items.keys()], items };
  }

  /** The pages of a file, each a line with a comma behind it, and the number of pages in all such files. */
  private async childrenIn(id: number, part: number): Promise<{ lines: string[]; total: number }> {
    const text = await this.index.read(childrenPath(id, part));
    if (text === undefined) return { lines: [], total: 0 };
    const [head, ...lines] = `${text.slice(0, text.lastIndexOf("\n]}"))},`.split("\n");
    const { total } = JSON.parse(`${head}]}`) as { total?: number };
    return { lines, total: total ?? lines.length };
  }

  /** Those of some pages that a request wants: in its order, or if it has none, as they are. */
  private async selectItems(
    items: readonly Item[],
    { types, slug, locale, isInMenus, filters, order = [] }: ListRequest,
    from: number,
    to: number,
  ): Promise<FoundPages> {
    const having = await Promise.all(
      filters.map(async ({ name, value }) => new Set(await this.withValue(types?.[0] ?? "", name, value))),
    );
    const found = items.filter(
      ({ id, meta }) =>
        types?.includes(meta.type) !== false &&
        (isInMenus ?? meta.show_in_menus) === meta.show_in_menus &&
        (slug ?? meta.slug) === meta.slug &&
        (locale ?? meta.locale) === meta.locale &&
        having.every((ids) => ids.has(id)),
    );
    const keyed = found.map((item) => ({ id: item.id, ...listedFacts(item) }));
    if (order.length > 0)
      keyed.sort((a, b) => {
        for (const { name, isReversed } of order) {
          const sign = name === "id" ? a.id - b.id : ascending(a[name], b[name]);
          if (sign !== 0) return isReversed ? -sign : sign;
        }
        return a.id - b.id;
      });
    const ids = keyed.slice(from, to).map(({ id }) => id);
    return { total: found.length, ids, items: itemsById(found) };
  }

  /** Those of the listed pages that a request wants. */
  private async listed(request: ListRequest, from: number, to: number): Promise<FoundPages> {
    const { types, slug, locale, isInMenus, filters, childOf, descendantOf, order } = request;
    /** In the order of ids, or in that of the pages below one; undefined for all pages. */
    let ids = childOf === undefined ? undefined : this.having("parent", childOf);
    const narrow = (some: readonly number[]): void => void (ids = ids === undefined ? some : both(ids, some));
    for (const { name, value } of filters) narrow(await this.withValue(types?.[0] ?? "", name, value));
    if (slug !== undefined) narrow((readMember(await this.text(listPath("slug")), slug) ?? []) as number[]);
    if (locale !== undefined) narrow(this.having("locale", locale));
    if (types !== undefined && filters.length === 0) {
      const [first = [], ...others] = types.map((type) => this.having("type", type));
      narrow(either(first, ...others));
    }
    if (descendantOf !== undefined) narrow(this.idsBelow(descendantOf));
    const inMenus = isInMenus === undefined ? [] : this.having("show_in_menus", true);
    if (isInMenus === true) narrow(inMenus);
    if (isInMenus === false) {
      const menus = new Set(inMenus);
      ids = (ids ?? this.member("ids")).filter((id) => !menus.has(id));
    }
    const total = ids?.length ?? this.member("total");
    if (order === undefined) return { total, ids: (ids ?? this.member("ids")).slice(from, to) };
    return { total, ids: sorted(ids, await this.keysOf(order), from, to) };
  }

  private async keysOf(order: readonly OrderKey[]): Promise<SortKey[]> {
    const keys = new Map<string, SortKey>();
    for (const { name, isReversed } of order) {
      // No two pages have the same id, so that what follows it has no effect.
      if (keys.has("id")) break;
      if (keys.has(name)) continue;
      const text = name === "id" ? "" : await this.text(ORDERS_FILE);
      const part = (k: number): OrderPart =>
        name === "id" ? [this.member("ids"), [], []] : (readMember(text, `${name}-${k}`) as OrderPart);
      keys.set(name, { count: name === "id" ? 1 : (readMember(text, name) as number), part, isReversed });
    }
    return [...keys.values()];
  }

  /** The ids of the pages somewhere below a page. */
  private idsBelow(id: number): readonly number[] {
    if (this.member("above") === null) throw new BadRequest(TOO_MANY);
    const tree = this.member("tree");
    const at = tree.indexOf(id);
    const found = tree.slice(at + 1, at + 1 + (this.member("below")[at] ?? 0));
    return inAscendingOrder(this.isComplete ? found : both(found, this.member("ids")));
  }

  /** The ids of the pages of a type with a value of a field. A text with commas names elements of a list, as Wagtail's tags. */
  private async withValue(
    type: string,
    field: string,
    value: string | number | boolean,
  ): Promise<readonly number[]> {
    if (this.isLarge(type)) throw new BadRequest(TOO_MANY);
    const text = await this.text(listPath(type));
    const having = (one: string | number | boolean): readonly number[] =>
      (readMember(text, memberOf(field, one)) ?? []) as number[];
    const whole = having(value);
    if (this.member("fields")[type]?.filters[field] !== "texts") return whole;
    const parts = String(value).split(",");
    return parts.length === 1 ? whole : either(whole, parts.map(having).reduce(both));
  }

  /** The pages of all types, or of a large one, which no filter and no other order can have. */
  private async byId(request: ListRequest, from: number, to: number): Promise<FoundPages> {
    const { types, order } = request;
    const isPlain =
      isUnfiltered(request) &&
      request.descendantOf === undefined &&
      (order === undefined || (order.length === 1 && order[0]?.name === "id"));
    if (!isPlain || (types !== undefined && types.length > 1)) throw new BadRequest(TOO_MANY);
    const large = this.member("large");
    const [type] = types ?? [];
    const total =
      type === undefined
        ? Object.values(large).reduce((sum, count) => sum + count, this.member("ids").length)
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
}

const isUnfiltered = ({ slug, isInMenus, filters, locale }: ListRequest): boolean =>
  slug === undefined && isInMenus === undefined && locale === undefined && filters.length === 0;

const itemsById = (items: readonly Item[]) =>
  new Map(items.map((item) => [item.id, item as unknown as PageJson]));

const parentOf = ({ meta }: PageJson): number | undefined =>
  (meta as { parent?: { id: number } | null }).parent?.id;

/** @param otherwise the value if there is no such file. */
async function readJson<T>(index: ListSource, path: string, otherwise: T): Promise<T> {
  const text = await index.read(path);
  return text === undefined ? otherwise : (JSON.parse(text) as T);
}
