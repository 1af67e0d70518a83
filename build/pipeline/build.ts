import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import { byPlace, isError, severityOf, type Finding } from "../findings/finding.ts";
import { NOT_FOUND } from "../hosting/errors.ts";
import { redirects } from "../hosting/redirects.ts";
import { assertFolders, isInside, layoutOf, PAGES, realPath, type Layout } from "../output/layout.ts";
import { takeLock } from "../output/lock.ts";
import { hasLeftovers, type StaticFiles } from "../output/foreign.ts";
import { areSame, Publication } from "../output/publish.ts";
import { setOutput, stateOf, type PageTable } from "../manifest/page-table.ts";
import type { PageFindings, Job, Read } from "./worker.ts";
import { hasProgramChanged, PROGRAM } from "../base/program.ts";
import { PROJECT } from "../base/project.ts";
import { hasSamePages, planRemovals, planWork, publishedIds, type Plan } from "./plan.ts";
import {
  headerOf,
  pruneCache,
  keptFindings,
  loadManifest,
  loadClaims,
  saveManifest,
  saveClaims,
  type Manifest,
  sourceStat,
} from "../manifest/manifest.ts";
import { mergeClaims, type Claims } from "../check/claims.ts";
import { SourceVanished } from "../sources/read.ts";
import { statAt, statIfThere, type FileStat } from "../base/stat.ts";
import { discover, type Discovery } from "./discover.ts";
import { findSlugClashes } from "../sources/tree.ts";
import { SecondThread } from "./threads.ts";
import type { Search } from "./changes.ts";

const HEADERS = join(PROJECT, "_headers");
const CACHE = join(PROJECT, ".cache", "builds");

export interface CheckOptions {
  content: string;
  /** Stands in for `base_url` of `_site.json`; well-formed. */
  baseUrl?: string | undefined;
  /** Warnings are errors. */
  strict?: boolean | undefined;
  /** The file of the hosts' headers; the project's own by default. */
  headersFile?: string | undefined;
  /** Is told from time to time how many of the pages have been read. */
  progress?: ((done: number, of: number) => void) | undefined;
}

export interface BuildOptions extends CheckOptions {
  out: string;
  /** Trusts nothing that an earlier build remembers. */
  full?: boolean | undefined;
  /** Where builds saveManifest; a folder of the project by default. */
  cache?: string | undefined;
}

export interface Checked {
  /** How many pages the sources hold, drafts not counted. */
  pages: number;
  /** Sorted by file and position; files are relative to the content folder. */
  findings: Finding[];
}

export interface Built extends Checked {
  /** Absent where there are errors: the output is as it was. */
  published?: { written: number; removed: number; unchanged: number };
  /** Why the build could not be known: the output is right, and the next build has more to do. */
  manifestError?: unknown;
}

/** Checks the sources and writes nothing. */
export async function check(options: CheckOptions): Promise<Checked> {
  const thread = new SecondThread();
  try {
    return await checkAll(options, thread);
  } finally {
    await thread.dismiss();
  }
}

async function checkAll(options: CheckOptions, thread: SecondThread): Promise<Checked> {
  const headersFile = options.headersFile ?? HEADERS;
  const discovery = await discover({ ...options, headersFile }, undefined, (count) => thread.warmUp(count));
  const { columns, todo, matches } = planWork(discovery, undefined, new Uint8Array(0));
  const { read, clashes } = await readPages(options, thread, discovery, columns, todo);
  const files = read.flatMap((part) => part.files);
  const claims = mergeClaims(
    todo.length,
    read.map((part) => part.claims),
    undefined,
    matches,
    () => true,
  );
  const { checkSite } = await import("../check/site.ts");
  const siteFindings = checkSite({
    ...allPagesOf(options, discovery, columns, files),
    claims,
    read: undefined,
  });
  return outcome(options, discovery, [
    ...clashes,
    ...files.flatMap(({ findings }) => findings),
    ...siteFindings,
  ]);
}

