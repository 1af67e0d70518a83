import { encodedSlug } from "../source/address.ts";
import { isObject, objectIn } from "../source/json/object.ts";
import type { SourceIndex } from "../source/source-index.ts";
import type { ModelLanguages } from "./page.ts";
import type { Site } from "./site.ts";

/** A language of a site that has `locales` in its `_site.json`. */
export interface Language {
  code: string;
  label: string;
  /** Its folder in the content folder; "" for the main language. */
  folder: string;
  /** The path of its home page on the website, without a slash at its end. */
  path: string;
}

/** The form of a BCP 47 tag that names a language, perhaps with a script, a region and variants. */
export const LOCALE =
  /^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|\d{3}))?(?:-(?:[A-Za-z0-9]{5,8}|\d[A-Za-z0-9]{3}))*$/;
export const LOCALE_PATH = /^\/(?:[A-Za-z0-9_-]+\/)*$/;

export type Languages = Pick<Site, "locales">;

const known = new WeakMap<object, readonly Language[]>();

/** In the order of display, the main language first; empty if the site has only one. */
export function languagesOf({ locales }: Languages): readonly Language[] {
  if (locales === undefined) return [];
  let languages = known.get(locales);
  if (languages === undefined) {
    languages = Object.entries(locales).map(([code, written], k): Language => {
      const { label, path: given } =
        typeof written === "string" ? { label: written, path: undefined } : written;
      const folder = k === 0 ? "" : code.toLowerCase();
      const path = given ?? (k === 0 ? "/" : `/${encodedSlug(folder)}/`);
      return { code, label, folder, path: path.replace(/\/$/, "") };
    });
    known.set(locales, languages);
  }
  return languages;
}

/** The language of a file or folder, by its path in the content folder. */
export function languageAt(path: string, site: Languages): Language | undefined {
  const languages = languagesOf(site);
  // A loop, because this is called for every page.
  for (const language of languages) {
    const { folder } = language;
    if (folder !== "" && path.startsWith(folder) && (path[folder.length] ?? "/") === "/") return language;
  }
  return languages[0];
}

/** Whether a source is the home page of the site or of a language. */
export const isHomeFile = (file: string, site: Languages): boolean =>
  ["index.json", ...languagesOf(site).map(({ folder }) => `${folder}/index.json`)].includes(file);

/** What the page types depend on; undefined for a site with one language. */
export const modelLanguagesOf = ({
  locales,
  translations,
}: Partial<Record<"locales" | "translations", unknown>>): ModelLanguages | undefined =>
  isObject(locales) && Object.keys(locales).length > 0
    ? { codes: Object.keys(locales), hasTranslations: translations !== false }
    : undefined;

/** Those of a `_site.json` that may have mistakes. */
export const languagesIn = (bytes: Buffer | string | undefined): ModelLanguages | undefined =>
  // Most sites have one language, and need no parsing.
  bytes?.includes('"locales"') === true ? modelLanguagesOf(objectIn(bytes.toString()) ?? {}) : undefined;

/** Marks the folders of languages in a listing: their pages have no parent. */
export function markLanguages(listing: SourceIndex, site: Languages | undefined): void {
  const languages = site === undefined ? [] : languagesOf(site);
  for (const folder of listing.folders) {
    // A listing that another build made may have other marks.
    delete folder.isHome;
    if (folder.parent === 0 && languages.some((one) => one.folder === folder.path)) folder.isHome = true;
  }
}
