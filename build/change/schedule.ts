import { EARLIEST, includes, LATEST, printInstant, type Instant, type Period } from "../base/instant.ts";
import { nodeAt } from "../source/json/object.ts";
import { formats } from "../model/formats.ts";
import { LIVE_FIELDS, livePeriod, mayHaveLiveDates, ownPeriod, periodOrAlways } from "../model/schedule.ts";
import { SourceReader } from "../source/read.ts";
import { type SourceIndex } from "../source/source-index.ts";
import { homeAddress } from "../model/tree.ts";
import type { SitePages } from "./pages.ts";

/** A page that goes live or expires, through its own dates or those of an ancestor. */
export interface ScheduledEvent {
  at: Instant;
  change: "live" | "expired";
  id: number;
  title: string;
  /** Relative to the content folder. */
  file: string;
  address: string;
}

/** The id, title and own dates of a source. Invalid dates are ignored: the check reports them. */
interface DatedPage {
  id: number;
  title: string;
  own: Period | undefined;
}

/** @param isDated whether to skip a source without dates. */
function datedPage(
  { content, listing, reader }: DatedSources,
  i: number,
  isDated: boolean,
): DatedPage | undefined {
  const { bytes, parsed } = reader.read(content, listing.path(i));
  if (bytes === undefined || (isDated && !mayHaveLiveDates(bytes))) return undefined;
  const { root } = parsed();
  if (root === undefined) return undefined;
  const dates = LIVE_FIELDS.map((field) => {
    const { node, found } = nodeAt(root, ["meta", field]);
    const isValid = found && node.type === "string" && formats["date-time"].matches(node.value);
    return [field, isValid ? node.value : null];
  });
  const [id, title] = [nodeAt(root, ["id"]).node, nodeAt(root, ["title"]).node];
  return {
    id: id.type === "number" ? id.value : 0,
    title: title.type === "string" ? title.value : "",
    own: ownPeriod(Object.fromEntries(dates) as object),
  };
}

interface DatedSources {
  content: string;
  listing: SourceIndex;
  reader: SourceReader;
}

/** The published pages, each with the time in which it and all its ancestors are live; undefined if that is always. */
function* livePeriods(sources: DatedSources): Generator<{ i: number; period: Period | undefined }> {
  const { listing } = sources;
  const periodOf = (i: number): Period | undefined => {
    const folder = listing.parentOf(i);
    return livePeriod(datedPage(sources, i, true)?.own, folder === -1 ? undefined : folders[folder]);
  };
  // A folder is listed before the folders in it.
  const folders: (Period | undefined)[] = [];
  for (const { index } of listing.folders) folders.push(index === -1 ? undefined : periodOf(index));
  for (let i = 0; i < listing.count; i++) if (listing.kind(i) !== "draft") yield { i, period: periodOf(i) };
}

export function filesNotLive(content: string, listing: SourceIndex, at: Instant): Set<string> {
  const files = new Set<string>();
  for (const { i, period } of livePeriods({ content, listing, reader: new SourceReader() }))
    if (!includes(periodOrAlways(period), at)) files.add(listing.path(i));
  return files;
}

/** All pages that go live or expire, sorted by time, then by file. */
export function scheduleOf({ content, listing, site, addresses }: SitePages): ScheduledEvent[] {
  const sources = { content, listing, reader: new SourceReader() };
  const origin = new URL(homeAddress(site)).origin;
  const events: ScheduledEvent[] = [];
  for (const { i, period } of livePeriods(sources)) {
    // A page may expire before its parent goes live.
    if (period === undefined || period.from >= period.until) continue;
    const { id = 0, title = "" } = datedPage(sources, i, false) ?? {};
    const file = listing.path(i);
    const page = { id, title, file, address: origin + (addresses.get(file) ?? "") };
    if (period.from > EARLIEST) events.push({ at: period.from, change: "live", ...page });
    if (period.until < LATEST) events.push({ at: period.until, change: "expired", ...page });
  }
  return events.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** The events from one instant until just before another, and the instant of the first event from the former on. */
export function eventsBetween(events: readonly ScheduledEvent[], from: Instant, until: Instant) {
  const next = events.find(({ at }) => at >= from);
  return {
    events: events.filter(({ at }) => from <= at && at < until),
    next: next === undefined ? null : printInstant(next.at),
  };
}
