import { type JsonObject, isObject } from "../source/json/object.ts";
import { PageTypes, type ChosenImage, type Follower, type PageTypeRow } from "./page-types.ts";

/*
 * The program's own page types, one per row. Their fields are in `program-model.ts`, because a build with
 * nothing to do must not load a package. Only the entry points of the program read these two files.
 */

const ACNO = /(?:^|-)([a-z]\d{5})$/i;

interface Contributor {
  fc?: unknown;
  url?: unknown;
}

/** The name of each contributor, as plain text or with a link. */
const names = (
  { contributors }: Readonly<JsonObject>,
  print: (name: string, one: Contributor) => string,
): unknown =>
  Array.isArray(contributors)
    ? contributors
        .flatMap((one: unknown) =>
          isObject(one) && typeof one["fc"] === "string" ? [print(one["fc"], one)] : [],
        )
        .join(", ")
    : undefined;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** The address of a page of the website begins with its path. */
const linked = (name: string, { url }: Contributor): string =>
  typeof url === "string" && URL.canParse(url)
    ? `<a href="${escaped(new URL(url).pathname)}">${escaped(name)}</a>`
    : escaped(name);

/** The artists are entered once, as contributors, and most works are of one year. */
const ARTWORK_FOLLOWS: readonly Follower[] = [
  { field: "allArtists", value: (page) => names(page, (name) => name) },
  { field: "all_artists_links", value: (page) => names(page, linked) },
  { field: "end_year", value: ({ start_year: start }) => start },
  { field: "mltYear", value: ({ start_year: start }) => start },
];

/** An image that has one size only. */
const masterImageOf = (
  { address, url, width, height, alt }: ChosenImage,
  { src = "" }: JsonObject,
): JsonObject => ({
  ...(src !== "" && { src: url }),
  sizes: [[width, `0-${width}`, address]],
  default_url: address,
  current_size: `0-${width}`,
  alt_text: alt,
  height_ratio: Math.round((1000 * height) / width) / 1000,
  max_width: width,
});

/** The slug often ends in the accession number. */
function inferArtwork(given: Readonly<JsonObject>, slug: string): JsonObject {
  const acno = ACNO.exec(slug)?.[1]?.toUpperCase();
  const start = given["start_year"] ?? given["end_year"];
  const known = {
    ...(acno === undefined ? {} : { acno }),
    ...(start === undefined ? {} : { start_year: start }),
    ...given,
  };
  const follow = ARTWORK_FOLLOWS.map(({ field, value }) => [field, value(known)] as const);
  return { ...Object.fromEntries(follow.filter(([, value]) => value !== undefined)), ...known };
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
    follows: ARTWORK_FOLLOWS,
    pictures: { list: "master_images", fieldsOf: masterImageOf },
    first: [
      "contributors",
      "acno",
      "start_year",
      "end_year",
      "classification",
      "dateText",
      "medium",
      "dimensions",
    ],
    shown: {
      line: "allArtists",
      date: "dateText",
      image: "master_images.0.sizes.0.2",
      searched: ["medium"],
      covers: ["artists", "dates", "media"],
    },
    covers: ["accession numbers", "subjects"],
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
