import { LATEST } from "../base/instant.ts";
import type { Args } from "../findings/catalogue/index.ts";
import { finding, type Finding, type Place } from "../findings/finding.ts";
import { nodeAt } from "../json/node.ts";
import type { ParsedJson } from "../json/parse.ts";
import { placeOf } from "../json/place.ts";
import { livePeriod, ownPeriod } from "../page/live.ts";
import type { Site } from "../page/site.ts";
import { ownFields } from "../page/page.ts";
import { parentTypes, type PageType } from "../page/types.ts";
import { detailUrl, type Parent, type Position } from "../sources/tree.ts";
import { checkPage, type CheckedPage } from "./page.ts";

/**
 * Checks a page by itself and against its parent. `parent` is "root" for the home page, and undefined if there is no
 * parent page.
 */
export function checkBelow(
  parsed: ParsedJson,
  parent: Parent | "root" | undefined,
  site: Site | undefined,
  at = LATEST,
): CheckedPage {
  const checked = checkPage(parsed, site, at);
  const { type } = checked;
  const { root } = parsed;
  const parentType = parent === "root" ? parent : parent?.type;
  if (type === undefined || root === undefined || parentType === undefined) return checked;
  const misplaced = checkParentType(type, parentType, () => {
    const { node } = nodeAt(root, ["meta", "type"]);
    return placeOf(parsed.source, node.start, node.end);
  });
  if (misplaced === undefined) return checked;
  const own = ownFields(type);
  // If a page has no field of its type, its type is the only mistake.
  const isTypeAlone = !own.some((field) => nodeAt(root, [field]).found);
  const findings = checked.findings.filter(
    ({ code, args }) =>
      !(isTypeAlone && code === "missing-field" && own.includes((args as Args<typeof code>).field)),
  );
  return { ...checked, findings: [...findings, misplaced] };
}

/** A page as its subpages see it, from its source. */
export function asParent(
  parsed: ParsedJson,
  parent: Parent | "root" | undefined,
  at: Position | undefined,
  site: Site | undefined,
): Parent {
  const { page, type } = checkBelow(parsed, parent, site);
  const seen: Parent = { address: at?.address ?? "" };
  if (type !== undefined) seen.type = type;
  if (page !== undefined && site !== undefined && at !== undefined && type !== undefined)
    seen.summary = {
      id: page.id,
      meta: { type, detail_url: detailUrl(site, page.id), html_url: at.address },
      title: page.title,
    };
  const own = page && ownPeriod(page.meta);
  const live = livePeriod(own, parent === "root" ? undefined : parent?.live);
  if (live !== undefined) seen.live = live;
  return seen;
}

/** Reports a type that is not allowed below the parent's type; `at` is the location of `meta.type`. */
function checkParentType(type: PageType, parent: PageType | "root", at: () => Place): Finding | undefined {
  const allowed = parentTypes(type);
  if (parent === "root" ? allowed.length === 0 : allowed.includes(parent)) return undefined;
  const below =
    allowed.length === 0 ? "at the very top, as content/index.json" : `below ${allowed.join(" or ")}`;
  const above = parent === "root" ? "nothing (it is the first page of the site)" : `a page of type ${parent}`;
  return finding("misplaced-type", { type, parent: above, allowed: below }, at());
}
