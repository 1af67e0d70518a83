import { DERIVED } from "./derive.ts";
import {
  decimal,
  derived,
  flag,
  id,
  list,
  literal,
  named,
  object,
  optional,
  orNull,
  requiredText,
  text,
  title,
  type FieldModels,
} from "./field.ts";
import { modelsIn, type Identity, type ObjectValue, type TextValue, type ValueModel } from "./model.ts";
import { PageTypes, type PageType, type PageTypeRow } from "./page-types.ts";

/*
 * A page: the fields of every page and those of its type, in the order of the API contract, each with its type, format,
 * default or derivation. Sources, responses and JSON Schemas all follow this model.
 */

const parentOf = (type: PageType, types: PageTypes): ObjectValue => {
  const { parents } = types.of(type);
  const mayBeHome = parents.some((parent) => types.isRoot(parent));
  return named(`${types.classNameOf(type)}Parent`, "A summary of the parent page.", {
    id: id("The parent's id."),
    meta: object(
      {
        type: literal(parents, "The parent's type.", { isEnum: true }),
        detail_url: requiredText("The URL of the parent's response.", { format: "response-address" }),
        html_url: requiredText("The address of the parent on the website.", {
          format: mayBeHome ? "page-address" : "subpage-address",
        }),
      },
      "The parent's type and addresses.",
    ),
    title: title("The parent's title."),
  });
};

const noParent = literal([null], "The home page has no parent.");

/** The languages of a site, as far as its responses depend on them. */
export interface ModelLanguages {
  codes: readonly string[];
  hasTranslations: boolean;
}

/** What the pages of a site with several languages have in `meta`: behind their parent, but for the address. */
const ofLanguages = (
  type: PageType,
  types: PageTypes,
  { codes, hasTranslations }: ModelLanguages,
): FieldModels => {
  const translation = named(`${types.classNameOf(type)}Translation`, "The same page in another language.", {
    id: id("The translation's id."),
    meta: object(
      {
        type: literal([type], "The translation's type."),
        locale: literal(codes, "The translation's language.", { isEnum: true }),
        detail_url: requiredText("The URL of the translation's response.", { format: "response-address" }),
        html_url: requiredText("The address of the translation on the website.", {
          format: "page-address",
        }),
      },
      "The translation's type, language and addresses.",
    ),
    title: title("The translation's title."),
  });
  return {
    // Each language has a home page.
    ...(types.isRoot(type) && { html_url: htmlUrl("page-address") }),
    locale: derived(literal(codes, "The page's language.", { isEnum: true }), DERIVED.locale),
    ...(hasTranslations && {
      translations: derived(list(translation, "The same page in other languages."), DERIVED.translations),
    }),
    translation_of: optional(
      id(
        "The id of the page in another language of which this page is a translation, if their paths differ.",
        { control: "page", section: "publishing", isSourceOnly: true },
      ),
    ),
  };
};

const htmlUrl = (format: "home-address" | "page-address" | "subpage-address") =>
  derived(requiredText("The address of the page on the website.", { format }), DERIVED.html_url, {
    section: "publishing",
  });

const homeSlug = optional(
  requiredText("The slug of the home page, which is no part of any address.", {
    format: "slug",
    section: "publishing",
  }),
  "home",
);

const slug = derived(requiredText("The page's own part of its address.", { format: "slug" }), DERIVED.slug, {
  section: "publishing",
});

/** A time, or null. */
const time = (description: string, more: Partial<TextValue> = {}): TextValue =>
  orNull(requiredText(description, { format: "date-time", section: "publishing", ...more }));

/** A date that only sources have, because it sets when a response exists. */
const liveDate = (description: string, more: Partial<TextValue> = {}): TextValue =>
  optional(time(description, { isSourceOnly: true, ...more }));

const FIRST_PUBLISHED = "The time at which the page was first published; null if it is not known.";

