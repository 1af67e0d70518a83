import { type Finding, type Place, finding } from "../findings/finding.ts";
import type { History } from "../model/history.ts";
import type { Site } from "../model/site.ts";
import { pathsOf, sitePath, isOwned, homeAddress, linkPath } from "../model/tree.ts";
import { encodedSlug } from "../source/address.ts";
import type { Path } from "../source/json/object.ts";
import type { ParsedJson } from "../source/json/parse.ts";
import { placeAt } from "../source/json/place.ts";
import type { SourceIndex } from "../source/source-index.ts";
import { HISTORY } from "../source/site-files.ts";
import { checkHistoryFile } from "./config.ts";
import type { AllPages } from "./nodes.ts";

export function findInHistory(all: AllPages, parsed: ParsedJson): Finding[] {
  const { history, findings } = checkHistoryFile(parsed);
  if (history === undefined) return findings;
  const placeIn: PlaceIn = (path) => placeAt(parsed, path);
  return [
    ...findings,
    ...findIds(all, history, placeIn),
    ...(all.site === undefined ? [] : findInAddresses(all, all.site, history, placeIn)),
  ];
}

type PlaceIn = (path: Path) => Place;

/** Finds retired ids that a page has, and moved ids that no file has. */
function findIds({ listing, ids, draftIds, read }: AllPages, history: History, placeIn: PlaceIn): Finding[] {
  const findings: Finding[] = [];
  const retired = new Map<number, number>();
  const report = (first: number, at: Place, file?: string): Finding => {
    const place = placeIn(["retired", first, "id"]);
    const { id = 0, address = "" } = history.retired[first] ?? {};
    return finding("retired-id", { id, file, address, keptAt: `${HISTORY}, line ${place.line}` }, at, place);
  };
  for (const [k, { id }] of history.retired.entries()) {
    const first = retired.get(id);
    if (first === undefined) retired.set(id, k);
    else findings.push(report(first, placeIn(["retired", k, "id"])));
  }
  const lost = new Set(history.moved.map(({ id }) => id).filter((id) => !retired.has(id)));
  for (let file = 0; file < listing.count; file++) {
    const isDraft = listing.kind(file) === "draft";
    const id = (isDraft ? draftIds : ids)[file] ?? 0;
    lost.delete(id);
    const entry = retired.get(id);
    if (entry === undefined) continue;
    const found = report(entry, placeAt(read(file), ["id"]), listing.path(file));
    findings.push(isDraft ? { ...found, severity: "warning" } : found);
  }
  for (const [k, { id }] of history.moved.entries())
    if (lost.has(id)) findings.push(finding("unknown-moved-id", { id }, placeIn(["moved", k, "id"])));
  return findings;
}

function findInAddresses(all: AllPages, site: Site, history: History, placeIn: PlaceIn): Finding[] {
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
    ...findReturned(listing, pages, site, history, placeIn),
    ...findDoubleRedirects(history, placeIn),
    ...findInDestinations(history, published, placeIn),
  ];
}

/** Finds old addresses that a page uses again. */
function findReturned(
  listing: SourceIndex,
  pages: ReadonlyMap<string, number>,
  site: Site,
  history: History,
  placeIn: PlaceIn,
): Finding[] {
  return (["retired", "moved"] as const).flatMap((list) =>
    history[list].flatMap(({ id, address }, k) => {
      const file = pages.get(sitePath(address, site) ?? address);
      if (file === undefined) return [];
      const page = listing.path(file);
      const retired = list === "retired" ? id : undefined;
      return [finding("former-address", { address, page, retired }, placeIn([list, k, "address"]))];
    }),
  );
}

/** Finds entries that redirect an address that a later entry redirects elsewhere. */
function findDoubleRedirects({ retired }: History, placeIn: PlaceIn): Finding[] {
  const last = new Map(retired.map(({ address, to }) => [linkPath(address), to]));
  return retired.flatMap(({ address, to }, k) => {
    const other = last.get(linkPath(address));
    if (to === null || other == null || to === other) return [];
    return [finding("redirect-clash", { address, to, other }, placeIn(["retired", k, "to"]))];
  });
}

/** Finds entries whose `to` leads into a loop, or to an address without a page. */
export function findInDestinations(history: History, published: PublishedPages, placeIn: PlaceIn): Finding[] {
  const { site } = published;
  const destinationOf = destinations(published, history);
  return history.retired.flatMap((entry, k) => {
    const { address, to } = entry;
    // An entry is not used if a page has its address again.
    if (to === null || published.addressAt(sitePath(address, site) ?? address) !== undefined) return [];
    const place = (): Place => placeIn(["retired", k, "to"]);
    const end = destinationOf(address);
    if (end.kind === "loop" && end.entries.has(entry))
      return [
        finding("redirect-loop", { address, through: circleFrom(address, end.through, site) }, place()),
      ];
    // At the end of a chain only the last entry is wrong, not those before it.
    return end.kind === "missing" && end.to === to ? [finding("dead-redirect", { to }, place())] : [];
  });
}

