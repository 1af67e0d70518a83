import { asParent, checkBelow } from "../check/parent.ts";
import type { PageTable } from "../manifest/page-table.ts";
import type { Period } from "../base/instant.ts";
import { livePeriod, ownPeriod } from "../page/live.ts";
import { isError } from "../findings/finding.ts";
import { render } from "../response/render.ts";
import { SourceReader, SourceVanished } from "../sources/read.ts";
import { childAddress, type Parent, type Position } from "../sources/tree.ts";
import type { Discovery } from "./discover.ts";

/** A draft, or a page that is not live, with the response that it would have. */
export interface Draft {
  /** Relative to the content folder. */
  file: string;
  /** Absent if its source has errors, or if its parent page is missing or has errors. */
  page?: { id: number; response: Buffer; live?: Period };
}

/** Maximum number of drafts in a preview. */
export const MAX_DRAFTS = 1000;

/** The name of a folder's page, or of its draft. */
const INDEX = /^_?index\.json$/;

/** Reads the drafts of a site, and its pages that are not live, in the order of their files. */
export function draftsOf(
  content: string,
  { listing, parents, site }: Discovery,
  table: PageTable | undefined,
): Draft[] {
  const { folders } = listing;
  const reader = new SourceReader();
  const known = new Map<number, Parent | "root" | undefined>([[-1, "root"]]);

  /** The parent page of the pages in a folder; in a draft section, it is a draft too. */
  const pageOf = (folder: number): Parent | "root" | undefined => {
    if (!known.has(folder)) known.set(folder, findPage(folder));
    return known.get(folder);
  };
  const findPage = (folder: number): Parent | "root" | undefined => {
    const { isGroup = false, parent = -1, index = -1, first = 0, end = 0 } = folders[folder] ?? {};
    if (isGroup) return pageOf(parent);
    const found = parents[folder];
    if (found !== undefined) return found;
    let own = index;
    for (let i = first; i < end && own === -1; i++) if (INDEX.test(listing.name(i))) own = i;
    if (own === -1) return undefined;
    const { above, at } = placeOf(own);
    return asParent(reader.read(content, listing.path(own)).parsed, above, at, site);
  };
  const placeOf = (i: number): { above: Parent | "root" | undefined; at?: Position } => {
    const folder = listing.folderOf[i] ?? 0;
    const { path = "", parent = -1 } = folders[folder] ?? {};
    const isIndex = INDEX.test(listing.name(i));
    const above = pageOf(isIndex ? parent : folder);
    if (above === undefined || above === "root" || site === undefined) return { above };
    const slug = isIndex ? path.slice(path.lastIndexOf("/") + 1) : listing.slug(i);
    const address = childAddress(above.address, slug, site);
    const { summary } = above;
    return { above, at: summary === undefined ? { slug, address } : { slug, address, parent: summary } };
  };
  const pageIn = (i: number): Draft["page"] => {
    const { above, at } = placeOf(i);
    const { parsed } = reader.read(content, listing.path(i));
    const { page, nodes, findings } = checkBelow(parsed, above, site);
    if (page === undefined || site === undefined || at?.parent === undefined || findings.some(isError))
      return undefined;
    const response = render(page, at, site, nodes);
    if (listing.kind(i) === "draft") return { id: page.id, response };
    const live = livePeriod(ownPeriod(page.meta), above === "root" ? undefined : above?.live);
    return live === undefined ? { id: page.id, response } : { id: page.id, response, live };
  };

  const drafts: Draft[] = [];
  for (let i = 0; i < listing.count && drafts.length < MAX_DRAFTS; i++) {
    // A page that is not live is shown like a draft.
    if (listing.kind(i) !== "draft" && (table?.reservedId[i] ?? 0) === 0) continue;
    const file = listing.path(i);
    try {
      const page = pageIn(i);
      drafts.push(page === undefined ? { file } : { file, page });
    } catch (cause) {
      // The file was removed, and the next step of the build will notice.
      if (!(cause instanceof SourceVanished)) throw cause;
    }
  }
  return drafts;
}
