import { finding, startOf, type Finding } from "../findings/finding.ts";
import type { ParsedJson } from "../json/parse.ts";
import { HISTORY } from "../page/files.ts";
import { checkHistoryFile } from "../check/config.ts";
import { linkPath } from "../sources/tree.ts";
import type { Comparison } from "./comparison.ts";

const path = (address: string): string => new URL(address).pathname;

/** Maximum number of findings: they have one cause, a move, and `npm run move` fixes them all. */
const MAX_FINDINGS = 20;

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
      .filter(({ from, isAlong }) => !isAlong && !paths.has(linkPath(new URL(from.address).pathname)))
      .map((page) => ({ id: page.id, address: page.from.address, now: page.address })),
  ];
  return lost.slice(0, MAX_FINDINGS).map((one) => {
    const args = { id: one.id, address: path(one.address), ...("now" in one ? { now: path(one.now) } : {}) };
    return finding("unrecorded-address", args, startOf(HISTORY));
  });
}
