import { mergeClaims, type ClaimPart, type Claims } from "../check/claims.ts";
import type { PageIndex } from "../browse/page-index.ts";
import type { PageFindings } from "../check/page.ts";
import type { Code } from "../findings/catalogue/index.ts";
import type { Finding } from "../findings/finding.ts";
import { keptFindings, type Manifest } from "../manifest/manifest.ts";
import type { PageTable } from "../manifest/page-table.ts";
import { SITE } from "../page/files.ts";
import type { Listing } from "../sources/listing.ts";
import { SourceReader } from "../sources/read.ts";
import { findSlugClashes } from "../sources/tree.ts";
import type { Discovery } from "./discover.ts";
import type { CheckOptions } from "./outcome.ts";
import { periodsOf } from "./periods.ts";
import type { Times } from "../base/instant.ts";
import type { Plan } from "./plan.ts";
import type { SecondThread } from "./threads.ts";
import type { Job } from "./worker.ts";

/** The data of all pages, from reading them or from the manifest. */
export interface ReadPages {
  /** Findings about pages, and about slugs that clash. */
  findings: Finding[];
  /** The data of all pages with findings, links or dates, which the manifest saves. */
  pageFindings: PageFindings[];
  /** The claims of the pages that were read. */
  claimParts: ClaimPart[];
  /** The outcome of each file, as an index into `OUTCOMES`. */
  outcomes: Uint8Array;
  /** The data for the browse UI, of the pages that were read. */
  indexes: PageIndex[];
}

/** The inputs for reading the pages of a plan. */
export interface Reading {
  options: CheckOptions & { browse?: boolean | undefined };
  thread: SecondThread;
  discovery: Discovery;
  plan: Plan;
  manifest: Manifest | undefined;
  times: Times;
}

/** Reads the pages of a plan and, if `stage` is given, stages their responses. */
export async function readPages(
  { options, thread, discovery, plan, manifest, times }: Reading,
  stage?: Job["stage"],
): Promise<ReadPages> {
  const { listing, parents, site, isKnown } = discovery;
  const { table, toRead, matches } = plan;
  const shared = new Int32Array(new SharedArrayBuffer(8));
  let clashes: Finding[] = [];
  const findClashes = (): void => {
    // The slugs of a manifest's files do not clash.
    if (isKnown) return;
    clashes = findSlugClashes(listing);
    Atomics.add(shared, 1, clashes.length);
  };
  const outcomes = new Uint8Array(new SharedArrayBuffer(listing.count));
  const { content } = options;
  const job: Job = {
    content,
    table,
    outcomes,
    parents,
    site,
    toRead,
    shared,
    stage,
    browse: options.browse === true,
    times,
    listing,
  };
  const read = await thread.work(job, findClashes, (taken) => options.progress?.(taken, toRead.length));

  const isRead = filesRead(plan, listing);
  const pageFindings = read.flatMap(({ files }) => files);
  if (manifest !== undefined) pageFindings.push(...keptFindings(manifest, matches, isRead));
  return {
    findings: [...clashes, ...pageFindings.flatMap(({ findings }) => findings)],
    pageFindings,
    claimParts: read.map(({ claims }) => claims),
    outcomes,
    indexes: read.map(({ index }) => index),
  };
}

/** By file: 1 if it was read. */
function filesRead({ toRead }: Plan, { count }: Listing): Uint8Array {
  const isRead = new Uint8Array(count);
  for (const file of toRead) isRead[file] = 1;
  return isRead;
}

/** Merges the claims of all pages. Their parts are removed, because they take much memory. */
function claimsOf({ discovery, plan, manifest }: Reading, { claimParts }: ReadPages): Claims {
  if (manifest && claimSame(discovery, plan, manifest)) return manifest.claims;
  const { listing } = discovery;
  const isRead = filesRead(plan, listing);
  return mergeClaims(
    listing.count,
    claimParts.splice(0),
    manifest?.claims,
    plan.matches,
    (i) => isRead[i] === 1,
  );
}

/** Findings that depend only on the claims of all pages, and on the sources that they are in. */
const OF_CLAIMS: ReadonlySet<Code> = new Set<Code>(["inconsistent", "more-findings", "unlikely-reference"]);

/** The findings about the claims of all pages, if they are the same as those of the former build. */
function keptClaimFindings(
  { discovery: { listing }, plan: { toRead }, manifest }: Reading,
  claims: Claims,
): Finding[] | undefined {
  if (manifest === undefined || claims !== manifest.claims) return undefined;
  const read = new Set(Array.from(toRead, (file) => listing.path(file)));
  const kept = manifest.siteFindings.filter(({ code }) => OF_CLAIMS.has(code));
  // In a source that was read, a finding may have another location.
  return kept.some(({ place, other }) => read.has(place.file) || (other && read.has(other.file)))
    ? undefined
    : kept;
}

/** The claims of all pages, and the findings about several pages together. */
export async function checkPagesTogether(
  reading: Reading,
  pages: ReadPages,
): Promise<{ claims: Claims; siteFindings: Finding[] }> {
  const { options, discovery, plan, times } = reading;
  const { content } = options;
  const { table } = plan;
  const { listing, site, history } = discovery;
  // Loaded here, because a build with nothing to do does not need it.
  const { checkSite } = await import("../check/site.ts");
  const claims = claimsOf(reading, pages);
  const { pageFindings } = pages;
  const reader = new SourceReader();
  const kept = keptClaimFindings(reading, claims);
  const found = checkSite({
    listing,
    site,
    readSite: () => reader.read(content, SITE).parsed,
    ids: takenIds(listing, table),
    draftIds: table.reservedId,
    acnos: table.acno,
    read: (file) => reader.read(content, listing.path(file)).parsed,
    history: history?.(),
    pages: pageFindings,
    at: times.at,
    liveOf: periodsOf(discovery, pageFindings),
    claims: kept === undefined ? claims : undefined,
  });
  return { claims, siteFindings: kept === undefined ? found : [...kept, ...found] };
}

/** The ids of pages, live or not; 0 for drafts. */
function takenIds(listing: Listing, { id, reservedId }: PageTable): Float64Array {
  let ids = id;
  for (let i = 0; i < listing.count; i++) {
    if (reservedId[i] === 0 || listing.kind(i) === "draft") continue;
    if (ids === id) ids = id.slice();
    ids[i] = reservedId[i] ?? 0;
  }
  return ids;
}

/** Whether the files are the same, and make the same claims. */
const claimSame = ({ isKnown }: Discovery, { table, toRead }: Plan, manifest: Manifest): boolean =>
  isKnown && toRead.every((file) => table.claims[file] === manifest.table.claims[file]);
