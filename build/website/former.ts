import { redirectsIn, type PublishedPages } from "../check/history.ts";
import type { History } from "../page/history.ts";
import type { Site } from "../page/site.ts";
import { homeAddress } from "../sources/tree.ts";

/** The former addresses that another address replaces, as names like those of pages: paths below `site_url`. */
export function formerAddresses(
  published: PublishedPages,
  history: History,
): [address: string, to: string][] {
  const { site } = published;
  return redirectsIn(published, history).flatMap(({ from, to }): [string, string][] => {
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
