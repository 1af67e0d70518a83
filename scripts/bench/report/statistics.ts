export interface Spread {
  median: number;
  least: number;
  most: number;
  count: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  const lower = sorted.length % 2 === 1 ? upper : sorted[middle - 1];
  const least = sorted[0];
  const most = sorted.at(-1);
  if (upper === undefined || lower === undefined || least === undefined || most === undefined) {
    throw new RangeError("nothing was measured");
  }
  return { median: (lower + upper) / 2, least, most, count: sorted.length };
}

export const median = (values: readonly number[]): number => spread(values).median;
