import { SITE } from "../../page/files.ts";
export interface TateSite {
  base_url: string;
  site_url: string;
  media_url: string;
}

/**
 * Works and images keep the addresses that they have in the data. The data has no address of the API, so this is the
 * address of the local preview, until an operator changes it.
 */
export const DEFAULT_SITE: TateSite = {
  base_url: "http://localhost:3000",
  site_url: "http://www.tate.org.uk",
  media_url: "http://www.tate.org.uk/art/images/work",
};

/** The folder of the artwork index, the parent of all works. */
export const INDEX_FOLDER = "art/artworks";

const PAGES = [
  { path: "index.json", id: 1_000_000, type: "home.HomePage", title: "Home" },
  { path: "art/index.json", id: 1_000_001, type: "standardpages.GeneralPage", title: "Art" },
  { path: `${INDEX_FOLDER}/index.json`, id: 1_000_002, type: "artworks.ArtworkIndexPage", title: "Artworks" },
];

/** Sources that the site needs and the data lacks. The addresses in the data have no slash at the end. */
export const siteFiles = (site: TateSite): { path: string; id?: number; source: object }[] => [
  { path: SITE, source: { ...site, append_slash: false } },
  ...PAGES.map(({ path, id, type, title }) => ({ path, id, source: { id, meta: { type }, title } })),
];
