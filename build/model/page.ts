import * as z from "zod";
import { DERIVED } from "./derive.ts";
import {
  controlled,
  decimal,
  derived,
  flag,
  id,
  identified,
  named,
  nullable,
  nullableOrCopy,
  requiredText,
  section,
  sourceDate,
  sourceOnly,
  text,
  title,
  objectModel,
} from "./field.ts";
import { modelsIn, type Identity, type ObjectValue, type ValueModel } from "./model.ts";
import { PageTypes, type PageType, type PageTypeRow } from "./page-types.ts";

/**
 * The schema of a page: the fields of every page and those of its type, in the order of the API contract, each with its
 * type, format, default or derivation. The model of sources, responses and JSON Schemas are all derived from it.
 */

const parentOf = (type: PageType, types: PageTypes) => {
  const { parents } = types.of(type);
  const mayBeHome = parents.some((parent) => types.isRoot(parent));
  return named(`${types.classNameOf(type)}Parent`, {
    id: id().describe("The parent's id."),
    meta: z
      .strictObject({
        type: z.enum(parents).describe("The parent's type."),
        detail_url: requiredText("response-address").describe("The URL of the parent's response."),
        html_url: requiredText(mayBeHome ? "page-address" : "subpage-address").describe(
          "The address of the parent on the website.",
        ),
      })
      .describe("The parent's type and addresses."),
    title: title().describe("The parent's title."),
  }).describe("A summary of the parent page.");
};

const noParent = z.null().describe("The home page has no parent.");

/** What the pages of a site with several languages have in `meta`: behind their parent, but for the address. */
const ofLanguages = (type: PageType, types: PageTypes, { codes, hasTranslations }: ModelLanguages) => {
  const translation = named(`${types.classNameOf(type)}Translation`, {
    id: id().describe("The translation's id."),
    meta: z
      .strictObject({
        type: z.literal(type).describe("The translation's type."),
        locale: z.enum(codes).describe("The translation's language."),
        detail_url: requiredText("response-address").describe("The URL of the translation's response."),
        html_url: requiredText("page-address").describe("The address of the translation on the website."),
      })
      .describe("The translation's type, language and addresses."),
    title: title().describe("The translation's title."),
  }).describe("The same page in another language.");
  return {
    // Each language has a home page.
    ...(types.isRoot(type) && { html_url: htmlUrl("page-address") }),
    locale: derived(z.enum(codes).describe("The page's language."), DERIVED.locale),
    ...(hasTranslations && {
      translations: derived(
        z.array(translation).describe("The same page in other languages."),
        DERIVED.translations,
      ),
    }),
    translation_of: section
      .publishing(sourceOnly(controlled("page", id()).optional()))
      .describe(
        "The id of the page in another language of which this page is a translation, if their paths differ.",
      ),
  };
};

/** The languages of a site, as far as its responses depend on them. */
export interface ModelLanguages {
  codes: readonly string[];
  hasTranslations: boolean;
}

const htmlUrl = (format: "home-address" | "page-address" | "subpage-address") =>
  section.publishing(
    derived(requiredText(format).describe("The address of the page on the website."), DERIVED.html_url),
  );

const meta = (type: PageType, types: PageTypes) => {
  const isRoot = types.isRoot(type);
  return named(`${types.classNameOf(type)}Meta`, {
    type: z.literal(type).describe("The page's type; it determines the page's other fields."),
    detail_url: derived(
      requiredText("response-address").describe("The URL of this response."),
      DERIVED.detail_url,
    ),
    html_url: htmlUrl(isRoot ? "home-address" : "subpage-address"),
    slug: section.publishing(
      isRoot
        ? requiredText("slug")
            .default(HOME_SLUG)
            .describe("The slug of the home page, which is no part of any address.")
        : derived(requiredText("slug").describe("The page's own part of its address."), DERIVED.slug),
    ),
    show_in_menus: section.publishing(flag()).describe("Whether the website's menus show the page."),
    seo_title: section.publishing(text()).describe("The title for search engines; may be empty."),
    search_description: section
      .publishing(text())
      .describe("The description for search engines; may be empty."),
    ...(isRoot
      ? { first_published_at: section.publishing(nullable("date-time")).describe(FIRST_PUBLISHED) }
      : {
          first_published_at: section
            .publishing(nullableOrCopy("date-time", DERIVED.first_published_at))
            .describe(FIRST_PUBLISHED),
          ...liveDates(),
          order: section
            .publishing(sourceOnly(decimal().optional()))
            .describe(
              "The position among the pages with the same parent: smaller numbers come first, pages without a number last, by id.",
            ),
          external_id: section
            .technical(sourceOnly(requiredText("external-id").optional()))
            .describe("The record of a collection system that this page follows, such as works:N00530."),
        }),
    alias_of: derived(z.null().describe("Always null."), DERIVED.alias_of),
    parent: derived(isRoot ? noParent : parentOf(type, types), DERIVED.parent),
  });
};

