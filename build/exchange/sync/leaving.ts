import { rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../base/failure.ts";
import { moveAll, retireAll, type MoveOptions } from "../../change/page-actions.ts";
import type { SourceIndex } from "../../source/source-index.ts";
import { hasFolder, isDraftFile } from "../../editor/form/place.ts";
import type { PagePlaces } from "./places.ts";

/* Moves pages that the module places elsewhere, and retires those without a record. */

/**
 * Moves pages together, all or nothing; then those whose new addresses are free only now.
 *
 * @returns the pages whose new addresses other pages have; in a dry run, also those that others make free.
 * @throws Failure, before any change, if pages cannot be moved.
 */
export function movePages<Page extends { file: string; to: string }>(
  content: string,
  places: PagePlaces,
  pages: readonly Page[],
  options: MoveOptions,
): Page[] {
  let left = [...pages];
  for (let next = places.movable(left); next.length > 0; next = places.movable(left)) {
    const moves = next.map(({ file, to }) => ({ from: join(content, file), to: join(content, to) }));
    moveAll(content, moves, options);
    // The others depend on these.
    if (options.isDry === true) return [];
    for (const one of next) places.move(one);
    const moved = new Set(next);
    left = left.filter((one) => !moved.has(one));
  }
  return left;
}

/** @throws Failure, before any change, if pages cannot be retired. */
export function retireGone(
  content: string,
  listing: SourceIndex,
  gone: ReadonlySet<string>,
  options: MoveOptions,
): void {
  for (const file of gone) {
    if (!hasFolder(file)) continue;
    const folder = file.slice(0, -"index.json".length);
    for (let i = 0; i < listing.count; i++) {
      const path = listing.path(i);
      if (path.startsWith(folder) && !gone.has(path))
        throw new Failure(`${file} has no record any more, but the subpage ${path}. Move that page first.`);
    }
  }
  const pages = [...gone].flatMap((file) => (isDraftFile(file) ? [] : [join(content, file)]));
  if (pages.length > 0) retireAll(content, pages, options);
  if (options.isDry !== true) for (const file of gone) if (isDraftFile(file)) rmSync(join(content, file));
}
