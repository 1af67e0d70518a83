import {
  ascending,
  idsPath,
  listPath,
  LISTS_FILE,
  MAX_LISTED,
  memberOf,
  ORDERS,
  ORDERS_FILE,
  printMembers,
  type FilterKind,
  type ListedFields,
  type ListedPages,
  type OrderName,
  type OrderPart,
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

export interface PagesOfLists extends Pick<ListedPages, "root" | "limit" | "large" | "above" | "fields"> {
  /** In the order of their ids. */
  pages: readonly ListedPage[];
}

/** The files of lists, without those of ids. */
export function printLists({ pages, ...about }: PagesOfLists): Map<string, Buffer> {
  const { fields, above } = about;
  const listed: ListedPages = {
    ...about,
    total: pages.length,
    ids: idsOf(pages),
    parent: pages.map(({ parent }) => parent),
    order: Object.fromEntries(
      pages.filter(({ position }) => position !== 0).map(({ id, position }) => [id, position]),
    ),
    ...treeOf(pages, above ?? {}),
  };
  const files = new Map<string, Buffer>();
  const add = (path: string, members: Iterable<[string, unknown]>): void => {
    const all = Object.fromEntries(members);
    if (Object.keys(all).length > 0) files.set(path, Buffer.from(printMembers(all)));
  };
  add(LISTS_FILE, [
    ...Object.entries(listed),
    ...membersOf("type", pages, ({ type }) => type),
    ...membersOf("locale", pages, ({ locale }) => locale ?? null),
    ...membersOf("show_in_menus", pages, ({ isInMenus }) => isInMenus || null),
    ...membersOf("parent", pages.toSorted(byPosition), ({ parent }) => parent || null),
  ]);
  const orders = ORDERS.map((name) => {
    const byValue = idsByValue(pages, (page) => page[name]);
    add(listPath(name), byValue);
    return partsOf(name, [idsOf(pages.filter((page) => page[name] === null)), ...byValue.values()]);
  });
  add(ORDERS_FILE, orders.flat());
  const ofType = grouped(pages, ({ type }) => type);
  for (const [type, { filters }] of Object.entries(fields)) {
    const own = ofType.get(type) ?? [];
    const members = (name: string) => membersOf(name, own, (page) => page.filters[name] ?? null);
    add(listPath(type), Object.keys(filters).flatMap(members));
  }
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

const membersOf = (name: string, ...of: Parameters<typeof idsByValue>): [string, number[]][] =>
  Array.from(idsByValue(...of), ([value, ids]) => [memberOf(name, value), ids]);

/** Number of pages in a part of an order, unless more have the same value. */
const PART = 500;

/** @param groups the pages of each value, in its order */
function partsOf(name: OrderName, groups: readonly number[][]): [string, unknown][] {
  let part: OrderPart = [[], [], []];
  const parts = [part];
  for (const ids of groups) {
    if (part[0].length > 0 && part[0].length + ids.length > PART) parts.push((part = [[], [], []]));
    const [all, from, to] = part;
    if (ids.length > 1) {
      from.push(all.length);
      to.push(all.length + ids.length);
    }
    all.push(...ids);
  }
  return [[name, parts.length], ...parts.map((one, k): [string, unknown] => [`${name}-${k}`, one])];
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

/** The files with the ids of a type's pages, or of all pages. @param ids in ascending order */
export function printIds(ids: readonly number[] | Float64Array, type?: PageType): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let part = 1; (part - 1) * MAX_LISTED < ids.length; part++) {
    const some = ids.slice((part - 1) * MAX_LISTED, part * MAX_LISTED);
    files.set(idsPath(part, type), Buffer.from(`[${some.join(",")}]\n`));
  }
  return files;
}