/** The published pages, as far as redirects depend on them. */
export interface PublishedPages {
  site: Site;
  /** By a path as `sitePath` gives it; undefined if no page has the path. */
  addressAt: (path: string) => string | undefined;
  /** Undefined if no published page has the id. */
  addressOf: (id: number) => string | undefined;
}

type RetiredEntry = History["retired"][number];

type Destination =
  | { kind: "address"; to: string }
  /** No address replaces the page. */
  | { kind: "gone" }
  /** The page that moved away is now a draft. */
  | { kind: "draft" }
  /** No page has the address, although its path is in `owned_paths`. */
  | { kind: "missing"; to: string }
  /** The addresses of a loop, and the entries that form it. */
  | { kind: "loop"; through: string[]; entries: ReadonlySet<RetiredEntry> };

interface RedirectStep {
  path: string;
  address: string;
  entry: RetiredEntry | undefined;
}

/**
 * Follows an address through any number of entries, up to a page. Of several entries for an address, one with
 * `to` comes first, then a page that moved away from it, then one without `to`.
 */
export function destinations(
  { site, addressAt, addressOf }: PublishedPages,
  { retired, moved }: History,
): (address: string) => Destination {
  const pathOf = (address: string): string => sitePath(address, site) ?? address;
  const retiredFrom = new Map(retired.map((entry) => [pathOf(entry.address), entry]));
  const retiredIds = new Map(retired.map((entry) => [entry.id, entry]));
  const movedFrom = new Map(moved.map(({ id, address }) => [pathOf(address), id]));
  const owned = isOwned(site);
  // Destinations by path, so that every path is followed only once.
  const known = new Map<string, Destination>();

  const next = (
    path: string,
  ): { to: string | null; entry?: RetiredEntry | undefined } | "draft" | undefined => {
    const here = retiredFrom.get(path);
    if (here?.to != null) return { to: here.to, entry: here };
    const id = movedFrom.get(path);
    if (id === undefined) return here && { to: null };
    const entry = retiredIds.get(id);
    const to = addressOf(id) ?? entry?.to;
    return to === undefined ? "draft" : { to, entry };
  };
  const end = (address: string, path: string | undefined): Destination => {
    const page = path === undefined ? undefined : addressAt(path);
    if (page !== undefined) return { kind: "address", to: /[?#]/.test(address) ? address : page };
    return { kind: path !== undefined && owned(path) ? "missing" : "address", to: address };
  };

  const follow = (from: string, steps: RedirectStep[]): Destination => {
    const seen = new Map<string, number>();
    for (let address = from; ;) {
      const path = sitePath(address, site);
      if (path === undefined || addressAt(path) !== undefined) return end(address, path);
      const before = known.get(path);
      if (before !== undefined) return before;
      const first = seen.get(path);
      if (first !== undefined) {
        const circle = steps.slice(first);
        const entries = new Set(circle.flatMap(({ entry }) => entry ?? []));
        return { kind: "loop", through: circle.map((step) => step.address), entries };
      }
      const step = next(path);
      if (step === undefined) return end(address, path);
      seen.set(path, steps.length);
      steps.push({ path, address, entry: step === "draft" ? undefined : step.entry });
      if (step === "draft") return { kind: "draft" };
      if (step.to === null) return { kind: "gone" };
      address = step.to;
    }
  };
  return (address) => {
    const steps: RedirectStep[] = [];
    const destination = follow(address, steps);
    for (const { path } of steps) known.set(path, destination);
    return destination;
  };
}

export interface Redirect {
  from: string;
  /** Absent if no address replaces the page. */
  to?: string;
}

/** The redirects of the old addresses, each directly to its final destination. Loops and missing pages are left out. */
export function redirectsIn(published: PublishedPages, history: History): Redirect[] {
  const destinationOf = destinations(published, history);
  const redirects = new Map<string, Redirect>();
  for (const { address } of [...history.retired, ...history.moved]) {
    const path = sitePath(address, published.site) ?? address;
    // A page uses the address again.
    if (published.addressAt(path) !== undefined) continue;
    const end = destinationOf(address);
    if (end.kind === "address") redirects.set(path, { from: address, to: end.to });
    else if (end.kind === "gone") redirects.set(path, { from: address });
  }
  return [...redirects.values()];
}

/** Maximum number of addresses of a loop that a message lists. */
const MAX_SHOWN = 10;

/** A loop as text. It begins and ends with `address`, an address in the loop or of an entry that forms it. */
export function circleFrom(address: string, through: readonly string[], site: Site): string {
  const path = sitePath(address, site);
  const start = through.findIndex((one) => sitePath(one, site) === path);
  const others = start === -1 ? through : [...through.slice(start + 1), ...through.slice(0, start)];
  const shown = others.length > MAX_SHOWN ? [...others.slice(0, MAX_SHOWN), "…"] : others;
  return [address, ...shown, address].join(" → ");
}

/** Without the host. */
export const addressAtPath = (path: string, site: Site): string =>
  path === "" ? new URL(homeAddress(site)).pathname : encodedSlug(path) + (site.append_slash ? "/" : "");