/**
 * Checks the sources and publishes them: everything, or with one error nothing (DESIGN, section 3).
 *
 * @param use is called with what was built, as long as no other build can change the output.
 * @throws Locked where another build of the output is running.
 */
export async function build(
  given: BuildOptions,
  use?: (built: Built) => Promise<void> | void,
): Promise<Built> {
  const options = { ...given, content: realPath(given.content) };
  const layout = layoutOf(realPath(given.out));
  assertApart(options.content, layout);
  const { release, unwritable } = lockOutput(layout);
  try {
    const built = await buildLocked(options, layout, unwritable);
    await use?.(built);
    return built;
  } finally {
    release();
  }
}

async function buildLocked(
  options: BuildOptions,
  layout: Layout,
  unwritable: Error | undefined,
): Promise<Built> {
  const cache = cacheOf(options.cache ?? CACHE, layout);
  const thread = new SecondThread();
  try {
    // Without any published pages there is nothing that a manifest could spare.
    const manifest =
      options.full === true || !existsSync(layout.pages) ? undefined : loadManifest(cache, PROGRAM);
    const changed = new Uint8Array(new SharedArrayBuffer(manifest?.listing.count ?? 0));
    const search = manifest && thread.startSearch(searchOf(options.content, layout, manifest, changed));
    const headersFile = options.headersFile ?? HEADERS;
    const discovery = await discover({ ...options, headersFile }, manifest, (count) => {
      if (manifest === undefined) thread.warmUp(count);
    });
    await search?.();
    const plan = planWork(discovery, manifest, changed);
    if (manifest !== undefined && isUpToDate(layout, discovery, plan, manifest)) {
      const { warnings, siteFindings } = manifest.header;
      const done = outcome(options, discovery, [
        ...warnings.flatMap(({ findings }) => findings),
        ...siteFindings,
      ]);
      if (done.findings.some(isError)) return done;
      return { ...done, published: { written: 0, removed: 0, unchanged: done.pages } };
    }
    if (unwritable !== undefined) throw unwritable;
    const means = { cache, thread };
    const built = manifest && (await publish(options, layout, discovery, plan, manifest, means));
    // Half a manifest is none.
    return built ?? (await publishAll(options, layout, discovery, means));
  } finally {
    await thread.dismiss();
  }
}

/**
 * Keeps other builds of the output away, from other checkouts too. An output that cannot be written may still turn out
 * to be up to date; nothing else can be done with it.
 */
function lockOutput(layout: Layout): { release: () => void; unwritable?: Error } {
  assertFolders(layout);
  try {
    return { release: takeLock(layout.lock) };
  } catch (cause) {
    if (
      !["EROFS", "EACCES", "EPERM", "ENOSPC", "EDQUOT"].includes((cause as NodeJS.ErrnoException).code ?? "")
    )
      throw cause;
    return { release: () => undefined, unwritable: cause as Error };
  }
}

const searchOf = (
  content: string,
  { pages }: Layout,
  { listing, columns, header }: Manifest,
  changed: Uint8Array,
): Search => ({
  content,
  pages,
  listing: listing.columns(),
  columns,
  ended: header.ended,
  staged: header.staged,
  changed,
  shared: new Int32Array(new SharedArrayBuffer(8)),
});

/** What is known of an output lies outside of it, by its real path. */
const cacheOf = (cache: string, { root }: Layout): string =>
  join(cache, createHash("sha256").update(root).digest("hex").slice(0, 16));

function assertApart(content: string, { root }: Layout): void {
  if (isInside(root, content))
    throw new Failure(`The output folder ${root} lies inside the content folder ${content}.`);
  if (isInside(content, root))
    throw new Failure(`The content folder ${content} lies inside the output folder ${root}.`);
}

/** The files that are published beside the pages. */
const staticFilesOf = ({ headers }: Discovery): StaticFiles =>
  new Map([
    [`${PAGES}/404.html`, Buffer.from(NOT_FOUND)],
    ["_redirects", Buffer.from(redirects())],
    ["_headers", headers],
  ]);

