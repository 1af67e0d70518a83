import type { Sources } from "./published.ts";

/** Sources of a few pages, small enough that the expected responses of each test are easy to derive. */

export const SITE = {
  base_url: "https://api.example.org",
  site_url: "https://www.example.org",
  media_url: "https://media.example.org",
  append_slash: true,
};

export const HOME = { id: 1, meta: { type: "home.HomePage" }, title: "Welcome" };

export const VISIT = {
  id: 10,
  meta: {
    type: "standardpages.GeneralPage",
    show_in_menus: true,
    seo_title: "Plan a visit",
    first_published_at: "2026-03-01T09:00:00+01:00",
  },
  title: "Visit",
};

export const HOURS = { id: 11, meta: { type: "standardpages.GeneralPage" }, title: "Opening hours" };

export const ART = { id: 20, meta: { type: "artworks.ArtworkIndexPage" }, title: "Art" };

/** Minimum fields of an artwork. */
export const MARSH = {
  id: 21,
  meta: { type: "artworks.ArtworkPage" },
  title: "Marsh",
  acno: "N00530",
  acquisitionYear: 1856,
  start_year: 1842,
  end_year: 1843,
  mltYear: 1842,
  classification: { id: 6 },
};

export const HEATH = {
  ...MARSH,
  id: 22,
  title: "Heath",
  acno: "N00531",
  subjects: [
    { id: 71, name: "heath", level: 3, parent_id: 70 },
    { id: 70, name: "landscape", level: 2, parent_id: 1 },
    { id: 90, name: "heath", level: 3, parent_id: 89 },
  ],
};

export function writeSmallSite({ write }: Sources): void {
  write("_site.json", SITE);
  write("index.json", HOME);
  write("visit/index.json", VISIT);
  write("visit/hours.json", HOURS);
  write("art/index.json", ART);
  write("art/_d/marsh.json", MARSH);
  write("art/_d/heath.json", HEATH);
}
