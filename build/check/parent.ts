import { livePeriod, ownPeriod } from "../page/live.ts";
import type { Site } from "../page/site.ts";
import { detailUrl, type Parent } from "../sources/tree.ts";
import type { CheckedPage, PagePosition } from "./page.ts";

/** A page as its subpages see it. */
export function asParent(
  { page, type, address }: CheckedPage,
  at: PagePosition,
  site: Site | undefined,
): Parent {
  const parent: Parent = { address: address ?? "" };
  if (type !== undefined) parent.type = type;
  if (page !== undefined && site !== undefined && address !== undefined && type !== undefined)
    parent.summary = {
      id: page.id,
      meta: { type, detail_url: detailUrl(site, page.id), html_url: address },
      title: page.title,
    };
  const own = page && ownPeriod(page.meta);
  const live = livePeriod(own, at.parent === "root" ? undefined : at.parent?.live);
  if (live !== undefined) parent.live = live;
  return parent;
}
