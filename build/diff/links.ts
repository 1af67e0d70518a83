import { linksTo } from "../edit/links.ts";
import { finding, type Finding } from "../findings/finding.ts";
import type { PageModel } from "../page/page.ts";
import type { Site } from "../page/site.ts";
import type { Listing } from "../sources/listing.ts";
import { linkPath } from "../sources/tree.ts";
import type { RemovedAddress } from "./comparison.ts";

/** Maximum number of findings; `npm run check` lists all. */
const MAX_FINDINGS = 50;

/** Findings about links to removed addresses, on all pages: few of those pages are edited in the same change. */
export function deadLinks(
  content: string,
  model: PageModel,
  listing: Listing,
  site: Site,
  addresses: readonly RemovedAddress[],
): Finding[] {
  const now = new Map(
    addresses.map((removed) => [linkPath(pathOf(removed.address)), removed.now && pathOf(removed.now)]),
  );
  const findings: Finding[] = [];
  if (now.size === 0) return findings;
  for (const { links } of linksTo(content, model, listing, site, new Set(now.keys())))
    for (const { href, path, place } of links) {
      findings.push(finding("dead-link", { href, nearest: now.get(path) }, place));
      if (findings.length === MAX_FINDINGS) return findings;
    }
  return findings;
}

const pathOf = (address: string): string => new URL(address).pathname;
