import { EARLIEST, includes, LATEST, printInstant, type Instant, type Period } from "../base/instant.ts";
import { livePeriod, ownPeriod, periodOrAlways } from "../model/schedule.ts";
import { SourceReader } from "../source/read.ts";
import { type SourceIndex } from "../source/source-index.ts";
import { homeAddress } from "../model/tree.ts";
import { factsOf } from "./facts.ts";
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

interface DatedSources {
  content: string;
  listing: SourceIndex;
  reader: SourceReader;
}

/** The facts of file i, with the time in which it is live by its own dates. The check reports invalid dates. */
function datedFacts({ content, listing, reader }: DatedSources, i: number) {
  const { id = 0, page, dates } = factsOf(reader.read(content, listing.path(i)).bytes);
  return { id, title: page?.title ?? "", own: ownPeriod(dates) };
}

/** The published pages, each with the time in which it and all its ancestors are live; undefined if that is always. */
function* livePeriods(sources: DatedSources) {
  const { listing } = sources;
  const periodOf = (i: number) => {
    const { own, ...facts } = datedFacts(sources, i);
    const folder = listing.parentOf(i);
    return { ...facts, period: livePeriod(own, folder === -1 ? undefined : folders[folder]) };
  };
  // A folder is listed before the folders in it.
  const folders: (Period | undefined)[] = [];
  for (const { index } of listing.folders) folders.push(index === -1 ? undefined : periodOf(index).period);
  for (let i = 0; i < listing.count; i++)
    if (listing.kind(i) !== "draft") yield { file: listing.path(i), ...periodOf(i) };
}

export function filesNotLive(content: string, listing: SourceIndex, at: Instant): Set<string> {
  const files = new Set<string>();
  for (const { file, period } of livePeriods({ content, listing, reader: new SourceReader() }))
    if (!includes(periodOrAlways(period), at)) files.add(file);
  return files;
}

/** All pages that go live or expire, sorted by time, then by file. */
export function scheduleOf({ content, listing, site, addresses }: SitePages): ScheduledEvent[] {
  const origin = new URL(homeAddress(site)).origin;
  const events: ScheduledEvent[] = [];
  const sources = { content, listing, reader: new SourceReader() };
  for (const { id, title, file, period } of livePeriods(sources)) {
    // A page may expire before its parent goes live.
    if (period === undefined || period.from >= period.until) continue;
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
