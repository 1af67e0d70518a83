export const PAGES = "/api/v2/pages/";

export const pathOf = (id: number | string): string => `${PAGES}${id}/`;

/** Runs `work` for every item, at most `limit` at a time. */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
