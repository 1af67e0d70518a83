import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { PageIndexer, type IndexedFields, type PageIndex } from "../browse/indexer.ts";
import { acnoNumber, claimsIn } from "../check/site.ts";
import { ClaimCollector, type ClaimPart } from "../check/claims.ts";
import type { PageFindings } from "../check/page.ts";
import { checkBelow } from "../check/parent.ts";
import { leadsBelowOwned, linksOf } from "../check/values.ts";
import { isError } from "../findings/finding.ts";
import { parseJson, tooLarge } from "../json/parse.ts";
import { setOutput, setPage, setSource, type PageTable } from "../manifest/page-table.ts";
import { STAGED_INDEXES } from "../output/foreign.ts";
import { layoutOf } from "../output/layout.ts";
import { Stager } from "../output/stage.ts";
import { sourceSchemas } from "../page/page.ts";
import type { PageType } from "../page/types.ts";
import type { Site } from "../page/site.ts";
import { includes, LATEST, type Instant, type Times } from "../base/instant.ts";
import { livePeriod, ownPeriod, periodOrAlways } from "../page/live.ts";
import { openFastPath, type FastPath } from "../response/fast-path.ts";
import { render } from "../response/render.ts";
import { Listing, type ListingColumns } from "../sources/listing.ts";
import { SourceReader } from "../sources/read.ts";
import { parentOf, positionOf, type Parent } from "../sources/tree.ts";
import { OUTCOMES } from "./replace.ts";

/** The reading of pages in one build. It can be passed to another thread. */
export interface Job {
  content: string;
  listing: ListingColumns;
  table: PageTable;
  /** By file: its outcome, as an index into `OUTCOMES`. */
  outcomes: Uint8Array;
  /** By folder. */
  parents: (Parent | undefined)[];
  /** Absent if `_site.json` has errors: pages are checked, but not rendered. */
  site: Site | undefined;
  /** The files to read; both threads take files from it. */
  toRead: Uint32Array;
  /** `[number of files that are taken, number of errors]` */
  shared: Int32Array;
  /** The output in which pages are staged; absent for a check. */
  stage?: { root: string; fresh: boolean } | undefined;
  /** Whether to collect data for the browse UI. */
  browse: boolean;
  times: Times;
}

/** The results of one thread. */
export interface ReadResult {
  files: PageFindings[];
  claims: ClaimPart;
  /** The data of the pages for the browse UI. */
  index: PageIndex;
}

interface ShownFields {
  meta?: object;
  master_images?: readonly unknown[];
}

interface Dated {
  isLive: boolean;
  found: Pick<PageFindings, "live" | "moments">;
}

/** Sets a value to 0, if necessary: a column that nothing is written to takes no memory. */
function clear(column: Float64Array, i: number): void {
  if (column[i] !== 0) column[i] = 0;
}

const NOTHING = { findings: [], links: [] };

/** Number of files that a thread takes at a time. */
const BATCH_SIZE = 32;

/** Works through a job together with other threads. */
export function workThrough(job: Job, progress?: (taken: number) => void): ReadResult {
  const files: PageFindings[] = [];
  const worker = new PageWorker(job);
  for (;;) {
    const from = Atomics.add(job.shared, 0, BATCH_SIZE);
    if (from >= job.toRead.length)
      return { files, claims: worker.claims.part(), index: worker.indexer.finish() };
    progress?.(from);
    const to = Math.min(from + BATCH_SIZE, job.toRead.length);
    for (let k = from; k < to; k++) {
      const i = job.toRead[k] as number;
      const found = worker.process(i);
      const { findings, links } = found;
      if (findings.some(isError)) Atomics.add(job.shared, 1, 1);
      if (findings.length > 0 || links.length > 0 || found.live || found.moments)
        files.push({ file: i, ...found });
    }
  }
}

/** Processes one page at a time: reads it, takes the fast path or parses, checks and renders it, and stages it. */
class PageWorker {
  private readonly job: Job;
  private readonly listing: Listing;
  private readonly stager: Stager | undefined;
  private readonly reader = new SourceReader();
  private readonly fastPath: FastPath | undefined;
  readonly claims: ClaimCollector;
  readonly indexer: PageIndexer;
  /** By target of a link: the only stored copy, if the target will be looked up. */
  private readonly links = new Map<string, string | undefined>();
  private readonly isLookedUp: (href: string) => boolean;

  constructor(job: Job) {
    this.job = job;
    this.listing = new Listing(job.listing);
    this.claims = new ClaimCollector(job.toRead.length);
    this.indexer = new PageIndexer(
      job.browse ? job.toRead.length : 0,
      job.site,
      job.stage && join(layoutOf(job.stage.root).staging, STAGED_INDEXES, `${threadId}`),
    );
    this.fastPath = job.site && openFastPath(job.site, this.claims, job.times);
    this.isLookedUp = job.site === undefined ? () => false : leadsBelowOwned(job.site);
    this.stager = job.stage && new Stager(layoutOf(job.stage.root), job.stage.fresh);
  }

