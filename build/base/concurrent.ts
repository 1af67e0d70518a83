/**
 * Calls `work` for each item, at most `limit` at a time. After a failure, no further call starts; the failure is thrown
 * once the running calls have ended.
 */
export async function forEachConcurrent<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (failures.length === 0) {
      const next = left.next();
      if (next.done === true) return;
      try {
        await work(next.value);
      } catch (cause) {
        failures.push(cause);
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failures.length > 0) throw failures[0];
}
