import { LOCALE, LOCALE_PATH } from "../../model/languages.ts";
import type { Site } from "../../model/site.ts";
import { isObject, type JsonObject } from "../../source/json/object.ts";
import { isId, withoutSlash } from "./values.ts";

/* The languages of a host, and the translations in its responses. */

interface Home {
  id: number;
  address: string | undefined;
  locale?: string | undefined;
}

/** Pages with their subpages (`familiesOf`). */
interface Families<P> {
  children: { has: (page: P) => boolean };
  largestFirst: (pages: readonly P[]) => P[];
}

export interface HostLanguages<P> {
  /** The home page of each language, the main one first; at most one on a host with one language. */
  homes: readonly P[];
  /** As in `_site.json`; undefined on a host with one language. */
  locales: Site["locales"];
  /** The address that is above those of all home pages, without a slash at its end. */
  address: string;
  /** Whether nothing shows which language is the main one. */
  isGuess: boolean;
}

interface Hints {
  /** Codes of languages in the order in which a response has them, separated by spaces. */
  sequences?: Iterable<string>;
  /** The language of the home page of the host's site. */
  root?: string | undefined;
}

const folderOf = ({ address = "" }: Home): string => `${withoutSlash(address)}/`;

const originOf = ({ address = "" }: Home): string => (URL.canParse(address) ? new URL(address).origin : "");

/**
 * The main language is that of the host's site, or the one whose home page is above the others. Without such a page, it
 * is the one whose home page has subpages and the lowest id. Another language may have more pages.
 */
export function languagesAmong<P extends Home>(
  pages: readonly P[],
  { children, largestFirst }: Families<P>,
  { sequences = [], root }: Hints = {},
): HostLanguages<P> {
  const all = largestFirst(pages);
  const firsts = all
    .filter(({ locale }, i) => all.findIndex((home) => home.locale === locale) === i)
    .sort((a, b) => a.id - b.id);
  const above = firsts.find((home) => firsts.every((other) => folderOf(other).startsWith(folderOf(home))));
  const ofRoot = firsts.find(({ locale }) => root !== undefined && locale === root);
  const main = above ?? ofRoot ?? firsts.find((home) => children.has(home)) ?? firsts[0];
  const taken = new Set<string>();
  const fits = (home: P): boolean => {
    const { locale = "" } = home;
    const [folder, path] = [locale.toLowerCase(), `at ${folderOf(home)}`];
    if (!LOCALE.test(locale) || main === undefined || originOf(home) !== originOf(main)) return false;
    const isFree = !taken.has(folder) && !taken.has(path);
    taken.add(folder).add(path);
    return isFree;
  };
  const fitting = main === undefined ? [] : [main, ...firsts.filter((home) => home !== main)].filter(fits);
  const base = commonFolder(fitting.map(folderOf));
  const pathOf = (home: P): string => folderOf(home).slice(base.length - 1);
  const homes = fitting.filter((home) => LOCALE_PATH.test(pathOf(home)));
  if (main === undefined || homes.length < 2 || homes[0] !== main)
    return {
      homes: main === undefined ? [] : [main],
      locales: undefined,
      address: withoutSlash(main?.address ?? ""),
      isGuess: false,
    };
  const known = [...sequences].map((codes) => codes.split(" "));
  const ordered = inSequence(homes, known);
  const locales = ordered.map((home, k) => {
    const [code, path] = [home.locale ?? "", pathOf(home)];
    const usual = k === 0 ? "/" : `/${code.toLowerCase()}/`;
    return [code, path === usual ? labelOf(code) : { label: labelOf(code), path }] as const;
  });
  return {
    homes: ordered,
    locales: Object.fromEntries(locales),
    address: withoutSlash(base),
    isGuess: (above ?? ofRoot) === undefined && !known.some((codes) => codes.length > 1),
  };
}

/** The longest path of folders that begins all addresses, with a slash at its end. */
function commonFolder(folders: readonly string[]): string {
  let [base = ""] = folders;
  while (!folders.every((folder) => folder.startsWith(base)))
    base = base.slice(0, base.lastIndexOf("/", base.length - 2) + 1);
  return base;
}

/** The home pages in an order that all sequences of codes have; otherwise they stay in their order. */
function inSequence<P extends Home>(homes: readonly P[], sequences: readonly (readonly string[])[]): P[] {
  const isBefore = (a: Home, b: Home): boolean =>
    sequences.some((codes) => {
      const [one, other] = [codes.indexOf(a.locale ?? ""), codes.indexOf(b.locale ?? "")];
      return one !== -1 && one < other;
    });
  // Not sorted by comparisons: no sequence may have both of two languages, whose order follows from a third.
  const open = [...homes];
  const ordered: P[] = [];
  while (open.length > 0) {
    const first = open.findIndex((home) => !open.some((other) => isBefore(other, home)));
    for (const home of open.splice(Math.max(first, 0), 1)) ordered.push(home);
  }
  return ordered;
}

/** The name of a language in this language, such as “Cymraeg”. */
function labelOf(code: string): string {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/** Translations in a response, whatever else is said of them; undefined if the value is none. */
export const translationsIn = (value: unknown): JsonObject[] | undefined =>
  Array.isArray(value) && value.every((one) => isObject(one) && isId(one["id"]))
    ? (value as JsonObject[])
    : undefined;

/** The codes of translations that have the members of this API's own; undefined if one has others. */
export function codesIn(translations: readonly JsonObject[]): string[] | undefined {
  const codes = translations.map(({ meta, ...others }) =>
    isObject(meta) &&
    Object.keys(others).join() === "id,title" &&
    Object.keys(meta).join() === "type,locale,detail_url,html_url"
      ? meta["locale"]
      : undefined,
  );
  return codes.every((code) => typeof code === "string") ? codes : undefined;
}
