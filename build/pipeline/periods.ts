import type { Period } from "../base/instant.ts";
import type { PageFindings } from "../check/page.ts";
import { livePeriod } from "../page/live.ts";
import { parentOf } from "../sources/tree.ts";
import type { Discovery } from "./discover.ts";

/** A function that returns, for a file, the time in which its page and all ancestors are live; undefined for always. */
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
