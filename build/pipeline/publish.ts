import { BULK_INDEX } from "../base/api.ts";
import { CONTRACT_FILES } from "../contract/paths.ts";
import type { Counts } from "../browse/data-files.ts";
import type { Times } from "../base/instant.ts";
import { isError } from "../findings/finding.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { hasLeftovers, type StaticFiles } from "../output/foreign.ts";
import { hasOwnPage, removeOtherFiles, removePage } from "../output/page.ts";
import { areSame, Publication } from "../output/publish.ts";
import { stageHomeData } from "./home.ts";
import { areImagesUnchanged, settleImages, stageImages } from "./images.ts";
import { browseState, stageAllDataFiles, stageChangedDataFiles } from "./browse.ts";
import { isBulkUnchanged, settleBulk, stageBulk, wantsBulk } from "./bulk.ts";
import { contractOf, isContractUnchanged } from "./contract.ts";
import { assertParentsUnchanged, knownFolders, type Discovery } from "./discover.ts";
import { outputOf, type Folders } from "./files.ts";
import { outcome, type BuildOptions, type Built } from "./outcome.ts";
import type { Plan } from "./plan.ts";
import { checkPagesTogether, readPages } from "./read.ts";
import { hasSamePages, replacementOf, settlePages } from "./replace.ts";
import type { SecondThread } from "./threads.ts";

/** The inputs of one step. */
export interface StepContext {
  options: BuildOptions;
  folders: Folders;
  thread: SecondThread;
  discovery: Discovery;
  /** The numbers of the data files of the browse UI. */
  counts: Counts;
  /** The published files that are not pages, contract or data files. */
  staticFiles: StaticFiles;
  plan: Plan;
  manifest: Manifest | undefined;
  times: Times;
}

export const isUpToDate = (
  { options, folders: { layout, cache }, discovery, staticFiles, plan }: StepContext,
  manifest: Manifest,
): boolean =>
  discovery.isKnown &&
  discovery.historyKey === manifest.historyKey &&
  plan.toRead.length === 0 &&
  plan.dirtyFolders.length === 0 &&
  hasSamePages(layout, manifest) &&
  !hasLeftovers(layout) &&
  areSame(layout, staticFiles) &&
  isContractUnchanged(layout, manifest.contract) &&
  (options.browse === true || !hasOwnPage(layout)) &&
  isBulkUnchanged(layout, wantsBulk(options, discovery), manifest.bulk) &&
  areImagesUnchanged({ layout, cache }, discovery, manifest.images);

export function upToDate(
  { options, folders, discovery, staticFiles, plan }: StepContext,
  { pageFindings, siteFindings }: Manifest,
): Built {
  const found = pageFindings.flatMap(({ findings }) => findings);
  const all = [...discovery.findings, ...found, ...siteFindings];
  const checked = outcome(options, discovery.listing, plan.table, all);
  if (checked.findings.some(isError)) return checked;
  const published = { written: 0, removed: 0, unchanged: checked.pages };
  return { ...checked, published, output: outputOf(folders, discovery, staticFiles, plan.table, options) };
}

/** The data of all sources in a step. */
export type ReadSources = Pick<Manifest, "listing" | "table" | "claims">;

/** Reads, checks and publishes pages. @returns the result, the data of the sources and, if they are published, the manifest. */
export async function publish(
  work: StepContext,
): Promise<{ built: Built; read: ReadSources; published?: Manifest }> {
  const { options, folders, thread, discovery, counts, staticFiles, plan, manifest, times } = work;
  const { layout } = folders;
  const dataFilesOf = { layout, discovery, counts };
  const isBulk = wantsBulk(options, discovery);
  const knownImages = manifest?.images ?? [];
  const publication = new Publication(layout, [
    ...staticFiles.keys(),
    ...CONTRACT_FILES,
    ...(isBulk ? [BULK_INDEX] : []),
  ]);
  const abandon = async (): Promise<void> => {
    // Staged files can only be removed after the other thread has stopped writing.
    await thread.dismiss();
    publication.abandon();
  };
  try {
    const isHopeless = discovery.findings.some(isError);
    const stage = isHopeless ? undefined : { root: layout.root, fresh: publication.fresh };
    const pages = await readPages(work, stage);
    const { claims, siteFindings } = await checkPagesTogether(work, pages);
    const found = [...discovery.findings, ...pages.findings, ...siteFindings];
    const checked = outcome(options, discovery.listing, plan.table, found);
    const read = { listing: discovery.listing, table: plan.table, claims };
    if (checked.findings.some(isError)) {
      await abandon();
      return { built: checked, read };
    }
    assertParentsUnchanged(discovery, plan.table);
    const contract = await contractOf(layout, discovery, plan, pages.outcomes, manifest?.contract, isBulk);
    publication.stageStaticFiles(new Map([...staticFiles, ...contract.files]));
    stageImages(publication, folders, discovery, knownImages);
    const replacement = replacementOf(layout, plan, pages.outcomes, manifest, publication);
    publication.assertWritable(replacement);
    const parts =
      options.browse === true
        ? stageHomeData(layout, plan.table, pages.outcomes, manifest === undefined)
        : [];
    if (options.browse === true)
      parts.push(
        ...(manifest === undefined
          ? await stageAllDataFiles(dataFilesOf, pages.indexes, plan, claims)
          : await stageChangedDataFiles(dataFilesOf, { ...pages, claims }, replacement, plan, manifest)),
      );
    // Packing starts its own threads, which need the memory of this one.
    if (isBulk) await thread.dismiss();
    const bulk = isBulk ? await stageBulk(publication, discovery, plan, pages.outcomes, manifest) : undefined;
    if (bulk !== undefined && bulk.findings.length > 0) {
      await abandon();
      const withBulk = [...found, ...bulk.findings];
      return { built: outcome(options, discovery.listing, plan.table, withBulk), read };
    }
    const staged = publication.commit(replacement, parts);
    const pagesStat = settlePages(publication, plan.table, replacement, manifest);
    if (options.browse !== true) removePage(layout);
    else if (manifest === undefined) removeOtherFiles(layout, new Set([...parts, ...staticFiles.keys()]));
    const bulkState = settleBulk(layout, bulk);
    const images = settleImages(folders, discovery, knownImages);
    const browse = options.browse === true ? browseState(dataFilesOf, parts, manifest?.browse) : undefined;
    const ended = publication.close();
    const { siteKey, historyKey, listing, nameFindings } = discovery;
    const { pageFindings } = pages;
    const written = replacement.added.length + replacement.changed.length;
    const removed = replacement.removed.filter((name) => !name.includes("/")).length;
    return {
      read,
      built: {
        ...checked,
        published: { written, removed, unchanged: checked.pages - written },
        output: outputOf(folders, discovery, staticFiles, plan.table, options),
      },
      published: {
        // The manifest contains the images only once.
        site: discovery.site && { ...discovery.site, images: undefined },
        siteKey,
        historyKey,
        listing,
        folders: knownFolders(discovery),
        nameFindings,
        table: plan.table,
        claims,
        pageFindings,
        siteFindings,
        contract: contract.digests,
        ended,
        staged: publication.fresh ? staged : undefined,
        pagesStat,
        browse,
        times,
        bulk: bulkState,
        images,
      },
    };
  } catch (cause) {
    await abandon();
    throw cause;
  }
}
