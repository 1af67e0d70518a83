import { isObject, objectIn } from "../../source/json/object.ts";
import { isError, type Finding, type Place } from "../../findings/finding.ts";
import { nodeAt } from "../../source/json/node.ts";
import { parseJson, tooLarge, type ParsedJson } from "../../source/json/parse.ts";
import { placeOf } from "../../source/json/place.ts";
import { includes, printInstant, type Instant, type Period } from "../../base/instant.ts";
import {
  LIVE_FIELDS,
  livePeriod,
  mayHaveLiveDates,
  ownPeriod,
  periodOrAlways,
} from "../../model/schedule.ts";
import { positionOf } from "../../model/position.ts";
import type { Site } from "../../model/site.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import type { CheckedPage, PagePosition } from "../../check/page.ts";
import { asParent, SourceChecker } from "../../check/source.ts";
import { idIn } from "../ids.ts";
import type { ShownPage } from "../../model/reference.ts";
import type { SourceBytes } from "../../source/read.ts";
import type { FoundSources } from "../../source/find.ts";
import { childAddress, folderAddress, homeAddress, parentOf, type Parent } from "../../model/tree.ts";

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
  | {
      kind: "page";
      name: PageName;
      response: Buffer;
      findings: Finding[];
      notLive: NotLive | undefined;
      /** As in `positionOf`: no response has it. */
      position: number;
    }
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

interface SnapshotOptions {
  model: PageModel;
  /** The instant that decides which pages are live. */
  at: Instant;
  /** Whether pages that are not live are left out; otherwise each page is shown as when it is live. */
  onlyLive: boolean;
  /** The `media_url` of the responses (default: the site's, with which the sources are checked). */
  media?: string;
  /** Reads many files (default: one by one). */
  readEach?: (files: readonly string[]) => Iterable<[file: string, contents: Contents]>;
  /** The checker of another snapshot, which is shared if that has the same site settings and types. */
  other?: { site: Site; model: PageModel; checker: SourceChecker };
}

export type Snapshot = ReturnType<typeof openSnapshot>;

