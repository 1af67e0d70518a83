import { Failure } from "../base/failure.ts";
import { grouped } from "../base/grouped.ts";
import { languagesOf, type Language } from "../model/languages.ts";
import type { PageModel } from "../model/page.ts";
import type { Site } from "../model/site.ts";
import { folderOf, linkPath } from "../model/tree.ts";
import { modelOf } from "../model/types.ts";
import { formatJson } from "../source/json/format.ts";
import { hasFolder } from "../source/page-files.ts";
import type { JsonObject } from "../source/json/object.ts";
import { completeHead, lastCommits } from "../source/git.ts";
import { readSources, SourceReader } from "../source/read.ts";
import { olderThanOriginals } from "../site/older-translations.ts";
import { createFrom, type Created, type CreateOptions } from "./create.ts";
import { factsOf } from "./facts.ts";
import { partsOf } from "./files.ts";
import { readPages, type SitePages } from "./pages.ts";
import { translate } from "./translate.ts";
import {
  groupsAmong,
  pathInLanguage,
  type LocalizedPage,
  type TranslationGroups,
} from "./translation-groups.ts";

/* What the languages of a site lack, and new translations. */

/** Empty for a site with one language. */
export function translationGroups({
  content,
  listing,
  site,
}: Pick<SitePages, "content" | "listing" | "site">): TranslationGroups {
  const facts = function* () {
    for (const { file, bytes } of readSources(content, listing)) yield [file, factsOf(bytes).page] as const;
  };
  return site.locales === undefined ? new Map() : groupsAmong(facts(), site);
}

/** What languages lack. */
export interface TranslationReport {
  /** By language: the pages that lack a translation, and of types that have none in this language, only the numbers. */
  missing: {
    locale: string;
    label: string;
    pages: { file: string; id: number; title: string }[];
    types: { type: string; pages: number }[];
  }[];
  /** The translations whose originals were committed later, with the times in seconds. */
  older: { file: string; committed: number; original: { file: string; committed: number } }[];
  /** Whether git knows when each source was committed. */
  isKnown: boolean;
}

/**
 * Lists the pages that languages lack, and the translations whose originals were committed later. The original is the page
 * in the first of the languages. Drafts count as translations, and need none.
 *
 * @param named only these files.
 * @throws Failure for a site with one language.
 */
export async function reportTranslations(
  content: string,
  named?: ReadonlySet<string>,
): Promise<TranslationReport> {
  const site = readPages(content, modelOf(content, undefined));
  const languages = languagesOf(site.site);
  if (languages.length === 0) languageNamed(site.site, "");
  const groups = [...new Set(translationGroups(site).values())];
  const isListed = ({ file }: LocalizedPage): boolean => named?.has(file) ?? true;
  const missing = languages.map((language) => {
    const isThere = (one: LocalizedPage): boolean => one.language === language;
    const used = new Set(
      groups.flatMap((group) => (group.some(isThere) ? group.map(({ type }) => type) : [])),
    );
    const lacking = groups.flatMap((group) => {
      const first = group.find(({ isDraft }) => !isDraft);
      return first === undefined || group.some(isThere) || !isListed(first) ? [] : [first];
    });
    const counts = grouped(
      lacking.filter(({ type }) => !used.has(type)),
      ({ type }) => type,
    );
    return {
      locale: language.code,
      label: language.label,
      pages: lacking.flatMap(({ file, id, title, type }) => (used.has(type) ? [{ file, id, title }] : [])),
      types: [...counts].map(([type, pages]) => ({ type, pages: pages.length })),
    };
  });
  const isKnown = completeHead(content) !== undefined;
  const times = isKnown ? await lastCommits(content) : new Map<string, number>();
  const older = olderThanOriginals(groups, ({ file }) => times.get(file))
    .filter(({ page }) => isListed(page))
    .map(({ page: { file }, time, original, originalTime }) => ({
      file,
      committed: time,
      original: { file: original.file, committed: originalTime },
    }));
  return { missing, older, isKnown };
}

/** The language that an editor named. @throws Failure if there is none. */
export function languageNamed(site: Site | undefined, code: string): Language {
  const languages = languagesOf(site ?? {});
  if (languages.length === 0)
    throw new Failure(`The site has one language: “locales” in _site.json names others.`);
  const found = languages.find((one) => one.code.toLowerCase() === code.toLowerCase());
  if (found !== undefined) return found;
  throw new Failure(
    `The site has no language “${code}”. It has ${languages.map((one) => `${one.code} (${one.label})`).join(", ")}.`,
  );
}

/** A path that an editor named, in the folder of a language. */
export function pathIn({ folder }: Language, content: string, path: string): string {
  const parts = partsOf(content, path);
  return [...(folder === "" || parts[0] === folder ? [] : [folder]), ...parts].join("/");
}

