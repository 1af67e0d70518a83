import { slugOfName } from "./address.ts";

/** What the path of a page's source says of the page, without reading it. */

export const hasFolder = (file: string): boolean => /(?:^|\/)index\.json$/.test(file);

/** Whether a page or a draft may have subpages where it is. */
export const hasSubpages = (file: string): boolean => /(?:^|\/)_?index\.json$/.test(file);

/** The folder of the subpages, without “/” at its end, if a page or a draft may have some where it is. */
export const sectionFolder = (file: string): string | undefined => /^(.*)\/_?index\.json$/.exec(file)?.[1];

export const fileWithFolder = (file: string): string => file.replace(/\.json$/, "/index.json");

/** Whether a source is a draft by its own name. */
export const isDraftFile = (file: string): boolean => /(?:^|\/)_[^/]*$/.test(file);

/** The folder of a draft section, such as `visit/tours/`, if the file is its page. */
export const draftSection = (file: string): string | undefined =>
  file.endsWith("/_index.json") ? file.slice(0, -"_index.json".length) : undefined;

/** Tells whether a source is a draft, or in one of the draft sections. */
export const isDraftIn = (sections: Iterable<string>): ((file: string) => boolean) => {
  const folders = [...new Set(sections)];
  return (file) => isDraftFile(file) || folders.some((folder) => file.startsWith(folder));
};

export function slugOfFile(file: string): string {
  const names = file.replace(/\.json$/, "").split("/");
  const name = (names.pop() ?? "").replace(/^_/, "");
  return slugOfName(name === "index" ? (names.pop() ?? "home") : name);
}
