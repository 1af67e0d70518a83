import type { PageType } from "../../build/page/types.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- what is broken has no type
type Broken = any;

/** What a response must never be: changes of a sound page, each of which the published schema refuses. */
export const breaches: [what: string, type: PageType, change: (page: Broken) => void][] = [
  ["an id of text", "standardpages.GeneralPage", (page) => (page.id = String(page.id))],
  ["the id 0", "standardpages.GeneralPage", (page) => (page.id = 0)],
  ["an id that a double cannot hold", "home.HomePage", (page) => (page.id = 2 ** 53)],
  ["an empty title", "standardpages.GeneralPage", (page) => (page.title = "")],
  ["another type", "standardpages.GeneralPage", (page) => (page.meta.type = "standardpages.Page")],
  [
    "a work's type on another page",
    "standardpages.GeneralPage",
    (page) => (page.meta.type = "artworks.ArtworkPage"),
  ],
  ["a work's field on another page", "standardpages.GeneralPage", (page) => (page.acno = "N00530")],
  ["a field that there is not", "artworks.ArtworkPage", (page) => (page.meta.locale = "en")],
  ["an address that is not complete", "artworks.ArtworkPage", (page) => (page.meta.html_url = "/art/")],
  ["an alias", "artworks.ArtworkPage", (page) => (page.meta.alias_of = {})],
  ["a parent of the home page", "home.HomePage", (page) => (page.meta.parent = { id: 1 })],
  ["no parent of another page", "projects.ProjectPage", (page) => (page.meta.parent = null)],
  ["a parent without a title", "artworks.ArtworkIndexPage", (page) => delete page.meta.parent.title],
  ["a parent of another type", "projects.ProjectIndexPage", (page) => (page.meta.parent.meta.type = "x.Y")],
  ["an empty date", "standardpages.GeneralPage", (page) => (page.meta.first_published_at = "")],
  [
    "a date without an offset",
    "home.HomePage",
    (page) => (page.meta.first_published_at = "2026-12-31T09:30:00"),
  ],
  ["a flag of text", "projects.ProjectPage", (page) => (page.meta.show_in_menus = "false")],
  ["an accession number of another form", "artworks.ArtworkPage", (page) => (page.acno = "N530")],
  ["half a year", "artworks.ArtworkPage", (page) => (page.start_year = 1840.5)],
  ["a year of text", "artworks.ArtworkPage", (page) => (page.acquisitionYear = "1911")],
  ["null for a text", "artworks.ArtworkPage", (page) => (page.medium = null)],
  [
    "a subject without a name",
    "artworks.ArtworkPage",
    (page) => (page.subjects = [{ id: 1, level: 1, parent_id: 1 }]),
  ],
  ["a size of two", "artworks.ArtworkPage", (page) => (page.master_images = [{ sizes: [[600, "0-599"]] }])],
  ["an object for a list", "artworks.ArtworkPage", (page) => (page.groups = {})],
  ["a list for an object", "artworks.ArtworkPage", (page) => (page.location_card = [])],
  [
    "a text where anything may stand in an object",
    "artworks.ArtworkPage",
    (page) => (page.displayLocation = "x"),
  ],
  ["an object without its members", "artworks.ArtworkPage", (page) => (page.catalogue_group = {})],
];
