/** The files for websites, by their paths in the output and below the API's base URL (“Pages for a website” in docs/reference.md). */
export const WEBSITE_FOLDER = "index";
export const INDEX_FILE = `${WEBSITE_FOLDER}/index.json`;
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

/** The file of a filter, by the type of the pages and the name of the field. */
export const filterPath = (type: string, field: string): string => listPath(`${type}.${field}`);

/** The ids of all pages, or those of a type. @param part from 1 */
export const idsPath = (part: number, type = "ids"): string => listPath(`${type}-${part}`);

/** The kinds of values of filters, as requests write them. */
export type FilterKind = "text" | "integer" | "boolean";

/**
 * The pages among which lists are filtered, in the order of their ids. If a site has more, these are the pages of its
 * smaller types.
 */
export interface ListedPages {
  /** The site's page types. */
  types: string[];
  /** The number of pages of each type that is left out. */
  large: Record<string, number>;
  ids: number[];
  /** By page: the number of its type in `types`. */
  type: number[];
  /** By page: the id of its parent; 0 for a home page. */
  parent: number[];
  /** The ids of the pages in menus. */
  menus: number[];
  /** The positions that sources set, by id. */
  order: Record<string, number>;
  /** The parents of the pages that are left out but have subpages, by id; null if they are too many. */
  above: Record<string, number> | null;
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

/** Names of the files with a value of each listed page. */
export const COLUMNS = ["slug", "title", "first_published_at", "locale"] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** The distinct values in ascending order, and for each page the number of its value, or of each of its values. */
export interface ListColumn<Row = number> {
  values: Scalar[];
  rows: Row[];
}

type Scalar = string | number | boolean | null;

/** Compares by code units. Null comes first. */
const ascending = (a: Scalar, b: Scalar): number =>
  a === b ? 0 : a === null || (b !== null && a < b) ? -1 : 1;

export function columnOf<Row>(
  all: Iterable<Scalar>,
  rows: (numberOf: (value: Scalar) => number) => Row[],
): ListColumn<Row> {
  const values = [...new Set(all)].sort(ascending);
  const numbers = new Map(values.map((value, k) => [value, k]));
  return { rows: rows((value) => numbers.get(value) ?? 0), values };
}

/** An object as JSON, each of its members on a line of its own. */
export const printMembers = (object: object): string =>
  `{${Object.entries(object)
    .map(([name, value]) => `"${name}":${JSON.stringify(value)}`)
    .join("\n,")}}\n`;

/** Reads such an object. A member is parsed when it is used: no list uses all, and they are most of its work. */
export function readMembers(text: string): object {
  const object = {};
  for (const line of text.slice(0, text.lastIndexOf("}")).split("\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(2, colon - 1);
    const get = (): unknown => {
      const value = JSON.parse(line.slice(colon + 1)) as unknown;
      Object.defineProperty(object, name, { value });
      return value;
    };
    Object.defineProperty(object, name, { configurable: true, get });
  }
  return object;
}
