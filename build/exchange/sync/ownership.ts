import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../base/failure.ts";
import { sourceText } from "../../change/apply.ts";
import type { FileChange } from "../../change/change.ts";
import { historyOf, historyText } from "../../change/history.ts";
import { schemaIn, syncText } from "../../change/plan.ts";
import { checkSync } from "../../check/config.ts";
import { SourceReader } from "../../source/read.ts";
import { HISTORY, SYNC } from "../../source/site-files.ts";

/** The part of `_sync.json` about one name. */
export interface Ownership {
  label?: string;
  /** The encoding of the last export. */
  encoding?: string;
  /** The fields that belong to the collection system; those of `meta` begin with `meta.`. */
  fields: string[];
  /** The ids of retired pages by the keys of their records. */
  retired?: Record<string, number>;
}

/** `_sync.json`, by name. @throws Failure if it was changed by hand, and has mistakes. */
export function ownershipsIn(content: string): Record<string, Ownership> {
  if (!existsSync(join(content, SYNC))) return {};
  const { bytes, parsed } = new SourceReader().read(content, SYNC);
  if (checkSync(parsed()).length > 0)
    throw new Failure(
      `${SYNC} has mistakes (npx page-api check). The command writes it: restore it from git, or remove it.`,
    );
  return JSON.parse(bytes?.toString() ?? "") as Record<string, Ownership>;
}

/**
 * The changes of `_sync.json` after a run and, after pages were made again, of the list of retired pages.
 *
 * @param own without `retired`. @param isPage whether the record with a key has a page, and whether it has this id
 */
export function ownershipChanges(
  content: string,
  name: string,
  own: Ownership,
  isPage: (key: string, id: number) => "none" | "other" | "same",
): FileChange[] {
  const all = ownershipsIn(content);
  const retired: [key: string, id: number][] = [];
  const again = new Set<number>();
  for (const [key, id] of Object.entries(all[name]?.retired ?? {})) {
    const page = isPage(key, id);
    if (page === "none") retired.push([key, id]);
    else if (page === "same") again.add(id);
  }
  const systems = {
    ...all,
    [name]: { ...own, ...(retired.length > 0 && { retired: Object.fromEntries(retired) }) },
  };
  const changes = [{ file: SYNC, before: sourceText(content, SYNC), after: syncText(systems) }];
  const history = again.size === 0 ? null : sourceText(content, HISTORY);
  if (history !== null) {
    const { retired: entries, moved } = historyOf(history);
    const kept = { moved, retired: entries.filter(({ id }) => !again.has(id)) };
    changes.push({ file: HISTORY, before: history, after: historyText(schemaIn(history), kept) });
  }
  return changes.filter(({ before, after }) => before !== after);
}
