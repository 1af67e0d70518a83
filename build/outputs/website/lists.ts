import {
  ascending,
  FACTS,
  filterPath,
  idsPath,
  listPath,
  LISTS_FILE,
  MAX_LISTED,
  orderPath,
  ORDERS,
  printMembers,
  type FactName,
  type FilterKind,
  type ListedFields,
  type ListedPages,
  type ListOrder,
  type OrderName,
} from "../../base/website.ts";
import { listedFacts, type Item } from "../../model/item.ts";
import { grouped } from "../../base/grouped.ts";
import type { ValueModel } from "../../model/model.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import { byPosition } from "../../model/position.ts";

/* The files of lists: the facts by which pages are filtered and ordered, in the order of ids. */

export type FilterValue = string | number | boolean | null | (string | number)[];

export interface ListedPage extends ReturnType<typeof listedFacts> {
  id: number;
  type: PageType;
  /** The id of its parent; 0 for a home page. */
  parent: number;
  position: number;
  isInMenus: boolean;
  /** By field. */
  filters: Readonly<Record<string, FilterValue>>;
}

/** The fields of each type, and those of every type for lists of several types. */
export function fieldsOf(model: PageModel): Record<string, ListedFields> {
  const of = (type: PageType): ListedFields => {
    const fields = type === "" ? model.common.fields : model.of(type).source.fields;
    const shown = [...fields].filter(([, one]) => one.isSourceOnly !== true);
    const meta = fields.get("meta");
    const metas = meta?.kind === "object" ? [...meta.fields] : [];
    return {
      body: shown.map(([name]) => name).filter((name) => name !== "meta"),
      // Wagtail's lists show no parents.
      meta: metas
        .filter(([name, one]) => one.isSourceOnly !== true && name !== "parent")
        .map(([name]) => name),
      nested: shown.filter(([name, one]) => name !== "meta" && hasFields(one)).map(([name]) => name),
      filters: Object.fromEntries(
        type === "" ? [] : filtersOf(model, type).map(([name, , kind]) => [name, kind]),
      ),
    };
  };
  return Object.fromEntries(["", ...model.names].map((type) => [type, of(type)]));
}

/** Whether lists can choose fields in a value: in an object, or in the objects of a list, but not in blocks. */
function hasFields(value: ValueModel): boolean {
  if (value.kind === "derived") return hasFields(value.response);
  if (value.kind === "number") return value.reference?.shows !== undefined;
  return value.kind === "list" ? hasFields(value.element) : value.kind === "object";
}

type ReadValue = (page: Readonly<Record<string, unknown>>) => FilterValue;

/** Reads the value of a field of a page as it is written. */
function reading(value: ValueModel, name: readonly string[]): ReadValue {
  const row = value.kind === "derived" ? value.row : undefined;
  const path = row?.kind === "copy" ? row.path : name;
  const empty = (row?.kind === "constant" ? row.value : (value.empty ?? null)) as FilterValue;
  return (page) =>
    (path.reduce<unknown>((at, step) => (at as Record<string, unknown> | null | undefined)?.[step], page) ??
      empty) as FilterValue;
}

/** Reads `meta.locale`; undefined if the site does not declare it. */
export function localeOf(model: PageModel, type: PageType): ReadValue | undefined {
  const meta = model.of(type).source.fields.get("meta");
  const locale = meta?.kind === "object" ? meta.fields.get("locale") : undefined;
  return locale && reading(locale, ["meta", "locale"]);
}

/** The filters of a type: each with the kind of its values, and a function that reads the value of a page as it is written. */
export function filtersOf(
  model: PageModel,
  type: PageType,
): [name: string, read: ReadValue, kind: FilterKind][] {
  return [...model.of(type).source.fields].flatMap(([name, value]) => {
    const kind = value.isFilter === true ? kindOf(value) : undefined;
    return kind === undefined ? [] : [[name, reading(value, [name]), kind]];
  });
}

/** Undefined for values that lists cannot filter by. */
export function kindOf(value: ValueModel): FilterKind | undefined {
  switch (value.kind) {
    case "text":
      return value.isHtml === true ? undefined : value.format === "date" ? "date" : "text";
    case "number":
      return value.reference !== undefined ? "page" : value.isInteger ? "integer" : undefined;
    case "boolean":
      return "boolean";
    case "list":
      return value.element.kind === "text" && kindOf(value.element) === "text"
        ? "texts"
        : value.element.kind === "number"
          ? kindOf(value.element)
          : undefined;
    case "derived":
      return kindOf(value.response);
    default:
      return undefined;
  }
}

/** A page, by its response or by its item. @param filters the values, or the names of those of the response */
export function listedPage(
  page: Item,
  place: { parent: number; position: number },
  filters: ListedPage["filters"] | readonly string[],
): ListedPage {
  const { type, show_in_menus: isInMenus } = page.meta;
  const response = page as unknown as Record<string, unknown>;
  return {
    id: page.id,
    type,
    ...place,
    isInMenus,
    ...listedFacts(page),
    filters: Array.isArray(filters)
      ? Object.fromEntries((filters as string[]).map((name) => [name, idsIn(response[name])]))
      : (filters as ListedPage["filters"]),
  };
}

/** A response may show a page instead of its id. */
const idsIn = (value: unknown): FilterValue =>
  Array.isArray(value)
    ? (value.map(idsIn) as FilterValue)
    : (((value as { id?: number } | null)?.id ?? value ?? null) as FilterValue);

export interface PagesOfLists {
  fields: Record<string, ListedFields>;
  /** In the order of their ids. */
  pages: readonly ListedPage[];
  /** The number of pages of each type that is left out. */
  large: ListedPages["large"];
  above: ListedPages["above"];
}

const print = (value: object): Buffer => Buffer.from(printMembers(value));

