import type { JsonObject } from "../source/json/object.ts";

/**
 * Derived fields, one per row, which the line of the field in `page.ts` or `artwork.ts` names. The import removes
 * derived fields from its sources.
 */
export type Derivation = Constant | OfPlace | Copy | EachOf | TextOf;

interface Constant {
  kind: "constant";
  /** Completes “The build derives it from …”. */
  from: string;
  value: null | boolean | number | string;
}

interface OfPlace {
  kind: "place";
  from: string;
  part: keyof Placement;
}

/** The value of another field. The path starts at the object that contains the derived field. */
export interface Copy {
  kind: "copy";
  from: string;
  path: readonly string[];
}

/** One field of each object of a list, in the order of the list. */
interface EachOf {
  kind: "each";
  from: string;
  list: string;
  field: string;
}

/** A text made of other fields of the same object. `text` receives the published values in the order of `fields`. */
export interface TextOf {
  kind: "text";
  from: string;
  fields: readonly string[];
  text: (values: readonly unknown[]) => string;
}

export interface Placement {
  /** The URL of the response. */
  response: string;
  /** The URL on the website. */
  address: string;
  slug: string;
  parent: object | null;
  /** The code of the page's language, on a site that has several. */
  locale?: string | undefined;
  translations?: readonly object[] | undefined;
}

const constant = (value: Constant["value"], from: string): Constant => ({ kind: "constant", from, value });
const place = (part: keyof Placement, from: string): OfPlace => ({ kind: "place", from, part });
const copy = (path: string): Copy => ({ kind: "copy", from: path, path: path.split(".") });
const eachOf = (list: string, field: string): EachOf => ({
  kind: "each",
  from: `the ${field}s in ${list}`,
  list,
  field,
});
const textOf = <V extends readonly unknown[]>(
  fields: { [K in keyof V]: string },
  text: (values: V) => string,
): TextOf => ({
  kind: "text",
  from: fields.join(" and "),
  fields,
  text: text as unknown as TextOf["text"],
});

export const DERIVED = {
  detail_url: place("response", "the id and the base_url of _site.json"),
  html_url: place("address", "the location of the file"),
  slug: place("slug", "the name of the file or folder"),
  parent: place("parent", "the location of the file"),
  locale: place("locale", "the folder of the language"),
  translations: place("translations", "the pages at the same path in other languages"),
  first_published_at: copy("go_live_at"),
  alias_of: constant(null, "the API contract: it is always null"),
  url: place("address", "the location of the file"),
  classificationId: copy("classification.id"),
  subject_tags: eachOf("subjects", "name"),
  // `DISPLAY_CAPTION` becomes `display-caption`.
  slug_name: textOf<[type: string]>(["type"], ([type]) => type.toLowerCase().replaceAll("_", "-")),
  // `DISPLAY_CAPTION` becomes `Display caption`.
  display_name: textOf<[type: string]>(
    ["type"],
    ([type]) => type.slice(0, 1) + type.slice(1).toLowerCase().replaceAll("_", " "),
  ),
} satisfies Record<string, Derivation>;

/** @param owner the object that contains the field, with its other fields as they are published. */
export function derive(row: Derivation, owner: JsonObject, placement: Placement): unknown {
  switch (row.kind) {
    case "constant":
      return row.value;
    case "place":
      return placement[row.part];
    case "copy":
      return row.path.reduce<unknown>((value, name) => (value as JsonObject | null)?.[name], owner) ?? null;
    case "each":
      return (owner[row.list] as JsonObject[]).map((element) => element[row.field]);
    default:
      return row.text(row.fields.map((name) => owner[name]));
  }
}
