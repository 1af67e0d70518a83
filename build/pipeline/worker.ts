import { setOutput, STATES, type PageTable } from "../manifest/page-table.ts";
import type { Args } from "../findings/catalogue/index.ts";
import { isError, type Finding } from "../findings/finding.ts";
import { nodeAt } from "../json/node.ts";
import { parseJson, tooLarge, type ParsedJson } from "../json/parse.ts";
import { placeOf } from "../json/place.ts";
import { layoutOf } from "../output/layout.ts";
import { Stager } from "../output/stage.ts";
import { sourceSchemas } from "../page/page.ts";
import type { Site } from "../page/site.ts";
import { render } from "../response/render.ts";
import { encodeParent, type EncodedParent } from "../response/fast/above.ts";
import { Transcoder } from "../response/fast/transcode.ts";
import { checkPage, ownFields, type CheckedPage } from "../check/page.ts";
import { acnoNumber, claimsIn } from "../check/site.ts";
import { ClaimLog, type ClaimPart } from "../check/claims.ts";
import { Listing, type ListingColumns } from "../sources/listing.ts";
import { Reader } from "../sources/read.ts";
import { ownedLinks, type Link } from "../check/values.ts";
import { checkParentType, detailUrl, parentOf, positionOf, type Parent } from "../sources/tree.ts";

/** One build's work on pages; goes to the other thread as it is. */
export interface Job {
  content: string;
  listing: ListingColumns;
  columns: PageTable;
  /** By folder. */
  parents: (Parent | undefined)[];
  /** Absent where `_site.json` has errors: pages are checked, but nothing can be rendered. */
  site: Site | undefined;
  /** The files to be read; both threads take from it. */
  todo: Uint32Array;
  /** `[how many of todo are taken, encodedParent 0 once there is an error]` */
  shared: Int32Array;
  /** Where pages are written aside; absent for a check. */
  stage?: { root: string; fresh: boolean };
}

/** What was found in one file, by its number. */
export interface PageFindings {
  file: number;
  findings: Finding[];
  /** Links whose targets are looked for when all pages are known. */
  links: Link[];
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
    if (from >= job.todo.length) return { files, claims: worker.claims.part() };
    progress?.(from);
    const to = Math.min(from + BATCH, job.todo.length);
    for (let k = from; k < to; k++) {
      const i = job.todo[k] as number;
      const { findings, links } = worker.process(i);
      if (findings.some(isError)) Atomics.add(job.shared, 1, 1);
      if (findings.length > 0 || links.length > 0) files.push({ file: i, findings, links });
    }
  }
}

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
    const { columns, content, site } = this.job;
    const file = this.listing.path(i);
    const { bytes, stat } = this.reader.readBytes(`${content}/${file}`, file);
    columns.sourceSize[i] = stat.size;
    columns.sourceMtime[i] = stat.mtime;
    columns.sourceCtime[i] = stat.ctime;
    columns.sourceInode[i] = stat.inode;
    columns.state[i] = STATES.indexOf("checked");
    columns.claims[i] = 0;
    const encodedParent = bytes && this.encodedParent(i);
    if (bytes !== undefined && encodedParent !== undefined) {
      const done = this.transcoder?.transcode(bytes, encodedParent, this.listing.slug(i));
      if (done !== undefined) {
        columns.id[i] = done.id;
        columns.acno[i] = acnoNumber(done.acno);
        columns.claims[i] = this.claims.endFile(i);
        this.stage(i, done.id, done.bytes);
        return NOTHING;
      }
    }
    const parsed = bytes === undefined ? tooLarge(file, stat.size) : parseJson(file, bytes);
    const checked = checkAt(parsed, parentOf(this.listing, this.job.parents, i), site);
    if (this.listing.kind(i) === "draft")
      return { findings: checked.findings.map((f) => ({ ...f, severity: "warning" })), links: [] };
    columns.id[i] = checked.id ?? 0;
    columns.acno[i] =
      checked.page !== undefined && "acno" in checked.page ? acnoNumber(checked.page.acno) : 0;
    if (parsed.root !== undefined)
      for (const { key, hash } of claimsIn(parsed.root)) this.claims.add(key, hash);
    columns.claims[i] = this.claims.endFile(i);
    const links =
      parsed.root === undefined || checked.type === undefined
        ? []
        : ownedLinks(parsed.source, parsed.root, sourceSchemas[checked.type], site?.owned_paths ?? []);
    const at = positionOf(this.listing, this.job.parents, i, site);
    if (
      checked.page !== undefined &&
      site !== undefined &&
      at !== undefined &&
      !checked.findings.some(isError)
    )
      this.stage(i, checked.page.id, Buffer.from(render(checked.page, at, site, checked.nodes)));
    return { findings: checked.findings, links };
  }

  /** What the fast lane needs of the page encodedParent; undefined where that is not sound, and for drafts, which it does not take. */
  private encodedParent(i: number): EncodedParent | undefined {
    const { site, parents } = this.job;
    if (site === undefined || this.listing.kind(i) === "draft") return undefined;
    const folder = this.listing.parentOf(i);
    const known = this.encodedParents.get(folder);
    if (known !== undefined) return known;
    const encodedParent = encodeParent(folder === -1 ? "root" : parents[folder], site);
    if (encodedParent !== undefined) this.encodedParents.set(folder, encodedParent);
    return encodedParent;
  }

  private stage(i: number, id: number, bytes: Buffer): void {
    // After an error nothing will be published: the rest is only checked.
    if (this.stager === undefined || Atomics.load(this.job.shared, 1) > 0) return;
    const { columns } = this.job;
    try {
      const { staged, stat } = this.stager.page(id, bytes);
      columns.state[i] = STATES.indexOf(staged);
      setOutput(columns, i, stat);
    } catch (cause) {
      // Another page has the same id; that is found when all ids are known.
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    }
  }
}

/** Checks a page by itself and against the page encodedParent it. */
export function checkAt(
  parsed: ParsedJson,
  parent: Parent | "root" | undefined,
  site: Site | undefined,
): CheckedPage {
  const checked = checkPage(parsed, site);
  const { type } = checked;
  const { root } = parsed;
  const parentType = parent === "root" ? parent : parent?.type;
  if (type === undefined || root === undefined || parentType === undefined) return checked;
  const misplaced = checkParentType(type, parentType, () => {
    const { node } = nodeAt(root, ["meta", "type"]);
    return placeOf(parsed.source, node.start, node.end);
  });
  if (misplaced === undefined) return checked;
  const own = ownFields(type);
  // Of a page without any field of its type, the type is the one defect.
  const isTypeAlone = !own.some((field) => nodeAt(root, [field]).found);
  const findings = checked.findings.filter(
    ({ code, args }) =>
      !(isTypeAlone && code === "missing-field" && own.includes((args as Args<typeof code>).field)),
  );
  return { ...checked, findings: [...findings, misplaced] };
}

/** A folder's page, of its source, as the pages below it see it. */
export function parentIn(
  parsed: ParsedJson,
  listing: Listing,
  parents: (Parent | undefined)[],
  i: number,
  site: Site | undefined,
): Parent {
  const { page, type } = checkAt(parsed, parentOf(listing, parents, i), site);
  const at = positionOf(listing, parents, i, site);
  const parent: Parent = { address: at?.address ?? "" };
  if (type !== undefined) parent.type = type;
  if (page !== undefined && site !== undefined && at !== undefined && type !== undefined)
    parent.summary = {
      id: page.id,
      meta: { type, detail_url: detailUrl(site, page.id), html_url: at.address },
      title: page.title,
    };
  return parent;
}
