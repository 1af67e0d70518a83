import type { ListedTranslations } from "../browse/data-files.ts";
import type { Language } from "../model/languages.ts";
import type { SourceIndex } from "../source/source-index.ts";

export interface GroupedPage {
  file: number;
  language: Language;
  summary: { id: number; type: string };
}

/** Maximum number of pages of a type that are listed as missing in a language. */
const MAX_MISSING = 20;

/** @param groups of live pages, also those of one page */
export function listTranslations(
  groups: readonly (readonly GroupedPage[])[],
  languages: readonly Language[],
  listing: SourceIndex,
): ListedTranslations {
  const rowOf = new Map<number, number[]>();
  const rows = groups.map((pages) => {
    const row = languages.map((one) => pages.find(({ language }) => language === one)?.summary.id ?? 0);
    for (const { file } of pages) rowOf.set(file, row);
    return row;
  });
  const lists = languages.map(({ code }, k) => {
    const used = new Set<string>();
    const byType = new Map<string, [type: string, count: number, ids: number[]]>();
    for (const [n, [first]] of groups.entries()) {
      if (first === undefined) continue;
      const { id, type } = first.summary;
      const above = rowOf.get(listing.folders[listing.parentOf(first.file)]?.index ?? -1);
      if (rows[n]?.[k] !== 0) used.add(type);
      else if (above !== undefined && above[k] !== 0) {
        const found = byType.get(type) ?? [type, 0, []];
        byType.set(type, found);
        found[1]++;
        if (found[2].length < MAX_MISSING) found[2].push(id);
      }
    }
    const isUsed = ([type]: readonly [string, ...unknown[]]): number => Number(used.has(type));
    return [code, [...byType.values()].sort((a, b) => isUsed(b) - isUsed(a) || a[1] - b[1])] as const;
  });
  return { rows: rows.filter((_, n) => (groups[n]?.length ?? 0) > 1), missing: Object.fromEntries(lists) };
}
