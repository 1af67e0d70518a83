import { Failure } from "../base/failure.ts";
import type { Finding } from "../findings/finding.ts";
import type { ParsedJson } from "../json/parse.ts";
import type { Site } from "../page/site.ts";
import { checkSiteConfig } from "../check/config.ts";
import { fieldChanges, type FieldChange } from "../json/changes.ts";

export interface Sites {
  /** What the pages before the change are compared as: with the addresses of after it, so that these show once. */
  before: Site;
  after: Site;
  /** What it really was. */
  former: Site;
  changes: FieldChange[];
  findings: Finding[];
}

/**
 * `_site.json` of both snapshots, each undefined where there is none. One that has errors is taken to be as the other.
 *
 * @throws Failure where there is no sound one.
 */
export function compareSites(before: ParsedJson | undefined, after: ParsedJson | undefined): Sites {
  const old = before && checkSiteConfig(before).site;
  const checked = after && checkSiteConfig(after);
  const now = checked?.site ?? old;
  if (now === undefined)
    throw new Failure(
      "There is no _site.json without errors, before or after the change: see npm run check.",
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
