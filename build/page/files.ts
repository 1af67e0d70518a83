/** The site's settings, at the top of the content folder. */
export const SITE = "_site.json";

/** The page types and fields that the site declares, at the top of the content folder. */
export const TYPES = "_types.json";

/** The retired ids and old addresses, at the top of the content folder. */
export const HISTORY = "_history.json";

/** The files about the site, which no draft may be named like, in any folder. */
export const SITE_FILES: ReadonlySet<string> = new Set([SITE, TYPES, HISTORY]);

/** The schema of the pages of a site with types of its own, for text editors. No reader of sources opens a dotfolder. */
export const SITE_SCHEMA = ".schema/page.json";