/** The files of lists, without those of ids. */
export function printLists({ fields, pages, large, above }: PagesOfLists): Map<string, Buffer> {
  const ofType = grouped(pages, ({ type }) => type);
  const listed: ListedPages = {
    large,
    ids: idsOf(pages),
    parent: pages.map(({ parent }) => parent),
    menus: idsOf(pages.filter(({ isInMenus }) => isInMenus)),
    order: Object.fromEntries(
      pages.filter(({ position }) => position !== 0).map(({ id, position }) => [id, position]),
    ),
    above,
    ...treeOf(pages, above ?? {}),
    fields,
    ofType: Object.fromEntries(Array.from(ofType, ([type, some]) => [type, idsOf(some)])),
  };
  const children = grouped(pages, ({ parent }) => parent);
  const below = Object.fromEntries(Array.from(children, ([id, some]) => [id, idsOf(some)]));
  const files = new Map([[LISTS_FILE, print({ ...listed, ...below })]]);
  const addValues = (path: string, some: readonly ListedPage[], valueOf: (page: ListedPage) => FilterValue) => {
    const byValue = idsByValue(some, valueOf);
    if (byValue.size > 0) files.set(path, print(Object.fromEntries(byValue)));
  };
  for (const name of FACTS) addValues(listPath(name), pages, (page) => page[name] ?? null);
  for (const name of ORDERS) files.set(orderPath(name), print(orderOf(pages, name)));
  for (const [type, { filters }] of Object.entries(fields))
    for (const name of Object.keys(filters))
      addValues(filterPath(type, name), ofType.get(type) ?? [], (page) => page.filters[name] ?? null);
  return files;
}

const idsOf = (pages: readonly ListedPage[]): number[] => pages.map(({ id }) => id);

function idsByValue(
  pages: readonly ListedPage[],
  valueOf: (page: ListedPage) => FilterValue,
): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const page of pages)
    for (const value of new Set([valueOf(page) ?? []].flat().map(String))) {
      const ids = found.get(value);
      if (ids === undefined) found.set(value, [page.id]);
      else ids.push(page.id);
    }
  return new Map([...found].sort(([a], [b]) => ascending(a, b)));
}

function orderOf(pages: readonly ListedPage[], name: OrderName): ListOrder {
  const groups = [...grouped(pages, (page) => page[name])]
    .sort(([a], [b]) => ascending(a, b))
    .map(([, some]) => idsOf(some));
  const ties: ListOrder["ties"] = [[], []];
  let at = 0;
  for (const { length } of groups) {
    if (length > 1) for (const [k, to] of [at, at + length].entries()) ties[k]?.push(to);
    at += length;
  }
  return { ids: groups.flat(), reversed: groups.toReversed().flat(), ties };
}

/** The pages, and those above them that are left out. */
function treeOf(
  pages: readonly ListedPage[],
  above: Record<string, number>,
): Pick<ListedPages, "tree" | "below"> {
  const others = Object.entries(above).map(([id, parent]) => ({ id: Number(id), parent, position: 0 }));
  const families = grouped([...pages, ...others], ({ parent }) => parent);
  const tree: number[] = [];
  const below: number[] = [];
  const add = (parent: number): void => {
    for (const { id } of (families.get(parent) ?? []).sort(byPosition)) {
      const at = tree.push(id);
      add(id);
      below[at - 1] = tree.length - at;
    }
  };
  add(0);
  return { tree, below };
}

/** The files with the ids of a type's pages, or of all pages, in ascending order. */
export function printIds(ids: readonly number[], type?: PageType): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let part = 1; (part - 1) * MAX_LISTED < ids.length; part++)
    files.set(idsPath(part, type), Buffer.from(`${JSON.stringify(ids.slice((part - 1) * MAX_LISTED, part * MAX_LISTED))}\n`));
  return files;
}

/** The pages of the files of lists, by id. */
export function readLists(read: (path: string) => Uint8Array | undefined): Map<number, ListedPage> {
  const json = (path: string): unknown => {
    const bytes = read(path);
    return bytes && (JSON.parse(Buffer.from(bytes).toString()) as unknown);
  };
  const listed = json(LISTS_FILE) as ListedPages | undefined;
  if (listed === undefined) return new Map();
  const inMenus = new Set(listed.menus);
  const parents = new Map(listed.ids.map((id, k) => [id, listed.parent[k] ?? 0]));
  /** By id: the values in a file of ids. */
  const valuesIn = (path: string): Map<number, string[]> => {
    const found = new Map<number, string[]>();
    for (const [value, ids] of Object.entries((json(path) ?? {}) as Record<string, number[]>))
      for (const id of ids) {
        const values = found.get(id);
        if (values === undefined) found.set(id, [value]);
        else values.push(value);
      }
    return found;
  };
  const facts = FACTS.map((name) => [name, valuesIn(listPath(name))] as const);
  const pages = new Map<number, ListedPage>();
  for (const [type, ids] of Object.entries(listed.ofType)) {
    const filters = Object.keys(listed.fields[type]?.filters ?? {}).map(
      (name) => [name, valuesIn(filterPath(type, name))] as const,
    );
    for (const id of ids) {
      const own = facts.map(([name, values]) => [name, values.get(id)?.[0]] as const);
      const { slug = "", title = "", first_published_at = null, locale } = Object.fromEntries(own) as Partial<
        Record<FactName, string>
      >;
      pages.set(id, {
        id,
        type,
        parent: parents.get(id) ?? 0,
        position: listed.order[id] ?? 0,
        isInMenus: inMenus.has(id),
        slug,
        title,
        first_published_at,
        locale,
        filters: Object.fromEntries(filters.map(([name, values]) => [name, values.get(id) ?? []])),
      });
    }
  }
  return pages;
}