/** The sources before or after a change. Files are read only when they are needed. */
export function openSnapshot(
  { listing }: FoundSources,
  site: Site,
  read: ReadContents,
  { model, at: instant, onlyLive, media = site.media_url, other, readEach }: SnapshotOptions,
) {
  const isAlike =
    other !== undefined && other.model === model && JSON.stringify(other.site) === JSON.stringify(site);
  const times = onlyLive ? { at: instant, knownSince: instant } : undefined;
  const printedMedia = { ...site, media_url: media };
  const checker = isAlike ? other.checker : new SourceChecker({ model, site, printedMedia, times });
  /** The numbers of the files in the listing, by their paths. */
  const files: ReadonlyMap<string, number> = new Map(
    Array.from({ length: listing.count }, (_, i) => [listing.path(i), i]),
  );
  const parents: (Parent | undefined)[] = [];
  const known = new Set<number>();

  /** The number of pages that are shown. If only live ones are, it reads every source. */
  function countPages(): number {
    let pages = 0;
    for (let i = 0; i < listing.count; i++) if (listing.kind(i) !== "draft" && isShown(i)) pages++;
    return pages;
  }

  /** @param given its contents, which stay valid when other files are read; otherwise they are read. */
  function load(file: string, given?: Contents): Loaded {
    const i = files.get(file);
    if (i === undefined) return { kind: "unpublished", findings: [] };
    // First, because reading the parent overwrites earlier contents.
    const at = positionOfFile(i);
    const source = { file, bytes: undefined, ...(given ?? read(file)) };
    const { page, id, findings, response, address = "" } = checkShowing(source, at);
    if (listing.kind(i) === "draft")
      return { kind: "unpublished", findings: findings.map((f) => ({ ...f, severity: "warning" })) };
    const isValid = page !== undefined && !findings.some(isError);
    if (!isValid || response === undefined) return { kind: "broken", id, findings, belowBroken: isValid };
    const notLive = reasonOf(page.meta, at.parent);
    if (notLive !== undefined && onlyLive) return { kind: "hidden", id: page.id, notLive, findings };
    const described = { id: page.id, type: page.meta.type, title: page.title, address, file };
    const position = positionOf(page.meta);
    return {
      kind: "page",
      name: described,
      response: Buffer.from(checker.encode(response)),
      findings,
      notLive,
      position,
    };
  }

  /** What references can show of pages, by id; undefined if that is not known. */
  const shown = new Map<number, ShownPage>();
  let showing: SourceChecker | undefined;
  let fileOf: ReadonlyMap<number, string> | undefined;

  /** Checks a page, again if it shows other pages, which are read in between. */
  function checkShowing(source: SourceBytes, at: PagePosition): CheckedPage {
    const checked = checker.check(source, at);
    if (checked.shown.length === 0) return checked;
    const bytes = source.bytes && Buffer.from(source.bytes);
    for (const id of checked.shown) {
      if (shown.has(id)) continue;
      fileOf ??= filesOfPages();
      const file = fileOf.get(id);
      const place = file === undefined ? undefined : positionOfFile(files.get(file) ?? 0);
      if (file === undefined || place === undefined) continue;
      const { summary } = asParent(
        checker.check({ file, bytes: undefined, ...read(file) }, place),
        place,
        site,
      );
      if (summary !== undefined) shown.set(id, { ...summary.meta, title: summary.title });
    }
    showing ??= new SourceChecker({ model, site, printedMedia, times, pages: shown });
    return showing.check({ ...source, bytes }, at);
  }

  /** The sources of pages by id. It reads every source. */
  function filesOfPages(): ReadonlyMap<number, string> {
    const live = [...files].flatMap(([file, i]) => (listing.kind(i) === "draft" ? [] : [file]));
    const found = new Map<number, string>();
    for (const [file, { bytes }] of readEach?.(live) ?? oneByOne(live, read)) {
      const id = idIn(bytes?.toString() ?? "");
      if (id !== undefined) found.set(id, file);
    }
    return found;
  }

  const positionOfFile = (i: number): PagePosition => ({ parent: parentAbove(i), slug: listing.slug(i) });

  /** The reason why a page is not live at the snapshot's instant; undefined if it is live. */
  function reasonOf(meta: object, parent: Parent | "root" | undefined): NotLive | undefined {
    const above = parent === "root" ? undefined : parent?.live;
    const period = periodOrAlways(livePeriod(ownPeriod(meta), above));
    if (includes(period, instant)) return undefined;
    // Its section may expire before it goes live.
    if (period.from >= period.until) return { isNotLive: true };
    return period.from > instant
      ? { isNotLive: true, go_live_at: printInstant(period.from) }
      : { isNotLive: true, expire_at: printInstant(period.until) };
  }

  /** The time in which a page and all its ancestors are live, by its dates; undefined if that is always. */
  function periodOf(i: number): Period | undefined {
    const parent = parentAbove(i);
    const own = ownPeriod(liveDatesIn(bytesOf(listing.path(i))));
    return livePeriod(own, parent === "root" ? undefined : parent?.live);
  }

  /** Whether a page is live at the snapshot's instant, by its dates. */
  const isLive = (i: number): boolean => includes(periodOrAlways(periodOf(i)), instant);
  const isShown = (i: number): boolean => !onlyLive || isLive(i);
  const isLiveAbove = (i: number): boolean => reasonOf({}, parentAbove(i)) === undefined;

  /** The description of a page, without checking the rest of its source; undefined if the source lacks a part of it. */
  function name(file: string): PageName | undefined {
    const [i, bytes] = [files.get(file), bytesOf(file)];
    const { id, meta, title } = objectIn(bytes?.toString() ?? "") ?? {};
    const given = isObject(meta) ? meta["type"] : undefined;
    const type = model.has(given) ? given : undefined;
    if (i === undefined || typeof id !== "number" || type === undefined || typeof title !== "string")
      return undefined;
    return { id, type, title, address: addressOn(site, i), file };
  }

  /** Valid until the next read. */
  const bytesOf = (file: string): Buffer | undefined => read(file).bytes;

  function placeOfId(file: string): Place {
    const { source, root } = parsed(file, read(file));
    const node = root && nodeAt(root, ["id"]).node;
    return placeOf(source, node?.start ?? 0, node?.end ?? 0);
  }

  /** The parent of file i; "root" for the home page. */
  function parentAbove(i: number): Parent | "root" | undefined {
    const folder = listing.parentOf(i);
    if (folder !== -1) folderPage(folder);
    return parentOf(listing, parents, i);
  }

  /** A folder's own page, in the form that its subpages need. */
  function folderPage(folder: number): Parent | undefined {
    if (known.has(folder)) return parents[folder];
    known.add(folder);
    const { index } = listing.folders[folder] ?? { index: -1 };
    if (index === -1) return undefined;
    const file = listing.path(index);
    const at = positionOfFile(index);
    const checked = checker.check({ file, bytes: undefined, ...read(file) }, at);
    parents[folder] = asParent(checked, at, site);
    return parents[folder];
  }

  /** The address of file i on a site with these settings; it depends only on the file's location. */
  function addressOn(settings: Site, i: number): string {
    const folder = listing.parentOf(i);
    if (folder === -1) return homeAddress(settings);
    const above = listing.folders[folder]?.path ?? "";
    return childAddress(folderAddress(above, settings), listing.slug(i), settings);
  }

  const readings = { countPages, load, name, bytesOf, placeOfId, folderPage, addressOn };
  return { site, model, checker, listing, files, periodOf, isLive, isShown, isLiveAbove, ...readings };
}

function* oneByOne(
  files: readonly string[],
  read: ReadContents,
): Generator<[file: string, contents: Contents], undefined> {
  for (const file of files) yield [file, read(file)];
  return undefined;
}

export const parsed = (file: string, { bytes, size }: Contents): ParsedJson =>
  bytes === undefined ? tooLarge(file, size) : parseJson(file, bytes);

export type LiveDates = Partial<Record<(typeof LIVE_FIELDS)[number], string>>;

export function liveDatesIn(bytes: Buffer | undefined): LiveDates {
  // Most sources have none, and need not be parsed.
  const source = bytes !== undefined && mayHaveLiveDates(bytes) ? objectIn(bytes.toString()) : undefined;
  const meta = isObject(source?.["meta"]) ? source["meta"] : {};
  const dates = LIVE_FIELDS.map((field) => [field, meta[field]]);
  return Object.fromEntries(dates.filter(([, date]) => typeof date === "string")) as LiveDates;
}
