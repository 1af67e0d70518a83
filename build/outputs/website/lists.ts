import {
  columnOf,
  COLUMNS,
  filterPath,
  idsPath,
  listPath,
  LISTS_FILE,
  MAX_LISTED,
  printMembers,
  type ColumnName,
  type FilterKind,
  type ListColumn,
  type ListedFields,
  type ListedPages,
} from "../../base/website.ts";
import { listedFacts, type Item } from "../../model/item.ts";
import type { ValueModel } from "../../model/model.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";

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
      return value.isHtml === true ? undefined : "text";
    case "number":
      return value.isInteger ? "integer" : undefined;
    case "boolean":
      return "boolean";
    case "list":
      return ["text", "number"].includes(value.element.kind) ? kindOf(value.element) : undefined;
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
  const types = Object.keys(fields).filter((type) => type !== "");
  const numbers = new Map(types.map((type, k) => [type, k]));
  const listed: ListedPages = {
    types,
    large,
    ids: pages.map(({ id }) => id),
    type: pages.map(({ type }) => numbers.get(type) ?? 0),
    parent: pages.map(({ parent }) => parent),
    menus: pages.filter(({ isInMenus }) => isInMenus).map(({ id }) => id),
    order: Object.fromEntries(
      pages.filter(({ position }) => position !== 0).map(({ id, position }) => [id, position]),
    ),
    above,
    fields,
  };
  const files = new Map([[LISTS_FILE, print(listed)]]);
  for (const name of COLUMNS) {
    const values = pages.map((page) => page[name] ?? null);
    if (name === "locale" && values.every((value) => value === null)) continue;
    files.set(
      listPath(name),
      print(columnOf(values, (numberOf) => values.map(numberOf))),
    );
  }
  for (const [type, { filters }] of Object.entries(fields)) {
    if (Object.hasOwn(large, type)) continue;
    const own = pages.filter((page) => page.type === type);
    for (const name of own.length === 0 ? [] : Object.keys(filters)) {
      const values = own.map((page) => page.filters[name] ?? null);
      const column = columnOf<number | number[]>(values.flat(), (numberOf) =>
        values.map((value) => (Array.isArray(value) ? value.map(numberOf) : numberOf(value))),
      );
      files.set(filterPath(type, name), print(column));
    }
  }
  return files;
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
  const columns = COLUMNS.map((name) => [name, json(listPath(name)) as ListColumn | undefined] as const);
  const filters = new Map(
    listed.types.map((type) => [
      type,
      Object.keys(listed.fields[type]?.filters ?? {}).map(
        (name) => [name, json(filterPath(type, name)) as ListColumn<number | number[]> | undefined] as const,
      ),
    ]),
  );
  const inMenus = new Set(listed.menus);
  /** By type: the number of its pages so far. */
  const counts = new Map<string, number>();
  return new Map(
    listed.ids.map((id, row) => {
      const type = listed.types[listed.type[row] ?? 0] ?? "";
      const k = counts.get(type) ?? 0;
      counts.set(type, k + 1);
      const facts = Object.fromEntries(
        columns.map(([name, column]) => [name, column?.values[column.rows[row] ?? 0] ?? undefined]),
      ) as Record<ColumnName, string | undefined>;
      const own = (filters.get(type) ?? []).map(([name, column]): [string, FilterValue] => {
        const has = column?.rows[k];
        const valueAt = (number: number): FilterValue => column?.values[number] ?? null;
        return [name, Array.isArray(has) ? (has.map(valueAt) as FilterValue) : valueAt(has ?? -1)];
      });
      return [
        id,
        {
          id,
          type,
          parent: listed.parent[row] ?? 0,
          position: listed.order[id] ?? 0,
          isInMenus: inMenus.has(id),
          slug: facts.slug ?? "",
          title: facts.title ?? "",
          first_published_at: facts.first_published_at ?? null,
          locale: facts.locale,
          filters: Object.fromEntries(own),
        },
      ];
    }),
  );
}
