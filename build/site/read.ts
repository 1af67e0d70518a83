import type { TextList } from "../base/columns.ts";
import { Failure } from "../base/failure.ts";
import { readBytes } from "../base/file.ts";
import type { Period } from "../base/instant.ts";
import { areSame, mergeClaims, type ClaimPart, type Claims } from "../check/claims.ts";
import type { PageIndex } from "../outputs/browse/page-index.ts";
import type { PageFindings } from "../check/page.ts";
import type { Code } from "../findings/catalogue/index.ts";
import type { Finding } from "../findings/finding.ts";
import { keptFindings, readFindings } from "./manifest/manifest.ts";
import { sourceStat, type PageTable } from "./manifest/page-table.ts";
import { layoutOf } from "./output/layout.ts";
import { SITE } from "../source/site-files.ts";
import { livePeriod } from "../model/schedule.ts";
import type { PageModel } from "../model/page.ts";
import type { ShownPage } from "../model/reference.ts";
import { SourceReader } from "../source/read.ts";
import { SourceIndex } from "../source/source-index.ts";
import { findLanguageClashes, findSlugClashes, parentOf, positionIn } from "../model/tree.ts";
import type { Discovery } from "./discover.ts";
import type { CheckOptions } from "./outcome.ts";
import type { StepContext } from "./step.ts";
import type { Plan } from "./plan.ts";
import { responsePath, type FileStates } from "./replace.ts";
import type { SecondThread } from "./threads.ts";
import { itemsIn, type ReadItems } from "../outputs/website/items.ts";
import type { Job, ReadResult } from "./worker.ts";

/** The data of all pages, from reading them or from the manifest. */
export interface ReadPages {
  /** Findings about pages, and about slugs that clash. */
  findings: Finding[];
  /** The data of all pages with findings, links or dates, which the manifest saves. */
  pageFindings: PageFindings[];
  printedFindings: TextList[] | undefined;
  /** The claims of the pages that were read. */
  claimParts: ClaimPart[];
  states: FileStates;
  /** The data for the browse UI, of the pages that were read. */
  indexes: PageIndex[];
  /** The pages in the files for websites, as JSON, of the pages that were read: by their rows in the table. */
  items: ReadItems;
  /** The response of a page that the contract or the home view shows, by its row in the table. */
  responseOf: (row: number) => Buffer;
}

export type Reading = Pick<
  StepContext,
  "thread" | "discovery" | "plan" | "manifest" | "times" | "translations"
> & {
  options: CheckOptions & { browse?: boolean | undefined };
};

/** Reads the pages of a plan and, if `stage` is given, stages their responses. */
export async function readPages(
  { options, thread, discovery, plan, manifest, times, translations }: Reading,
  stage?: Job["stage"],
): Promise<ReadPages> {
  const { listing, parents, sources, site, isKnown } = discovery;
  const { table, toRead, matches } = plan;
  const shared = new Int32Array(new SharedArrayBuffer(8));
  let clashes: Finding[] = [];
  const findClashes = (): void => {
    // The slugs of a manifest's files do not clash.
    if (isKnown && manifest !== undefined) return;
    clashes = findSlugClashes(listing);
    if (site !== undefined) clashes = clashes.concat(findLanguageClashes(listing, site));
    Atomics.add(shared, 1, clashes.length);
  };
  const states: FileStates = new Uint8Array(new SharedArrayBuffer(listing.count));
  const { content, browse = false } = options;
  const { declared: types, languages } = discovery.model;
  const job: Job = {
    content,
    table,
    states,
    parents,
    sources,
    site,
    types,
    languages,
    translations: translations && {
      groups: translations.groups(),
      summaries: translations.summaries,
      kept: translations.kept,
    },
    toRead,
    shared,
    stage,
    browse,
    times,
    listing,
  };
  const read = await thread.work(job, discovery.model, findClashes, (taken) =>
    options.progress?.(taken, toRead.length),
  );
  const printed = read.map(({ files }) => files);
  const found = readFindings(printed);
  const staged = await stageShowing(job, found, discovery, thread);
  sources.clear();

  const kept = manifest === undefined ? [] : keptFindings(manifest, matches, filesRead(plan, listing));
  const pageFindings = [...found, ...kept];
  return {
    findings: [...clashes, ...pageFindings.flatMap(({ findings }) => findings)],
    pageFindings,
    printedFindings: kept.length === 0 ? printed : undefined,
    claimParts: read.map(({ claims }) => claims),
    states,
    indexes: [...read, ...staged].map(({ index }) => index),
    items: itemsIn(
      [...read, ...staged].map(({ items }) => items),
      listing.count,
    ),
    responseOf: (row) => {
      const path = responsePath(layoutOf(stage?.root ?? ""), table.id[row] ?? 0, states[row]);
      const bytes = readBytes(path);
      if (bytes === undefined) throw new Failure(`${path} was removed while the build ran. Build again.`);
      return bytes;
    },
  };
}

