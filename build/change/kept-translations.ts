import { Failure } from "../base/failure.ts";
import { languageAt, type Language } from "../model/languages.ts";
import { memberNames } from "../model/model.ts";
import type { Site } from "../model/site.ts";
import { folderOf, linkPath, sitePath } from "../model/tree.ts";
import { typeOf } from "../check/nodes.ts";
import { editedText, type SourceOperation } from "../source/json/edit.ts";
import { parseJson } from "../source/json/parse.ts";
import { draftSection, isDraftIn } from "../source/page-files.ts";
import { renamed, type FileChange, type Rename, type SiteChange } from "./change.ts";
import type { SitePages } from "./pages.ts";
import type { SitePart } from "./plan.ts";
import { pathInLanguage, type LocalizedPage, type TranslationGroups } from "./translation-groups.ts";

/*
 * What becomes of translations when pages get other paths, are retired, or become drafts or pages: computed from texts
 * only, as in `plan.ts`. Runs in the browser and in Node.
 */

/**
 * Adds to a change what keeps the pages of each group translations of each other: `translation_of` names a page at another
 * path, and no page that is retired or a draft.
 */
export function keepTranslations(
  part: Pick<SitePart, "model" | "site" | "read">,
  groups: TranslationGroups,
  change: SiteChange,
): SiteChange {
  const { renames = [] } = change;
  const removed = new Set(change.files.flatMap(({ file, after }) => (after === null ? [file] : [])));
  const files = new Map(change.files.map((one) => [one.file, one]));
  const sections = [...groups.keys()].flatMap((file) =>
    removed.has(file) ? [] : (draftSection(renamed(file, renames)) ?? []),
  );
  const isDraft = isDraftIn(sections);
  const stays = ({ file, isDraft: wasDraft }: LocalizedPage): boolean =>
    renamed(file, renames) === file && !removed.has(file) && isDraft(file) === wasDraft;
  for (const group of new Set(groups.values())) {
    if (group.every(stays)) continue;
    for (const [page, of] of originalsAfter(group, removed, renames, isDraft, part.site)) {
      const file = renamed(page.file, renames);
      const before = files.get(file)?.before ?? part.read(page.file);
      const text = files.get(file)?.after ?? before;
      if (before !== null && text !== null)
        files.set(file, { file, before, after: withOriginal(part, text, of) });
    }
  }
  return { ...change, files: [...files.values()] satisfies FileChange[] };
}

/** The pages of a group that must name another original, with its id; 0 for none. */
function originalsAfter(
  group: readonly LocalizedPage[],
  removed: ReadonlySet<string>,
  renames: readonly Rename[],
  isDraftThen: (file: string) => boolean,
  site: Site,
): Map<LocalizedPage, number> {
  const pages = group.flatMap((page) => {
    const file = renamed(page.file, renames);
    const language = languageAt(file, site);
    // A page that moves to another language is a translation no longer.
    if (removed.has(page.file) || language !== page.language) return [];
    const path = pathInLanguage(file, language);
    return [{ page, path, isMoved: file !== page.file, isDraft: isDraftThen(file), of: page.of }];
  });
  const published = pages.filter(({ isDraft }) => !isDraft);
  const byId = new Map(published.map((one) => [one.page.id, one]));
  const first =
    published.find(({ of, isMoved }) => of === 0 && !isMoved) ??
    published.find(({ of }) => of === 0) ??
    published[0];
  if (first !== undefined) first.of = 0;
  /** The path of the page that a page names at last; undefined if that is not one of the pages. */
  const pathOf = ({ of, path }: (typeof pages)[number], depth = 0): string | undefined => {
    const next = byId.get(of);
    if (of === 0) return path;
    return next === undefined || depth > group.length ? undefined : pathOf(next, depth + 1);
  };
  for (const one of pages) {
    if (first === undefined) one.of = byId.has(one.of) ? one.of : 0;
    else if (pathOf(one) !== first.path) one.of = one.path === first.path ? 0 : first.page.id;
  }
  const left = group.filter(
    ({ of, file }) => of !== 0 && !removed.has(file) && pages.every(({ page }) => page.file !== file),
  );
  return new Map([
    ...left.map((page) => [page, 0] as const),
    ...pages.flatMap(({ page, of }) => (of === page.of ? [] : [[page, of] as const])),
  ]);
}

