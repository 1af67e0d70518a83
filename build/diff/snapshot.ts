import { isObject } from "../json/object.ts";
import { isError, type Finding, type Place } from "../findings/finding.ts";
import { nodeAt } from "../json/node.ts";
import { parseJson, tooLarge, type ParsedJson } from "../json/parse.ts";
import { placeOf } from "../json/place.ts";
import { includes, printInstant, type Instant, type Period } from "../base/instant.ts";
import { LIVE_FIELDS, livePeriod, mayHaveLiveDates, ownPeriod, periodOrAlways } from "../page/live.ts";
import type { Site } from "../page/site.ts";
import type { PageModel } from "../page/page.ts";
import type { PageType } from "../page/page-types.ts";
import { asParent, SourceChecker } from "../check/source.ts";
import type { FoundSources } from "../sources/find.ts";
import type { Listing } from "../sources/listing.ts";
import { childAddress, folderAddress, homeAddress, parentOf, type Parent } from "../sources/tree.ts";

export interface PageName {
  id: number;
  type: PageType;
  title: string;
  /** On the website. */
  address: string;
  /** Relative to the content folder. */
  file: string;
}

/** The reason why a page is not live at the instant of the comparison. A page that is never live has no dates. */
export interface NotLive {
  isNotLive: true;
  /** The instant at which the page, or an ancestor, expired: in UTC with Z. */
  expire_at?: string;
  /** The instant from which the page and all its ancestors are live: in UTC with Z. */
  go_live_at?: string;
}

export type Loaded =
  | { kind: "page"; name: PageName; response: Buffer; findings: Finding[]; notLive: NotLive | undefined }
  /** A page that cannot be published; its id, if it can be read. */
  | { kind: "broken"; id?: number | undefined; findings: Finding[]; belowBroken: boolean }
  /** A page that is left out, because it is not live. */
  | { kind: "hidden"; id: number; notLive: NotLive; findings: Finding[] }
  /** Drafts, and files that are not pages. */
  | { kind: "unpublished"; findings: Finding[] };

/** `bytes` is missing if the file is larger than a source may be. */
export interface Contents {
  bytes?: Buffer | undefined;
  size: number;
}

/** Reads a file of a snapshot. The contents are valid until the next read. */
export type ReadContents = (file: string) => Contents;

export interface SnapshotOptions {
  model: PageModel;
  /** The instant that decides which pages are live. */
  at: Instant;
  /** Whether pages that are not live are left out; otherwise each page is shown as when it is live. */
  onlyLive: boolean;
  /** The `media_url` of the responses (default: the site's, with which the sources are checked). */
  media?: string;
  /** Another snapshot. If it has the same site settings, its checker is shared. */
  other?: Snapshot;
}

/** The sources before or after a change. Files are read only when they are needed. */
export class Snapshot {
  readonly listing: Listing;
  /** The numbers of the files in the listing, by their paths. */
  readonly files: ReadonlyMap<string, number>;
  private readonly read: ReadContents;
  private readonly model: PageModel;
  private readonly site: Site;
  private readonly at: Instant;
  private readonly onlyLive: boolean;
  private readonly checker: SourceChecker;
  private readonly parents: (Parent | undefined)[] = [];
  private readonly known = new Set<number>();

  constructor(
    found: FoundSources,
    site: Site,
    read: ReadContents,
    { model, at, onlyLive, media, other }: SnapshotOptions,
  ) {
    this.listing = found.listing;
    this.site = site;
    this.read = read;
    this.model = model;
    const isAlike = other !== undefined && JSON.stringify(other.site) === JSON.stringify(site);
    this.at = at;
    this.onlyLive = onlyLive;
    const times = onlyLive ? { at, floor: at } : undefined;
    const printedMedia = { ...site, media_url: media ?? site.media_url };
    this.checker = isAlike ? other.checker : new SourceChecker({ model, site, printedMedia, times });
    this.files = new Map(Array.from({ length: this.listing.count }, (_, i) => [this.listing.path(i), i]));
  }

  /** The number of pages that are shown. If only live ones are, it reads every source. */
  countPages(): number {
    let pages = 0;
    for (let i = 0; i < this.listing.count; i++)
      if (this.listing.kind(i) !== "draft" && this.isShown(i)) pages++;
    return pages;
  }

  /** @param given its contents, which stay valid when other files are read; otherwise they are read. */
  load(file: string, given?: Contents): Loaded {
    const i = this.files.get(file);
    if (i === undefined) return { kind: "unpublished", findings: [] };
    // First, because reading the parent overwrites earlier contents.
    const parent = this.parentOf(i);
    const source = { file, bytes: undefined, ...(given ?? this.read(file)) };
    const at = { parent, slug: this.listing.slug(i) };
    const { page, id, findings, response, address = "" } = this.checker.check(source, at);
    if (this.listing.kind(i) === "draft")
      return { kind: "unpublished", findings: findings.map((f) => ({ ...f, severity: "warning" })) };
    const isValid = page !== undefined && !findings.some(isError);
    if (!isValid || response === undefined) return { kind: "broken", id, findings, belowBroken: isValid };
    const notLive = this.notLive(page.meta, parent);
    if (notLive !== undefined && this.onlyLive) return { kind: "hidden", id: page.id, notLive, findings };
    const name = { id: page.id, type: page.meta.type, title: page.title, address, file };
    return { kind: "page", name, response: Buffer.from(response), findings, notLive };
  }

