import { pathOf } from "../base/api.ts";
import { grouped } from "../base/grouped.ts";
import type { Period } from "../base/instant.ts";
import { finding, startOf, type Finding } from "../findings/finding.ts";
import type { SourceIndex } from "../source/source-index.ts";
import { encodedSlug, nameOfSlug, slugKey, slugOfName } from "../source/address.ts";
import { formats } from "./formats.ts";
import type { ParentSummary } from "./page.ts";
import type { PageType } from "./page-types.ts";
import { languageAt, languagesOf, type Language, type Languages } from "./languages.ts";
import type { Site } from "./site.ts";

/** The data of a folder's page that its subpages need. */
export interface Parent {
  address: string;
  /** Absent if the page has no known type. */
  type?: PageType;
  /** Absent if the page has errors in these fields. */
  summary?: ParentSummary;
  /** The time in which the page and all its ancestors are live; absent if that is always. */
  live?: Period;
}

export const detailUrl = (site: Site, id: number): string => site.base_url + pathOf(id);

export const homeAddress = (site: Pick<Site, "site_url">): string => `${site.site_url}/`;

/** @param folder the folder of the language; "" for the main one */
export function homeAddressIn(folder: string, site: LanguageSite): string {
  const path = languagesOf(site).find((one) => one.folder === folder)?.path ?? "";
  return path === "" || site.append_slash ? `${site.site_url}${path}/` : site.site_url + path;
}

type LanguageSite = Pick<Site, "site_url" | "append_slash"> & Languages;

export const childAddress = (parentAddress: string, slug: string, site: Pick<Site, "append_slash">): string =>
  `${parentAddress}${parentAddress.endsWith("/") ? "" : "/"}${encodedSlug(slug)}${site.append_slash ? "/" : ""}`;

/** It follows only from the path of the folder. */
export function folderAddress(folderPath: string, site: Site): string {
  const parts = folderPath.split("/");
  const [top = ""] = parts;
  const isLanguage = top !== "" && languagesOf(site).some(({ folder }) => folder === top);
  let address = homeAddressIn(isLanguage ? top : "", site);
  for (const part of isLanguage ? parts.slice(1) : parts)
    if (part !== "" && !part.startsWith("_")) address = childAddress(address, slugOfName(part), site);
  return address;
}

/** The function returns the path in the content folder of the page with a path of the website, as of `linkPath`. */
export function contentPaths(site: Site): (path: string) => string {
  const homes = ["", ...languagesOf(site).map(({ folder }) => folder)]
    .map((folder) => ({ folder, path: linkPath(new URL(homeAddressIn(folder, site)).pathname) }))
    // A home page may be below another one.
    .sort((one, other) => other.path.length - one.path.length);
  return (path) => {
    const home = homes.find((one) => isPathBelow(path, one.path));
    const below = path.slice((home?.path.length ?? 0) + 1);
    return [home?.folder, below].filter(Boolean).join("/");
  };
}

/** The folder of the subpages of a source's page, whether or not it is there. */
export const folderOf = (file: string): string => file.replace(/(?:(?:^|\/)index)?\.json$/, "");

/** The address of a source's page, which is no draft. */
export const pageAddress = (file: string, site: Site): string => folderAddress(folderOf(file), site);

/** The path of a source's page below the home page; undefined for a draft, and for a file that is not a source. */
export function addressPathOf(file: string): string | undefined {
  const parts = file.split("/");
  const name = parts.pop() ?? "";
  if (!name.endsWith(".json") || name.startsWith("_") || name.startsWith(".")) return undefined;
  if (name !== "index.json") parts.push(name.slice(0, -".json".length));
  return parts
    .filter((part) => !part.startsWith("_"))
    .map(slugOfName)
    .join("/");
}

/** By folder: the address of its page, or for a grouping folder, of the page above. */
export function folderAddresses(listing: SourceIndex, site: LanguageSite): string[] {
  const home = homeAddressIn("", site);
  const folders: string[] = [];
  for (const folder of listing.folders) {
    const above = folders[folder.parent] ?? home;
    const slug = slugOfName(folder.path.slice(folder.path.lastIndexOf("/") + 1));
    if (folder.parent === -1 || folder.isHome === true) folders.push(homeAddressIn(folder.path, site));
    else folders.push(folder.isGroup ? above : childAddress(above, slug, site));
  }
  return folders;
}

export function addressesOf(listing: SourceIndex, site: LanguageSite): (file: number) => string {
  const folders = folderAddresses(listing, site);
  return (file) => {
    const folder = folders[listing.folderOf[file] ?? 0] ?? "";
    return listing.kind(file) === "index" ? folder : childAddress(folder, listing.slug(file), site);
  };
}

/** The file numbers of all published pages, by their paths on the website without a trailing slash. */
export function pathsOf(listing: SourceIndex, site: Site): Map<string, number> {
  const addressOf = addressesOf(listing, site);
  const origin = new URL(homeAddress(site)).origin.length;
  const paths = new Map<string, number>();
  for (let i = 0; i < listing.count; i++)
    if (listing.kind(i) !== "draft") paths.set(linkPath(addressOf(i).slice(origin)), i);
  return paths;
}

/**
 * The length of the part of a link that names this website: 0 for a path, scheme and host for a complete address;
 * undefined for another website. “www.” and the scheme do not matter.
 */
