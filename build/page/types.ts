import type { JsonObject } from "../json/object.ts";

/*
 * The page types, one per row. Fields of single types are in `own-fields.ts`, because a build with nothing to do reads
 * this file and must not load a package.
 */

export interface PageTypeRow {
  /** A noun for a page of the type, in the browse UI and in messages. */
  label: string;
  /** The type's name in `npm run new`. */
  shortName: string;
  /** The allowed types of the parent page; none for the root. */
  parents: readonly string[];
  /** Whether the import gives such a page its own folder even if it has no subpages. */
  isFolder?: true;
  /** Values that `npm run new` writes for required fields for which an empty text or null is not enough. */
  placeholders?: Readonly<JsonObject>;
  /** Adds values that follow from the given ones or from the slug. */
  infer?: (given: Readonly<JsonObject>, slug: string) => JsonObject;
}

const ACNO = /(?:^|-)([a-z]\d{5})$/i;

/**
 * Derives the accession number from the slug, which often ends in it, and the years from one another, as most works are
 * of one year.
 */
function inferArtwork(given: Readonly<JsonObject>, slug: string): JsonObject {
  const acno = ACNO.exec(slug)?.[1]?.toUpperCase();
  const start = given["start_year"] ?? given["end_year"];
  return {
    ...(acno === undefined ? {} : { acno }),
    ...(start === undefined ? {} : { start_year: start, end_year: start, mltYear: start }),
    ...given,
  };
}

/** Types and their parents: those that were observed in the API, and those that a site needs. */
export const TYPES = {
  "artworks.ArtworkPage": {
    label: "Artwork",
    shortName: "artwork",
    parents: ["artworks.ArtworkIndexPage"],
    // In the API, every classification has the same type.
    placeholders: { classification: { id: null, meta: { type: "artworks.Classification" } } },
    infer: inferArtwork,
  },
  "artworks.ArtworkIndexPage": {
    label: "Artwork index",
    shortName: "artwork-index",
    parents: ["home.HomePage", "standardpages.GeneralPage"],
    isFolder: true,
  },
  "standardpages.GeneralPage": {
    label: "General page",
    shortName: "general",
    parents: ["standardpages.GeneralPage", "projects.ProjectPage", "home.HomePage"],
  },
  "projects.ProjectPage": {
    label: "Project",
    shortName: "project",
    parents: ["projects.ProjectIndexPage"],
  },
  "projects.ProjectIndexPage": {
    label: "Project index",
    shortName: "project-index",
    parents: ["standardpages.GeneralPage", "home.HomePage"],
    isFolder: true,
  },
  "home.HomePage": {
    label: "Home page",
    shortName: "home",
    parents: [],
  },
} as const satisfies Record<string, PageTypeRow>;

export type PageType = keyof typeof TYPES;

export const PAGE_TYPES = Object.keys(TYPES) as readonly PageType[];

export const rowOf = (type: PageType): PageTypeRow => TYPES[type];

export const parentTypes = (type: PageType): readonly PageType[] => TYPES[type].parents;

export const isRootType = (type: PageType): boolean => parentTypes(type).length === 0;

export const ROOT_TYPE = PAGE_TYPES.find(isRootType) as PageType;

/** The type to assume for a page of an unknown type. */
export const USUAL_TYPE: PageType = "standardpages.GeneralPage";

export const isPageType = (value: unknown): value is PageType =>
  typeof value === "string" && Object.hasOwn(TYPES, value);

/** A page type's name without its app: `ArtworkPage`. */
export const nameOf = (type: PageType): string => type.slice(type.indexOf(".") + 1);
