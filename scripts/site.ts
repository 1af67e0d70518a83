import { siteFolder, type SiteFolder } from "../build/base/folders.ts";
import { valued } from "./usage.ts";

/** The options of every command that reads a site. Their default paths are in the site folder. */
export const siteOptions = {
  site: valued(
    "DIR",
    "use the site in DIR (default: the nearest folder, from the current one upwards, that has content/_site.json; otherwise the current one)",
  ),
  content: valued("DIR", "read the page sources from DIR (default: content)"),
} as const;

/** The site folder of a command, with the paths that its options give. */
export function siteOf(values: Partial<Record<"site" | "content" | "out", string | undefined>>): SiteFolder {
  const site = siteFolder(values.site);
  const { content = site.content, out = site.out } = values;
  return { ...site, content, out };
}
