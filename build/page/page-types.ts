import type { JsonObject } from "../json/object.ts";

/** A page type's name, such as `artworks.ArtworkPage`. */
export type PageType = string;

/** The fields that lists of the browse UI show of a page, and that its search finds: each as a path with dots. */
export interface ShownFields {
  line?: string;
  date?: string;
  image?: string;
}

/** A page type, without its fields. */
export interface PageTypeRow {
  /** A noun for a page of the type, in the browse UI and in messages. */
  label: string;
  /** The type's name in `npm run new`. */
  shortName: string;
  /** The allowed types of the parent page; none for the home page. */
  parents: readonly PageType[];
  /** Whether the import gives such a page its own folder even if it has no subpages. */
  isFolder?: true;
  /** Whether a page of an unknown type is assumed to be of this one. */
  isUsual?: true;
  /** Values that `npm run new` writes for required fields for which an empty text or null is not enough. */
  placeholders?: Readonly<JsonObject>;
  /** What lists show besides the title. */
  shown?: ShownFields;
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

  constructor(rows: ReadonlyMap<PageType, Row>) {
    this.rows = rows;
    this.names = [...rows.keys()];
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

  isRoot(type: PageType): boolean {
    return this.of(type).parents.length === 0;
  }

  /** From 1; 0 if the type is not known. */
  numberOf(type: PageType | undefined): number {
    return type === undefined ? 0 : this.names.indexOf(type) + 1;
  }
}

/** A page type's name without its app: `ArtworkPage`. */
export const nameOf = (type: PageType): string => type.slice(type.indexOf(".") + 1);
