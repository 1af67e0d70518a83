import { API } from "../../base/api.ts";
import { type JsonObject, isObject } from "../../json/object.ts";
import { forEachConcurrent } from "../../base/concurrent.ts";
import { thousands } from "../../base/numbers.ts";
import { PAGE_TYPES, ROOT_TYPE } from "../../page/types.ts";
import type { Progress } from "../progress.ts";
import type { ApiClient, Outcome } from "./client.ts";
import type { SavedFile } from "./documents.ts";
import { MAX_IDS } from "../../base/ids.ts";
import type { ImportReport } from "./report.ts";
import { inShort, addressAbove, isId, withoutSlash } from "./values.ts";

export interface Asking {
  client: ApiClient;
  concurrency: number;
  report: ImportReport;
  progress: Progress;
}

/** The contents of a host's listing. */
export interface Listed {
  /** The ids of the pages that are listed with all their fields. */
  full: ReadonlySet<number>;
  /** `all`: the ids of the last reading. `listed`: those of pages with one of the API's types. */
  all: Set<number>;
  listed: Set<number>;
  /** Pages whose parent, by their addresses, is not in the listing. */
  orphans: number[];
  /** Pages whose summary changed after they were listed with all fields. */
  changed: number[];
  /** The saved listings; the listings with all fields are first. */
  files: SavedFile[];
}

/** The number of pages per request at first. `learnLimit` lowers it to the host's maximum. */
const FIRST_LIMIT = 100;
/** Maximum number of readings of a listing that changes while it is read. */
const MAX_READINGS = 3;

/**
 * Reads the listing of a host: each type with all fields, then all pages without them. The second reading finds pages
 * that were missed, because pages that are added or removed between two requests shift the others. Returns an
 * explanation if the host has no listing.
 */
export async function readListing(options: Asking): Promise<Listed | string> {
  const reader = new ListingReader(options);
  const total = await reader.learnLimit();
  if (typeof total === "string") return total;
  const full = new Map<number, string>();
  const files: SavedFile[] = [];
  let done = 0;
  for (const type of PAGE_TYPES) {
    const read = await reader.read(`type=${type}&fields=*&`, "", ({ items }) => {
      for (const item of items) if (isId(item["id"])) full.set(item["id"], inShort(item));
      done += items.length;
      options.progress(done, 2 * total);
    });
    files.push(...read.files);
  }
  for (let reading = 1; ; reading++) {
    const all = new Set<number>();
    const listed = new Set<number>();
    const totals = new Set<number>();
    const changed: number[] = [];
    const family = new Family();
    const read = await reader.read("", reading === 1 ? "" : `#${reading}`, (part) => {
      for (const item of part.items) {
        const { id, meta } = item;
        if (!isId(id)) continue;
        all.add(id);
        const before = full.get(id);
        if (before !== undefined && before !== inShort(item)) changed.push(id);
        if (isObject(meta)) family.add(id, meta["html_url"], meta["type"] === ROOT_TYPE);
        if (isObject(meta) && PAGE_TYPES.some((type) => type === meta["type"])) listed.add(id);
      }
      totals.add(part.total);
      options.progress(total + all.size, 2 * total);
    });
    const isStable = totals.size === 1 && totals.has(all.size);
    if (!isStable && read.isWhole && reading < MAX_READINGS) continue;
    const said = `it counts ${[...totals].join(" or ")} pages, but returned ${thousands(all.size)}`;
    if (!isStable && read.isWhole && all.size < Math.min(...totals))
      options.report.leave("unavailable", null, API, `the list endpoint does not return all pages: ${said}`);
    else if (!isStable) options.report.notes.push(`the list changed while it was being read: ${said}.`);
    return {
      full: new Set(full.keys()),
      all,
      listed,
      orphans: family.orphans(),
      changed,
      files: [...files, ...read.files],
    };
  }
}

/** Addresses of pages, and of their parents. */
class Family {
  private readonly addresses = new Set<string>();
  private readonly above = new Map<string, number[]>();

  add(id: number, address: unknown, isHome: boolean): void {
    if (typeof address !== "string") return;
    this.addresses.add(withoutSlash(address));
    if (isHome) return;
    const above = addressAbove(address);
    const ids = this.above.get(above);
    if (ids === undefined) this.above.set(above, [id]);
    else ids.push(id);
  }

