import { later, type Instant, type Period } from "../base/instant.ts";
import { finding, nearest, type Finding } from "../findings/finding.ts";
import type { ParsedJson } from "../source/json/parse.ts";
import { periodOrAlways, formatPeriod } from "../model/schedule.ts";
import type { PageType } from "../model/page-types.ts";
import { referenceIn } from "../model/reference.ts";
import type { Site } from "../model/site.ts";
import type { SourceIndex } from "../source/source-index.ts";
import { folderAddress, isPathBelow, linkPath, ownOriginLength, pathsOf, sitePath } from "../model/tree.ts";
import { placeAt } from "../source/json/place.ts";
import { leadsBelowOwned, linksOf, type AllPages, type Link } from "./nodes.ts";

/** Maximum number of findings of each kind for which the nearest page is searched. */
const MAX_NEAREST = 50;

type Pages = AllPages & { site: Site };

/**
 * Finds links below `owned_paths` to addresses without a page, now or later, references to ids without a page, and owned
 * paths without a page.
 */
export function findInOwnedPaths(of: Pages): Finding[] {
  const { listing, site } = of;
  const isOwnedLink = leadsBelowOwned(site);
  // With a repository, the other links to this website are kept too.
  const pages =
    site.repository === undefined
      ? of.pages
      : of.pages.map((page) => ({ ...page, links: page.links.filter(isOwnedLink) }));
  const all = { ...of, pages };
  const empty = withoutSection(listing, site);
  // If there are no links, the addresses of the pages need not be computed.
  if (pages.every(({ links }) => links.length === 0) && empty.length === 0) return [];
  const paths = pathsOf(listing, site);
  const files = filesById(all);
  return [
    ...findEmptyPaths(all, empty, paths),
    ...findDeadLinks(all, paths),
    ...findDeadReferences(all, files),
    ...findLinksNotLive(all, paths, files),
  ];
}

/** The indices of the owned paths that are not the address of a folder. */
function withoutSection({ folders }: SourceIndex, site: Site): number[] {
  if (site.owned_paths.length === 0) return [];
  const sections = new Set<string | undefined>();
  // A section that is currently a draft counts too.
  for (const { path } of folders) sections.add(sitePath(folderAddress(path, site), site));
  return [...site.owned_paths.keys()].filter((k) => !sections.has(sitePath(site.owned_paths[k] ?? "", site)));
}

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

/** Empty if there are no references. */
function filesById({ ids, pages }: Pages): ReadonlyMap<number, number> {
  const wanted = new Set(pages.flatMap(({ links }) => links.map((link) => referenceIn(link)?.id ?? 0)));
  const files = new Map<number, number>();
  if (wanted.size > 1 || !wanted.has(0))
    for (const [file, id] of ids.entries()) if (id !== 0 && wanted.has(id)) files.set(id, file);
  return files;
}

/** The findings about the wrong ones of all links, for which their sources are read again. */
const findLinks = (
  { model, pages, read }: Pages,
  isWrong: (href: string, file: number) => boolean,
  findingOf: (link: Link, file: number) => Finding,
): Finding[] =>
  pages
    .map(({ file, links }) => ({ file, wrong: links.filter((href) => isWrong(href, file)) }))
    .filter(({ wrong }) => wrong.length > 0)
    // Not in the order of reading: only for the first links is the nearest page searched.
    .sort((one, other) => one.file - other.file)
    .flatMap(({ file, wrong }): Finding[] => {
      const { source, root } = read(file);
      const found = root === undefined ? [] : linksOf(source, root, model);
      return found.filter(({ href }) => wrong.includes(href)).map((link) => findingOf(link, file));
    });

/** Finds references to ids that no page has, and to pages of another type than meant. */
function findDeadReferences(all: Pages, files: ReadonlyMap<number, number>): Finding[] {
  const foundType = (id: number): PageType | undefined => {
    const file = files.get(id);
    return file === undefined ? undefined : all.model.names[(all.types[file] ?? 0) - 1];
  };
  // A source that cannot be read may have the id.
  const areKnown = all.ids.every((id, file) => id !== 0 || all.listing.kind(file) === "draft");
  const isDead = (target: string): boolean => {
    const reference = referenceIn(target);
    if (reference === undefined) return false;
    const type = foundType(reference.id);
    return (
      (areKnown && !files.has(reference.id)) ||
      (type !== undefined && reference.types?.includes(type) === false)
    );
  };
  return findLinks(all, isDead, ({ href, field, place }) => {
    const { id, types } = referenceIn(href) ?? { id: 0, types: undefined };
    return finding("dead-reference", { field, id, type: foundType(id), types }, place);
  });
}

function findDeadLinks(all: Pages, paths: ReadonlyMap<string, number>): Finding[] {
  const originOf = (href: string): number => ownOriginLength(href, all.site) ?? 0;
  const known = new Map<string, boolean>();
  const isDead = (href: string): boolean => {
    if (referenceIn(href) !== undefined) return false;
    let dead = known.get(href);
    if (dead === undefined) known.set(href, (dead = !paths.has(linkPath(href.slice(originOf(href))))));
    return dead;
  };
  let count = 0;
  return findLinks(all, isDead, ({ href, place }) => {
    const origin = originOf(href);
    const path = href.slice(origin);
    const like = count++ < MAX_NEAREST ? nearestPage(linkPath(path), [...paths.keys()]) : undefined;
    const slash = like !== undefined && /\/(?:[?#]|$)/.test(path) ? "/" : "";
    const args = { href, nearest: like && href.slice(0, origin) + like + slash };
    return finding("dead-link", args, place);
  });
}

/** Finds links below the owned paths, and references, to pages that are not live, now or later, while the page itself is. */
function findLinksNotLive(
  all: Pages,
  paths: ReadonlyMap<string, number>,
  files: ReadonlyMap<number, number>,
): Finding[] {
  const { listing, site, at, liveOf } = all;
  const targetOf = (href: string): number | undefined => {
    const reference = referenceIn(href);
    if (reference !== undefined) return files.get(reference.id);
    return paths.get(linkPath(href.slice(ownOriginLength(href, site) ?? 0)));
  };
  const isAlone = (href: string, file: number): boolean => {
    const target = targetOf(href);
    return target !== undefined && isLiveWithout(liveOf(file), liveOf(target), at);
  };
  return findLinks(all, isAlone, ({ href, place }, file) => {
    const target = targetOf(href) as number;
    const id = referenceIn(href)?.id;
    const link = id === undefined ? href : String(id);
    const periods = { own: formatPeriod(liveOf(file)), target: formatPeriod(liveOf(target)) };
    return finding("link-not-live", { href: link, page: listing.path(target), ...periods }, place);
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
