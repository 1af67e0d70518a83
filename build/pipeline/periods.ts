import type { Period } from "../base/instant.ts";
import type { PageFindings } from "../check/page.ts";
import { livePeriod } from "../page/live.ts";
import { parentOf } from "../sources/tree.ts";
import type { Discovery } from "./discover.ts";

/** Gives the time in which a page and all its ancestors are live, by its file; undefined if that is always. */
export function periodsOf(
  { listing, parents }: Discovery,
  pages: readonly PageFindings[],
): (file: number) => Period | undefined {
  const own = new Map(pages.flatMap(({ file, live }) => (live === undefined ? [] : [[file, live] as const])));
  return (file) => {
    const parent = parentOf(listing, parents, file);
    return livePeriod(own.get(file), parent === "root" ? undefined : parent?.live);
  };
}