/** The slug of a home page whose source has none. */
const HOME_SLUG = "home";

const FIRST_PUBLISHED = "The time at which the page was first published; null if it is not known.";

/** Dates that only sources have, because they set when a response exists. */
const liveDates = () => ({
  go_live_at: section
    .publishing(sourceDate("date-time"))
    .describe(
      "The time at which the page goes live, with an offset or Z. Before this time, the page is not published.",
    ),
  expire_at: section
    .publishing(sourceDate("end-date-time"))
    .describe(
      "The time at which the page expires, with an offset or Z. From this time on, the page is not published.",
    ),
});

/** Adds fields to `meta`, which takes a fraction of the time of making all of its fields. */
function withLanguages(
  source: ObjectValue,
  type: PageType,
  types: PageTypes,
  languages: ModelLanguages,
): ObjectValue {
  const { fields } = objectModel(z.strictObject(ofLanguages(type, types, languages)));
  const own = source.fields.get("meta") as ObjectValue;
  const all = { ...own, fields: new Map([...own.fields, ...fields]) };
  return { ...source, fields: new Map([...source.fields, ["meta", all]]) };
}

const commonFields = (type: PageType, types: PageTypes) => ({
  id: section
    .technical(id())
    .describe("The page's id: 1 to 9007199254740991, unique in the whole site, never reused."),
  meta: meta(type, types).describe("The page's type, addresses, position and dates."),
  title: title().describe("The page's title."),
});

/** The fields that only pages of one type have. */
export interface OwnFields {
  /** In the order of the response. */
  fields: z.ZodRawShape;
  /** A described entity: its kind, the field that identifies it, and the fields that must agree. */
  identity?: readonly [kind: string, key: string, ...values: string[]];
}

export interface PageTypeModel extends PageTypeRow {
  source: ObjectValue;
  /** The names of the fields that only some types have. */
  own: readonly string[];
  /** The fields that the site declares. */
  declared: ReadonlyMap<string, ValueModel>;
  /** The fields in which no two pages have the same value, each with its scope; undefined if there are none. */
  unique: readonly (readonly [name: string, scope: string])[] | undefined;
}

/** A kind of entity that several pages describe, with the model of an object that describes one. */
export interface EntityKind {
  identity: Identity;
  model: ObjectValue;
}

export interface AddedFields {
  /** The fields of every page; those of the type, which follow its own; and those of `meta`. */
  every: ObjectValue;
  fields: ObjectValue;
  meta: ObjectValue;
  /** The fields of the program that are declared again. */
  replaced: ReadonlyMap<string, ValueModel>;
}

/** @param common the number of fields that every page has, which come first */
function extended(source: ObjectValue, common: number, added: AddedFields | undefined): ObjectValue {
  if (added === undefined) return source;
  const { every, fields, meta: ofMeta, replaced } = added;
  const own = [...source.fields].map(([name, model]): [string, ValueModel] => {
    if (name === "meta" && model.kind === "object")
      return [
        name,
        {
          ...model,
          fields: new Map([...model.fields, ...ofMeta.fields]),
          rules: [...model.rules, ...ofMeta.rules],
        },
      ];
    // The copy of a value that may be null.
    const isCopy =
      model.kind === "derived" && model.row.kind === "copy" && replaced.has(model.row.path[0] ?? "");
    return [
      name,
      replaced.get(name) ??
        (isCopy ? { ...model, response: { ...model.response, isNullable: true } } : model),
    ];
  });
  return {
    ...source,
    fields: new Map([...own.slice(0, common), ...every.fields, ...own.slice(common), ...fields.fields]),
    rules: [...source.rules, ...every.rules, ...fields.rules],
  };
}

