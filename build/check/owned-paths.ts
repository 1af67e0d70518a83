import { later, type Instant, type Period } from "../base/instant.ts";
import { finding, nearest, type Finding } from "../findings/finding.ts";
import type { ParsedJson } from "../json/parse.ts";
import { periodOrAlways, spokenPeriod } from "../page/live.ts";
import type { PageModel } from "../page/page.ts";
import type { Site } from "../page/site.ts";
import type { Listing } from "../sources/listing.ts";
import { folderAddress, isPathBelow, linkPath, ownOriginLength, pathsOf, sitePath } from "../sources/tree.ts";
import type { PageFindings } from "./page.ts";
import { linksOf, placeAt, type Link } from "./nodes.ts";

/** Maximum number of findings of each kind for which the nearest page is searched. */
const MAX_NEAREST = 50;

interface Pages {
  model: PageModel;
  listing: Listing;
  site: Site;
  pages: PageFindings[];
  read: (file: number) => ParsedJson;
  readSite: () => ParsedJson;
  at: Instant;
  /** Undefined if the page and all its ancestors are always live. */
  liveOf: (file: number) => Period | undefined;
}

/** Finds links below `owned_paths` to addresses without a page, now or later, and owned paths without a page. */
export function findInOwnedPaths(all: Pages): Finding[] {
  const { listing, site } = all;
  const empty = withoutSection(listing, site);
  // If there are no links, the addresses of the pages need not be computed.
  if (all.pages.every(({ links }) => links.length === 0) && empty.length === 0) return [];
  const paths = pathsOf(listing, site);
  return [
    ...findEmptyPaths(all, empty, paths),
    ...findDeadLinks(all, paths),
    ...findLinksNotLive(all, paths),
  ];
}

/** The indices of the owned paths that are not the address of a folder. */
function withoutSection({ folders }: Listing, site: Site): number[] {
  if (site.owned_paths.length === 0) return [];
  const sections = new Set<string | undefined>();
  // A section that is currently a draft counts too.
  for (const { path } of folders) sections.add(sitePath(folderAddress(path, site), site));
  return [...site.owned_paths.keys()].filter((k) => !sections.has(sitePath(site.owned_paths[k] ?? "", site)));
}

/** Finds owned paths with no page at the path or below it. */
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
    parsed ??= readSite();
    const like = k < MAX_NEAREST ? nearestPage(owned, all) : undefined;
    const args = { path, nearest: like && like + (path.endsWith("/") ? "/" : "") };
    return [finding("empty-owned-path", args, placeAt(parsed, ["owned_paths", k]))];
  });
}

/** Finds links below the owned paths to addresses without a page. */
function findDeadLinks({ model, pages, site, read }: Pages, paths: ReadonlyMap<string, number>): Finding[] {
  const originOf = (href: string): number => ownOriginLength(href, site) ?? 0;
  const known = new Map<string, boolean>();
  const isDead = (href: string): boolean => {
    let dead = known.get(href);
    if (dead === undefined) known.set(href, (dead = !paths.has(linkPath(href.slice(originOf(href))))));
    return dead;
  };
  const findings: Finding[] = [];
  for (const { file, links } of pages)
    for (const { href, place } of linksIn(model, read, file, links.filter(isDead))) {
      const origin = originOf(href);
      const path = href.slice(origin);
      const like = findings.length < MAX_NEAREST ? nearestPage(linkPath(path), [...paths.keys()]) : undefined;
      const slash = like !== undefined && /\/(?:[?#]|$)/.test(path) ? "/" : "";
      const args = { href, nearest: like && href.slice(0, origin) + like + slash };
      findings.push(finding("dead-link", args, place));
    }
  return findings;
}

function linksIn(model: PageModel, read: Pages["read"], file: number, targets: readonly string[]): Link[] {
  if (targets.length === 0) return [];
  const { source, root } = read(file);
  if (root === undefined) return [];
  return linksOf(source, root, model).filter(({ href }) => targets.includes(href));
}

/** Finds links below the owned paths to pages that are not live, now or later, while the page itself is. */
function findLinksNotLive(
  { model, listing, pages, site, read, at, liveOf }: Pages,
  paths: ReadonlyMap<string, number>,
): Finding[] {
  const targetOf = (href: string): number | undefined =>
    paths.get(linkPath(href.slice(ownOriginLength(href, site) ?? 0)));
  return pages.flatMap(({ file, links }): Finding[] => {
    const own = liveOf(file);
    const isAlone = (href: string): boolean => {
      const target = targetOf(href);
      return target !== undefined && isLiveWithout(own, liveOf(target), at);
    };
    return linksIn(model, read, file, links.filter(isAlone)).map(({ href, place }): Finding => {
      const target = targetOf(href) as number;
      const periods = { own: spokenPeriod(own), target: spokenPeriod(liveOf(target)) };
      return finding("link-not-live", { href, page: listing.path(target), ...periods }, place);
    });
  });
}

/** Whether there is an instant, from now on, at which one page is live and the other is not. */
function isLiveWithout(one: Period | undefined, other: Period | undefined, at: Instant): boolean {
  if (other === undefined) return false;
  const { from, until } = periodOrAlways(one);
  const first = later(from, at);
  return first < until && (first < other.from || until > other.until);
}

const nearestPage = (path: string, pages: readonly string[]): string | undefined =>
  nearest(
    path,
    pages.filter((page) => Math.abs(page.length - path.length) < 4),
  );
