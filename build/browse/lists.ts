import { byPosition, type Positioned } from "../page/position.ts";
import { DIGITS } from "./client/words.js";

/** Minimum number of consecutive ids for which a run is shorter than single ids. */
const MIN_RUN_LENGTH = 3;

/** A list of ascending ids in the format that `idsFrom` reads. */
export function listOf(ids: readonly number[]): string {
  let text = "";
  let before = 0;
  let run = 0;
  for (let k = 0; k <= ids.length; k++) {
    const difference = (ids[k] ?? Infinity) - before;
    before += difference;
    if (difference === 1) {
      run++;
      continue;
    }
    if (run > 0) text += run >= MIN_RUN_LENGTH ? `0${digitsOf(run)}` : "1".repeat(run);
    run = 0;
    if (k < ids.length) text += digitsOf(difference);
  }
  return text;
}

function digitsOf(value: number): string {
  let text = "";
  let rest = value;
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += DIGITS.charAt(32 + (rest % 32));
  return text + DIGITS.charAt(rest);
}

/** Empty lists at the end are left out. */
export const joinLists = (lists: readonly string[]): string => lists.join(",").replace(/,+$/, "");

/**
 * The subpages of a page as JSON: a list of ids, if none has a position. Otherwise the list is the first element, and those with
 * a position follow in their order, each with its position.
 */
export function treeOf(subpages: readonly Positioned[]): string {
  const rest = listOf(subpages.filter(({ position }) => position === 0).map(({ id }) => id));
  const placed = subpages.filter(({ position }) => position !== 0).sort(byPosition);
  return JSON.stringify(
    placed.length === 0 ? rest : [rest, ...placed.map(({ id, position }) => [id, position])],
  );
}
