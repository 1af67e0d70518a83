import type { ListedTranslations } from "../browse/data-files.ts";
import { completeHead, lastCommits } from "../source/git.ts";
import type { SourceIndex } from "../source/read.ts";

/**
 * The pages that are older than the originals that they translate.
 *
 * @param groups each begins with the original @param timeOf undefined if it is not known, or still to come
 */
export const olderThanOriginals = <T>(
  groups: Iterable<readonly T[]>,
  timeOf: (page: T) => number | undefined,
): { page: T; time: number; original: T; originalTime: number }[] =>
  [...groups].flatMap(([original, ...others]) => {
    const originalTime = original === undefined ? undefined : timeOf(original);
    if (original === undefined || originalTime === undefined) return [];
    return others.flatMap((page) => {
      const time = timeOf(page) ?? originalTime;
      return time < originalTime ? [{ page, time, original, originalTime }] : [];
    });
  });

/** Maximum number of files whose history is read alone. */
const MAX_FILES = 100;

/**
 * The translations that were committed before their originals, with the times of these; undefined if git does not have the
 * history.
 */
export async function committedEarlier(
  content: string,
  listing: SourceIndex,
  ids: ArrayLike<number>,
  { rows }: ListedTranslations,
): Promise<[id: number, time: string][] | undefined> {
  if (rows.length === 0 || completeHead(content) === undefined) return undefined;
  const groups = rows.map((row) => row.filter((id) => id !== 0));
  const translated = new Set(groups.flat());
  const files = new Map<number, string>();
  for (let file = 0; file < listing.count; file++) {
    const id = ids[file] ?? 0;
    if (translated.has(id)) files.set(id, listing.path(file));
  }
  const times = await lastCommits(content, files.size > MAX_FILES ? undefined : [...files.values()]);
  return olderThanOriginals(groups, (id) => times.get(files.get(id) ?? "")).map(({ page, originalTime }) => [
    page,
    new Date(1000 * originalTime).toISOString(),
  ]);
}