interface TranslateOptions extends Pick<CreateOptions, "content" | "title" | "draft" | "id"> {
  model?: PageModel | undefined;
  /** The code of the language; by default the only one that the page lacks. */
  locale: string | undefined;
  /** The path of the translation; by default that of the page, below the translation of its parent. */
  path: string | undefined;
}

type Translated = Omit<Created, "guessed"> & { original: LocalizedPage; language: Language };

/**
 * Copies a page into another language. References and links to pages lead to their translations, where there are some.
 *
 * @param id of the page.
 * @throws Failure with the reason if it cannot be translated.
 */
export function translatePage(of: number, options: TranslateOptions): Translated {
  const { content } = options;
  const site = readPages(content, modelOf(content, options.model));
  const groups = translationGroups(site);
  const pages = [...new Set([...groups.values()].flat())];
  const original = pages.find(({ id }) => id === of);
  if (original === undefined) {
    if (site.site.locales === undefined) languageNamed(site.site, "");
    throw new Failure(`No page has the id ${of}.`);
  }
  if (original.isDraft) throw new Failure(`${original.file} is a draft: publish it first.`);
  const group = groups.get(original.file) ?? [];
  const language = languageFor(site.site, group, options.locale);
  const there = group.find((one) => one.language === language);
  if (there !== undefined)
    throw new Failure(`${there.file} is this page in ${language.label} (${language.code}) already.`);
  const named = options.path === undefined ? undefined : pathIn(language, content, options.path);
  const path = named ?? pathOfTranslation(site, groups, original, language, options.draft);
  const source = new SourceReader().read(content, original.file).parsed();
  const created = createFrom(source, { ...options, path, facts: {} }, ({ id, reference, target }) => {
    const page = translate(source.source.text, id, site, ...targets(site, groups, language));
    const { translation_of: _, ...meta } = page["meta"] as JsonObject;
    // Pages at the same path are translations of each other.
    const isSaid = groupPath(group) !== pathInLanguage(target.file, language);
    const { title } = options;
    return formatJson({
      $schema: reference,
      ...page,
      meta: { ...meta, ...(isSaid && { translation_of: of }) },
      ...(title !== undefined && { title }),
    });
  });
  return { ...created, original, language };
}

/** The path that the pages of a group have, unless they name another page as their original. */
const groupPath = (group: readonly LocalizedPage[]): string | undefined =>
  group.find((one) => one.of === 0)?.path;

function languageFor(site: Site, group: readonly LocalizedPage[], code: string | undefined): Language {
  if (code !== undefined) return languageNamed(site, code);
  const lacking = languagesOf(site).filter((one) => group.every(({ language }) => language !== one));
  const [only] = lacking;
  if (only !== undefined && lacking.length === 1) return only;
  if (only === undefined) throw new Failure("The page is in every language of the site already.");
  throw new Failure(
    `Into which language? Give --locale ${lacking.map((one) => `${one.code} (${one.label})`).join(" or ")}.`,
  );
}

/** The default path of a translation: below the translation of the parent page. */
function pathOfTranslation(
  { listing }: SitePages,
  groups: TranslationGroups,
  { file, id }: LocalizedPage,
  language: Language,
  draft: boolean,
): string {
  const number =
    Array.from({ length: listing.count }, (_, i) => i).find((i) => listing.path(i) === file) ?? -1;
  const above = listing.folders[listing.parentOf(number)];
  if (above === undefined) return language.folder === "" ? "index" : `${language.folder}/index`;
  const parent = listing.path(above.index);
  const found = groups.get(parent)?.find((one) => one.language === language);
  if (found === undefined) {
    const first = groups.get(parent)?.find((one) => one.file === parent);
    throw new Failure(
      `The parent page, ${parent}, has no translation into ${language.label} yet. Translate it first:\n` +
        `  npx page-api new --translate ${first?.id ?? id} --locale ${language.code}`,
    );
  }
  const slug = /([^/]*?)(?:\/index)?\.json$/.exec(file)?.[1] ?? "";
  if (found.isDraft)
    throw new Failure(`The translation of the parent page, ${found.file}, is a draft: publish it first.`);
  const folder = folderOf(found.file);
  return `${folder === "" ? "" : `${folder}/`}${slug}${!draft && hasFolder(file) ? "/index" : ""}`;
}

/** The translations of pages, by their ids, and the addresses of these translations, by the paths of the pages. */
function targets(
  { addresses }: SitePages,
  groups: TranslationGroups,
  language: Language,
): [Map<number, number>, Map<string, string>] {
  const ids = new Map<number, number>();
  const afterOf = new Map<string, string>();
  for (const [file, group] of groups) {
    const other = group.find((one) => one.language === language && !one.isDraft);
    const page = group.find((one) => one.file === file);
    if (other === undefined || page === undefined || other === page) continue;
    ids.set(page.id, other.id);
    const [before, after] = [addresses.get(file), addresses.get(other.file)];
    if (before !== undefined && after !== undefined) afterOf.set(linkPath(before), after);
  }
  return [ids, afterOf];
}
