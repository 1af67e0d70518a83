/** The files for websites, by their paths in the output and below the API's base URL (“Pages for a website” in docs/reference.md). */
export const WEBSITE_FOLDER = "index";
export const INDEX_FILE = `${WEBSITE_FOLDER}/index.json`;
/** Whether a build writes the files. */
export const hasIndex = (site: { index?: unknown } | undefined): boolean =>
  site?.index !== undefined && site.index !== false;

/** The times of the last changes of the sources. */
export const CHANGED_FILE = `${WEBSITE_FOLDER}/changed.json`;

/** Maximum number of pages in a file of the pages below a page. */
export const MAX_CHILDREN = 1000;

/** The pages directly below a page. @param part from 1 */
export const childrenPath = (id: number, part = 1): string =>
  `${WEBSITE_FOLDER}/pages/${childrenName(id, part)}`;

export const childrenName = (id: number, part: number): string => `${id}${part === 1 ? "" : `-${part}`}.json`;

/** The paths of the further files that the first one names. */
export function furtherChildren({ more }: Readonly<Record<string, unknown>>): string[] {
  const names = Array.isArray(more) ? more.filter((name) => /^\d+-\d+\.json$/.test(String(name))) : [];
  return names.map((name) => `${WEBSITE_FOLDER}/pages/${String(name)}`);
}

/** The id in the path of the first of these files; undefined for any other path. */
export function parentInPath(path: string): number | undefined {
  const [, id] = /^index\/pages\/([1-9]\d{0,15})\.json$/.exec(path) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The addresses whose hash begins with some hexadecimal digits. */
export const addressesPath = (digits: string): string => `${WEBSITE_FOLDER}/addresses/${digits}.json`;

/* The files of lists, which answer requests as Wagtail's list endpoint does (“Pages for a website” in docs/reference.md). */

/** Maximum number of pages among which lists are filtered and ordered, and of ids in a file. */
export const MAX_LISTED = 10_000;

export const listPath = (name: string): string => `${WEBSITE_FOLDER}/lists/${name}.json`;

export const LISTS_FILE = listPath("pages");

/** The orders: by name the number of parts, and by `<name>-<n>` from 0 each part. */
export const ORDERS_FILE = listPath("orders");

/** The member of a file of lists with the ids of the pages that have a value. The file of a type has those of its filters. */
export const memberOf = (name: string, value: string | number | boolean): string => `${name}=${value}`;

/** The ids of all pages, or those of a type. @param part from 1 */
export const idsPath = (part: number, type = "ids"): string => listPath(`${type}-${part}`);

/** The kinds of values of filters, as requests write them. “texts” are the elements of a list. */
export type FilterKind = "text" | "texts" | "integer" | "boolean" | "date" | "page";

/**
 * The pages among which lists are filtered, in the order of their ids. If a site has more, these are the pages of its
 * smaller types. The file also has the pages of each type and locale, those in menus, and those directly below each page
 * in their order (`memberOf`).
 */
export interface ListedPages {
  /** The id of the home page. */
  root: number;
  /** Maximum number of pages in a response, if the site sets it. */
  limit?: number | undefined;
  /** The number of pages of each type that is left out. */
  large: Record<string, number>;
  total: number;
  ids: number[];
  /** By page: the id of its parent; 0 for a home page. */
  parent: number[];
  /** The positions that sources set, by id. */
  order: Record<string, number>;
  /** The parents of the pages that are left out but have subpages, by id; null if they are too many. */
  above: Record<string, number> | null;
  /** The ids of these pages too, each before its subpages, which are in their order. */
  tree: number[];
  /** By page of the tree: the number of pages below it. */
  below: number[];
  /** By type, and for “” in every type: the names of the fields in the order of responses. */
  fields: Record<string, ListedFields>;
}

export interface ListedFields {
  body: string[];
  meta: string[];
  /** Those whose fields can be chosen. */
  nested: string[];
  filters: Record<string, FilterKind>;
}

/** The orders of lists. Each has a file too, with the ids of the pages by their value; pages without one are not in it. */
export const ORDERS = ["title", "slug", "first_published_at"] as const;
export type OrderName = (typeof ORDERS)[number];

/** A part of the listed pages in an order. It has all pages of a value, in the order of their ids. */
export type OrderPart = [
  ids: number[],
  /** The places at which pages with the same value begin, if there are several, and those at which they end. */
  from: number[],
  to: number[],
];

/** Compares texts by code units. Null comes first. */
export const ascending = <T extends string | number | null>(a: T, b: T): number =>
  a === b ? 0 : a === null || (b !== null && a < b) ? -1 : 1;

/** An object as JSON, each of its members on a line of its own. */
export const printMembers = (object: object): string =>
  `{\n${Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(",\n")}\n}\n`;

/** Reads one member of such an object: no list needs all, and to parse them would be most of its work. */
export function readMember(text: string, name: string): unknown {
  const key = `\n${JSON.stringify(name)}:`;
  const at = text.indexOf(key);
  if (at === -1) return undefined;
  const end = text.indexOf("\n", at + key.length);
  return JSON.parse(text.slice(at + key.length, text[end - 1] === "," ? end - 1 : end));
}
