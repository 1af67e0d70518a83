import * as z from "zod";
import { DERIVED } from "./derive.ts";
import {
  derived,
  flag,
  id,
  identified,
  named,
  nullable,
  nullableOrCopy,
  requiredText,
  sourceOnly,
  text,
  title,
} from "./field.ts";
import type { LIVE_FIELDS } from "./live.ts";
import { ownFieldsOf, type OWN_FIELDS } from "./own-fields.ts";
import { objectModel, type ObjectValue } from "./model.ts";
import {
  isRootType,
  nameOf,
  PAGE_TYPES,
  parentTypes,
  rowOf,
  USUAL_TYPE,
  type PageType,
  type PageTypeRow,
} from "./types.ts";

/**
 * The schema of a page: the fields of every page and those of its type, in the order of the API contract, each with its
 * type, format, default or derivation. The model of sources, responses and JSON Schemas are all derived from it.
 */

const parentOf = (type: PageType) =>
  named(`${nameOf(type)}Parent`, {
    id: id().describe("The parent's id."),
    meta: z
      .strictObject({
        type: z.enum(parentTypes(type)).describe("The parent's type."),
        detail_url: requiredText("response-address").describe("The URL of the parent's response."),
        html_url: requiredText(
          parentTypes(type).some(isRootType) ? "page-address" : "subpage-address",
        ).describe("The address of the parent on the website."),
      })
      .describe("The parent's type and addresses."),
    title: title().describe("The parent's title."),
  }).describe("A summary of the parent page.");

const noParent = z.null().describe("The home page has no parent.");

const meta = (type: PageType) =>
  named(`${nameOf(type)}Meta`, {
    type: z.literal(type).describe("The page's type; it determines the page's other fields."),
    detail_url: derived(
      requiredText("response-address").describe("The URL of this response."),
      DERIVED.detail_url,
    ),
    html_url: derived(
      requiredText(isRootType(type) ? "home-address" : "subpage-address").describe(
        "The address of the page on the website.",
      ),
      DERIVED.html_url,
    ),
    slug: derived(
      isRootType(type)
        ? z.literal("home").describe("The slug of every home page.")
        : requiredText("slug").describe("The page's own part of its address."),
      DERIVED.slug,
    ),
    show_in_menus: flag().describe("Whether the website's menus show the page."),
    seo_title: text().describe("The title for search engines; may be empty."),
    search_description: text().describe("The description for search engines; may be empty."),
    ...(isRootType(type)
      ? { first_published_at: nullable("date-time").describe(FIRST_PUBLISHED) }
      : {
          first_published_at: nullableOrCopy("date-time", DERIVED.first_published_at).describe(
            FIRST_PUBLISHED,
          ),
          ...liveDates(),
        }),
    alias_of: derived(z.null().describe("Always null."), DERIVED.alias_of),
    parent: derived(isRootType(type) ? noParent : parentOf(type), DERIVED.parent),
  });

const FIRST_PUBLISHED = "The time at which the page was first published; null if it is not known.";

/** Dates that only sources have, because they set when a response exists. */
const liveDates = () => ({
  go_live_at: sourceOnly("date-time").describe(
    "The time at which the page goes live, with an offset or Z. Before this time, the page is not published.",
  ),
  expire_at: sourceOnly("end-date-time").describe(
    "The time at which the page expires, with an offset or Z. From this time on, the page is not published.",
  ),
});

const commonFields = (type: PageType) => ({
  id: id().describe("The page's id: 1 to 9007199254740991, unique in the whole site, never reused."),
  meta: meta(type).describe("The page's type, addresses, position and dates."),
  title: title().describe("The page's title."),
});

function sourceSchemaOf(type: PageType): z.ZodType {
  const { fields, identity } = ownFieldsOf(type) ?? {};
  const schema = z.strictObject({ ...commonFields(type), ...fields });
  return identity === undefined ? schema : identified(schema, ...identity);
}

type Common = ReturnType<typeof commonFields>;
type ShapeOf<T extends PageType> = T extends keyof typeof OWN_FIELDS
  ? Common & (typeof OWN_FIELDS)[T]["fields"]
  : Common;

/** Schemas of sources, by page type. Keys are in the order of the API contract. */
export const sourceSchemas = Object.fromEntries(
  PAGE_TYPES.map((type) => [type, sourceSchemaOf(type)]),
) as unknown as {
  [T in PageType]: z.ZodObject<ShapeOf<T>, z.core.$strict>;
};

/** A page type: its row, and the model of its sources. */
export interface PageTypeModel extends PageTypeRow {
  source: ObjectValue;
  /** The names of the fields that only some types have. */
  own: readonly string[];
}

/** The model of all pages. It is passed to the code that checks, prints, shows and edits pages. */
export interface PageModel {
  types: Readonly<Record<PageType, PageTypeModel>>;
  /** The fields of every page, to check a page with an unknown type. */
  common: ObjectValue;
}

/** Makes the model of pages from the declarations of their types. */
export function pageModelOf(schemas: Readonly<Record<PageType, z.ZodType>>): PageModel {
  const common = objectModel(z.strictObject(commonFields(USUAL_TYPE)));
  const types = PAGE_TYPES.map((type) => {
    const source = objectModel(schemas[type]);
    const own = [...source.fields.keys()].filter((name) => !common.fields.has(name));
    return [type, { ...rowOf(type), source, own }];
  });
  return { types: Object.fromEntries(types) as PageModel["types"], common };
}

/** The model of the program's own types. */
export const PROGRAM: PageModel = pageModelOf(sourceSchemas);

export const sourceModel = (model: PageModel, type: PageType | undefined): ObjectValue =>
  type === undefined ? model.common : model.types[type].source;

/** The types that have a field of their own with this name. */
export const typesWith = ({ types }: PageModel, field: string): PageType[] =>
  PAGE_TYPES.filter((type) => types[type].own.includes(field));

export const allFields = ({ types, common }: PageModel): string[] => [
  ...new Set([...common.fields.keys(), ...PAGE_TYPES.flatMap((type) => types[type].own)]),
];

/** `Required`, also for nested objects: a response has every field. */
type Complete<T> = T extends object ? { [K in keyof T]-?: Complete<Exclude<T[K], undefined>> } : T;

/** A source with its defaults filled in, but without its derived fields. */
export type SourcePage = z.output<(typeof sourceSchemas)[PageType]>;

type WithoutLiveDates<T> = T extends { meta: infer M }
  ? Omit<T, "meta"> & { meta: Omit<M, (typeof LIVE_FIELDS)[number]> }
  : never;

export type PageResponse = Complete<WithoutLiveDates<SourcePage>>;
