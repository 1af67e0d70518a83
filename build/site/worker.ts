import { TextColumn, type TextList } from "../base/columns.ts";
import { PageIndexer, type PageIndex } from "../outputs/browse/page-index.ts";
import { cardOf } from "../outputs/browse/shown.ts";
import { hasIndex } from "../base/website.ts";
import { textNumber } from "../check/site.ts";
import { ClaimCollector, folded, uniqueClaim, type ClaimPart } from "../check/claims.ts";
import { leadsBelowOwned } from "../check/nodes.ts";
import { type CheckedPage, type PageFindings, type PagePosition } from "../check/page.ts";
import { SourceChecker } from "../check/source.ts";
import { isError } from "../findings/finding.ts";
import { setOutput, setSource, sourceStat, type PageTable } from "./manifest/page-table.ts";
import { layoutOf, type Layout } from "./output/layout.ts";
import { stagePage } from "./output/publish.ts";
import { printItem, slugIn } from "../model/item.ts";
import { positionOf } from "../model/position.ts";
import type { Site } from "../model/site.ts";
import { ItemCollector, type ItemPart } from "../outputs/website/items.ts";
import type { PageType } from "../model/page-types.ts";
import { filtersOf, localeOf } from "../outputs/website/lists.ts";
import { includes, LATEST, type Instant, type Times } from "../base/instant.ts";
import { livePeriod, ownPeriod, periodOrAlways } from "../model/schedule.ts";
import { SourceReader, type KnownSource } from "../source/read.ts";
import { SourceIndex, type SourceIndexColumns } from "../source/source-index.ts";
import { ownOriginLength, positionIn, type Parent } from "../model/tree.ts";
import type { ShownPage } from "../model/reference.ts";
import { FILE_STATES, type FileStates } from "./replace.ts";
import { keptSource, type KeptSources } from "./summaries.ts";
import { translationPrinter, type ShownTranslations } from "./translations.ts";
import type { PageModel } from "../model/page.ts";

/** The reading of pages in one build. It can be passed to another thread. */
export interface Job {
  content: string;
  listing: SourceIndexColumns;
  table: PageTable;
  /** By file. */
  states: FileStates;
  /** By folder. */
  parents: (Parent | undefined)[];
  /** By file, the sources from which `parents` were made. */
  sources: ReadonlyMap<number, KnownSource>;
  /** Absent if `_site.json` has errors: pages are checked, but not rendered. */
  site: Site | undefined;
  /** The files to read; both threads take files from it. */
  toRead: Uint32Array;
  /** `[number of files that are taken, number of errors]` */
  shared: Int32Array;
  /** The text of `_types.json`; absent if there is none. */
  types?: string | undefined;
  /** As in `ModelSource`. */
  languages?: string | undefined;
  translations?: (ShownTranslations & { kept: KeptSources }) | undefined;
  /**
   * The pages that references show, by id, if the pages that show them are read again only to be staged: their own facts
   * are known.
   */
  pages?: ReadonlyMap<number, ShownPage> | undefined;
  /** The output in which pages are staged; absent for a check. */
  stage?: { root: string; fresh: boolean } | undefined;
  /** Whether to collect data for the browse UI. */
  browse: boolean;
  times: Times;
}

export interface ReadResult {
  /** `PageFindings` as JSON: many objects that stay take much longer to collect garbage, and to pass to a thread. */
  files: TextList;
  claims: ClaimPart;
  /** The data of the pages for the browse UI. */
  index: PageIndex;
  /** The pages in the files for websites. */
  items: ItemPart;
}

interface Dated {
  isLive: boolean;
  found: Pick<PageFindings, "live" | "changeInstants">;
}

/** Sets a value, if it differs: a column that nothing is written to takes no memory. */
function set(column: Float64Array, i: number, value: number): void {
  if (column[i] !== value) column[i] = value;
}

/** Number of files that a thread takes at a time. */
const BATCH_SIZE = 32;

export function workThrough(job: Job, model: PageModel, progress?: (taken: number) => void): ReadResult {
  const files = new TextColumn();
  const worker = new PageWorker(job, model);
  for (;;) {
    const from = Atomics.add(job.shared, 0, BATCH_SIZE);
    if (from >= job.toRead.length)
      return {
        files: files.finish(),
        claims: worker.claims.part(),
        index: worker.indexer.finish(),
        items: worker.items.part(),
      };
    progress?.(from);
    const to = Math.min(from + BATCH_SIZE, job.toRead.length);
    for (let k = from; k < to; k++) {
      const i = job.toRead[k] as number;
      const found = worker.process(i);
      if (found === undefined) continue;
      if (found.findings.some(isError)) Atomics.add(job.shared, 1, 1);
      files.push(JSON.stringify(found));
    }
  }
}

