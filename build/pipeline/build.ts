import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import { byPlace, isError, severityOf, type Finding } from "../findings/finding.ts";
import { NOT_FOUND } from "../hosting/errors.ts";
import { redirects } from "../hosting/redirects.ts";
import { assertFolders, isInside, layoutOf, PAGES, realPath, type Layout } from "../output/layout.ts";
import { takeLock } from "../output/lock.ts";
import { hasLeftovers, type Fixtures } from "../output/foreign.ts";
import { areSame, Publication } from "../output/publish.ts";
import { setOutput, stateOf, type PageColumns } from "../manifest/page-table.ts";
import type { FileFindings, Job, Read } from "./worker.ts";
import { hasProgramChanged, PROGRAM } from "../base/program.ts";
import { PROJECT } from "../base/project.ts";
import { hasSamePages, planRemovals, planWork, publishedIds, type Plan } from "./plan.ts";
import {
  headerOf,
  keepHouse,
  keptFiles,
  recall,
  recallFacts,
  remember,
  rememberFacts,
  type Memory,
  sourceStat,
} from "../manifest/manifest.ts";
import { mergeFacts, type Facts } from "../check/claims.ts";
import { SourceVanished } from "../sources/read.ts";
import { statAt, statIfThere, type FileStat } from "../base/stat.ts";
import { survey, type Survey } from "./discover.ts";
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
  /** Where builds remember; a folder of the project by default. */
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
  /** Why the build could not be remembered: the output is right, and the next build has more to do. */
  forgotten?: unknown;
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
  const surveyed = await survey({ ...options, headersFile }, undefined, (count) => thread.warmUp(count));
  const { columns, todo, matches } = planWork(surveyed, undefined, new Uint8Array(0));
  const { read, clashes } = await readPages(options, thread, surveyed, columns, todo);
  const files = read.flatMap((part) => part.files);
  const facts = mergeFacts(
    todo.length,
    read.map((part) => part.facts),
    undefined,
    matches,
    () => true,
  );
  const { checkWhole } = await import("../check/site.ts");
  const across = checkWhole({ ...wholeOf(options, surveyed, columns, files), facts, read: undefined });
  return outcome(options, surveyed, [...clashes, ...files.flatMap(({ findings }) => findings), ...across]);
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
    // Without any published pages there is nothing that a memory could spare.
    const memory = options.full === true || !existsSync(layout.pages) ? undefined : recall(cache, PROGRAM);
    const marks = new Uint8Array(new SharedArrayBuffer(memory?.listing.count ?? 0));
    const search = memory && thread.startSearch(searchOf(options.content, layout, memory, marks));
    const headersFile = options.headersFile ?? HEADERS;
    const surveyed = await survey({ ...options, headersFile }, memory, (count) => {
      if (memory === undefined) thread.warmUp(count);
    });
    await search?.();
    const plan = planWork(surveyed, memory, marks);
    if (memory !== undefined && isUpToDate(layout, surveyed, plan, memory)) {
      const { warnings, across } = memory.header;
      const done = outcome(options, surveyed, [...warnings.flatMap(({ findings }) => findings), ...across]);
      if (done.findings.some(isError)) return done;
      return { ...done, published: { written: 0, removed: 0, unchanged: done.pages } };
    }
    if (unwritable !== undefined) throw unwritable;
    const means = { cache, thread };
    const built = memory && (await publish(options, layout, surveyed, plan, memory, means));
    // Half a memory is none.
    return built ?? (await publishAll(options, layout, surveyed, means));
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
  { listing, columns, header }: Memory,
  marks: Uint8Array,
): Search => ({
  content,
  pages,
  listing: listing.columns(),
  columns,
  ended: header.ended,
  staged: header.staged,
  marks,
  shared: new Int32Array(new SharedArrayBuffer(8)),
});

/** What is remembered of an output lies outside of it, by its real path. */
const cacheOf = (cache: string, { root }: Layout): string =>
  join(cache, createHash("sha256").update(root).digest("hex").slice(0, 16));

function assertApart(content: string, { root }: Layout): void {
  if (isInside(root, content))
    throw new Failure(`The output folder ${root} lies inside the content folder ${content}.`);
  if (isInside(content, root))
    throw new Failure(`The content folder ${content} lies inside the output folder ${root}.`);
}

/** The files that are published beside the pages. */
const fixturesOf = ({ headers }: Survey): Fixtures =>
  new Map([
    [`${PAGES}/404.html`, Buffer.from(NOT_FOUND)],
    ["_redirects", Buffer.from(redirects())],
    ["_headers", headers],
  ]);

function isUpToDate(layout: Layout, surveyed: Survey, { todo, touched }: Plan, memory: Memory): boolean {
  return (
    surveyed.isRemembered &&
    todo.length === 0 &&
    touched.length === 0 &&
    hasSamePages(layout, memory) &&
    !hasLeftovers(layout) &&
    areSame(layout, fixturesOf(surveyed))
  );
}

