import type { Snapshot } from "./snapshot.ts";

/** Unedited files whose section became a draft, or stopped being one, or went live or expired, because its `index.json` changed. */
export function turnedWithSection(edited: readonly string[], before: Snapshot, after: Snapshot): string[] {
  const sections = edited.filter((file) => /(?:^|\/)_?index\.json$/.test(file));
  if (sections.length === 0) return [];
  const known = new Set(edited);
  const turned = sections
    .filter((file) => !file.endsWith("_index.json") && isLiveIn(before, file) !== isLiveIn(after, file))
    .map((file) => file.slice(0, -"index.json".length));
  return Array.from(before.files).flatMap(([file, i]) => {
    const now = after.files.get(file);
    if (now === undefined || known.has(file)) return [];
    const isTurned =
      (before.listing.kind(i) === "draft") !== (after.listing.kind(now) === "draft") ||
      // Reads the pages of its ancestors.
      (turned.some((folder) => file.startsWith(folder)) && before.isLiveAbove(i) !== after.isLiveAbove(now));
    return isTurned ? [file] : [];
  });
}

/** Whether a section is live, by its dates; a section without a page is. */
function isLiveIn(snapshot: Snapshot, file: string): boolean {
  const i = snapshot.files.get(file);
  return i === undefined || snapshot.isLive(i);
}
