import { EARLIEST, includes, LATEST, printInstant, type Instant, type Period } from "../base/instant.ts";
import { nodeAt } from "../json/node.ts";
import { formats } from "../page/formats.ts";
import { LIVE_FIELDS, livePeriod, mayHaveLiveDates, ownPeriod, periodOrAlways } from "../page/live.ts";
import type { Listing } from "../sources/listing.ts";
import { SourceReader } from "../sources/read.ts";
import { homeAddress } from "../sources/tree.ts";
import type { SitePages } from "./pages.ts";

/** A page that goes live or expires, through its own dates or those of an ancestor. */
export interface ScheduledEvent {
  at: Instant;
  change: "live" | "expired";
  id: number;
  title: string;
  /** Relative to the content folder. */
  file: string;
  /** Its URL on the website. */
  address: string;
}

/** The id, title and own dates of a source. */
interface DatedPage {
  id: number;
  title: string;
  own: Period | undefined;
}

/** Reads the dates in sources. It ignores invalid ones, which the check reports. */
class DatedPages {
  private readonly content: string;
  private readonly listing: Listing;
  private readonly reader = new SourceReader();
  private readonly folders = new Map<number, Period | undefined>([[-1, undefined]]);

  constructor(content: string, listing: Listing) {
    this.content = content;
    this.listing = listing;
  }

  /** The time in which a folder's page and all its ancestors are live; undefined if that is always. */
  above(folder: number): Period | undefined {
    if (!this.folders.has(folder)) {
      const { index = -1 } = this.listing.folders[folder] ?? {};
      this.folders.set(folder, index === -1 ? undefined : this.periodOf(index));
    }
    return this.folders.get(folder);
  }

  periodOf(i: number): Period | undefined {
    return livePeriod(this.read(i, true)?.own, this.above(this.listing.parentOf(i)));
  }

  /** @param isDated whether to skip a page without dates. */
  read(i: number, isDated = false): DatedPage | undefined {
    const { bytes, parsed } = this.reader.readBoth(this.content, this.listing.path(i));
    if (bytes === undefined || (isDated && !mayHaveLiveDates(bytes))) return undefined;
    const { root } = parsed();
    if (root === undefined) return undefined;
    const dates = LIVE_FIELDS.map((field) => {
      const { node, found } = nodeAt(root, ["meta", field]);
      const isSound = found && node.type === "string" && formats["date-time"].matches(node.value);
      return [field, isSound ? node.value : null];
    });
    const [id, title] = [nodeAt(root, ["id"]).node, nodeAt(root, ["title"]).node];
    return {
      id: id.type === "number" ? id.value : 0,
      title: title.type === "string" ? title.value : "",
      own: ownPeriod(Object.fromEntries(dates) as object),
    };
  }
}

/** The files of pages that are not live at an instant. */
export function filesNotLive(content: string, listing: Listing, at: Instant): Set<string> {
  const pages = new DatedPages(content, listing);
  const files = new Set<string>();
  for (let i = 0; i < listing.count; i++)
    if (listing.kind(i) !== "draft" && !includes(periodOrAlways(pages.periodOf(i)), at))
      files.add(listing.path(i));
  return files;
}

/** All pages that go live or expire, sorted by time, then by file. */
export function scheduleOf({ content, listing, site, addresses }: SitePages): ScheduledEvent[] {
  const pages = new DatedPages(content, listing);
  const origin = new URL(homeAddress(site)).origin;
  const events: ScheduledEvent[] = [];
  for (let i = 0; i < listing.count; i++) {
    const period = listing.kind(i) === "draft" ? undefined : pages.periodOf(i);
    // A page may expire before its parent goes live.
    if (period === undefined || period.from >= period.until) continue;
    const { id = 0, title = "" } = pages.read(i) ?? {};
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
