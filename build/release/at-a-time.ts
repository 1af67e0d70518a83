/** Does the work on all items, so many at a time; with the first that fails no other is begun. */
export async function atATime<T>(
  concurrency: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  let hasFailed = false;
  const one = async (): Promise<void> => {
    for (const item of left) {
      if (hasFailed) return;
      try {
        await work(item);
      } catch (cause) {
        hasFailed = true;
        throw cause;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, one));
  const failed = ended.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
