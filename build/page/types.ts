import type { JsonObject } from "../json/object.ts";

/*
 * The page types, one a row. The fields that not every page has are in `own-fields.ts`: a build with nothing to do reads
 * this file, and must not load a package.
 */

export interface PageTypeRow {
  /** What people call a page of the type: a noun, in the browse UI and in messages. */
  label: string;
  /** The type's name in `npm run new`. */
  shortName: string;
  /** The types of the pages that it may be below; none for the root. */
  parents: readonly string[];
  /** Whether the import keeps such a page in a folder of its own even if it has no subpages. */
  isFolder?: true;
  /** What `npm run new` writes for a required field if an empty text or null is not enough. */
  placeholders?: Readonly<JsonObject>;
  /** Completes the given values by those that follow from them or from the slug. */
  infer?: (given: Readonly<JsonObject>, slug: string) => JsonObject;
}

const ACNO = /(?:^|-)([a-z]\d{5})$/i;

/** A work's file is often named after its accession number, and most works are of one year. */
function inferArtwork(given: Readonly<JsonObject>, slug: string): JsonObject {
  const acno = ACNO.exec(slug)?.[1]?.toUpperCase();
  const start = given["start_year"] ?? given["end_year"];
  return {
    ...(acno === undefined ? {} : { acno }),
    ...(start === undefined ? {} : { start_year: start, end_year: start, mltYear: start }),
    ...given,
  };
}

/** Types and their parents: those observed (interface, section 2.1), and those that a site needs. */
export const TYPES = {
  "artworks.ArtworkPage": {
    label: "Artwork",
    shortName: "artwork",
    parents: ["artworks.ArtworkIndexPage"],
    // The API says the same type of every classification.
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

/** The type of the root. */
export const ROOT_TYPE = PAGE_TYPES.find(isRootType) as PageType;

/** The type to suggest for a page if nothing is known of it. */
export const USUAL_TYPE: PageType = "standardpages.GeneralPage";

export const isPageType = (value: unknown): value is PageType =>
  typeof value === "string" && Object.hasOwn(TYPES, value);

/** The name of a page type without its app: `ArtworkPage`. */
export const nameOf = (type: PageType): string => type.slice(type.indexOf(".") + 1);
