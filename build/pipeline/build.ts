import { existsSync } from "node:fs";
import { Failure } from "../base/failure.ts";
import { hasProgramChanged, PROGRAM } from "../base/program.ts";
import { CONTRACT_FILES } from "../contract/paths.ts";
import { isError } from "../findings/finding.ts";
import { loadManifest, pruneCache, saveManifest, type Manifest } from "../manifest/manifest.ts";
import { hasLeftovers } from "../output/foreign.ts";
import { areSame, Publication } from "../output/publish.ts";
import { searchOf } from "./changes.ts";
import { assertParentsUnchanged, discover, knownFolders, type Discovery } from "./discover.ts";
import { contractOf, isContractUnchanged } from "./contract.ts";
import { foldersOf, HEADERS, lockOutput, staticFilesOf, type Folders } from "./files.ts";
import { outcome, type BuildOptions, type Built } from "./outcome.ts";
import { planAll, planChanged, type Plan } from "./plan.ts";
import { checkPagesTogether, readPages } from "./read.ts";
import { hasSamePages, replacementOf, settlePages } from "./replace.ts";
import { SecondThread } from "./threads.ts";

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
  const folders = foldersOf(given);
  const lock = lockOutput(folders.layout);
  const thread = new SecondThread();
  try {
    const built = await buildLocked({ ...given, content: folders.content }, folders, thread, lock.unwritable);
    await use?.(built);
    return built;
  } finally {
    await thread.dismiss();
    lock.release();
  }
}

async function buildLocked(
  options: BuildOptions,
  folders: Folders,
  thread: SecondThread,
  unwritable: Error | undefined,
): Promise<Built> {
  const { content, layout, cache } = folders;
  // Without any published pages there is nothing that a manifest could spare.
  const isFull = options.full === true || !existsSync(layout.pages);
  const manifest = isFull ? undefined : loadManifest(cache, PROGRAM);
  const search = manifest && searchOf(content, layout, manifest);
  const searching = search && thread.startSearch(search);
  const headersFile = options.headersFile ?? HEADERS;
  const discovery = await discover({ ...options, headersFile }, manifest, (count) => {
    if (manifest === undefined) thread.warmUp(count);
  });
  await searching?.();
  const plan = manifest && search ? planChanged(discovery, manifest, search.changes) : planAll(discovery);
  const work = { options, folders, thread, discovery, plan, manifest };
  if (manifest && isUpToDate(work, manifest)) return upToDate(work, manifest);
  if (unwritable !== undefined) throw unwritable;
  return publish(work);
}

/** What one build works with. */
interface Work {
  options: BuildOptions;
  folders: Folders;
  thread: SecondThread;
  discovery: Discovery;
  plan: Plan;
  manifest: Manifest | undefined;
}

const isUpToDate = ({ folders: { layout }, discovery, plan }: Work, manifest: Manifest): boolean =>
  discovery.isKnown &&
  plan.toRead.length === 0 &&
  plan.dirtyFolders.length === 0 &&
  hasSamePages(layout, manifest) &&
  !hasLeftovers(layout) &&
  areSame(layout, staticFilesOf(discovery)) &&
  isContractUnchanged(layout, manifest.contract);

function upToDate({ options, discovery }: Work, { pageFindings, siteFindings }: Manifest): Built {
  const found = pageFindings.flatMap(({ findings }) => findings);
  const checked = outcome(options, discovery.listing, [...discovery.findings, ...found, ...siteFindings]);
  if (checked.findings.some(isError)) return checked;
  return { ...checked, published: { written: 0, removed: 0, unchanged: checked.pages } };
}

async function publish(work: Work): Promise<Built> {
  const { options, folders, thread, discovery, plan, manifest } = work;
  const { layout } = folders;
  const staticFiles = staticFilesOf(discovery);
  const publication = new Publication(layout, [...staticFiles.keys(), ...CONTRACT_FILES]);
  try {
    const isHopeless = discovery.findings.some(isError);
    const stage = isHopeless ? undefined : { root: layout.root, fresh: publication.fresh };
    const pages = await readPages(options, thread, discovery, plan, manifest, stage);
    const siteFindings = await checkPagesTogether(options, discovery, plan, pages, manifest);
    const found = [...discovery.findings, ...pages.findings, ...siteFindings];
    const checked = outcome(options, discovery.listing, found);
    if (checked.findings.some(isError)) {
      publication.abandon();
      return checked;
    }
    assertParentsUnchanged(discovery, plan.table);
    const contract = await contractOf(layout, discovery, plan, pages.outcomes, manifest?.contract);
    publication.stageStaticFiles(new Map([...staticFiles, ...contract.files]));
    const replacement = replacementOf(layout, plan, pages.outcomes, manifest, publication);
    publication.assertWritable(replacement);
    const staged = publication.commit(replacement);
    const pagesStat = settlePages(publication, plan.table, replacement, manifest);
    const ended = publication.close();
    const { site, siteKey, listing } = discovery;
    const { pageFindings, claims } = pages;
    const manifestError = save(folders, {
      site,
      siteKey,
      listing,
      folders: knownFolders(discovery),
      table: plan.table,
      claims,
      pageFindings,
      siteFindings,
      contract: contract.digests,
      ended,
      staged: publication.fresh ? staged : undefined,
      pagesStat,
    });
    const written = replacement.added.length + replacement.changed.length;
    const removed = replacement.removed.filter((name) => !name.includes("/")).length;
    const published = { written, removed, unchanged: checked.pages - written };
    return { ...checked, published, ...(manifestError === undefined ? {} : { manifestError }) };
  } catch (cause) {
    publication.abandon();
    throw cause;
  }
}

/** Gives what went wrong: the output is right all the same, and an older manifest is seen not to fit it. */
function save({ cache, layout }: Folders, manifest: Manifest): unknown {
  try {
    // Modules of both may have had a part in it.
    if (hasProgramChanged()) throw new Failure("the program was changed while it ran");
    pruneCache(cache, layout.root);
    saveManifest(cache, PROGRAM, manifest);
    return undefined;
  } catch (cause) {
    return cause;
  }
}
