/** Lines before and after a change that are shown with it. */
const CONTEXT = 2;

/** The changed lines of a short text, each with “-” or “+” before it, and the lines around them. */
export function lineChanges(before: string, after: string): string[] {
  const [old, now] = [before, after].map((text) => text.replace(/\n$/, "").split("\n")) as [
    string[],
    string[],
  ];
  const common = commonLengths(old, now);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const isSame = i < old.length && j < now.length && old[i] === now[j];
    const isRemoved = i < old.length && (j >= now.length || common(i + 1, j) >= common(i, j + 1));
    if (isSame) lines.push(`  ${old[i]}`);
    else if (isRemoved) lines.push(`- ${old[i]}`);
    else lines.push(`+ ${now[j]}`);
    if (isSame || isRemoved) i++;
    if (isSame || !isRemoved) j++;
  }
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => !line.startsWith(" "));
  return lines.flatMap((line, k) => (isNear(k) ? [line] : k > 0 && isNear(k - 1) ? ["  …"] : []));
}

/** The length of the longest common subsequence of the lines from `i` and from `j` on. */
function commonLengths(old: readonly string[], now: readonly string[]): (i: number, j: number) => number {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === now[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  return (i, j) => lengths[i * width + j] ?? 0;
}
