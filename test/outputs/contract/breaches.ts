import type { PageType } from "../../../build/model/page-types.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- Each breach breaks the type of a response.
type Broken = any;

type Breach = [what: string, type: PageType, change: (page: Broken) => void];

const GENERAL = "standardpages.GeneralPage";
const WORK = "artworks.ArtworkPage";
const HOME = "home.HomePage";
const PROJECT = "projects.ProjectPage";

/** Invalid responses: changes of a valid page, each of which the published schema refuses. */
export const breaches: Breach[] = [
  ["an id as a string", GENERAL, (page) => (page.id = String(page.id))],
  ["the id 0", GENERAL, (page) => (page.id = 0)],
  ["an id that a double cannot hold", HOME, (page) => (page.id = 2 ** 53)],
  ["an empty title", GENERAL, (page) => (page.title = "")],
  ["another type", GENERAL, (page) => (page.meta.type = "standardpages.Page")],
  ["a work's type on another page", GENERAL, (page) => (page.meta.type = "artworks.ArtworkPage")],
  ["a work's field on another page", GENERAL, (page) => (page.acno = "N00530")],
  ["an unknown field", WORK, (page) => (page.meta.locale = "en")],
  ["an alias", WORK, (page) => (page.meta.alias_of = {})],
  ["a parent of the home page", HOME, (page) => (page.meta.parent = { id: 1 })],
  ["no parent of another page", PROJECT, (page) => (page.meta.parent = null)],
  ["a parent without a title", "artworks.ArtworkIndexPage", (page) => delete page.meta.parent.title],
  ["a parent of another type", "projects.ProjectIndexPage", (page) => (page.meta.parent.meta.type = "x.Y")],
  ["an empty date", GENERAL, (page) => (page.meta.first_published_at = "")],
  ["a date without an offset", HOME, (page) => (page.meta.first_published_at = "2026-12-31T09:30:00")],
  ["an accession number in another format", WORK, (page) => (page.acno = "N530")],
  ["half a year", WORK, (page) => (page.start_year = 1840.5)],
  ["null for a string", WORK, (page) => (page.medium = null)],
  ["a subject without a name", WORK, (page) => (page.subjects = [{ id: 1, level: 1, parent_id: 1 }])],
  ["a size of two elements", WORK, (page) => (page.master_images = [{ sizes: [[600, "0-599"]] }])],
  ["an object for a list", WORK, (page) => (page.groups = {})],
  ["a list for an object", WORK, (page) => (page.location_card = [])],
  ["a string in place of an object with any fields", WORK, (page) => (page.displayLocation = "x")],
  ["an object without its members", WORK, (page) => (page.catalogue_group = {})],
  ...["2025-02-29", "1900-02-29", "2026-13-01"].map((day): Breach => [
    `the day ${day}`,
    GENERAL,
    (page) => (page.meta.first_published_at = `${day}T09:30:00Z`),
  ]),
  ["put online on a nonexistent day", WORK, (page) => (page.onlinePubDate = "2019-02-29 12:00:00.0")],
  [
    "a detail_url without the id",
    PROJECT,
    (page) => (page.meta.detail_url = page.meta.detail_url.replace(/\d+\/$/, "")),
  ],
  ["a detail_url elsewhere", PROJECT, (page) => (page.meta.detail_url = "https://b.example/api/v2/pages/1/")],
  [
    "a detail_url without its last slash",
    HOME,
    (page) => (page.meta.detail_url = page.meta.detail_url.slice(0, -1)),
  ],
  [
    "a parent's detail_url without the id",
    WORK,
    (page) => (page.meta.parent.meta.detail_url = page.meta.detail_url.replace(/\d+\/$/, "")),
  ],
  ["an html_url of another website", WORK, (page) => (page.meta.html_url = "https://b.example/art/")],
  ["an html_url without its slash", WORK, (page) => (page.meta.html_url = page.meta.html_url.slice(0, -1))],
  ["an html_url with a query", WORK, (page) => (page.meta.html_url += "?a")],
  ["a home page below the root", HOME, (page) => (page.meta.html_url += "home/")],
  ["a work at the root", WORK, (page) => (page.url = new URL("/", page.url).href)],
  ["a slug with spaces", GENERAL, (page) => (page.meta.slug = "a b")],
  ["an empty slug", GENERAL, (page) => (page.meta.slug = "")],
  ["a slug of the home page that is none", HOME, (page) => (page.meta.slug = "a/b")],
  ["a work below a general page", WORK, (page) => (page.meta.parent.meta.type = "standardpages.GeneralPage")],
  [
    "the slug_name of another type",
    WORK,
    (page) => (page.resources = [{ ...RESOURCE, slug_name: "catalogue-entry" }]),
  ],
  ["an image without sizes", WORK, (page) => (page.master_images = [{ ...IMAGE, sizes: [] }])],
];

/** Each breach changes one field of them; `test/outputs/contract/published.test.ts` checks that they are valid. */
const RESOURCE = {
  type: "DISPLAY_CAPTION",
  slug_name: "display-caption",
  display_name: "",
  content: "",
  publication_date: "2024-02-29T00:00:00",
};
const IMAGE = {
  sizes: [[600, "0-599", "https://media.example.org/a.jpg"]],
  default_url: "https://media.example.org/a.jpg",
  current_size: "0-599",
  src: "",
  alt_text: "",
  uncleared: false,
  height_ratio: 1.5,
  max_width: 600,
  no_right_click: false,
  sensitive: false,
  protected: false,
  copyright: "",
  status: "",
};

/** Adds the elements that the breaches change to a page, which stays valid. */
export const withElements = (page: Broken): void => {
  page.resources = [RESOURCE, { ...RESOURCE, type: "OTHER_TEXT", slug_name: "other-text" }];
  page.master_images = [IMAGE];
  page.meta.first_published_at = "2000-02-29T23:59:59.123+14:00";
};
