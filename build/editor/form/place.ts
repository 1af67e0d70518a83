import { fold } from "../../browse/words.js";
import { isReservedName, isSlug as hasSlugCharacters, nameOfSlug } from "../../source/address.ts";
import { fileWithFolder, hasSubpages } from "../../source/page-files.ts";
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

export function newFile(types: PageTypes, { parentFile, slug, type, isDraft, isSection }: NewPlace): string {
  const parent = hasSubpages(parentFile) ? parentFile : fileWithFolder(parentFile);
  const folder = parent.replace(/_?index\.json$/, "");
  const name = nameOfSlug(slug);
  if (isSection === true) return `${folder}${name}/${isDraft ? "_" : ""}index.json`;
  if (isDraft) return `${folder}_${name}.json`;
  return types.of(type).isFolder ? `${folder}${name}/index.json` : `${folder}${name}.json`;
}
