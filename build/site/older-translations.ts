import type { ListedTranslations } from "../browse/data-files.ts";
import { completeHead, lastCommits } from "../source/git.ts";
import type { SourceIndex } from "../source/source-index.ts";

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

/** The ids of published translations that are older than their originals. @param times of sources, in milliseconds */
export function olderAmong(
  { rows }: ListedTranslations,
  listing: SourceIndex,
  ids: ArrayLike<number>,
  times: ReadonlyMap<string, number>,
): [id: number, time: string][] {
  const groups = rows.map((row) => row.filter((id) => id !== 0));
  const translated = new Set(groups.flat());
  const timeOf = new Map<number, number | undefined>();
  for (let file = 0; file < listing.count; file++) {
    const id = ids[file] ?? 0;
    if (translated.has(id)) timeOf.set(id, times.get(listing.path(file)));
  }
  return olderThanOriginals(groups, (id) => timeOf.get(id)).map(({ page, originalTime }) => [
    page,
    new Date(originalTime).toISOString(),
  ]);
}

/** When sources were last committed. */
export interface CommitTimes {
  /** Undefined if git does not have the history. */
  head: string | undefined;
  /** By file, in milliseconds. */
  times: ReadonlyMap<string, number>;
}

/** @param known is returned if there was no commit since. */
export async function commitTimes(content: string, known?: CommitTimes): Promise<CommitTimes> {
  const head = completeHead(content);
  if (known !== undefined && known.head === head) return known;
  const times = head === undefined ? [] : await lastCommits(content);
  return { head, times: new Map(Array.from(times, ([file, time]) => [file, 1000 * time])) };
}
