import { readFileSync, statSync } from "node:fs";
import { Failure } from "./failure.ts";

/** Both ends are included. */
export interface IdRange {
  from: number;
  to: number;
}

/** Maximum number of ids: more than any site has pages. */
export const MAX_IDS = 10_000_000;
/** Maximum size of a file of ids, in bytes. */
const MAX_BYTES = 64 * 2 ** 20;

/**
 * Parses the value of `--ids`: ids such as `1-5000,9001`, or the name of a file of ids, which may also be separated by
 * white space. The ranges are sorted and do not overlap.
 *
 * @throws Failure if the value is neither.
 */
export function parseIds(written: string): IdRange[] {
  const isRanges = /^[\d\s,-]+$/.test(written);
  if (!isRanges && statSync(written, { throwIfNoEntry: false })?.isFile() !== true)
    throw new Failure(
      `--ids ${written}: there is no such file; write ids such as 1-5000,9001, or the name of a file of them.`,
    );
  if (!isRanges && statSync(written).size > MAX_BYTES)
    throw new Failure(`--ids ${written}: the file is too large.`);
  const text = isRanges ? written : readFileSync(written, "utf8");
  const ranges = text
    .split(/[\s,]+/)
    .filter((word) => word !== "")
    .map((word) => rangeIn(word, isRanges ? "--ids" : `--ids ${written}`));
  if (ranges.length === 0) throw new Failure(`--ids ${written}: there are no ids.`);
  const merged: IdRange[] = [];
  for (const { from, to } of ranges.sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  if (countIds(merged) > MAX_IDS)
    throw new Failure(`--ids: ${countIds(merged)} ids are too many; write at most ${MAX_IDS}.`);
  return merged;
}

export const countIds = (ranges: readonly IdRange[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);

export function* idsIn(ranges: readonly IdRange[]): Generator<number> {
  for (const { from, to } of ranges) for (let id = from; id <= to; id++) yield id;
}

function rangeIn(word: string, where: string): IdRange {
  const [, first = "", last = first] = /^(\d+)(?:-(\d+))?$/.exec(word) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (first === "" || !Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 1 || to < from)
    throw new Failure(`${where}: “${word.slice(0, 40)}” is neither an id nor a range of ids such as 1-5000.`);
  return { from, to };
}
