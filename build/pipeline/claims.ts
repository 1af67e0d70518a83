import { ClaimCollector, mergeClaims, type Claims } from "../check/claims.ts";
import { SourceChecker } from "../check/source.ts";
import { SourceReader, SourceMissing } from "../sources/read.ts";
import { MAX_DRAFTS } from "./drafts.ts";
import type { ReadSources } from "./publish.ts";
import type { PageModel } from "../page/page.ts";

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
      const { bytes, stat } = reader.readBytes(`${content}/${file}`, file);
      checker.check({ file, bytes, size: stat.size });
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
