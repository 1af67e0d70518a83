import type { JsonObject } from "../json/object.ts";
import { PageTypes, type PageTypeRow } from "./page-types.ts";

/*
 * The program's own page types, one per row. Their fields are in `program-model.ts`, because a build with
 * nothing to do must not load a package. Only the entry points of the program read these two files.
 */

const ACNO = /(?:^|-)([a-z]\d{5})$/i;

/** The slug often ends in the accession number, and most works are of one year. */
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
const TYPES: Record<string, PageTypeRow> = {
  "artworks.ArtworkPage": {
    label: "Artwork",
    shortName: "artwork",
    parents: ["artworks.ArtworkIndexPage"],
    // In the API, every classification has the same type.
    placeholders: { classification: { id: null, meta: { type: "artworks.Classification" } } },
    infer: inferArtwork,
    shown: {
      line: "allArtists",
      date: "dateText",
      image: "master_images.0.sizes.0.2",
      searched: "medium",
    },
    redeclarable: {
      acno: "pattern",
      acquisitionYear: "null",
      start_year: "null",
      end_year: "null",
      mltYear: "null",
      classification: "null",
    },
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
    isUsual: true,
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
};

export const programTypes = new PageTypes(new Map(Object.entries(TYPES)));
