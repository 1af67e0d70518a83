import { checkHistoryFile } from "../../check/config.ts";
import { addressAtPath, redirectsIn } from "../../check/history.ts";
import type { ParsedJson } from "../../source/json/parse.ts";
import type { Site } from "../../model/site.ts";
import type { SourceIndex } from "../../source/source-index.ts";
import { homeAddress, pathsOf } from "../../model/tree.ts";

/** The old addresses that another address replaces, as paths below `site_url`, like the addresses of pages. */
export function oldAddresses(
  listing: SourceIndex,
  /** By file; 0 if its page is not published. */
  ids: Float64Array,
  site: Site,
  history: ParsedJson,
): [address: string, to: string][] {
  const { history: entries } = checkHistoryFile(history);
  if (entries === undefined) return [];
  const paths = pathsOf(listing, site);
  const moved = new Set(entries.moved.map(({ id }) => id));
  const pathOf = new Map<number, string>();
  for (const [path, file] of paths) {
    const id = ids[file] ?? 0;
    if (id === 0) paths.delete(path);
    if (moved.has(id)) pathOf.set(id, path);
  }
  const addressAt = (path: string | undefined): string | undefined =>
    path !== undefined && paths.has(path) ? addressAtPath(path, site) : undefined;
  const published = { site, addressAt, addressOf: (id: number) => addressAt(pathOf.get(id)) };
  return redirectsIn(published, entries).flatMap(({ from, to }): [string, string][] => {
    const path = pathBelow(site, new URL(from, homeAddress(site)).pathname);
    if (path === undefined || to === undefined) return [];
    const address = path.replace(/\/$/, "") + (site.append_slash ? "/" : "");
    return [[address, to.startsWith("/") ? (pathBelow(site, to) ?? new URL(to, site.site_url).href) : to]];
  });
}

/** A path of the host as a path below `site_url`; undefined if it is beside it. */
function pathBelow({ site_url }: Site, path: string): string | undefined {
  const above = new URL(site_url).pathname.replace(/\/$/, "");
  return path.startsWith(`${above}/`) ? path.slice(above.length) : undefined;
}
