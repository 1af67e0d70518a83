import { ClaimCollector, mergeClaims, type Claims } from "../check/claims.ts";
import { type CheckedPage, type PagePosition } from "../check/page.ts";
import { asParent, SourceChecker } from "../check/source.ts";
import type { PageTable } from "./manifest/page-table.ts";
import type { Period } from "../base/instant.ts";
import { livePeriod, ownPeriod } from "../model/schedule.ts";
import { positionOf as orderOf, type Positioned } from "../model/position.ts";
import { slugOfName } from "../source/address.ts";
import { SourceReader, SourceMissing } from "../source/read.ts";
import { languageAt } from "../model/languages.ts";
import type { Parent } from "../model/tree.ts";
import type { Discovery } from "./discover.ts";
import type { PageModel } from "../model/page.ts";
import type { ReadSources } from "./publish.ts";

/** A draft, or a page that is not live, with the response that it would have. */
export interface Draft {
  /** Relative to the content folder. */
  file: string;
  /** Absent if its source has errors, or if its parent page is missing or has errors. */
  page?: Positioned & { response: Buffer; live?: Period; of?: number | undefined };
}

/** Maximum number of drafts in a preview. */
const MAX_DRAFTS = 1000;

/** The name of a folder's page, or of its draft. */
const INDEX = /^_?index\.json$/;

/** Reads the drafts of a site, and its pages that are not live, in the order of their files. */
export function draftsOf(
  content: string,
  { listing, parents, site }: Discovery,
  model: PageModel,
  table: PageTable | undefined,
): Draft[] {
  const { folders } = listing;
  const reader = new SourceReader();
  const checker = new SourceChecker({ model, site });
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
    const at = positionOf(own);
    return asParent(check(own, at), at, site);
  };
  const check = (i: number, at: PagePosition): CheckedPage => {
    const file = listing.path(i);
    return checker.check(reader.readBytes(`${content}/${file}`, file), at);
  };
  const positionOf = (i: number): PagePosition => {
    const folder = listing.folderOf[i] ?? 0;
    const { path = "", parent = -1 } = folders[folder] ?? {};
    const isIndex = INDEX.test(listing.name(i));
    const slug = isIndex ? slugOfName(path.slice(path.lastIndexOf("/") + 1)) : listing.slug(i);
    const isRoot = isIndex && folders[folder]?.isHome === true;
    const at = { parent: isRoot ? ("root" as const) : pageOf(isIndex ? parent : folder), slug };
    return site?.locales === undefined ? at : { ...at, language: languageAt(path, site) };
  };
  const pageIn = (i: number): Draft["page"] => {
    const at = positionOf(i);
    const { page, response } = check(i, at);
    if (page === undefined || response === undefined || at.parent === "root") return undefined;
    const draft = {
      id: page.id,
      position: orderOf(page.meta),
      response: Buffer.from(checker.encode(response)),
      of: Number(page.meta["translation_of"]) || undefined,
    };
    if (listing.kind(i) === "draft") return draft;
    const live = livePeriod(ownPeriod(page.meta), at.parent?.live);
    return live === undefined ? draft : { ...draft, live };
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
      if (!(cause instanceof SourceMissing)) throw cause;
    }
  }
  return drafts;
}

/** The claims of all sources, also of drafts and of pages that are not live. */
export interface SourceClaims {
  claims: Claims;
  /** The kinds of entities that they describe. */
  entities: PageModel["entities"];
  /** The id of a file; 0 if it has none. */
  idOf: (file: number) => number;
  pathOf: (file: number) => string;
}

/** Adds the claims of drafts, which a build does not compare with those of pages. */
export function claimsOfSources(
  content: string,
  model: PageModel,
  { listing, table, claims }: ReadSources,
): SourceClaims {
  const log = new ClaimCollector();
  const reader = new SourceReader();
  const checker = new SourceChecker({ model, claims: log });
  const read = new Set<number>();
  for (let i = 0; i < listing.count && read.size < MAX_DRAFTS; i++) {
    if (listing.kind(i) !== "draft") continue;
    read.add(i);
    try {
      const file = listing.path(i);
      checker.check(reader.readBytes(`${content}/${file}`, file));
    } catch (cause) {
      if (!(cause instanceof SourceMissing)) throw cause;
    }
    log.endFile(i);
  }
  const same = Int32Array.from({ length: listing.count }, (_, i) => i);
  return {
    entities: model.entities,
    claims:
      read.size === 0 ? claims : mergeClaims(listing.count, [log.part()], claims, same, (i) => read.has(i)),
    idOf: (file) => table.id[file] || (table.reservedId[file] ?? 0),
    pathOf: (file) => listing.path(file),
  };
}