function isUpToDate(
  layout: Layout,
  discovery: Discovery,
  { todo, dirtyFolders }: Plan,
  manifest: Manifest,
): boolean {
  return (
    discovery.isRemembered &&
    todo.length === 0 &&
    dirtyFolders.length === 0 &&
    hasSamePages(layout, manifest) &&
    !hasLeftovers(layout) &&
    areSame(layout, staticFilesOf(discovery))
  );
}

/** Reads what is to do; and finds what is wrong with the pages' names together. */
async function readPages(
  options: CheckOptions,
  thread: SecondThread,
  { listing, parents, site, isRemembered }: Discovery,
  columns: PageTable,
  todo: Uint32Array,
  stage?: Job["stage"],
): Promise<{ read: Read[]; clashes: Finding[] }> {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  let clashes: Finding[] = [];
  const findClashes = (): void => {
    // The known files did not clash.
    if (isRemembered) return;
    clashes = findSlugClashes(listing);
    Atomics.add(shared, 1, clashes.length);
  };
  const job: Job = {
    content: options.content,
    listing: listing.columns(),
    columns,
    parents,
    site,
    todo,
    shared,
  };
  const read = await thread.work(stage ? { ...job, stage } : job, findClashes, (taken) =>
    options.progress?.(taken, todo.length),
  );
  return { read, clashes };
}

/** What a build works with. */
interface Means {
  /** Where the build remembers. */
  cache: string;
  thread: SecondThread;
}

async function publishAll(
  options: BuildOptions,
  layout: Layout,
  discovery: Discovery,
  means: Means,
): Promise<Built> {
  const plan = planWork(discovery, undefined, new Uint8Array(0));
  const built = await publish(options, layout, discovery, plan, undefined, means);
  if (built === undefined) throw new Error("a build without a manifest found that it has half of one");
  return built;
}

/** Undefined where half of the manifest turns out to be lost: nothing is changed then. */
async function publish(
  options: BuildOptions,
  layout: Layout,
  discovery: Discovery,
  plan: Plan,
  manifest: Manifest | undefined,
  { cache, thread }: Means,
): Promise<Built | undefined> {
  const { listing } = discovery;
  const { columns, todo, matches } = plan;
  const publication = new Publication(layout, staticFilesOf(discovery));
  try {
    const isHopeless = discovery.findings.some(isError);
    const stage = isHopeless ? undefined : { root: layout.root, fresh: publication.fresh };
    const { read, clashes } = await readPages(options, thread, discovery, columns, todo, stage);
    const isRead = new Uint8Array(listing.count);
    for (const file of todo) isRead[file] = 1;
    const files = [...read.flatMap((part) => part.files), ...keptFindings(manifest, matches, isRead)];

    const fitted =
      manifest !== undefined && manifest.header.siteFindings.every(({ code }) => code === "dead-link");
    let claims: Claims | undefined;
    if (manifest === undefined || !fitted || !statesTheSame(discovery, plan, manifest)) {
      const before = manifest && loadClaims(cache, PROGRAM, manifest.header.claims);
      if (manifest !== undefined && before === undefined) {
        publication.abandon();
        return undefined;
      }
      const parts = read.map((part) => part.claims);
      claims = mergeClaims(listing.count, parts, before, matches, (file) => isRead[file] === 1);
    }
    const { checkSite } = await import("../check/site.ts");
    const whole = allPagesOf(options, discovery, columns, files);
    const siteFindings = checkSite({ ...whole, claims, read: fitted ? todo : undefined });
    const found = files.flatMap(({ findings }) => findings);
    const done = outcome(options, discovery, [...clashes, ...found, ...siteFindings]);
    if (done.findings.some(isError)) {
      publication.abandon();
      return done;
    }
    assertReadOnce(discovery, columns);
    publication.stageStaticFiles();
    const { added, changed } = waiting(columns, todo);
    const removed = publication.fresh ? { names: [], from: [] } : planRemovals(layout, plan, manifest);
    publication.assertWritable(idsOf(columns, changed), removed.names);
    const keepsPages =
      manifest !== undefined && hasSamePages(layout, manifest) && !publication.changesAmongPages();
    const staged = publication.commit(idsOf(columns, added), idsOf(columns, changed), removed.names);
    // Renaming a file changes its own times.
    for (const i of changed) {
      const stat = statIfThere(`${layout.pages}/${columns.id[i]}/index.json`);
      if (stat !== undefined) setOutput(columns, i, stat);
    }
    const pagesRemoved = removed.names.filter((name) => !name.includes("/")).length;
    let pages: FileStat;
    if (publication.fresh) pages = statAt(layout.pages);
    else {
      // Somebody may have put files beside pages while those were written.
      for (const i of new Set([...removed.from, ...added, ...changed]))
        columns.folderCtime[i] = publication.tidyPage(columns.id[i] ?? 0);
      const isSame = keepsPages && added.length + pagesRemoved === 0;
      pages = isSame ? manifest.header.pages : publication.tidyPages(publishedIds(columns));
    }
    const ended = publication.close();
    let manifestError: unknown;
    try {
      // Modules of both may have had a part in it.
      if (hasProgramChanged()) throw new Failure("the program was changed while it ran");
      pruneCache(cache, layout.root);
      const factsName = claims ? saveClaims(cache, PROGRAM, claims) : (manifest?.header.claims ?? "");
      const header = {
        ...headerOf(discovery, files),
        siteFindings,
        ended,
        claims: factsName,
        pages,
        ...(publication.fresh ? { staged } : {}),
      };
      saveManifest(cache, PROGRAM, { header, listing, columns });
    } catch (cause) {
      // The output is right; a manifest of another state of it is seen to be one.
      manifestError = cause;
    }
    const written = added.length + changed.length;
    const published = { written, removed: pagesRemoved, unchanged: done.pages - written };
    return { ...done, published, ...(manifestError === undefined ? {} : { manifestError }) };
  } catch (cause) {
    publication.abandon();
    throw cause;
  }
}

