/** The site's settings, at the top of the content folder. */
export const SITE = "_site.json";

/** The page types and fields that the site declares, at the top of the content folder. */
export const TYPES = "_types.json";

/** The retired ids and old addresses, at the top of the content folder. */
export const HISTORY = "_history.json";

/** The fields that belong to collection systems, which `sync` writes, at the top of the content folder. */
export const SYNC = "_sync.json";

export const SITE_FILES: ReadonlySet<string> = new Set([SITE, TYPES, HISTORY, SYNC]);

/** Why a draft cannot have a path: it would have the name of a file about the site. */
export function draftNameProblem(file: string): string | undefined {
  const name = file.slice(file.lastIndexOf("/") + 1);
  if (!SITE_FILES.has(name.toLowerCase())) return undefined;
  const slug = name.slice(1, -".json".length);
  return `A draft cannot be named ${name}, because that is a file about the site. Choose another name, or first give the page its own folder, of which ${slug}/_index.json is the draft.`;
}

/** The schema of the pages of a site with types of its own, for text editors. No reader of sources opens a dotfolder. */
export const SITE_SCHEMA = ".schema/page.json";
