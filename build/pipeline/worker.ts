import { acnoNumber, claimsIn } from "../check/site.ts";
import { ClaimLog, type ClaimPart } from "../check/claims.ts";
import type { PageFindings } from "../check/page.ts";
import { checkBelow } from "../check/parent.ts";
import { ownedLinks } from "../check/values.ts";
import { isError } from "../findings/finding.ts";
import { parseJson, tooLarge } from "../json/parse.ts";
import { setOutput, setPage, setSource, type PageTable } from "../manifest/page-table.ts";
import { layoutOf } from "../output/layout.ts";
import { Stager } from "../output/stage.ts";
import { sourceSchemas } from "../page/page.ts";
import type { Site } from "../page/site.ts";
import { encodeParent, type EncodedParent } from "../response/fast/parent.ts";
import { Transcoder } from "../response/fast/transcode.ts";
import { render } from "../response/render.ts";
import { Listing, type ListingColumns } from "../sources/listing.ts";
import { Reader } from "../sources/read.ts";
import { parentOf, positionOf, type Parent } from "../sources/tree.ts";
import { OUTCOMES } from "./replace.ts";

/** One build's work on pages; goes to the other thread as it is. */
export interface Job {
  content: string;
  listing: ListingColumns;
  table: PageTable;
  /** By file: what became of it, as a number of `OUTCOMES`. */
  outcomes: Uint8Array;
  /** By folder. */
  parents: (Parent | undefined)[];
  /** Absent where `_site.json` has errors: pages are checked, but nothing can be rendered. */
  site: Site | undefined;
  /** The files to read; both threads take from it. */
  toRead: Uint32Array;
  /** `[how many of them are taken, how many errors there are]` */
  shared: Int32Array;
  /** Where pages are written aside; absent for a check. */
  stage?: { root: string; fresh: boolean } | undefined;
}

/** What one thread found. */
export interface Read {
  files: PageFindings[];
  claims: ClaimPart;
}

const NOTHING = { findings: [], links: [] };

const BATCH = 32;

/** Works through a job together with other threads, until nothing is left. */
export function workThrough(job: Job, progress?: (taken: number) => void): Read {
  const files: PageFindings[] = [];
  const worker = new PageWorker(job);
  for (;;) {
    const from = Atomics.add(job.shared, 0, BATCH);
    if (from >= job.toRead.length) return { files, claims: worker.claims.part() };
    progress?.(from);
    const to = Math.min(from + BATCH, job.toRead.length);
    for (let k = from; k < to; k++) {
      const i = job.toRead[k] as number;
      const { findings, links } = worker.process(i);
      if (findings.some(isError)) Atomics.add(job.shared, 1, 1);
      if (findings.length > 0 || links.length > 0) files.push({ file: i, findings, links });
    }
  }
}

/** The way of one page: read, then the fast path, or parse, check and render, and written aside. */
class PageWorker {
  private readonly job: Job;
  private readonly listing: Listing;
  private readonly stager: Stager | undefined;
  private readonly reader = new Reader();
  private readonly transcoder: Transcoder | undefined;
  private readonly encodedParents = new Map<number, EncodedParent>();
  readonly claims = new ClaimLog();

  constructor(job: Job) {
    this.job = job;
    this.listing = new Listing(job.listing);
    this.transcoder = job.site && new Transcoder(job.site, this.claims);
    this.stager = job.stage && new Stager(layoutOf(job.stage.root), job.stage.fresh);
  }

  process(i: number): Omit<PageFindings, "file"> {
    const { table, outcomes, content } = this.job;
    const file = this.listing.path(i);
    const { bytes, stat } = this.reader.readBytes(`${content}/${file}`, file);
    setSource(table, i, stat);
    outcomes[i] = OUTCOMES.indexOf("checked");
    table.claims[i] = 0;
    const parent = bytes && this.encodedParent(i);
    const done = bytes && parent && this.transcoder?.transcode(bytes, parent, this.listing.slug(i));
    if (done === undefined)
      return this.processInFull(i, bytes === undefined ? tooLarge(file, stat.size) : parseJson(file, bytes));
    setPage(table, i, done.id, done.type);
    table.acno[i] = acnoNumber(done.acno);
    table.claims[i] = this.claims.endFile(i);
    this.stage(i, done.id, done.bytes);
    return NOTHING;
  }

  private processInFull(i: number, parsed: ReturnType<typeof parseJson>): Omit<PageFindings, "file"> {
    const { table, parents, site } = this.job;
    const { source, root } = parsed;
    const { page, type, id, nodes, findings } = checkBelow(parsed, parentOf(this.listing, parents, i), site);
    if (this.listing.kind(i) === "draft")
      return { findings: findings.map((f) => ({ ...f, severity: "warning" })), links: [] };
    setPage(table, i, id ?? 0, type);
    table.acno[i] = page !== undefined && "acno" in page ? acnoNumber(page.acno) : 0;
    if (root !== undefined) for (const { key, hash } of claimsIn(root)) this.claims.add(key, hash);
    table.claims[i] = this.claims.endFile(i);
    const links =
      root === undefined || type === undefined
        ? []
        : ownedLinks(source, root, sourceSchemas[type], site?.owned_paths ?? []);
    const at = positionOf(this.listing, parents, i, site);
    if (page !== undefined && site !== undefined && at !== undefined && !findings.some(isError))
      this.stage(i, page.id, Buffer.from(render(page, at, site, nodes)));
    return { findings, links };
  }

  /** What the fast path needs of a page's parent; undefined where that is not sound, and for drafts, which it does not take. */
  private encodedParent(i: number): EncodedParent | undefined {
    const { site, parents } = this.job;
    if (site === undefined || this.listing.kind(i) === "draft") return undefined;
    const folder = this.listing.parentOf(i);
    const known = this.encodedParents.get(folder);
    if (known !== undefined) return known;
    const parent = encodeParent(folder === -1 ? "root" : parents[folder], site);
    if (parent !== undefined) this.encodedParents.set(folder, parent);
    return parent;
  }

  private stage(i: number, id: number, bytes: Buffer): void {
    // After an error nothing will be published: the rest is only checked.
    if (this.stager === undefined || Atomics.load(this.job.shared, 1) > 0) return;
    const { table, outcomes } = this.job;
    try {
      const { staged, stat } = this.stager.page(id, bytes);
      outcomes[i] = OUTCOMES.indexOf(staged);
      setOutput(table, i, stat);
    } catch (cause) {
      // Another page has the same id; that is found when all ids are known.
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    }
  }
}
