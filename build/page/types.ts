export const PAGE_TYPES = [
  "artworks.ArtworkPage",
  "artworks.ArtworkIndexPage",
  "standardpages.GeneralPage",
  "projects.ProjectPage",
  "projects.ProjectIndexPage",
  "home.HomePage",
] as const;

/** The type of the root. */
export const HOME = "home.HomePage";

export type PageType = (typeof PAGE_TYPES)[number];

/** The types that may lie below which types: those observed (interface, section 2.1), and those that a site needs. */
export const PARENT_TYPES: Record<PageType, readonly PageType[]> = {
  "home.HomePage": [],
  "standardpages.GeneralPage": ["standardpages.GeneralPage", "projects.ProjectPage", "home.HomePage"],
  "projects.ProjectIndexPage": ["standardpages.GeneralPage", "home.HomePage"],
  "projects.ProjectPage": ["projects.ProjectIndexPage"],
  "artworks.ArtworkIndexPage": ["home.HomePage", "standardpages.GeneralPage"],
  "artworks.ArtworkPage": ["artworks.ArtworkIndexPage"],
};

export const isPageType = (value: unknown): value is PageType =>
  (PAGE_TYPES as readonly unknown[]).includes(value);

/** The name of a page type without its app: `ArtworkPage`. */
export const nameOf = (type: PageType): string => type.slice(type.indexOf(".") + 1);
