import { CONTRACT_FILES } from "../contract/paths.ts";
import { isError } from "../findings/finding.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { hasLeftovers } from "../output/foreign.ts";
import { hasOwnPage, removeOtherParts, removePage } from "../output/page.ts";
import { areSame, Publication } from "../output/publish.ts";
import { browseState, dataFilesOf } from "./browse.ts";
import { contractOf, isContractUnchanged } from "./contract.ts";
import { assertParentsUnchanged, knownFolders, type Discovery } from "./discover.ts";
import { outputOf, staticFilesOf, type Folders } from "./files.ts";
import { outcome, type BuildOptions, type Built } from "./outcome.ts";
import type { Plan } from "./plan.ts";
import { checkPagesTogether, readPages } from "./read.ts";
import { hasSamePages, replacementOf, settlePages } from "./replace.ts";
import type { SecondThread } from "./threads.ts";

/** What one step works with. */
export interface Work {
  options: BuildOptions;
  folders: Folders;
  thread: SecondThread;
  discovery: Discovery;
  plan: Plan;
  manifest: Manifest | undefined;
}

export const isUpToDate = (
  { options, folders: { layout }, discovery, plan }: Work,
  manifest: Manifest,
): boolean =>
  discovery.isKnown &&
  discovery.historyKey === manifest.historyKey &&
  plan.toRead.length === 0 &&
  plan.dirtyFolders.length === 0 &&
  hasSamePages(layout, manifest) &&
  !hasLeftovers(layout) &&
  areSame(layout, staticFilesOf(discovery, options)) &&
  isContractUnchanged(layout, manifest.contract) &&
  (options.browse === true || !hasOwnPage(layout));

export function upToDate(
  { options, folders, discovery, plan }: Work,
  { pageFindings, siteFindings }: Manifest,
): Built {
  const found = pageFindings.flatMap(({ findings }) => findings);
  const checked = outcome(options, discovery.listing, [...discovery.findings, ...found, ...siteFindings]);
  if (checked.findings.some(isError)) return checked;
  const published = { written: 0, removed: 0, unchanged: checked.pages };
  return { ...checked, published, output: outputOf(folders, discovery, plan.table, options) };
}

/** What was built and, where it is published, the manifest of it. */
export async function publish(work: Work): Promise<{ built: Built; published?: Manifest }> {
  const { options, folders, thread, discovery, plan, manifest } = work;
  const { layout } = folders;
  const staticFiles = staticFilesOf(discovery, options);
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
      return { built: checked };
    }
    assertParentsUnchanged(discovery, plan.table);
    const contract = await contractOf(layout, discovery, plan, pages.outcomes, manifest?.contract);
    publication.stageStaticFiles(new Map([...staticFiles, ...contract.files]));
    const replacement = replacementOf(layout, plan, pages.outcomes, manifest, publication);
    publication.assertWritable(replacement);
    const parts =
      options.browse === true
        ? publication.stageParts(dataFilesOf(layout, discovery, pages.indexes, replacement, manifest))
        : [];
    const staged = publication.commit(replacement);
    const pagesStat = settlePages(publication, plan.table, replacement, manifest);
    if (options.browse !== true) removePage(layout);
    else if (manifest === undefined) removeOtherParts(layout, parts);
    const browse =
      options.browse === true ? browseState(layout, discovery, parts, manifest?.browse) : undefined;
    const ended = publication.close();
    const { site, siteKey, historyKey, listing, nameFindings } = discovery;
    const { pageFindings, claims } = pages;
    const written = replacement.added.length + replacement.changed.length;
    const removed = replacement.removed.filter((name) => !name.includes("/")).length;
    return {
      built: {
        ...checked,
        published: { written, removed, unchanged: checked.pages - written },
        output: outputOf(folders, discovery, plan.table, options),
      },
      published: {
        site,
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
      },
    };
  } catch (cause) {
    publication.abandon();
    throw cause;
  }
}
