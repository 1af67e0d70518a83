import type { JsonObject } from "../source/json/object.ts";

/** A page type's name, such as `artworks.ArtworkPage`. */
export type PageType = string;

/** The fields that lists of the browse UI show of a page, and that its search finds: each as a path with dots. */
export interface ShownFields {
  line?: string;
  date?: string;
  image?: string;
  /** Fields with texts that the search of the browse UI finds, although lists do not show them. */
  searched?: readonly string[];
  /** The names of these fields, in the plural or as their labels: what the search covers. */
  covers?: readonly string[];
  /** By one of these fields: the labels of its choices, by value. Lists show a label instead of its value. */
  labels?: Partial<Record<"line" | "date", Readonly<Record<string, string>>>>;
}

/** A field of a page whose value follows from other fields; undefined if they do not say it. */
export interface Follower {
  field: string;
  value: (page: Readonly<JsonObject>) => unknown;
}

/** An image that an editor chooses. */
export interface ChosenImage {
  address: string;
  /** The same with its host. */
  url: string;
  width: number;
  height: number;
  alt: string;
}

/** A page type, without its fields. */
export interface PageTypeRow {
  /** A noun for a page of the type, in the browse UI and in messages. */
  label: string;
  /** The type's name in `npx page-api new`. */
  shortName: string;
  /** The allowed types of the parent page; none for the home page. */
  parents: readonly PageType[];
  /** Whether a new page gets its own folder, because it will have subpages. */
  isFolder?: true;
  /** Whether a page of an unknown type is assumed to be of this one. */
  isUsual?: true;
  /** Values that `npx page-api new` writes for required fields for which an empty text or null is not enough. */
  placeholders?: Readonly<JsonObject>;
  /** Fields that the form shows first in their section, in this order. */
  first?: readonly string[];
  /** Values that follow from others, until a person writes another one. */
  follows?: readonly Follower[];
  /** The list of the page's images, and the fields of an element that follow from an image. */
  pictures?: { list: string; fieldsOf: (image: ChosenImage, former: JsonObject) => JsonObject };
  /** What lists show besides the title. */
  shown?: ShownFields;
  /** What the search covers, whatever lists show. */
  covers?: readonly string[];
  /** The fields that a site may declare again: with a pattern of its own, or so that they may be null. */
  redeclarable?: Readonly<Record<string, "pattern" | "null">>;
  /** Adds values that follow from the given ones or from the slug. */
  infer?: (given: Readonly<JsonObject>, slug: string) => JsonObject;
}

/** A build with nothing to do needs only these, not the fields (`PageModel`), which take time to load. */
export class PageTypes<Row extends PageTypeRow = PageTypeRow> {
  readonly names: readonly PageType[];
  readonly root: PageType;
  readonly usual: PageType;
  private readonly rows: ReadonlyMap<PageType, Row>;
  private readonly classNames: ReadonlyMap<PageType, string>;

  constructor(rows: ReadonlyMap<PageType, Row>) {
    this.rows = rows;
    this.names = [...rows.keys()];
    this.classNames = classNamesOf(this.names);
    const root = this.names.find((name) => this.isRoot(name));
    if (root === undefined) throw new Error("no page type is that of the home page");
    this.root = root;
    this.usual = this.names.find((name) => this.of(name).isUsual) ?? root;
  }

  has(value: unknown): value is PageType {
    return typeof value === "string" && this.rows.has(value);
  }

  of(type: PageType): Row {
    const row = this.rows.get(type);
    if (row === undefined) throw new Error(`there is no page type ${type}`);
    return row;
  }

  /** The type's name for clients, without the app if possible: `ArtworkPage`. */
  classNameOf(type: PageType): string {
    return this.classNames.get(type) ?? nameOf(type);
  }

  isRoot(type: PageType): boolean {
    return this.of(type).parents.length === 0;
  }

  /** From 1; 0 if the type is not known. */
  numberOf(type: PageType | undefined): number {
    return type === undefined ? 0 : this.names.indexOf(type) + 1;
  }
}

/** Names that the types for clients use for something else. */
export const RESERVED_NAMES = (
  "Page PageByType PageType PageWith Block ListedPage SitePage Fetched AsyncGenerator Extract " +
  "Omit Pick Uint8Array RequestOptions Globals Array ArrayBuffer Promise Record"
).split(" ");

/** The first type of a class keeps its name, so that the program's own types do; others begin with the app. */
function classNamesOf(types: readonly PageType[]): Map<PageType, string> {
  const taken = new Set(RESERVED_NAMES);
  return new Map(
    types.map((type) => {
      const name = unusedName([nameOf(type), type].map(asTypeName), taken);
      taken.add(name);
      return [type, name];
    }),
  );
}

/** A text that begins with a letter or `_` as the name of a type: `EventsEventPage` for `events.EventPage`. */
export const asTypeName = (text: string): string =>
  text
    .replaceAll(/(?:^|[^\p{L}\p{M}\p{N}])\p{Ll}/gu, (start) => start.toUpperCase())
    .replaceAll(/[^\p{ID_Continue}]|_(?=\p{L})/gu, "");

/** The first of the names that is not taken, or the last with a number. */
export function unusedName(names: readonly string[], taken: { has: (name: string) => boolean }): string {
  const free = names.find((name) => !taken.has(name));
  if (free !== undefined) return free;
  let number = 2;
  while (taken.has(`${names.at(-1)}${number}`)) number++;
  return `${names.at(-1)}${number}`;
}

/** A page type's name without its app: `ArtworkPage`. */
export const nameOf = (type: PageType): string => type.slice(type.indexOf(".") + 1);