/** What all pages but home pages have in `meta`, behind the descriptions. */
const OF_SUBPAGES: FieldModels = {
  first_published_at: optional(time(FIRST_PUBLISHED, { fallback: DERIVED.first_published_at })),
  go_live_at: liveDate(
    "The time at which the page goes live, with an offset or Z. Before this time, the page is not published.",
  ),
  expire_at: liveDate(
    "The time at which the page expires, with an offset or Z. From this time on, the page is not published.",
    { format: "end-date-time" },
  ),
  order: optional(
    decimal(
      "The position among the pages with the same parent: smaller numbers come first, pages without a number last, by id.",
      { section: "publishing", isSourceOnly: true },
    ),
  ),
  external_id: optional(
    requiredText("The record of a collection system that this page follows, such as works:N00530.", {
      format: "external-id",
      section: "technical",
      isSourceOnly: true,
    }),
  ),
};

function metaOf(type: PageType, types: PageTypes, languages: ModelLanguages | undefined): ObjectValue {
  const isRoot = types.isRoot(type);
  return named(`${types.classNameOf(type)}Meta`, "The page's type, addresses, position and dates.", {
    type: literal([type], "The page's type; it determines the page's other fields."),
    detail_url: derived(
      requiredText("The URL of this response.", { format: "response-address" }),
      DERIVED.detail_url,
    ),
    html_url: htmlUrl(isRoot ? "home-address" : "subpage-address"),
    slug: isRoot ? homeSlug : slug,
    show_in_menus: flag("Whether the website's menus show the page.", { section: "publishing" }),
    seo_title: text("The title for search engines; may be empty.", { section: "publishing" }),
    search_description: text("The description for search engines; may be empty.", { section: "publishing" }),
    ...(isRoot ? { first_published_at: time(FIRST_PUBLISHED) } : OF_SUBPAGES),
    alias_of: derived(literal([null], "Always null."), DERIVED.alias_of),
    parent: derived(isRoot ? noParent : parentOf(type, types), DERIVED.parent),
    ...(languages && ofLanguages(type, types, languages)),
  });
}

const commonFields = (
  type: PageType,
  types: PageTypes,
  languages: ModelLanguages | undefined,
): FieldModels => ({
  id: id("The page's id: 1 to 9007199254740991, unique in the whole site, never reused.", {
    section: "technical",
  }),
  meta: metaOf(type, types, languages),
  title: title("The page's title."),
});

/** The fields that only pages of one type have. */
export interface OwnFields {
  /** In the order of the response. */
  fields: FieldModels;
  /** The entity that each of these pages describes. */
  entity?: Pick<ObjectValue, "identity" | "listed">;
}

export interface PageTypeModel extends PageTypeRow {
  source: ObjectValue;
  /** The names of the fields that only some types have. */
  own: readonly string[];
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
  private readonly added: ReadonlyMap<PageType | undefined, AddedFields>;
  readonly languages: ModelLanguages | undefined;

  /** @param added what the site adds to each type; for undefined, to a page of an unknown type */
  constructor(
    types: PageTypes,
    own: Readonly<Record<PageType, OwnFields>>,
    added: ReadonlyMap<PageType | undefined, AddedFields> = new Map(),
    languages?: ModelLanguages,
  ) {
    const shared = object(commonFields(types.usual, types, languages));
    const common = extended(shared, shared.fields.size, added.get(undefined));
    const rows = types.names.map((type): [PageType, PageTypeModel] => {
      const { fields, entity } = own[type] ?? { fields: {} };
      const declared = object({ ...commonFields(type, types, languages), ...fields }, "", entity);
      const source = extended(declared, shared.fields.size, added.get(type));
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
    this.added = added;
    this.languages = languages;
    this.common = common;
    this.fields = [...new Set([...common.fields.keys(), ...rows.flatMap(([, row]) => row.own)])];
    this.entities = entitiesIn(rows.map(([, { source }]) => source));
  }

  extendedBy(types: PageTypes, added: ReadonlyMap<PageType | undefined, AddedFields>): PageModel {
    return new PageModel(types, this.program, added, this.languages);
  }

  /** The same page types on a site with several languages; these themselves without any. */
  inLanguages(languages: ModelLanguages | undefined): PageModel {
    return languages === undefined ? this : new PageModel(this, this.program, this.added, languages);
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