  process(i: number): Omit<PageFindings, "file"> {
    const { table, outcomes, content, parents } = this.job;
    const file = this.listing.path(i);
    const { bytes, stat } = this.reader.readBytes(`${content}/${file}`, file);
    setSource(table, i, stat);
    outcomes[i] = OUTCOMES.indexOf("checked");
    clear(table.claims, i);
    clear(table.reservedId, i);
    // A draft takes the full path, which words its findings.
    const isDraft = this.listing.kind(i) === "draft";
    const parent = parentOf(this.listing, parents, i);
    const slug = this.listing.slug(i);
    const taken = bytes === undefined || isDraft ? undefined : this.fastPath?.take(bytes, parent, slug);
    if (taken === undefined)
      return this.processInFull(i, bytes === undefined ? tooLarge(file, stat.size) : parseJson(file, bytes));
    const dated = this.dated(parent, taken.source["meta"] as object, taken.moments);
    this.setPage(i, taken.id, taken.type, dated);
    table.acno[i] = acnoNumber(taken.acno);
    this.setShown(i, taken.source);
    table.claims[i] = this.claims.endFile(i);
    if (dated?.isLive !== false && this.stage(i, taken.id, taken.bytes) && this.job.browse) {
      const { type, address } = taken;
      const id = parent === "root" ? 0 : (parent?.summary?.id ?? 0);
      this.indexer.add(taken.source as unknown as IndexedFields, { type, parent: id, slug, address });
    }
    if (taken.links.length === 0 && dated === undefined) return NOTHING;
    return { findings: [], links: this.ownedLinks(taken.links), ...dated?.found };
  }

  /** The effects of time on a page; undefined if it is always live, and time does not change any finding of it. */
  private dated(
    parent: Parent | "root" | undefined,
    meta: object,
    moments: readonly Instant[],
  ): Dated | undefined {
    const own = ownPeriod(meta);
    const above = parent === "root" ? undefined : parent?.live;
    if (own === undefined && above === undefined && moments.length === 0) return undefined;
    const { at, floor } = this.job.times;
    const later = [...moments, ...(own === undefined ? [] : [own.from, own.until])].filter(
      (moment) => moment > floor && moment < LATEST,
    );
    return {
      isLive: includes(periodOrAlways(livePeriod(own, above)), at),
      found: { ...(own && { live: own }), ...(later.length > 0 && { moments: later }) },
    };
  }

  /** Records the id of a page; the id of a page that is not live is reserved. */
  private setPage(i: number, id: number, type: PageType | undefined, dated: Dated | undefined): void {
    const { table } = this.job;
    const isLive = dated?.isLive !== false;
    setPage(table, i, isLive ? id : 0, type);
    if (isLive) clear(table.reservedId, i);
    else table.reservedId[i] = id;
  }

  /** Records the fields that decide whether the browse UI's home view shows the page. */
  private setShown(i: number, page: ShownFields): void {
    if (!this.job.browse) return;
    const { table } = this.job;
    const { first_published_at: written, go_live_at: live } = (page.meta ?? {}) as Record<string, unknown>;
    const date = written === undefined ? live : written;
    clear(table.published, i);
    if (typeof date === "string") table.published[i] = Date.parse(date) || 0;
    table.picture[i] = page.master_images?.length ? 1 : 0;
  }

  private processInFull(i: number, parsed: ReturnType<typeof parseJson>): Omit<PageFindings, "file"> {
    const { table, parents, site } = this.job;
    const { source, root } = parsed;
    const parent = parentOf(this.listing, parents, i);
    const checked = checkBelow(parsed, parent, site, this.job.times.at);
    const { page, type, id, nodes, findings } = checked;
    if (this.listing.kind(i) === "draft") {
      table.reservedId[i] = id ?? 0;
      return { findings: findings.map((f) => ({ ...f, severity: "warning" })), links: [] };
    }
    const dated = this.dated(parent, page?.meta ?? {}, checked.moments);
    this.setPage(i, id ?? 0, type, dated);
    table.acno[i] = page !== undefined && "acno" in page ? acnoNumber(page.acno) : 0;
    this.setShown(i, page ?? {});
    if (root !== undefined)
      for (const { key, hash, text } of claimsIn(root, page === undefined))
        if (this.claims.lacksText(this.claims.add(key, hash))) this.claims.note(text);
    table.claims[i] = this.claims.endFile(i);
    const links =
      root === undefined || type === undefined || site === undefined
        ? []
        : this.ownedLinks(linksOf(source, root, sourceSchemas[type]).map(({ href }) => href));
    const found = { findings, links, ...dated?.found };
    if (this.stager === undefined || dated?.isLive === false) return found;
    const at = positionOf(this.listing, parents, i, site);
    if (page !== undefined && site !== undefined && at !== undefined && !findings.some(isError)) {
      const bytes = render(page, at, site, nodes);
      if (this.stage(i, page.id, bytes) && this.job.browse) this.indexer.addResponse(bytes);
    }
    return found;
  }

  /** The distinct targets that will be looked up. */
  private ownedLinks(links: string[]): string[] {
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
      this.links.set(copy, this.isLookedUp(href) ? copy : undefined);
    }
    return this.links.get(href);
  }

  /** @returns whether the page is staged. */
  private stage(i: number, id: number, bytes: Buffer): boolean {
    // After an error, nothing will be published, so the other pages are only checked.
    if (this.stager === undefined || Atomics.load(this.job.shared, 1) > 0) return false;
    const { table, outcomes } = this.job;
    try {
      const { staged, stat } = this.stager.page(id, bytes);
      outcomes[i] = OUTCOMES.indexOf(staged);
      setOutput(table, i, stat);
      return true;
    } catch (cause) {
      // Another page has the same id, which is reported when all ids are known.
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
      return false;
    }
  }
}
