import { finding, type Finding, type Place } from "../findings/finding.ts";
import { nodeAt, type Path } from "../json/node.ts";
import type { ParsedJson } from "../json/parse.ts";
import { placeOf } from "../json/place.ts";
import { HISTORY } from "../page/files.ts";
import type { History } from "../page/history.ts";
import type { Site } from "../page/site.ts";
import type { Listing } from "../sources/listing.ts";
import { linkPath, pathsOf } from "../sources/tree.ts";
import { checkHistoryFile } from "./config.ts";

/** What must be known of the pages. */
interface Pages {
  listing: Listing;
  read: (file: number) => ParsedJson;
  site: Site | undefined;
  /** By file; 0 for drafts, and in `draftIds` for pages. */
  ids: Float64Array;
  draftIds: Float64Array;
}

/** What is wrong with `_history.json`, by itself and beside the pages that there are (DESIGN, section 2). */
export function findInHistory(all: Pages, parsed: ParsedJson): Finding[] {
  const { history, findings } = checkHistoryFile(parsed);
  if (history === undefined) return findings;
  const placeAt = (path: Path): Place => {
    const node = parsed.root && nodeAt(parsed.root, path).node;
    return placeOf(parsed.source, node?.start ?? 0, node?.end ?? 0);
  };
  return [
    ...findings,
    ...findIds(all, history, placeAt),
    ...findReturned(all, history, placeAt),
    ...findLoops(history, placeAt),
  ];
}

type PlaceAt = (path: Path) => Place;

/** Retired ids that a page has, and moved ones that nothing has. */
function findIds({ listing, ids, draftIds, read }: Pages, history: History, placeAt: PlaceAt): Finding[] {
  const findings: Finding[] = [];
  const retired = new Map(history.retired.map((entry, k) => [entry.id, { ...entry, k }]));
  const lost = new Set(history.moved.map(({ id }) => id).filter((id) => !retired.has(id)));
  for (let file = 0; file < listing.count; file++) {
    const isDraft = listing.kind(file) === "draft";
    const id = (isDraft ? draftIds : ids)[file] ?? 0;
    lost.delete(id);
    const entry = retired.get(id);
    if (entry === undefined) continue;
    const { source, root } = read(file);
    const node = root && nodeAt(root, ["id"]).node;
    const at = placeAt(["retired", entry.k, "id"]);
    const args = {
      id,
      file: listing.path(file),
      address: entry.address,
      keptAt: `${HISTORY}, line ${at.line}`,
    };
    const found = finding("retired-id", args, placeOf(source, node?.start ?? 0, node?.end ?? 0), at);
    findings.push(isDraft ? { ...found, severity: "warning" } : found);
  }
  for (const [k, { id }] of history.moved.entries())
    if (lost.has(id)) findings.push(finding("unknown-moved-id", { id }, placeAt(["moved", k, "id"])));
  return findings;
}

/** Former addresses that a page has again. */
function findReturned({ listing, site }: Pages, history: History, placeAt: PlaceAt): Finding[] {
  if (site === undefined) return [];
  const pages = pathsOf(listing, site);
  return (["retired", "moved"] as const).flatMap((list) =>
    history[list].flatMap(({ address }, k) => {
      const file = pages.get(linkPath(address));
      if (file === undefined) return [];
      const page = listing.path(file);
      return [finding("former-address", { address, page }, placeAt([list, k, "address"]))];
    }),
  );
}

/** Addresses that stand in for each other in a circle. */
function findLoops({ retired }: History, placeAt: PlaceAt): Finding[] {
  const next = new Map(retired.map(({ address, to }) => [linkPath(address), to]));
  return retired.flatMap(({ address, to }, k) => {
    const through = [address];
    for (let at = to; at !== null && through.length <= retired.length;) {
      through.push(at);
      if (linkPath(at) === linkPath(address)) {
        const args = { address, through: through.join(" → ") };
        return [finding("redirect-loop", args, placeAt(["retired", k, "to"]))];
      }
      at = next.get(linkPath(at)) ?? null;
    }
    return [];
  });
}
