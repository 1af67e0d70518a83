import { SLUG_PATTERN } from "../../page/address.ts";
import { rowOf, type PageType } from "../../page/types.ts";

/** Letters whose spelling in addresses is not the letter without its accents. */
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ä: "ae",
  ö: "oe",
  ü: "ue",
};

const SLUG = new RegExp(`^${SLUG_PATTERN}$`);

export const isSlug = (text: string): boolean => SLUG.test(text);

/** The slug for a title; empty if the title has no character that a slug allows. */
export const suggestedSlug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[ßæœøłđðþäöü]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFD")
    .replace(/['’\p{M}]/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");

export interface NewPlace {
  /** The source file of the parent page. */
  parentFile: string;
  slug: string;
  type: PageType;
  isDraft: boolean;
}

/** Whether a page's file has a folder for subpages. */
export const hasFolder = (file: string): boolean => /(?:^|\/)index\.json$/.test(file);

/** The file of a page after it gets a folder. */
export const fileWithFolder = (file: string): string => file.replace(/\.json$/, "/index.json");

/** The source file of a new page. */
export function newFile({ parentFile, slug, type, isDraft }: NewPlace): string {
  const parent = hasFolder(parentFile) ? parentFile : fileWithFolder(parentFile);
  const folder = parent.replace(/index\.json$/, "");
  if (isDraft) return `${folder}_${slug}.json`;
  return rowOf(type).isFolder ? `${folder}${slug}/index.json` : `${folder}${slug}.json`;
}

/** Whether a source is a draft, or is in a draft section. */
export const isDraftFile = (file: string): boolean => /(?:^|\/)_[^/]*\.json$/.test(file);

/** The slug of a page, from its source file. */
export function slugOfFile(file: string): string {
  const names = file.replace(/\.json$/, "").split("/");
  const name = (names.pop() ?? "").replace(/^_/, "");
  return name === "index" ? (names.pop() ?? "home") : name;
}