/** Reads what is to do; and finds what is wrong with the pages' names together. */
async function readPages(
  options: CheckOptions,
  thread: SecondThread,
  { listing, owners, site, isRemembered }: Survey,
  columns: PageColumns,
  todo: Uint32Array,
  stage?: Job["stage"],
): Promise<{ read: Read[]; clashes: Finding[] }> {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  let clashes: Finding[] = [];
  const findClashes = (): void => {
    // The remembered files did not clash.
    if (isRemembered) return;
    clashes = findSlugClashes(listing);
    Atomics.add(shared, 1, clashes.length);
  };
  const job: Job = {
    content: options.content,
    listing: listing.columns(),
    columns,
    owners,
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
  surveyed: Survey,
  means: Means,
): Promise<Built> {
  const plan = planWork(surveyed, undefined, new Uint8Array(0));
  const built = await publish(options, layout, surveyed, plan, undefined, means);
  if (built === undefined) throw new Error("a build without a memory found that it has half of one");
  return built;
}

/** Undefined where half of the memory turns out to be lost: nothing is changed then. */
async function publish(
  options: BuildOptions,
  layout: Layout,
  surveyed: Survey,
  plan: Plan,
  memory: Memory | undefined,
  { cache, thread }: Means,
): Promise<Built | undefined> {
  const { listing } = surveyed;
  const { columns, todo, matches } = plan;
  const publication = new Publication(layout, fixturesOf(surveyed));
  try {
    const isHopeless = surveyed.findings.some(isError);
    const stage = isHopeless ? undefined : { root: layout.root, fresh: publication.fresh };
    const { read, clashes } = await readPages(options, thread, surveyed, columns, todo, stage);
    const isRead = new Uint8Array(listing.count);
    for (const file of todo) isRead[file] = 1;
    const files = [...read.flatMap((part) => part.files), ...keptFiles(memory, matches, isRead)];

    const fitted = memory !== undefined && memory.header.across.every(({ code }) => code === "dead-link");
    let facts: Facts | undefined;
    if (memory === undefined || !fitted || !statesTheSame(surveyed, plan, memory)) {
      const before = memory && recallFacts(cache, PROGRAM, memory.header.facts);
      if (memory !== undefined && before === undefined) {
        publication.abandon();
        return undefined;
      }
      const parts = read.map((part) => part.facts);
      facts = mergeFacts(listing.count, parts, before, matches, (file) => isRead[file] === 1);
    }
    const { checkWhole } = await import("../check/site.ts");
    const whole = wholeOf(options, surveyed, columns, files);
    const across = checkWhole({ ...whole, facts, read: fitted ? todo : undefined });
    const found = files.flatMap(({ findings }) => findings);
    const done = outcome(options, surveyed, [...clashes, ...found, ...across]);
    if (done.findings.some(isError)) {
      publication.abandon();
      return done;
    }
    assertReadOnce(surveyed, columns);
    publication.stageFixtures();
    const { added, changed } = waiting(columns, todo);
    const removed = publication.fresh ? { names: [], from: [] } : planRemovals(layout, plan, memory);
    publication.assertWritable(idsOf(columns, changed), removed.names);
    const keepsPages =
      memory !== undefined && hasSamePages(layout, memory) && !publication.changesAmongPages();
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
      pages = isSame ? memory.header.pages : publication.tidyPages(publishedIds(columns));
    }
    const ended = publication.close();
    let forgotten: unknown;
    try {
      // Modules of both may have had a part in it.
      if (hasProgramChanged()) throw new Failure("the program was changed while it ran");
      keepHouse(cache, layout.root);
      const factsName = facts ? rememberFacts(cache, PROGRAM, facts) : (memory?.header.facts ?? "");
      const header = {
        ...headerOf(surveyed, files),
        across,
        ended,
        facts: factsName,
        pages,
        ...(publication.fresh ? { staged } : {}),
      };
      remember(cache, PROGRAM, { header, listing, columns });
    } catch (cause) {
      // The output is right; a memory of another state of it is seen to be one.
      forgotten = cause;
    }
    const written = added.length + changed.length;
    const published = { written, removed: pagesRemoved, unchanged: done.pages - written };
    return { ...done, published, ...(forgotten === undefined ? {} : { forgotten }) };
  } catch (cause) {
    publication.abandon();
    throw cause;
  }
}

/** Whether the same files state the same of things that several pages speak of. */
const statesTheSame = ({ isRemembered }: Survey, { columns, todo }: Plan, memory: Memory): boolean =>
  isRemembered && todo.every((file) => columns.facts[file] === memory.columns.facts[file]);

const wholeOf = (
  { content }: CheckOptions,
  { listing, site }: Survey,
  { id, acno }: PageColumns,
  files: FileFindings[],
) => ({ content, listing, site, ids: id, acnos: acno, links: files.flatMap(({ links }) => links) });

/**
 * The pages above others are read twice: for those below them and for themselves. What changed in between would be
 * published with two titles, and be remembered so.
 */
function assertReadOnce({ listing, ownerStats }: Survey, columns: PageColumns): void {
  for (const [f, before] of ownerStats.entries()) {
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

const idsOf = (columns: PageColumns, files: number[]): number[] => files.map((i) => columns.id[i] ?? 0);

function waiting(columns: PageColumns, todo: Uint32Array): { added: number[]; changed: number[] } {
  const added: number[] = [];
  const changed: number[] = [];
  for (const i of todo) {
    const state = stateOf(columns, i);
    if (state === "new") added.push(i);
    else if (state === "changed") changed.push(i);
  }
  return { added, changed };
}

function outcome({ strict }: CheckOptions, { findings, listing }: Survey, more: Finding[]): Checked {
  let pages = 0;
  for (let i = 0; i < listing.count; i++) if (listing.kind(i) !== "draft") pages++;
  const all = [...findings, ...more].sort(byPlace);
  return {
    pages,
    findings:
      strict === true ? all.map((f) => (severityOf(f) === "error" ? f : { ...f, severity: "error" })) : all,
  };
}
