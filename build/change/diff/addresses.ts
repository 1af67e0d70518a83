import { checkHistoryFile } from "../../check/config.ts";
import { linksTo } from "../links.ts";
import { finding, startOf, type Finding } from "../../findings/finding.ts";
import type { ParsedJson } from "../../source/json/parse.ts";
import { HISTORY } from "../../source/site-files.ts";
import type { PageModel } from "../../model/page.ts";
import type { Site } from "../../model/site.ts";
import type { SourceIndex } from "../../source/source-index.ts";
import { linkPath } from "../../model/tree.ts";
import type { Comparison, RemovedAddress } from "./comparison.ts";

const pathOf = (address: string): string => new URL(address).pathname;

/** Maximum number of findings; `npm run check` lists all. */
const MAX_DEAD_LINKS = 50;

/** Findings about links to removed addresses, on all pages: few of those pages are edited in the same change. */
export function deadLinks(
  content: string,
  model: PageModel,
  listing: SourceIndex,
  site: Site,
  addresses: readonly RemovedAddress[],
): Finding[] {
  const now = new Map(
    addresses.map((removed) => [linkPath(pathOf(removed.address)), removed.now && pathOf(removed.now)]),
  );
  const findings: Finding[] = [];
  if (now.size === 0) return findings;
  for (const { href, path, place } of linksTo({ content, model, listing, site }, new Set(now.keys()))) {
    findings.push(finding("dead-link", { href, nearest: now.get(path) }, place));
    if (findings.length === MAX_DEAD_LINKS) return findings;
  }
  return findings;
}

/** Maximum number of findings: they have one cause, a move, and `npx page-api move` fixes them all. */
const MAX_UNRECORDED = 20;

/** Findings about moved and removed pages without an entry in `_history.json`. */
export function unrecorded(
  { moved, removed }: Pick<Comparison, "moved" | "removed">,
  after: ParsedJson | undefined,
): Finding[] {
  const checked = after === undefined ? undefined : checkHistoryFile(after);
  // If `_history.json` has errors, its entries are not known, so only its errors are reported.
  if (checked !== undefined && checked.history === undefined) return checked.findings;
  const { retired = [], moved: former = [] } = checked?.history ?? {};
  const ids = new Set(retired.map(({ id }) => id));
  const paths = new Set([...retired, ...former].map(({ address }) => linkPath(address)));
  const lost = [
    ...removed.filter(({ id, draft, isNotLive }) => draft === undefined && !isNotLive && !ids.has(id)),
    // Pages that moved with their parent are reported with the parent.
    ...moved
      .filter(({ from, isAlong }) => !isAlong && !paths.has(linkPath(pathOf(from.address))))
      .map((page) => ({ id: page.id, address: page.from.address, now: page.address })),
  ];
  return lost.slice(0, MAX_UNRECORDED).map((one) => {
    const args = {
      id: one.id,
      address: pathOf(one.address),
      ...("now" in one ? { now: pathOf(one.now) } : {}),
    };
    return finding("unrecorded-address", args, startOf(HISTORY));
  });
}