export function ownOriginLength(href: string, site: Site): number | undefined {
  if (formats["site-relative"].matches(href)) return 0;
  const origin = formats["absolute-url"].matches(href) ? ORIGIN.exec(href)?.[0] : undefined;
  if (origin === undefined || hostOf(origin) !== hostOf(ORIGIN.exec(site.site_url)?.[0] ?? ""))
    return undefined;
  return origin.length;
}

const ORIGIN = /^https?:\/\/[^/?#\\]+/i;

/** The host with its port, as browsers parse it, without “www.” and a trailing dot. */
function hostOf(origin: string): string {
  try {
    return new URL(origin).host.replace(/^www\./, "").replace(/\.(?=:|$)/, "");
  } catch {
    return origin;
  }
}

/** The path of a site-relative address, without query, fragment and trailing slash. */
export function linkPath(href: string): string {
  const path = href.replace(/[?#].*$/s, "").replace(/\/$/, "");
  if (!path.includes("%")) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** As in `pathsOf`: without host, query, fragment and trailing slash. Undefined for another host. */
export function sitePath(address: string, site: Site): string | undefined {
  const home = homeAddress(site);
  if (!URL.canParse(address, home)) return undefined;
  const { origin, pathname } = new URL(address, home);
  return hostOf(origin) === hostOf(home) ? linkPath(pathname) : undefined;
}

/** Whether a path is one of `owned_paths`, or below one. */
export function isOwned(site: Site): (path: string) => boolean {
  const owned = site.owned_paths.map((path) => sitePath(path, site));
  return (path) => owned.some((above) => above !== undefined && isPathBelow(path, above));
}

export const isPathBelow = (path: string, above: string): boolean =>
  path === above || path.startsWith(`${above}/`);

/** "root" for the home page; undefined if the folder has no page. */
export function parentOf(
  listing: SourceIndex,
  parents: (Parent | undefined)[],
  i: number,
): Parent | "root" | undefined {
  const folder = listing.parentOf(i);
  return folder === -1 ? "root" : parents[folder];
}

/** The position of a file on a site; `file` is its path. */
export function positionIn(
  listing: SourceIndex,
  parents: (Parent | undefined)[],
  i: number,
  file: string,
  site: Site | undefined,
): {
  parent: Parent | "root" | undefined;
  slug: string;
  language?: Language | undefined;
  translations?: string | undefined;
} {
  const [parent, slug] = [parentOf(listing, parents, i), listing.slug(i)];
  if (site?.locales === undefined) return { parent, slug };
  // Objects that never change their layout: code that V8 optimised for them stays fast.
  return { parent, slug, language: languageAt(file, site), translations: undefined };
}

/**
 * Finds subpages of one parent page with the same slug, in any files and grouping folders; case does not matter. Each
 * such page gets a finding that names another one.
 */
export function findSlugClashes(listing: SourceIndex): Finding[] {
  const families = new Map<number, number[]>();
  for (let i = 0; i < listing.count; i++) {
    const parent = listing.kind(i) === "draft" ? -1 : listing.parentOf(i);
    const family = families.get(parent);
    if (family === undefined) families.set(parent, [i]);
    else family.push(i);
  }
  families.delete(-1);
  return [...families.values()].flatMap((family) => clashesIn(listing, family));
}

/** Finds pages at the address of a language's home page. */
export function findLanguageClashes(listing: SourceIndex, site: Site): Finding[] {
  if (languagesOf(site).length < 2) return [];
  const addressOf = addressesOf(listing, site);
  const homes = new Map<string, number>();
  for (const { index, parent, isHome } of listing.folders)
    if (index !== -1 && (parent === -1 || isHome === true)) homes.set(addressOf(index), index);
  // Most names have another length than the last parts of these addresses.
  const lengths = new Set<number>();
  for (const address of homes.keys()) {
    const slug = /([^/]*)\/?$/.exec(address)?.[1] ?? "";
    for (const name of [slug, nameOfSlug(slug)]) lengths.add(`${name}.json`.length);
  }
  const clashing: Finding[] = [];
  for (let i = 0; i < listing.count; i++) {
    const kind = listing.kind(i);
    if (kind === "draft" || (kind === "leaf" && !lengths.has(listing.name(i).length))) continue;
    const home = homes.get(addressOf(i));
    if (home === undefined || home === i) continue;
    const [file, other] = [listing.path(i), listing.path(home)];
    clashing.push(finding("slug-clash", { slug: listing.slug(i), other }, startOf(file), startOf(other)));
  }
  return clashing;
}

function clashesIn(listing: SourceIndex, family: readonly number[]): Finding[] {
  const slugOf = (i: number): string => slugKey(listing.slug(i));
  // Almost always true; the files then need not be grouped.
  if (new Set(family.map(slugOf)).size === family.length) return [];
  const groups = [...grouped(family, slugOf).values()].filter((group) => group.length > 1);
  return groups.flatMap((group) =>
    group.map((i, k) => {
      const other = group[k === 0 ? 1 : 0] ?? i;
      const args = { slug: listing.slug(i), other: listing.path(other) };
      return finding("slug-clash", args, startOf(listing.path(i)), startOf(listing.path(other)));
    }),
  );
}
