import { LIVE_FIELDS, periodOrAlways } from "../../model/schedule.ts";
import type { DateChange } from "./comparison.ts";
import { byAddress } from "./pairing.ts";
import { liveDatesIn, type LiveDates, type PageName, type Snapshot } from "./snapshot.ts";
import type { FormerSources } from "./sources.ts";

/** @param formerOf the former path of each file that was moved. */
export function changedDates(
  before: Snapshot,
  after: Snapshot,
  former: FormerSources,
  changed: readonly string[],
  formerOf: ReadonlyMap<string, string>,
): DateChange[] {
  const formerDates = new Map<string, LiveDates>();
  const files = changed.map((file) => formerOf.get(file) ?? file).filter((file) => isPage(before, file));
  for (const [file, { bytes }] of former.readAll(files)) formerDates.set(file, liveDatesIn(bytes));
  return changed.flatMap((file): DateChange[] => {
    if (!isPage(after, file)) return [];
    const old = formerDates.get(formerOf.get(file) ?? file) ?? {};
    const now = liveDatesIn(after.bytesOf(file));
    const fields = LIVE_FIELDS.filter((field) => old[field] !== now[field]);
    const name = fields.length === 0 ? undefined : after.name(file);
    if (name === undefined) return [];
    return fields.map((field) => {
      const [was, is] = [old[field], now[field]];
      const subpages = subpagesWith(after, file, field);
      return Object.assign({ field, subpages }, name, was && { old: was }, is && { new: is });
    });
  });
}

function isPage({ files, listing }: Snapshot, file: string): boolean {
  const i = files.get(file);
  return i !== undefined && listing.kind(i) !== "draft";
}

/** The pages below a page that go live, or expire, when it does. */
function subpagesWith(after: Snapshot, file: string, field: DateChange["field"]): PageName[] {
  const index = after.files.get(file);
  if (index === undefined || !/(?:^|\/)index\.json$/.test(file)) return [];
  const folder = file.slice(0, -"index.json".length);
  const bound = field === "go_live_at" ? "from" : "until";
  const { [bound]: instant } = periodOrAlways(after.periodOf(index));
  const subpages: PageName[] = [];
  for (const [path, i] of after.files) {
    if (after.listing.kind(i) === "draft" || i === index || !path.startsWith(folder)) continue;
    const period = periodOrAlways(after.periodOf(i));
    // A page may expire before its parent goes live.
    const name = period[bound] === instant && period.from < period.until ? after.name(path) : undefined;
    if (name !== undefined) subpages.push(name);
  }
  return subpages.sort(byAddress);
}
