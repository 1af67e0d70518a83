import { LIVE_FIELDS } from "../page/live.ts";
import { isObject } from "../json/object.ts";
import type { DateChange } from "./comparison.ts";
import { plainValue, type Snapshot } from "./snapshot.ts";
import type { FormerSources } from "./sources.ts";

type Dates = Partial<Record<(typeof LIVE_FIELDS)[number], string>>;

/**
 * The dates that a change adds, changes or removes.
 *
 * @param changed the changed files, except files that were only moved.
 * @param formerOf the former path of each file that was moved and changed.
 */
export function changedDates(
  before: Snapshot,
  after: Snapshot,
  former: FormerSources,
  changed: readonly string[],
  formerOf: ReadonlyMap<string, string>,
): DateChange[] {
  const formerDates = new Map<string, Dates>();
  const files = changed.map((file) => formerOf.get(file) ?? file).filter((file) => isPage(before, file));
  for (const [file, { bytes }] of former.readAll(files)) formerDates.set(file, datesIn(bytes));
  return changed.flatMap((file): DateChange[] => {
    if (!isPage(after, file)) return [];
    const old = formerDates.get(formerOf.get(file) ?? file) ?? {};
    const now = datesIn(after.bytesOf(file));
    const fields = LIVE_FIELDS.filter((field) => old[field] !== now[field]);
    const name = fields.length === 0 ? undefined : after.name(file);
    if (name === undefined) return [];
    const below = pagesBelow(after, file);
    return fields.map((field) => {
      const [was, is] = [old[field], now[field]];
      return Object.assign({ field, below }, name, was && { old: was }, is && { new: is });
    });
  });
}

function isPage({ files, listing }: Snapshot, file: string): boolean {
  const i = files.get(file);
  return i !== undefined && listing.kind(i) !== "draft";
}

function datesIn(bytes: Buffer | undefined): Dates {
  // Most sources have no dates, so they need no parsing.
  const value = bytes?.includes("_at") === true ? plainValue(bytes) : undefined;
  const meta = isObject(value) && isObject(value["meta"]) ? value["meta"] : {};
  const dates: Dates = {};
  for (const field of LIVE_FIELDS) {
    const date = meta[field];
    if (typeof date === "string") dates[field] = date;
  }
  return dates;
}

function pagesBelow({ listing }: Snapshot, file: string): number {
  if (!/(?:^|\/)index\.json$/.test(file)) return 0;
  const folder = file.slice(0, -"index.json".length);
  let count = 0;
  for (let i = 0; i < listing.count; i++)
    if (listing.kind(i) !== "draft" && listing.path(i) !== file && listing.path(i).startsWith(folder))
      count++;
  return count;
}
