import { fold } from "../../browse/words.js";
import { isReservedName, isSlug as hasSlugCharacters, nameOfSlug, slugOfName } from "../../source/address.ts";
import type { PageType, PageTypes } from "../../model/page-types.ts";

export const isSlug = (text: string): boolean => hasSlugCharacters(text) && !isReservedName(text);

/** The slug for a title, with the letters that the search folds too; empty if no character is left. */
export function suggestedSlug(title: string): string {
  const german = title.toLowerCase().normalize("NFC").replaceAll(/[äöü]/g, "$&e");
  const slug = fold(german)
    .replaceAll(/['’]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return isReservedName(slug) ? `${slug}-page` : slug;
}

export interface NewPlace {
  parentFile: string;
  slug: string;
  type: PageType;
  isDraft: boolean;
  /** Whether the page has a folder, also as a draft: a translation of a page with subpages. */
  isSection?: boolean;
}

export const hasFolder = (file: string): boolean => /(?:^|\/)index\.json$/.test(file);

/** Whether a page or a draft may have subpages where it is. */
export const hasSubpages = (file: string): boolean => /(?:^|\/)_?index\.json$/.test(file);

export const fileWithFolder = (file: string): string => file.replace(/\.json$/, "/index.json");

export function newFile(types: PageTypes, { parentFile, slug, type, isDraft, isSection }: NewPlace): string {
  const parent = hasSubpages(parentFile) ? parentFile : fileWithFolder(parentFile);
  const folder = parent.replace(/_?index\.json$/, "");
  const name = nameOfSlug(slug);
  if (isSection === true) return `${folder}${name}/${isDraft ? "_" : ""}index.json`;
  if (isDraft) return `${folder}_${name}.json`;
  return types.of(type).isFolder ? `${folder}${name}/index.json` : `${folder}${name}.json`;
}

/** Whether a source is a draft, or is in a draft section. */
export const isDraftFile = (file: string): boolean => /(?:^|\/)_[^/]*\.json$/.test(file);

export function slugOfFile(file: string): string {
  const names = file.replace(/\.json$/, "").split("/");
  const name = (names.pop() ?? "").replace(/^_/, "");
  return slugOfName(name === "index" ? (names.pop() ?? "home") : name);
}