export class PageModel extends PageTypes<PageTypeModel> {
  /** The fields of every page, to check a page with an unknown type. */
  readonly common: ObjectValue;
  readonly fields: readonly string[];
  /** In the order in which the page types have them. */
  readonly entities: readonly EntityKind[];

  private readonly program: Readonly<Record<PageType, OwnFields>>;
  readonly languages: ModelLanguages | undefined;

  /**
   * @param added what the site adds to each type; for undefined, to a page of an unknown type
   * @param base the same types without languages
   */
  constructor(
    types: PageTypes,
    own: Readonly<Record<PageType, OwnFields>>,
    added: ReadonlyMap<PageType | undefined, AddedFields> = new Map(),
    languages?: ModelLanguages,
    base?: PageModel,
  ) {
    const inLanguages = (source: ObjectValue, type: PageType): ObjectValue =>
      languages === undefined ? source : withLanguages(source, type, types, languages);
    const shared = inLanguages(
      base?.common ?? objectModel(z.strictObject(commonFields(types.usual, types))),
      types.usual,
    );
    const common = extended(shared, shared.fields.size, added.get(undefined));
    const rows = types.names.map((type): [PageType, PageTypeModel] => {
      const { fields, identity } = own[type] ?? { fields: {} };
      const declare = (): ObjectValue => {
        const declared = z.strictObject({ ...commonFields(type, types), ...fields });
        return objectModel(identity === undefined ? declared : identified(declared, ...identity));
      };
      const program = inLanguages(base?.of(type).source ?? declare(), type);
      const source = extended(program, shared.fields.size, added.get(type));
      const names = [...source.fields.keys()].filter((name) => !common.fields.has(name));
      const { replaced = [], every, fields: others } = added.get(type) ?? {};
      const ofSite = new Map([...replaced, ...(every?.fields ?? []), ...(others?.fields ?? [])]);
      const unique = [...source.fields].flatMap(([name, { uniqueIn }]) =>
        uniqueIn === undefined ? [] : [[name, uniqueIn] as const],
      );
      return [
        type,
        {
          ...types.of(type),
          source,
          own: names,
          declared: ofSite,
          unique: unique.length > 0 ? unique : undefined,
        },
      ];
    });
    super(new Map(rows));
    this.program = own;
    this.languages = languages;
    this.common = common;
    this.fields = [...new Set([...common.fields.keys(), ...rows.flatMap(([, row]) => row.own)])];
    this.entities = entitiesIn(rows.map(([, { source }]) => source));
  }

  /** The page types of a site that declares types or fields of its own. */
  extendedBy(types: PageTypes, added: ReadonlyMap<PageType | undefined, AddedFields>): PageModel {
    return new PageModel(types, this.program, added, this.languages);
  }

  /** The same page types on a site with several languages; these themselves without any. */
  inLanguages(languages: ModelLanguages | undefined): PageModel {
    return languages === undefined ? this : new PageModel(this, this.program, undefined, languages, this);
  }

  /** Without a type: the fields of every page. */
  sourceOf(type: PageType | undefined): ObjectValue {
    return type === undefined ? this.common : this.of(type).source;
  }

  typesWith(field: string): PageType[] {
    return this.names.filter((type) => this.of(type).own.includes(field));
  }
}

function entitiesIn(sources: readonly ObjectValue[]): EntityKind[] {
  const kinds = new Map<string, EntityKind>();
  for (const [model] of sources.flatMap((source) => [...modelsIn(source)])) {
    if (model.kind !== "object" || model.identity === undefined) continue;
    const { identity } = model;
    if (!kinds.has(identity.kind)) kinds.set(identity.kind, { identity, model });
  }
  return [...kinds.values()];
}

/** A parent page in the responses of its subpages. */
export interface ParentSummary {
  id: number;
  meta: { type: PageType; detail_url: string; html_url: string };
  title: string;
}

/** A response, as far as all pages have the same fields. */
export interface PageResponse {
  id: number;
  meta: {
    type: PageType;
    detail_url: string;
    html_url: string;
    slug: string;
    parent: ParentSummary | null;
    /** On a site with several languages, as are the translations. */
    locale?: string;
    translations?: readonly object[];
  };
  title: string;
}