/** Stages the pages that show other pages, once all pages that they show are known. */
async function stageShowing(
  job: Job,
  read: readonly PageFindings[],
  discovery: Discovery,
  thread: SecondThread,
): Promise<ReadResult[]> {
  const showing = read.filter(({ shown }) => shown !== undefined);
  if (showing.length === 0 || Atomics.load(job.shared, 1) > 0) return [];
  const ids = new Set(showing.flatMap(({ shown = [] }) => shown));
  const pages = await shownPages(job, await discovery.model.load(), ids);
  const files = showing.map(({ file }) => file).sort((a, b) => a - b);
  const toRead = new Uint32Array(new SharedArrayBuffer(4 * files.length));
  toRead.set(files);
  const shared = new Int32Array(new SharedArrayBuffer(8));
  return thread.work(
    { ...job, toRead, shared, pages },
    discovery.model,
    () => undefined,
    () => undefined,
  );
}

/** What references can show of pages, by id. */
async function shownPages(
  { content, listing: columns, table, parents, sources, site }: Job,
  model: PageModel,
  ids: ReadonlySet<number>,
): Promise<Map<number, ShownPage>> {
  const pages = new Map<number, ShownPage>();
  const { asParent, SourceChecker } = await import("../check/source.ts");
  const checker = new SourceChecker({ model, site });
  const listing = new SourceIndex(columns);
  const reader = new SourceReader();
  for (let i = 0; i < listing.count; i++) {
    const id = table.id[i] || (table.reservedId[i] ?? 0);
    if (!ids.has(id) || listing.kind(i) === "draft") continue;
    const file = listing.path(i);
    const known = sources.get(i) ?? { stat: sourceStat(table, i) };
    const at = positionIn(listing, parents, i, file, site);
    const checked = checker.check(reader.readBytes(`${content}/${file}`, file, known), at);
    const { summary } = asParent(checked, at, site);
    if (summary !== undefined) pages.set(id, { ...summary.meta, title: summary.title });
  }
  return pages;
}

/** A function that returns, for a file, the time in which its page and all ancestors are live; undefined for always. */
export function periodsOf(
  { listing, parents }: Discovery,
  pages: readonly PageFindings[],
): (file: number) => Period | undefined {
  const own = new Map(pages.flatMap(({ file, live }) => (live === undefined ? [] : [[file, live] as const])));
  return (file) => {
    const parent = parentOf(listing, parents, file);
    return livePeriod(own.get(file), parent === "root" ? undefined : parent?.live);
  };
}

/** By file: 1 if it was read. */
function filesRead({ toRead }: Plan, { count }: SourceIndex): Uint8Array {
  const isRead = new Uint8Array(count);
  for (const file of toRead) isRead[file] = 1;
  return isRead;
}

/** Merges the claims of all pages. Their parts are removed, because they take much memory. */
function claimsOf({ discovery, plan, manifest }: Reading, { claimParts }: ReadPages): Claims {
  // The numbers of the files are the same too.
  if (manifest && discovery.isKnown && areSame(claimParts, manifest.claims)) return manifest.claims;
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
const OF_CLAIMS: ReadonlySet<Code> = new Set<Code>([
  "inconsistent",
  "more-findings",
  "unlikely-reference",
  "value-clash",
]);

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
  const { options, discovery, plan, manifest, times } = reading;
  const { content } = options;
  const { table, toRead } = plan;
  const { listing, site, history } = discovery;
  // Loaded here, because a build with nothing to do does not need it.
  const { checkSite } = await import("../check/site.ts");
  const claims = claimsOf(reading, pages);
  const { pageFindings } = pages;
  const reader = new SourceReader();
  const kept = keptClaimFindings(reading, claims);
  const found = checkSite({
    model: await discovery.model.load(),
    listing,
    site,
    readSite: () => reader.read(content, SITE).parsed(),
    ids: takenIds(listing, table),
    draftIds: table.reservedId,
    acnos: table.acno,
    externalIds: table.externalId,
    // The ids of published pages differ, so that only the pages that were read can have one of another page.
    mayClash: manifest?.siteFindings.some(({ code }) => code === "acno-clash") === false ? toRead : undefined,
    types: table.type,
    read: (file) => reader.read(content, listing.path(file)).parsed(),
    history: history?.(),
    pages: pageFindings,
    at: times.at,
    liveOf: periodsOf(discovery, pageFindings),
    claims: kept === undefined ? claims : undefined,
  });
  return { claims, siteFindings: kept === undefined ? found : [...kept, ...found] };
}

/** The ids of pages, live or not; 0 for drafts. */
function takenIds(listing: SourceIndex, { id, reservedId }: PageTable): Float64Array {
  let ids = id;
  for (let i = 0; i < listing.count; i++) {
    if (reservedId[i] === 0 || listing.kind(i) === "draft") continue;
    if (ids === id) ids = id.slice();
    ids[i] = reservedId[i] ?? 0;
  }
  return ids;
}
