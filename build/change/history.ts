import { Failure } from "../base/failure.ts";
import { checkHistoryFile } from "../check/config.ts";
import { isError, messageOf } from "../findings/finding.ts";
import { formatJson } from "../source/json/format.ts";
import { parseJson, type ParsedJson } from "../source/json/parse.ts";
import { HISTORY } from "../source/site-files.ts";
import type { History } from "../model/history.ts";
import type { Site } from "../model/site.ts";
import { sitePath } from "../model/tree.ts";

/* The record of past publications, `_history.json`, and its changes. Runs in the browser and in Node. */

/** `_history.json` has errors. `npm run check` reports them with their locations. */
export class HistoryError extends Failure {}

/** The entries of `_history.json`. @throws HistoryError. */
export function historyIn(parsed: ParsedJson): History {
  const { history, findings } = checkHistoryFile(parsed);
  const wrong = findings.find(isError);
  if (history === undefined)
    throw new HistoryError(
      `${HISTORY} has errors: fix it first (npm run check).${wrong === undefined ? "" : `\n${messageOf(wrong)}`}`,
    );
  return history;
}

/** @param text null if there is no such file */
export const historyOf = (text: string | null): History =>
  text === null ? { retired: [], moved: [] } : historyIn(parseJson(HISTORY, new TextEncoder().encode(text)));

/** The text of `_history.json`. */
export function historyText($schema: string | undefined, { retired, moved }: History): string {
  return formatJson({
    ...($schema !== undefined && { $schema }),
    retired: retired.map(({ to, ...entry }) => (to === null ? entry : { ...entry, to })),
    moved,
  });
}

/** A page that gets another address. Both addresses are on the website, without its host. */
export interface Readdressed {
  id: number;
  before: string;
  after: string;
}

/**
 * The history after a move, and the old addresses that it does not keep.
 *
 * @param unpublished the ids of the pages that were never published at their addresses; undefined if that is not known.
 */
export function rememberMove(
  site: Site,
  { retired, moved }: History,
  pages: readonly Readdressed[],
  unpublished: ReadonlySet<number> | undefined,
): { history: History; dropped: string[] } {
  const pathOf = (address: string): string => sitePath(address, site) ?? address;
  const byId = new Map(pages.map((page) => [page.id, page]));
  const kept: History["moved"] = [];
  const dropped: string[] = [];
  const returned = new Set<number>();
  for (const entry of moved) {
    const page = byId.get(entry.id);
    const path = pathOf(entry.address);
    if (page !== undefined && path === pathOf(page.before)) continue;
    if (page !== undefined && path === pathOf(page.after)) returned.add(entry.id);
    // Without this knowledge, a page that returns to an old address undoes its moves since then.
    else if (unpublished !== undefined || !returned.has(entry.id)) kept.push(entry);
    else dropped.push(entry.address);
  }
  const afterOf = new Map<string, string>();
  for (const { id, before, after } of pages)
    if ((unpublished ?? returned).has(id)) dropped.push(before);
    else {
      kept.push({ id, address: before });
      afterOf.set(pathOf(before), after);
    }
  // If a retired page redirects to a page that moves, it now redirects to the new address.
  const led = retired.map((entry) => {
    const after = entry.to === null ? undefined : afterOf.get(pathOf(entry.address));
    return after === undefined ? entry : { ...entry, to: after };
  });
  return { history: { retired: led, moved: kept }, dropped };
}
