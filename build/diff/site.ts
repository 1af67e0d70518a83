import { Failure } from "../base/failure.ts";
import type { Finding } from "../findings/finding.ts";
import type { ParsedJson } from "../json/parse.ts";
import type { Site } from "../page/site.ts";
import { checkSiteConfig } from "../check/config.ts";
import { fieldChanges, type FieldChange } from "../json/changes.ts";

export interface Sites {
  /**
   * The settings for the pages before the change: the new ones, so that each changed address is reported only once, but
   * with the former `media_url`, as the addresses in their sources are below it.
   */
  before: Site;
  after: Site;
  /** The actual settings before the change. */
  former: Site;
  changes: FieldChange[];
  findings: Finding[];
}

/**
 * Compares `_site.json` in both snapshots; undefined means that there is none. If one of them has errors, the other
 * is used for both.
 *
 * @throws Failure if neither is valid.
 */
export function compareSites(before: ParsedJson | undefined, after: ParsedJson | undefined): Sites {
  const old = before && checkSiteConfig(before).site;
  const checked = after && checkSiteConfig(after);
  const now = checked?.site ?? old;
  if (now === undefined)
    throw new Failure(
      "_site.json is missing or has errors, both before and after the change: see npm run check.",
    );
  const former = old ?? now;
  return {
    before: { ...now, media_url: former.media_url },
    after: now,
    former,
    changes: old === undefined && checked?.site !== undefined ? added(now) : fieldChanges(former, now),
    findings: checked?.findings ?? [],
  };
}

const added = (site: Site): FieldChange[] =>
  Object.entries(site).map(([field, value]) => ({ field, new: value }));
