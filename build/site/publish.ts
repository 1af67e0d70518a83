import { BULK_INDEX, HEADERS_NAME, PAGES, REDIRECTS_NAME } from "../base/api.ts";
import type { Counts } from "../browse/data-files.ts";
import { CONTRACT_FILES } from "../outputs/contract/names.ts";
import { hasIndex, INDEX_FILE } from "../base/website.ts";
import { isError } from "../findings/finding.ts";
import { NOT_FOUND, redirects } from "../hosting/paths.ts";
import type { Manifest } from "./manifest/manifest.ts";
import { hasLeftovers, type StaticFiles } from "./output/foreign.ts";
import { areSame, Publication } from "./output/publish.ts";
import { dataFilesIn, ownFilesIn, WEBSITE } from "./output/own-files.ts";
import { MEDIA } from "../source/image-kinds.ts";
import { browseFilesOf, browsePart } from "./parts/browse.ts";
import { bulkPart, wantsBulk } from "./parts/bulk.ts";
import { contractPart } from "./parts/contract.ts";
import { knownFolders, type Discovery } from "./discover.ts";
import { imagesPart } from "./parts/images.ts";
import { summarise, type BuildOptions, type Built, type CheckedSite } from "./outcome.ts";
import { checkPagesTogether, readPages } from "./read.ts";
import { hasSamePages, replacementOf, settlePages } from "./replace.ts";
import { showcaseOf } from "./showcase.ts";
import { websitePart } from "./parts/website.ts";
import type { StepContext } from "./step.ts";
import type { ListedTranslations } from "../browse/data-files.ts";

/** The published files that are not pages, contract or data files. */
export const staticFilesOf = async (
  options: BuildOptions,
  discovery: Discovery,
  counts: Counts,
  translations?: ListedTranslations,
): Promise<StaticFiles> =>
  new Map([
    [`${PAGES}/404.html`, Buffer.from(NOT_FOUND)],
    ["404.html", Buffer.from(NOT_FOUND)],
    [REDIRECTS_NAME, Buffer.from(redirects())],
    [HEADERS_NAME, discovery.headers],
    ...(options.browse === true
      ? await browseFilesOf(discovery, counts, wantsBulk(options, discovery), translations)
      : []),
  ]);

const OF_HOSTS = new Set<string>([REDIRECTS_NAME, HEADERS_NAME]);

/** In the order in which they are staged. */
const partsOf = (context: StepContext) => ({
  contract: contractPart(context),
  images: imagesPart(context),
  browse: browsePart(context),
  website: websitePart(context),
  bulk: bulkPart(context),
});

const builtWith = (
  { folders: { layout, cache }, discovery, staticFiles, plan, options }: StepContext,
  checked: CheckedSite,
  written: number,
  removed: number,
): Built => ({
  ...checked,
  published: { written, removed, unchanged: checked.pages - written },
  output: {
    root: layout.root,
    cache,
    table: plan.table,
    // The data files are listed from the output, because a build may change only some of them.
    files: [
      ...new Set([
        ...[...staticFiles.keys(), ...CONTRACT_FILES].filter((path) => !OF_HOSTS.has(path)),
        ...(options.browse === true ? dataFilesIn(layout) : []),
        ...(hasIndex(discovery.site) ? [INDEX_FILE, ...ownFilesIn(layout, WEBSITE)] : []),
        ...discovery.images.map(({ path }) => `${MEDIA}/${path}`),
      ]),
    ],
    headers: discovery.headers,
    bulk: wantsBulk(options, discovery),
    index: hasIndex(discovery.site),
  },
});