/** Whether a link is looked up, or published for the editor, which finds the links to a page that moves. */
function isKeptLink(site: Site): (href: string) => boolean {
  const isOwned = leadsBelowOwned(site);
  if (site.repository === undefined) return isOwned;
  return (href) => isOwned(href) || ownOriginLength(href, site) !== undefined;
}

type ItemFacts = Record<"locale" | "filters" | "shown", (page: Readonly<Record<string, unknown>>) => string>;

/** Processes one page at a time: reads, checks and stages it. */
class PageWorker {
  private readonly job: Job;
  private readonly model: PageModel;
  private readonly listing: SourceIndex;
  private readonly layout: Layout | undefined;
  private readonly reader = new SourceReader();
  private readonly checker: SourceChecker;
  readonly claims: ClaimCollector;
  readonly indexer: PageIndexer;
  readonly items: ItemCollector;
  /** By target of a link: the only stored copy, if the target is kept. */
  private readonly links = new Map<string, string | undefined>();
  private readonly isKept: (href: string) => boolean;
  private readonly listed = new Map<PageType, ItemFacts>();
  private readonly translationsOf: ((file: number) => string | undefined) | undefined;

  constructor(job: Job, model: PageModel) {
    const { site, times, stage, pages } = job;
    this.job = job;
    this.model = model;
    this.indexer = new PageIndexer(model, job.browse ? job.toRead.length : 1);
    this.listing = new SourceIndex(job.listing);
    this.items = new ItemCollector(hasIndex(site) ? job.toRead.length : 1);
    this.claims = new ClaimCollector(job.toRead.length);
    this.checker = new SourceChecker({ model, site, times, pages, claims: this.claims });
    this.isKept = site === undefined ? () => false : isKeptLink(site);
    this.translationsOf =
      job.translations && site && translationPrinter(job.translations, this.listing, site, model.names);
    this.layout = stage && layoutOf(stage.root);
  }

  /** Undefined if there is nothing to report or to save about the page. */
  process(i: number): PageFindings | undefined {
    const { table, states, content, parents, sources, pages, site, translations } = this.job;
    const file = this.listing.path(i);
    const known =
      sources.get(i) ??
      (translations && keptSource(translations.kept, i)) ??
      (pages && { stat: sourceStat(table, i) });
    const source = this.reader.readBytes(`${content}/${file}`, file, known);
    setSource(table, i, source.stat);
    states[i] = FILE_STATES.indexOf("checked");
    const at: PagePosition = positionIn(this.listing, parents, i, file, site);
    if (translations !== undefined) at.translations = this.translationsOf?.(i);
    const checked = this.checker.check(source, at);
    const { page, findings } = checked;
    const isDraft = this.listing.kind(i) === "draft";
    // Time changes findings of a draft too.
    const dated = isDraft
      ? this.dated(undefined, {}, checked.changeInstants)
      : this.dated(at.parent, page?.meta ?? {}, checked.changeInstants);
    const isLive = !isDraft && dated?.isLive !== false;
    this.setFacts(i, checked, isLive, isDraft);
    const shown = isDraft || checked.shown.length === 0 ? undefined : checked.shown;
    // The pages that it shows may not have been read yet.
    if (isLive && (shown === undefined || pages !== undefined)) this.publish(i, checked, at);
    if (findings.length === 0 && checked.links.length === 0 && dated === undefined) return undefined;
    const links = isDraft ? [] : this.keptLinks(checked.links);
    const more = { ...dated?.found, ...(shown && { shown }) };
    if (findings.length + links.length + Object.keys(more).length === 0) return undefined;
    const found = isDraft ? findings.map((f) => ({ ...f, severity: "warning" as const })) : findings;
    return { file: i, findings: found, links, ...more };
  }

  /** Records the facts of a page in the table. The id of a draft, or of a page that is not live, is reserved. */
  private setFacts(i: number, checked: CheckedPage, isLive: boolean, isDraft: boolean): void {
    const { page, type, id = 0, place } = checked;
    const { table, browse } = this.job;
    set(table.id, i, isLive ? id : 0);
    set(table.reservedId, i, isLive ? 0 : id);
    table.type[i] = isDraft ? 0 : this.model.numberOf(type);
    const acno = page?.["acno"];
    const isNumbered = typeof acno === "string" && acno !== "" && !isDraft;
    // The pages of a work in several languages have its number.
    set(table.acno, i, isNumbered ? textNumber(folded(acno) + (place?.locale ?? "")) : 0);
    const externalId = page?.meta["external_id"];
    set(table.externalId, i, typeof externalId === "string" ? textNumber(externalId) : 0);
    set(table.position, i, page === undefined || isDraft ? 0 : positionOf(page.meta));
    set(table.listed, i, 0);
    this.endClaims(i, page, type, isDraft);
    if (!browse || isDraft) return;
    // With the picture, it decides whether the home view of the browse UI shows the page.
    const { first_published_at: written, go_live_at: live } = (page?.meta ?? {}) as Record<string, unknown>;
    const date = written === undefined ? live : written;
    set(table.published, i, typeof date === "string" ? Date.parse(date) || 0 : 0);
  }