function withOriginal({ model }: Pick<SitePart, "model">, text: string, of: number): string {
  const { root, source } = parseJson("", new TextEncoder().encode(text));
  if (root === undefined) return text;
  const path = ["meta", "translation_of"];
  const operation: SourceOperation = of === 0 ? { kind: "remove", path } : { kind: "set", path, value: of };
  const type = typeOf(root, model);
  return editedText(
    source.text,
    root,
    [operation],
    memberNames(type === undefined ? undefined : model.sourceOf(type)),
  );
}

/** The translations of a page, drafts too. */
export const translationsOf = (groups: TranslationGroups, file: string): LocalizedPage[] =>
  groups.get(file)?.filter((one) => one.file !== file) ?? [];

/**
 * The path to which a translation moves along with a page: below the translation of the new parent page, with the new name
 * if it had the old one.
 *
 * @returns its path as `findTarget` takes it; undefined if it stays.
 * @throws Failure if the new parent page has no translation.
 */
export function pathAlong(
  site: Site,
  groups: TranslationGroups,
  file: string,
  rename: Rename,
  translation: LocalizedPage,
): string | undefined {
  const to = renamed(file, [rename]);
  const language = languageAt(file, site);
  if (language === undefined || languageAt(to, site) !== language)
    throw new Failure(`${to} is in another language than ${file}, so its translations cannot move along.`);
  const [before, after] = [pathInLanguage(file, language), pathInLanguage(to, language)];
  const stem = translation.file.replace(/(?:\/index)?\.json$/, "");
  const [above, name] = divided(stem);
  const folder =
    divided(after)[0] === divided(before)[0]
      ? above
      : translatedFolder(groups, divided(after)[0], language, translation);
  const own = name === divided(before)[1] ? divided(after)[1] : name;
  const moved = folder === "" ? own : `${folder}/${own}`;
  return moved === stem ? undefined : moved;
}

/** The folder of the translation of a page, which is named by its path below the home page of its language. */
function translatedFolder(
  groups: TranslationGroups,
  path: string,
  language: Language,
  { file, language: into }: LocalizedPage,
): string {
  const group = [...groups.values()].find((pages) =>
    pages.some((one) => one.language === language && !one.isDraft && one.path === path),
  );
  const found = group?.find((one) => one.language === into);
  if (found !== undefined) return folderOf(found.file);
  const original = group?.find((one) => one.language === language);
  if (original === undefined) return divided(file)[0];
  throw new Failure(
    `The new parent page, ${original.file}, has no translation into ${into.label}, so ${file} cannot move along. Translate it first:\n` +
      `  npx page-api new --translate ${original.id} --locale ${into.code}`,
  );
}

/** The file of the page at an address. @param addresses of pages, without host, by file */
export function fileAt(site: Site, addresses: ReadonlyMap<string, string>, at: string): string | undefined {
  const path = sitePath(at, site);
  return [...addresses].find(([, address]) => linkPath(address) === path)?.[0];
}

/**
 * The address that replaces a retired page: for a translation in another language, that of the translation.
 *
 * @param named the page that is retired with its translations.
 */
export function standInFor(
  { site, addresses }: Pick<SitePages, "site" | "addresses">,
  groups: TranslationGroups,
  named: string,
  to: string,
): (retired: string) => string {
  const file = fileAt(site, addresses, to) ?? "";
  return (retired) => {
    const language = languageAt(retired, site);
    if (language === languageAt(named, site)) return to;
    const other = groups.get(file)?.find((one) => one.language === language && !one.isDraft);
    return (other && other.file !== file ? addresses.get(other.file) : undefined) ?? to;
  };
}

/** The path of the folder, and the name in it. */
function divided(path: string): [string, string] {
  const slash = path.lastIndexOf("/");
  return [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
}