/** The result of a step that has nothing to do; undefined if there is anything. */
export function upToDate(context: StepContext): Built | undefined {
  const { options, discovery, folders, staticFiles, plan, manifest } = context;
  const { layout } = folders;
  const isUpToDate =
    manifest !== undefined &&
    discovery.isKnown &&
    discovery.historyKey === manifest.historyKey &&
    plan.toRead.length === 0 &&
    plan.dirtyFolders.length === 0 &&
    hasSamePages(layout, manifest) &&
    !hasLeftovers(layout) &&
    areSame(layout, staticFiles) &&
    Object.values(partsOf(context)).every((part) => part.isUnchanged());
  if (!isUpToDate) return undefined;
  const { pageFindings, siteFindings } = manifest;
  const found = pageFindings.flatMap(({ findings }) => findings);
  const all = [...discovery.findings, ...found, ...siteFindings];
  const checked = summarise(options, discovery.listing, plan.table, all);
  return checked.findings.some(isError) ? checked : builtWith(context, checked, 0, 0);
}

export type ReadSources = Pick<Manifest, "listing" | "table" | "claims">;

/** Reads, checks and publishes pages. @returns the result, the data of the sources and, if they are published, the manifest. */
export async function publish(
  context: StepContext,
): Promise<{ built: Built; read: ReadSources; published?: Manifest }> {
  const { options, folders, thread, discovery, staticFiles, plan, manifest, times } = context;
  const { layout } = folders;
  const { listing } = discovery;
  const { table } = plan;
  const parts = partsOf(context);
  const publication = new Publication(layout, [
    ...staticFiles.keys(),
    ...CONTRACT_FILES,
    ...(wantsBulk(options, discovery) ? [BULK_INDEX] : []),
    ...(hasIndex(discovery.site) ? [INDEX_FILE] : []),
  ]);
  const abandon = async (): Promise<void> => {
    // Staged files can only be removed after the other thread has stopped writing.
    await thread.dismiss();
    publication.abandon();
  };
  try {
    const { fresh } = publication;
    const isHopeless = discovery.findings.some(isError);
    const pages = await readPages(context, isHopeless ? undefined : { root: layout.root, fresh });
    const { claims, siteFindings } = await checkPagesTogether(context, pages);
    const read = { listing, table, claims };
    const found = [...discovery.findings, ...pages.findings, ...siteFindings];
    const checked = summarise(options, listing, table, found);
    if (checked.findings.some(isError)) {
      await abandon();
      return { built: checked, read };
    }
    publication.stageChanged(staticFiles);
    const replacement = replacementOf(layout, plan, pages.states, manifest, publication);
    const showcase = showcaseOf(discovery.model.types, table);
    const staging = { publication, pages, claims, replacement, showcase };
    for (const part of Object.values(parts)) {
      const errors = await part.stage(staging);
      if (errors.length === 0) continue;
      await abandon();
      return { built: summarise(options, listing, table, [...found, ...errors]), read };
    }
    publication.assertWritable(replacement);
    const staged = publication.commit(replacement);
    const pagesStat = settlePages(publication, table, replacement, manifest);
    for (const part of Object.values(parts)) part.commit();
    const published: Omit<Manifest, "ended"> = {
      // The manifest contains the images only once.
      site: discovery.site && { ...discovery.site, images: undefined },
      siteKey: discovery.siteKey,
      historyKey: discovery.historyKey,
      types: discovery.types,
      listing,
      folders: knownFolders(discovery),
      summaries: context.translations?.summaries,
      groups: context.translations?.groups(),
      nameFindings: discovery.nameFindings,
      table,
      claims,
      pageFindings: pages.pageFindings,
      printedFindings: pages.printedFindings,
      siteFindings,
      staged: fresh ? staged : undefined,
      pagesStat,
      times,
      contract: parts.contract.state(),
      images: parts.images.state(),
      browse: parts.browse.state(),
      website: parts.website.state(),
      bulk: parts.bulk.state(),
    };
    const written = replacement.added.length + replacement.changed.length;
    const removed = replacement.removed.filter((name) => !name.includes("/")).length;
    return {
      read,
      built: builtWith(context, checked, written, removed),
      published: { ...published, ended: publication.close() },
    };
  } catch (cause) {
    await abandon();
    throw cause;
  }
}
