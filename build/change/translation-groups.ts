import { grouped } from "../base/grouped.ts";
import { languageAt, languagesOf, type Language } from "../model/languages.ts";
import type { Site } from "../model/site.ts";
import { addressPathOf } from "../model/tree.ts";
import { isObject } from "../source/json/object.ts";
import { draftSection, isDraftIn } from "../source/page-files.ts";

/* The pages of a site with several languages that are translations of each other. Drafts are among them. */

/** What the translations of a page need to know of it. */
export interface TranslationFacts {
  id: number;
  title: string;
  type: string;
  /** `meta.translation_of`; 0 if there is none. */
  of: number;
}

/** A page of a site with several languages. */
export interface LocalizedPage extends TranslationFacts {
  file: string;
  language: Language;
  /** Its path below the home page of its language: of a draft, once it is published. */
  path: string;
  isDraft: boolean;
}

/** By file: the pages that are translations of each other, with the page itself, in the order of languages. */
export type TranslationGroups = ReadonlyMap<string, readonly LocalizedPage[]>;

/** The path of a page below the home page of its language, whether or not it is a draft. */
export function pathInLanguage(file: string, { folder }: Language): string {
  const path = addressPathOf(file.replace(/(^|\/)_([^/]*\.json)$/, "$1$2")) ?? "";
  return folder === "" ? path : path.slice(folder.length + 1);
}

/** Empty for a site with one language. */
export function groupsAmong(
  sources: Iterable<readonly [file: string, facts: TranslationFacts | undefined]>,
  site: Site,
): Map<string, LocalizedPage[]> {
  const all = [...sources];
  const isDraft = isDraftIn(all.flatMap(([file]) => draftSection(file) ?? []));
  const pages = all.flatMap(([file, facts]): LocalizedPage[] => {
    const language = languageAt(file, site);
    if (facts === undefined || language === undefined) return [];
    return [{ ...facts, file, language, path: pathInLanguage(file, language), isDraft: isDraft(file) }];
  });
  const byId = new Map(pages.map((page) => [page.id, page]));
  const pathOf = (page: LocalizedPage): string => {
    const seen = new Set<LocalizedPage>();
    let now = page;
    for (let next: LocalizedPage | undefined = page; next !== undefined && !seen.has(next);) {
      seen.add(next);
      now = next;
      next = byId.get(next.of);
    }
    return now.path;
  };
  const order = languagesOf(site);
  const groups = new Map<string, LocalizedPage[]>();
  for (const group of grouped(pages, pathOf).values()) {
    group.sort((one, other) => order.indexOf(one.language) - order.indexOf(other.language));
    for (const { file } of group) groups.set(file, group);
  }
  return groups;
}

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

/** Undefined if a source has mistakes. */
export function translationFacts(page: unknown): TranslationFacts | undefined {
  if (!isObject(page) || typeof page["id"] !== "number") return undefined;
  const { id, title, meta } = page;
  const { type, translation_of: of } = isObject(meta) ? meta : {};
  return { id, title: textIn(title), type: textIn(type), of: typeof of === "number" ? of : 0 };
}
