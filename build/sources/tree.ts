import { pathOf } from "../base/api.ts";
import { repeated } from "../base/columns.ts";
import type { Period } from "../base/instant.ts";
import { finding, startOf, type Finding } from "../findings/finding.ts";
import type { Listing } from "./listing.ts";
import { formats } from "../page/formats.ts";
import type { ParentSummary } from "../page/page.ts";
import type { PageType } from "../page/page-types.ts";
import type { Site } from "../page/site.ts";

/** The data that a page's response takes from its parent page and its own path. */
export interface Position {
  slug: string;
  /** `meta.html_url` */
  address: string;
  /** `meta.parent`; null for the home page, absent if the parent page has errors in these fields. */
  parent?: ParentSummary | null;
}

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

export const homeAddress = (site: Site): string => `${site.site_url}/`;

/** The address of a subpage on the website. */
export const childAddress = (parentAddress: string, slug: string, site: Site): string =>
  `${parentAddress}${parentAddress.endsWith("/") ? "" : "/"}${slug}${site.append_slash ? "/" : ""}`;

/** The address of a folder's page, which follows only from the folder's path. */
export function folderAddress(folderPath: string, site: Site): string {
  let address = homeAddress(site);
  for (const part of folderPath.split("/"))
    if (part !== "" && !part.startsWith("_")) address = childAddress(address, part, site);
  return address;
}

/** The file numbers of all published pages, by their paths on the website without a trailing slash. */
export function pathsOf(listing: Listing, site: Site): Map<string, number> {
  const home = homeAddress(site);
  const folders: string[] = [];
  for (const folder of listing.folders) {
    const above = folders[folder.parent] ?? home;
    const slug = folder.path.slice(folder.path.lastIndexOf("/") + 1);
    folders.push(folder.parent === -1 ? home : folder.isGroup ? above : childAddress(above, slug, site));
  }
  const origin = new URL(home).origin.length;
  const paths = new Map<string, number>();
  for (let i = 0; i < listing.count; i++) {
    const kind = listing.kind(i);
    const folder = folders[listing.folderOf[i] ?? 0] ?? home;
    if (kind === "draft") continue;
    const address = kind === "index" ? folder : childAddress(folder, listing.slug(i), site);
    paths.set(address.slice(origin).replace(/\/$/, ""), i);
  }
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
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/**
 * The path of an address on the website, as in `pathsOf`: without host, query, fragment and trailing slash. Undefined for
 * another host.
 */
export function sitePath(address: string, site: Site): string | undefined {
  const home = homeAddress(site);
  if (!URL.canParse(address, home)) return undefined;
  const { origin, pathname } = new URL(address, home);
  return hostOf(origin) === hostOf(home) ? linkPath(pathname) : undefined;
}

/** A function that returns whether a path is one of `owned_paths`, or below one. */
export function isOwned(site: Site): (path: string) => boolean {
  const owned = site.owned_paths.map((path) => sitePath(path, site));
  return (path) => owned.some((above) => above !== undefined && isPathBelow(path, above));
}

/** Whether a path of the website equals another, or is below it. */
export const isPathBelow = (path: string, above: string): boolean =>
  path === above || path.startsWith(`${above}/`);

/** The parent page of file i; "root" for the home page, undefined if the folder has no page. */
export function parentOf(
  listing: Listing,
  parents: (Parent | undefined)[],
  i: number,
): Parent | "root" | undefined {
  const folder = listing.parentOf(i);
  return folder === -1 ? "root" : parents[folder];
}

/** The position of file i; undefined if it is unknown, which another finding reports. */
export function positionOf(
  listing: Listing,
  parents: (Parent | undefined)[],
  i: number,
  site: Site | undefined,
): Position | undefined {
  const parent = parentOf(listing, parents, i);
  if (site === undefined || parent === undefined) return undefined;
  const slug = listing.slug(i);
  if (parent === "root") return { slug, address: homeAddress(site), parent: null };
  const address = childAddress(parent.address, slug, site);
  return parent.summary === undefined ? { slug, address } : { slug, address, parent: parent.summary };
}

/**
 * Finds subpages of one parent page with the same slug, in any files and grouping folders; case does not matter. Each
 * such page gets a finding that names another one.
 */
export function findSlugClashes(listing: Listing): Finding[] {
  const findings: Finding[] = [];
  // Compared by their hashes first, so that a million names do not become a million strings.
  const hashes = Float64Array.from(listing.names, (_, i) =>
    isSubpage(listing, i) ? slugHash(listing, i) : 0,
  );
  const clashes = new Map<string, number[]>();
  for (const files of repeated(hashes).values())
    for (const i of files) {
      const key = `${listing.parentOf(i)} ${listing.slug(i).toLowerCase()}`;
      clashes.set(key, [...(clashes.get(key) ?? []), i]);
    }
  for (const group of clashes.values()) {
    if (group.length === 1) continue;
    for (const [k, i] of group.entries()) {
      const other = group[k === 0 ? 1 : 0] ?? i;
      const args = { slug: listing.slug(i), other: listing.path(other) };
      findings.push(finding("slug-clash", args, startOf(listing.path(i)), startOf(listing.path(other))));
    }
  }
  return findings;
}

const isSubpage = (listing: Listing, i: number): boolean =>
  listing.kind(i) !== "draft" && listing.parentOf(i) !== -1;

/** A hash of a slug and its parent, above 0. It ignores case, because upper and lower case differ in one bit. */
function slugHash(listing: Listing, i: number): number {
  const slug = listing.slug(i);
  let hash = Math.imul(listing.parentOf(i) + 1, 0x9e3779b1);
  for (let at = 0; at < slug.length; at++)
    hash = Math.imul(hash ^ (hash >>> 15) ^ (slug.charCodeAt(at) | 0x20), 0x01000193);
  return (hash >>> 0) + 1;
}