  orphans(): number[] {
    return [...this.above].flatMap(([above, ids]) => (this.addresses.has(above) ? [] : ids));
  }
}

interface ListedPart {
  items: JsonObject[];
  total: number;
  saved: SavedFile;
}

class ListingReader {
  private readonly options: Asking;
  private limit = FIRST_LIMIT;

  constructor(options: Asking) {
    this.options = options;
  }

  /**
   * Finds the host's maximum number of pages per response, from a refusal or a shorter response. Returns the number
   * of pages, or an explanation if the host lists none.
   */
  async learnLimit(): Promise<number | string> {
    for (;;) {
      const path = this.path("", 0, this.limit);
      // Cached under its own key: `read` requests this path again later, to see changes.
      const outcome = await this.options.client.ask(path, `${path}#limit`);
      const part = partOf(outcome);
      if (part !== undefined) {
        const given = part.items.length;
        if (given > 0 && given < Math.min(this.limit, part.total)) this.limit = given;
        return part.total;
      }
      if (outcome.kind === "moved") this.options.client.failForRedirects(outcome.reason, outcome.elsewhere);
      const isCapped = outcome.kind === "refused" && outcome.status === 400;
      if ((!isCapped && outcome.kind !== "too-large") || this.limit === 1) return troubleOf(outcome);
      const cap = isCapped ? Number(/\d+/.exec(outcome.message)?.[0] ?? 0) : 0;
      this.limit = cap >= 1 && cap < this.limit ? cap : Math.floor(this.limit / 2);
    }
  }

  /** Reads one listing to its end; returns its saved files in order, and whether every request succeeded. */
  async read(
    filter: string,
    key: string,
    take: (part: ListedPart) => void,
  ): Promise<{ files: SavedFile[]; isWhole: boolean }> {
    const { report, concurrency } = this.options;
    const saved = new Map<number, SavedFile>();
    let isWhole = true;
    const ask = async (offset: number, limit: number): Promise<number> => {
      const path = this.path(filter, offset, limit);
      const outcome = await this.options.client.ask(path, path + key);
      const part = partOf(outcome);
      if (outcome.kind === "too-large" && limit > 1) {
        // Later parts are not too large either.
        this.limit = Math.min(this.limit, Math.floor(limit / 2));
        let total = 0;
        for (const [from, size] of this.parts(offset, offset + limit)) total = await ask(from, size);
        return total;
      }
      if (part === undefined) {
        isWhole = false;
        // The listing of all pages also contains the pages of each type, so only a gap in the listing of all is
        // reported.
        if (filter === "")
          report.leave("unavailable", null, path, `a part of the list: ${troubleOf(outcome)}`);
        return 0;
      }
      take(part);
      saved.set(offset, part.saved);
      return part.total;
    };
    const first = this.limit;
    const total = await ask(0, first);
    await forEachConcurrent(this.parts(first, total), concurrency, async (part) => void (await ask(...part)));
    const files = [...saved].sort(([a], [b]) => a - b).map(([, file]) => file);
    return { files, isWhole };
  }

  /** The offsets and sizes of the parts of a list, each of the size that is right at that time. */
  private *parts(from: number, to: number): Generator<[offset: number, limit: number]> {
    for (let offset = from, size = 0; offset < to; offset += size) {
      size = this.limit;
      yield [offset, size];
    }
  }

  private path(filter: string, offset: number, limit: number): string {
    return `${API}?${filter}limit=${limit}&offset=${offset}`;
  }
}

function partOf(outcome: Outcome): ListedPart | undefined {
  if (outcome.kind !== "found") return undefined;
  const { meta, items } = outcome.value;
  const total = isObject(meta) ? meta["total_count"] : undefined;
  const isCount = typeof total === "number" && Number.isInteger(total) && total >= 0 && total <= MAX_IDS;
  if (!Array.isArray(items) || !isCount) return undefined;
  return { items: (items as unknown[]).filter(isObject), total, saved: outcome.saved };
}

function troubleOf(outcome: Outcome): string {
  if ("reason" in outcome) return outcome.reason;
  if (outcome.kind === "refused") return `it responds with ${outcome.status} ${outcome.message}`.trim();
  return outcome.kind === "missing" ? "it responds with 404" : "it is not a list";
}
