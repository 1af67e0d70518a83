import { mergeClaims, type Claims } from "../check/claims.ts";
import type { PageIndex } from "../browse/indexer.ts";
import type { PageFindings } from "../check/page.ts";
import type { Code } from "../findings/catalogue/index.ts";
import type { Finding } from "../findings/finding.ts";
import { keptFindings, type Manifest } from "../manifest/manifest.ts";
import { SITE } from "../page/files.ts";
import { Reader } from "../sources/read.ts";
import { findSlugClashes } from "../sources/tree.ts";
import type { Discovery } from "./discover.ts";
import type { CheckOptions } from "./outcome.ts";
import type { Plan } from "./plan.ts";
import type { SecondThread } from "./threads.ts";
import type { Job } from "./worker.ts";

/** What all pages say, those that were read and those that the manifest knows. */
export interface Pages {
  /** Of pages and of their names together. */
  findings: Finding[];
  /** By file, of all pages with warnings or links; they are what a manifest keeps. */
  pageFindings: PageFindings[];
  claims: Claims;
  /** What became of each file, by the numbers of `OUTCOMES`. */
  outcomes: Uint8Array;
  /** What the browse UI needs of those that were read. */
  indexes: PageIndex[];
}

/** Reads the pages of a plan and, where `stage` is given, writes their responses aside. */
export async function readPages(
  options: CheckOptions & { browse?: boolean | undefined },
  thread: SecondThread,
  discovery: Discovery,
  plan: Plan,
  manifest: Manifest | undefined,
  stage?: Job["stage"],
): Promise<Pages> {
  const { listing, parents, site, isKnown } = discovery;
  const { table, toRead, matches } = plan;
  const shared = new Int32Array(new SharedArrayBuffer(8));
  let clashes: Finding[] = [];
  const findClashes = (): void => {
    // The files of a manifest did not clash.
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
    listing: listing.columns(),
  };
  const read = await thread.work(job, findClashes, (taken) => options.progress?.(taken, toRead.length));

  const isRead = new Uint8Array(listing.count);
  for (const file of toRead) isRead[file] = 1;
  const pageFindings = read.flatMap(({ files }) => files);
  if (manifest !== undefined) pageFindings.push(...keptFindings(manifest, matches, isRead));
  const parts = read.map(({ claims }) => claims);
  const kept = manifest && claimSame(discovery, plan, manifest) ? manifest.claims : undefined;
  const claims = kept ?? mergeClaims(listing.count, parts, manifest?.claims, matches, (i) => isRead[i] === 1);
  return {
    findings: [...clashes, ...pageFindings.flatMap(({ findings }) => findings)],
    pageFindings,
    claims,
    outcomes,
    indexes: read.map(({ index }) => index),
  };
}

/** What every build that reads a page looks for among all pages; of clashes of ids it is that with drafts. */
const FOUND_ANEW: ReadonlySet<Code> = new Set<Code>([
  "dead-link",
  "dead-redirect",
  "empty-owned-path",
  "former-address",
  "id-clash",
  "retired-id",
]);

/** What does not fit together over several pages. */
export async function checkPagesTogether(
  { content }: CheckOptions,
  { listing, site, history }: Discovery,
  { table, toRead }: Plan,
  { pageFindings, claims }: Pages,
  manifest: Manifest | undefined,
): Promise<Finding[]> {
  // Only here: a build with nothing to do need not load it.
  const { checkSite } = await import("../check/site.ts");
  const reader = new Reader();
  // Where all was consistent before, only what was read can be at odds.
  const wasConsistent = manifest?.siteFindings.every(({ code }) => FOUND_ANEW.has(code)) ?? false;
  return checkSite({
    listing,
    site,
    readSite: () => reader.read(content, SITE).parsed,
    ids: table.id,
    draftIds: table.draftId,
    acnos: table.acno,
    read: (file) => reader.read(content, listing.path(file)).parsed,
    history: history?.(),
    pages: pageFindings,
    claims: wasConsistent && claims === manifest?.claims ? undefined : claims,
    clashesOf: wasConsistent ? toRead : undefined,
  });
}

/** Whether the same files claim the same of what pages share. */
const claimSame = ({ isKnown }: Discovery, { table, toRead }: Plan, manifest: Manifest): boolean =>
  isKnown && toRead.every((file) => table.claims[file] === manifest.table.claims[file]);