  /** Of a draft, only the values that no other page may have are compared with those of pages. */
  private endClaims(
    i: number,
    page: CheckedPage["page"],
    type: PageType | undefined,
    isDraft: boolean,
  ): void {
    const unique = type === undefined ? undefined : this.model.of(type).unique;
    if (isDraft) {
      if (unique === undefined) return;
      this.claims.rollBack();
    }
    for (const [name, scope] of unique ?? []) {
      const value = page?.[name];
      const text = typeof value === "number" ? String(value) : value;
      if (typeof text === "string" && text !== "") this.claims.add(uniqueClaim(scope, text));
    }
    this.claims.endFile(i);
  }

  /** Stages the response of a page, and collects its data for the browse UI and for websites. */
  private publish(i: number, checked: CheckedPage, at: PagePosition): void {
    const { page, type, response, address = "", place } = checked;
    const { browse, site, table } = this.job;
    if (page === undefined || type === undefined || response === undefined || site === undefined) return;
    const bytes = this.checker.encode(response);
    if (!this.stage(i, page.id, bytes)) return;
    if (hasIndex(site) && place !== undefined) {
      const { locale, filters, shown } = this.listedOf(type);
      const ofLocale = site.locales === undefined ? locale(page) : place.locale;
      const item = printItem(page, type, place, ofLocale, shown(page));
      table.listed[i] = this.items.add(i, item, filters(page));
    }
    if (browse) {
      const parent = at.parent === "root" ? 0 : (at.parent?.summary?.id ?? 0);
      const position = table.position[i] ?? 0;
      const slug = slugIn(page.meta) ?? at.slug;
      const language = at.language?.code;
      const { image } = this.indexer.addPage(page, { type, parent, slug, address, position, language }, site);
      table.picture[i] = image === "" ? 0 : 1;
    }
  }

  /** Functions that print further facts for lists of a page, as JSON; empty if there are none. */
  private listedOf(type: PageType): ItemFacts {
    let found = this.listed.get(type);
    if (found === undefined) {
      const filters = filtersOf(this.model, type);
      const locale = localeOf(this.model, type);
      const card = cardOf(this.model, type);
      found = {
        shown: (page) => (card === undefined ? "" : JSON.stringify(card(page))),
        locale: (page) => (locale === undefined ? "" : JSON.stringify(locale(page))),
        filters: (page) =>
          filters.length === 0 ? "" : JSON.stringify(filters.map(([, read]) => read(page))),
      };
      this.listed.set(type, found);
    }
    return found;
  }

  /** The effects of time on a page; undefined if it is always live, and time does not change any finding of it. */
  private dated(
    parent: Parent | "root" | undefined,
    meta: object,
    changeInstants: readonly Instant[],
  ): Dated | undefined {
    const own = ownPeriod(meta);
    const above = parent === "root" ? undefined : parent?.live;
    if (own === undefined && above === undefined && changeInstants.length === 0) return undefined;
    const { at, knownSince } = this.job.times;
    const later = [...changeInstants, ...(own === undefined ? [] : [own.from, own.until])].filter(
      (instant) => instant > knownSince && instant < LATEST,
    );
    return {
      isLive: includes(periodOrAlways(livePeriod(own, above)), at),
      found: { ...(own && { live: own }), ...(later.length > 0 && { changeInstants: later }) },
    };
  }

  /** The distinct targets that are kept. */
  private keptLinks(links: string[]): string[] {
    const kept = new Set<string>();
    for (const href of links) {
      const link = this.keptLink(href);
      if (link !== undefined) kept.add(link);
    }
    return [...kept];
  }

  /** Stores a copy, because a part of a page's text would keep the whole text in memory. */
  private keptLink(href: string): string | undefined {
    if (!this.links.has(href)) {
      const copy = Buffer.from(href).toString();
      this.links.set(copy, this.isKept(href) ? copy : undefined);
    }
    return this.links.get(href);
  }

  /** @returns whether the page is staged. */
  private stage(i: number, id: number, bytes: Buffer): boolean {
    const { table, states, shared, stage } = this.job;
    // After an error, nothing will be published, so the other pages are only checked.
    if (this.layout === undefined || stage === undefined || Atomics.load(shared, 1) > 0) return false;
    try {
      const { staged, stat } = stagePage(this.layout, stage.fresh, id, bytes);
      states[i] = FILE_STATES.indexOf(staged);
      setOutput(table, i, stat);
      return true;
    } catch (cause) {
      // Another page has the same id, which is reported when all ids are known.
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
      return false;
    }
  }
}