/** Whether the same files state the same of things that several pages speak of. */
const statesTheSame = ({ isRemembered }: Discovery, { columns, todo }: Plan, manifest: Manifest): boolean =>
  isRemembered && todo.every((file) => columns.claims[file] === manifest.columns.claims[file]);

const allPagesOf = (
  { content }: CheckOptions,
  { listing, site }: Discovery,
  { id, acno }: PageTable,
  files: PageFindings[],
) => ({ content, listing, site, ids: id, acnos: acno, links: files.flatMap(({ links }) => links) });

/**
 * The pages encodedParent others are read twice: for those below them and for themselves. What changed in between would be
 * published with two titles, and be known so.
 */
function assertReadOnce({ listing, parentStats }: Discovery, columns: PageTable): void {
  for (const [f, before] of parentStats.entries()) {
    const index = listing.folders[f]?.index ?? -1;
    if (before === undefined || index === -1) continue;
    const now = sourceStat(columns, index);
    const isSame = (["size", "mtime", "ctime", "inode"] as const).every(
      // Not a number: too young to be told from a change.
      (key) => now[key] === before[key] || Number.isNaN(now[key]) || Number.isNaN(before[key]),
    );
    if (!isSame) throw new SourceVanished(listing.path(index));
  }
}

const idsOf = (columns: PageTable, files: number[]): number[] => files.map((i) => columns.id[i] ?? 0);

function waiting(columns: PageTable, todo: Uint32Array): { added: number[]; changed: number[] } {
  const added: number[] = [];
  const changed: number[] = [];
  for (const i of todo) {
    const state = stateOf(columns, i);
    if (state === "new") added.push(i);
    else if (state === "changed") changed.push(i);
  }
  return { added, changed };
}

function outcome({ strict }: CheckOptions, { findings, listing }: Discovery, more: Finding[]): Checked {
  let pages = 0;
  for (let i = 0; i < listing.count; i++) if (listing.kind(i) !== "draft") pages++;
  const all = [...findings, ...more].sort(byPlace);
  return {
    pages,
    findings:
      strict === true ? all.map((f) => (severityOf(f) === "error" ? f : { ...f, severity: "error" })) : all,
  };
}