  /** The reason why a page is not live at the snapshot's instant; undefined if it is live. */
  private notLive(meta: object, parent: Parent | "root" | undefined): NotLive | undefined {
    const above = parent === "root" ? undefined : parent?.live;
    const period = periodOrAlways(livePeriod(ownPeriod(meta), above));
    if (includes(period, this.at)) return undefined;
    // Its section may expire before it goes live.
    if (period.from >= period.until) return { isNotLive: true };
    return period.from > this.at
      ? { isNotLive: true, go_live_at: printInstant(period.from) }
      : { isNotLive: true, expire_at: printInstant(period.until) };
  }

  /** The time in which a page and all its ancestors are live, by its dates; undefined if that is always. */
  periodOf(i: number): Period | undefined {
    const parent = this.parentOf(i);
    const own = ownPeriod(liveDatesIn(this.bytesOf(this.listing.path(i))));
    return livePeriod(own, parent === "root" ? undefined : parent?.live);
  }

  /** Whether a page is live at the snapshot's instant, by its dates. */
  isLive(i: number): boolean {
    return includes(periodOrAlways(this.periodOf(i)), this.at);
  }

  isShown(i: number): boolean {
    return !this.onlyLive || this.isLive(i);
  }

  isLiveAbove(i: number): boolean {
    return this.notLive({}, this.parentOf(i)) === undefined;
  }

  /** The description of a page, without checking the rest of its source; undefined if the source lacks a part of it. */
  name(file: string): PageName | undefined {
    const i = this.files.get(file);
    const { bytes } = this.read(file);
    return i === undefined || bytes === undefined ? undefined : this.nameIn(plainValue(bytes), file, i);
  }

  private nameIn(value: unknown, file: string, i: number): PageName | undefined {
    if (!isObject(value)) return undefined;
    const { id, meta, title } = value;
    const given = isObject(meta) ? meta["type"] : undefined;
    const type = this.model.has(given) ? given : undefined;
    if (typeof id !== "number" || type === undefined || typeof title !== "string") return undefined;
    return { id, type, title, address: this.addressOn(this.site, i), file };
  }

  /** Valid until the next read. */
  bytesOf(file: string): Buffer | undefined {
    return this.read(file).bytes;
  }

  placeOfId(file: string): Place {
    const { source, root } = parsed(file, this.read(file));
    const node = root && nodeAt(root, ["id"]).node;
    return placeOf(source, node?.start ?? 0, node?.end ?? 0);
  }

  /** The parent of file i; "root" for the home page. */
  private parentOf(i: number): Parent | "root" | undefined {
    const folder = this.listing.parentOf(i);
    if (folder !== -1) this.folderPage(folder);
    return parentOf(this.listing, this.parents, i);
  }

  /** A folder's own page, in the form that its subpages need. */
  folderPage(folder: number): Parent | undefined {
    if (this.known.has(folder)) return this.parents[folder];
    this.known.add(folder);
    const { index } = this.listing.folders[folder] ?? { index: -1 };
    if (index === -1) return undefined;
    const parent = this.parentOf(index);
    const file = this.listing.path(index);
    const at = { parent, slug: this.listing.slug(index) };
    const checked = this.checker.check({ file, bytes: undefined, ...this.read(file) }, at);
    this.parents[folder] = asParent(checked, at, this.site);
    return this.parents[folder];
  }

  /** The address of file i on a site with these settings; it depends only on the file's location. */
  addressOn(site: Site, i: number): string {
    const folder = this.listing.parentOf(i);
    if (folder === -1) return homeAddress(site);
    const above = this.listing.folders[folder]?.path ?? "";
    return childAddress(folderAddress(above, site), this.listing.slug(i), site);
  }
}

export const parsed = (file: string, { bytes, size }: Contents): ParsedJson =>
  bytes === undefined ? tooLarge(file, size) : parseJson(file, bytes);

export type LiveDates = Partial<Record<(typeof LIVE_FIELDS)[number], string>>;

export function liveDatesIn(bytes: Buffer | undefined): LiveDates {
  // Most sources have none, and need not be parsed.
  const value = bytes !== undefined && mayHaveLiveDates(bytes) ? plainValue(bytes) : undefined;
  const meta = isObject(value) && isObject(value["meta"]) ? value["meta"] : {};
  const dates: LiveDates = {};
  for (const field of LIVE_FIELDS) {
    const date = meta[field];
    if (typeof date === "string") dates[field] = date;
  }
  return dates;
}

export function plainValue(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
