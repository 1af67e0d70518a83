/** Pseudo-random numbers that are the same on every machine: the same seed gives the same site. */
export type Random = ReturnType<typeof random>;

/** The generator mulberry32: 32 bits of state are enough for test data. */
export function random(seed: number) {
  let state = seed >>> 0;

  /** A whole number from 0 to `limit` - 1. */
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };

  const pick = <T>(list: readonly T[]): T => {
    const index = below(list.length);
    if (index >= list.length) throw new RangeError("an empty list has nothing to pick");
    return list[index] as T;
  };

  /** `count` different members of the list, in the list's order. */
  const some = <T>(list: readonly T[], count: number): T[] => {
    const chosen = new Set<number>();
    while (chosen.size < Math.min(count, list.length)) chosen.add(below(list.length));
    return list.filter((_, index) => chosen.has(index));
  };

  return { below, pick, some };
}
