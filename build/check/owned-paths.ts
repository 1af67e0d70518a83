import { finding, nearest, type Finding } from "../findings/finding.ts";
import { nodeAt } from "../json/node.ts";
import type { ParsedJson } from "../json/parse.ts";
import { placeOf } from "../json/place.ts";
import type { Site } from "../page/site.ts";
import type { Listing } from "../sources/listing.ts";
import { folderAddress, isPathBelow, linkPath, ownOriginLength, pathsOf, sitePath } from "../sources/tree.ts";
import type { Link } from "./values.ts";

/** Maximum number of findings of each kind for which the nearest page is looked for. */
const MOST_NEAREST = 50;

interface Pages {
  listing: Listing;
  site: Site;
  /** The links of all pages below `owned_paths`. */
  links: Link[];
  readSite: () => ParsedJson;
}

/** Links below `owned_paths` that lead to no page, and owned paths that no page has. */
export function findInOwnedPaths(all: Pages): Finding[] {
  const { listing, site, links } = all;
  const empty = withoutSection(listing, site);
  // A site with many pages and no link need not spell their addresses.
  if (links.length === 0 && empty.length === 0) return [];
  const pages = pathsOf(listing, site);
  return [...findEmptyPaths(all, empty, pages), ...findDeadLinks(links, pages, site)];
}

/** The numbers of the owned paths that are not the address of a page with its own folder. */
function withoutSection({ folders }: Listing, site: Site): number[] {
  if (site.owned_paths.length === 0) return [];
  const sections = new Set<string | undefined>();
  for (const { path, index } of folders)
    if (index !== -1) sections.add(sitePath(folderAddress(path, site), site));
  return [...site.owned_paths.keys()].filter((k) => !sections.has(sitePath(site.owned_paths[k] ?? "", site)));
}

/** Owned paths that neither are the path of a page nor have one below them. */
function findEmptyPaths(
  { site, readSite }: Pages,
  suspects: readonly number[],
  pages: ReadonlyMap<string, number>,
): Finding[] {
  const all = [...pages.keys()];
  let parsed: ParsedJson | undefined;
  return suspects.flatMap((k): Finding[] => {
    const path = site.owned_paths[k] ?? "";
    const owned = sitePath(path, site);
    if (owned === undefined || all.some((page) => isPathBelow(page, owned))) return [];
    const { source, root } = (parsed ??= readSite());
    const node = root && nodeAt(root, ["owned_paths", k]).node;
    const like = k < MOST_NEAREST ? nearestPage(owned, all) : undefined;
    const args = { path, nearest: like && like + (path.endsWith("/") ? "/" : "") };
    return [finding("empty-owned-path", args, placeOf(source, node?.start ?? 0, node?.end ?? 0))];
  });
}

/** Links below the site's own paths that lead to no page. */
const findDeadLinks = (links: readonly Link[], pages: ReadonlyMap<string, number>, site: Site): Finding[] =>
  links
    .map(({ href, place }) => ({ href, place, origin: ownOriginLength(href, site) ?? 0 }))
    .filter(({ href, origin }) => !pages.has(linkPath(href.slice(origin))))
    .map(({ href, place, origin }, k) => {
      const path = href.slice(origin);
      const like = k < MOST_NEAREST ? nearestPage(linkPath(path), [...pages.keys()]) : undefined;
      const slash = like !== undefined && /\/(?:[?#]|$)/.test(path) ? "/" : "";
      return finding("dead-link", { href, nearest: like && href.slice(0, origin) + like + slash }, place);
    });

const nearestPage = (path: string, pages: readonly string[]): string | undefined =>
  nearest(
    path,
    pages.filter((page) => Math.abs(page.length - path.length) < 4),
  );
