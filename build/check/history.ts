import { finding, type Finding, type Place } from "../findings/finding.ts";
import { nodeAt, type Path } from "../json/node.ts";
import type { ParsedJson } from "../json/parse.ts";
import { placeOf } from "../json/place.ts";
import { HISTORY } from "../page/files.ts";
import type { History } from "../page/history.ts";
import type { Site } from "../page/site.ts";
import type { Listing } from "../sources/listing.ts";
import { pathsOf, sitePath } from "../sources/tree.ts";
import { checkHistoryFile } from "./config.ts";
import { addressAtPath, circleFrom, destinations, type PublishedPages } from "./former.ts";

interface HistoryPages {
  listing: Listing;
  read: (file: number) => ParsedJson;
  site: Site | undefined;
  /** By file: 0 for drafts in `ids`, and 0 for pages in `draftIds`. */
  ids: Float64Array;
  draftIds: Float64Array;
}

/** Checks `_history.json` by itself and against the pages. */
export function findInHistory(all: HistoryPages, parsed: ParsedJson): Finding[] {
  const { history, findings } = checkHistoryFile(parsed);
  if (history === undefined) return findings;
  const placeAt = placesIn(parsed);
  return [
    ...findings,
    ...findIds(all, history, placeAt),
    ...(all.site === undefined ? [] : findInAddresses(all, all.site, history, placeAt)),
  ];
}

export type PlaceAt = (path: Path) => Place;

/** Finds retired ids that a page has, and moved ids that no file has. */
function findIds(
  { listing, ids, draftIds, read }: HistoryPages,
  history: History,
  placeAt: PlaceAt,
): Finding[] {
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

/** Checks the addresses of the entries against those of the published pages. */
function findInAddresses(all: HistoryPages, site: Site, history: History, placeAt: PlaceAt): Finding[] {
  const { listing, ids } = all;
  const pages = pathsOf(listing, site);
  const moved = new Set(history.moved.map(({ id }) => id));
  const addresses = new Map<number, string>();
  const addressAt = (path: string): string | undefined =>
    pages.has(path) ? addressAtPath(path, site) : undefined;
  if (moved.size > 0)
    for (const [path, file] of pages) {
      const id = ids[file] ?? 0;
      if (moved.has(id)) addresses.set(id, addressAtPath(path, site));
    }
  const published = { site, addressAt, addressOf: (id: number) => addresses.get(id) };
  return [
    ...findReturned(listing, pages, site, history, placeAt),
    ...findInDestinations(history, published, placeAt),
  ];
}

/** Finds old addresses that a page uses again. */
function findReturned(
  listing: Listing,
  pages: ReadonlyMap<string, number>,
  site: Site,
  history: History,
  placeAt: PlaceAt,
): Finding[] {
  return (["retired", "moved"] as const).flatMap((list) =>
    history[list].flatMap(({ address }, k) => {
      const file = pages.get(sitePath(address, site) ?? address);
      if (file === undefined) return [];
      const page = listing.path(file);
      return [finding("former-address", { address, page }, placeAt([list, k, "address"]))];
    }),
  );
}

/** Finds entries whose `to` leads into a loop, or to an address without a page. */
export function findInDestinations(history: History, published: PublishedPages, placeAt: PlaceAt): Finding[] {
  const { site } = published;
  const destinationOf = destinations(published, history);
  return history.retired.flatMap((entry, k) => {
    const { address, to } = entry;
    // An entry is not used if a page has its address again.
    if (to === null || published.addressAt(sitePath(address, site) ?? address) !== undefined) return [];
    const place = (): Place => placeAt(["retired", k, "to"]);
    const end = destinationOf(address);
    if (end.kind === "loop" && end.entries.has(entry))
      return [
        finding("redirect-loop", { address, through: circleFrom(address, end.through, site) }, place()),
      ];
    // At the end of a chain only the last entry is wrong, not those before it.
    return end.kind === "missing" && end.to === to ? [finding("dead-redirect", { to }, place())] : [];
  });
}

/** The locations of values in a file. */
export const placesIn =
  ({ root, source }: ParsedJson): PlaceAt =>
  (path) => {
    const node = root && nodeAt(root, path).node;
    return placeOf(source, node?.start ?? 0, node?.end ?? 0);
  };
