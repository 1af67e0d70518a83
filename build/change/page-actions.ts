import { existsSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../base/failure.ts";
import { statIfThere } from "../base/file.ts";
import { type ApplyOptions, changeSources, sourceTextIfReadable } from "./apply.ts";
import { type Rename, renamed, type SiteChange } from "./change.ts";
import { sourcesNamed } from "./files.ts";
import type { Readdressed } from "./history.ts";
import { keepTranslations, pathAlong, standInFor, translationsOf } from "./kept-translations.ts";
import { sourcesNaming } from "./links.ts";
import {
  addressNamed,
  findMovable,
  findPage,
  hasPage,
  idOf,
  type NamedPage,
  readHistory,
  readPages,
  type SitePages,
} from "./pages.ts";
import {
  type AddressedPage,
  type MovedPages,
  namings,
  planMove,
  planRedraft,
  planRetire,
  type Retired,
  type SitePart,
} from "./plan.ts";
import { publishedWithout } from "./redirects.ts";
import { findTarget } from "./target.ts";
import type { LocalizedPage, TranslationGroups } from "./translation-groups.ts";
import { translationGroups } from "./translations.ts";
import type { History } from "../model/history.ts";
import { isHomeFile } from "../model/languages.ts";
import type { PageModel } from "../model/page.ts";
import type { Site } from "../model/site.ts";
import { addressPathOf, contentPaths, isPathBelow, sitePath } from "../model/tree.ts";
import { modelOf } from "../model/types.ts";
import { schemaReference } from "../outputs/contract/location.ts";
import { CheckoutRefused, listTreeSync, openRepository, readObjects, resolveBase } from "../source/git.ts";
import { fileWithFolder } from "../source/page-files.ts";
import { objectIn } from "../source/json/object.ts";
import { draftNameProblem } from "../source/site-files.ts";

/* Moves, retires, publishes and withdraws the pages of a content folder, each all or nothing. */

export interface MoveOptions extends ApplyOptions {
  /** The page types of the program; its own by default. */
  model?: PageModel | undefined;
  /** Whether the translations of the page move, or are retired, too. */
  translations?: boolean | undefined;
  /** Whether a new parent page in one file gets a folder; otherwise, the move is refused. */
  givesFolder?: boolean | undefined;
}

/** The translations of a page, relative to the content folder. */
interface WithTranslations {
  /** The translations that stay. */
  left: LocalizedPage[];
}

/** A renamed source. The paths are relative to the content folder. */
interface Redrafted {
  from: string;
  to: string;
}

interface Moved extends MovedPages, Redrafted, WithTranslations {
  isDraft: boolean;
  /** The translations that move too. */
  along: Redrafted[];
}

/** A page that became a draft, and the pages that the website loses by it. */
interface Withdrawn extends Redrafted, Retired {}

/** The part of the site that an operation on pages is about. */
function partOf(site: SitePages, ...named: readonly NamedPage[]): SitePart {
  const { content, addresses } = site;
  const own = new Set(named.flatMap(({ file, below }) => [file].concat(below)));
  return {
    ...site,
    pages: [...own].map((one) => ({ file: one, address: addresses.get(one) })),
    *others(paths, ids) {
      for (const source of sourcesNaming(site, paths, ids)) if (!own.has(source.file)) yield source;
    },
    read: (one) => sourceTextIfReadable(content, one),
    schemaOf: (one) => schemaReference(content, one),
  };
}

/** Computes a change from all pages, and applies it. */
const changePages = <T>(
  content: string,
  options: MoveOptions,
  compute: (site: SitePages) => readonly [SiteChange, T],
): T => changeSources(content, () => compute(readPages(content, modelOf(content, options.model))), options);

/**
 * Moves a page and all its subpages. It updates `_history.json`, `$schema`, links in HTML and `owned_paths`. Moving it
 * again changes nothing.
 *
 * @throws Failure, before any change, if the page cannot be moved there.
 */
export const move = (content: string, from: string, to: string, options: MoveOptions = {}): Moved =>
  changePages(content, options, (pages) => {
    const done = moveDone(pages, readHistory(content), from, to);
    if (done !== undefined) return [{ files: [] }, done];
    const page = findMovable(pages, from);
    const leaves = options.givesFolder === true ? new Set<string>() : undefined;
    const rename = targetOf(pages, page, to, leaves);
    const renames = [rename];
    const [named, left] = [[page], [] as LocalizedPage[]];
    const groups = translationGroups(pages);
    for (const one of translationsOf(groups, page.file)) {
      const mayMove = options.translations === true && !one.isDraft;
      const path = mayMove ? pathAlong(pages.site, groups, page.file, rename, one) : undefined;
      if (path === undefined) left.push(one);
      else {
        const translation = findPage(pages, join(content, one.file));
        renames.push(targetOf(pages, translation, path, leaves));
        named.push(translation);
      }
    }
    const parents = Array.from(leaves ?? [], (leaf) => findPage(pages, join(content, leaf)));
    renames.push(...parents.map(({ file }) => ({ from: file, to: fileWithFolder(file) })));
    const [change, moved] = planMoves(pages, groups, [...named, ...parents], renames);
    const [first, ...along] = named.map(({ file }) => ({ from: file, to: renamed(file, renames) }));
    return [change, { ...(first ?? rename), isDraft: page.isDraft, along, left, ...moved }];
  });

/** Moves several pages at once, with one read of the site. @throws Failure as `move` does */
export const moveAll = (content: string, moves: readonly Rename[], options: MoveOptions = {}): MovedPages =>
  changePages(content, options, (pages) => {
    const named = moves.map(({ from }) => findMovable(pages, from));
    const renames = named.map((page, k) => targetOf(pages, page, moves[k]?.to ?? ""));
    return planMoves(pages, translationGroups(pages), named, renames);
  });

function planMoves(
  pages: SitePages,
  groups: TranslationGroups,
  named: readonly NamedPage[],
  renames: readonly Rename[],
) {
  const part = partOf(pages, ...named);
  const [change, moved] = planMove(part, renames, (readdressed) =>
    unpublishedOf(pages.content, pages.site, readdressed),
  );
  return [keepTranslations(part, groups, change), moved] as const;
}

/** A move that was made before, as the entries of the history show. */
function moveDone(pages: SitePages, history: History, from: string, to: string): Moved | undefined {
  const { content, site } = pages;
  const former = addressNamed(pages, from);
  if (former === undefined || hasPage(pages, from) || !hasPage(pages, to)) return undefined;
  const page = findPage(pages, to);
  const now = new Map<number, { file: string; after: string }>();
  for (const file of [page.file, ...page.below]) {
    const after = pages.addresses.get(file);
    if (after !== undefined) now.set(idOf(content, file), { file, after });
  }
  const addresses = history.moved.flatMap(({ id, address }) => {
    const at = now.get(id);
    return at !== undefined && isPathBelow(sitePath(address, site) ?? address, former)
      ? [{ ...at, before: address }]
      : [];
  });
  if (addresses.length === 0) return undefined;
  const nothing = { dropped: [], links: [], owned: [], isDisowned: false };
  return {
    from: sourcesNamed(content, from)[0] ?? from,
    to: page.file,
    isDraft: false,
    along: [],
    left: [],
    addresses,
    ...nothing,
  };
}

function targetOf(site: SitePages, page: NamedPage, to: string, leaves?: Set<string>): Rename {
  const { file, folder } = page;
  const named = to.replace(/(^|[/\\])_(index\.json)$/, folder === undefined ? "$&" : "$1$2");
  const path =
    folder === undefined || /[/\\]$|(?:^|[/\\])index\.json$/.test(named)
      ? named
      : `${named.replace(/\.json$/, "")}/`;
  const isDraft = page.isDraft && folder === undefined;
  const target = findTarget(site, path, page.type, isDraft, file, leaves);
  if (target.published !== undefined && !page.isDraft)
    throw new Failure(
      `${target.file} would be a draft: to take the page off the website, rename the file yourself, or use npx page-api retire.`,
    );
  if (folder !== undefined && (target.file === file || `${target.file}/`.startsWith(`${folder}/`)))
    throw new Failure(`${target.file} is inside ${folder}/ itself: a page cannot be its own subpage.`);
  if (leaves?.has(file) === true) throw new Failure(`${file}: a page cannot be its own subpage.`);
  if (folder === undefined) return { from: file, to: target.file };
  const into = target.file.slice(0, -"/index.json".length);
  if (lstatSync(join(site.content, into), { throwIfNoEntry: false }) !== undefined)
    throw new Failure(`The folder ${into} is there already: choose another name.`);
  return { from: folder, to: into };
}

/**
 * Removes a page and all its subpages, and keeps their ids and addresses in `_history.json`. Retiring it again changes
 * nothing.
 *
 * @param to the address that replaces them.
 * @throws Failure, before any change, if they cannot be retired.
 */
export const retire = (
  content: string,
  path: string,
  to: string | undefined,
  options: MoveOptions = {},
): Retired & WithTranslations =>
  changePages(content, options, (site) => {
    const done = retirementDone(site, readHistory(content), path, to);
    if (done !== undefined) return [{ files: [] }, { pages: done, links: [], left: [] }];
    const groups = translationGroups(site);
    const { paths, left } = namedWith(site, groups, path, options);
    const [change, retired] = planRetirement(site, groups, paths, to);
    return [change, { ...retired, left }];
  });

/** The names of a page and of its translations that are pages too, and the translations that stay. */
function namedWith(
  site: SitePages,
  groups: TranslationGroups,
  name: string,
  { translations = false }: MoveOptions,
) {
  const page = findPage(site, name);
  // Its home page is retired to remove the language, so the others are not offered to be removed too.
  const found = !translations && isHomeFile(page.file, site.site) ? [] : translationsOf(groups, page.file);
  const along = translations ? found.filter(({ isDraft }) => !isDraft) : [];
  return {
    paths: [name, ...along.map(({ file }) => join(site.content, file))],
    left: found.filter((one) => !along.includes(one)),
  };
}

/** The number of subpages, at all levels, that are retired with a page; 0 if there is no page any more. */
export function countSubpages(content: string, name: string, options: MoveOptions = {}): number {
  const site = readPages(content, modelOf(content, options.model));
  if (!hasPage(site, name)) return 0;
  const groups = options.translations === true ? translationGroups(site) : new Map<string, []>();
  const { paths } = namedWith(site, groups, name, options);
  return paths.reduce((sum, path) => sum + findPage(site, path).below.length, 0);
}

/** Retires several pages at once, with one read of the site. @throws Failure as `retire` does */
export const retireAll = (content: string, paths: readonly string[], options: MoveOptions = {}): Retired =>
  changePages(content, options, (site) => planRetirement(site, translationGroups(site), paths, undefined));

function planRetirement(
  site: SitePages,
  groups: TranslationGroups,
  paths: readonly string[],
  to: string | undefined,
) {
  const named = paths.map((path) => findPage(site, path));
  for (const { file, isDraft } of named)
    if (isDraft)
      throw new Failure(`${file} is a draft: it was never published from here, so simply delete the file.`);
  const published = (history: History, files: ReadonlySet<string>) => publishedWithout(site, files, history);
  const part = partOf(site, ...named);
  const [change, retired] = planRetire(
    part,
    to === undefined ? undefined : { to: standInFor(site, groups, named[0]?.file ?? "", to), published },
  );
  return [keepTranslations(part, groups, change), retired] as const;
}

/** The pages that link to a page or its subpages, or refer to them; drafts too. */
export function referringTo(
  content: string,
  path: string,
  { model }: MoveOptions = {},
): { file: string; id: number; title: string; isReference: boolean }[] {
  const site = readPages(content, modelOf(content, model));
  const part = partOf(site, findPage(site, path));
  const ids = new Set(part.pages.map(({ file }) => idOf(content, file)));
  const { links, references } = namings(part, part.pages, ids);
  const referring = new Set(references.map(({ place }) => place.file));
  const files = new Set([...links.map(({ place }) => place.file), ...referring]);
  return [...files].map((file) => {
    const { id, title } = objectIn(sourceTextIfReadable(content, file) ?? "") ?? {};
    return {
      file,
      id: Number(id),
      title: typeof title === "string" ? title : "",
      isReference: referring.has(file),
    };
  });
}

/** The pages of a retirement that was made before, as the entries of the history show. */
function retirementDone(
  pages: SitePages,
  { retired }: History,
  name: string,
  to: string | undefined,
): AddressedPage[] | undefined {
  const { site } = pages;
  const path = addressNamed(pages, name);
  if (path === undefined || hasPage(pages, name)) return undefined;
  const pathOf = (address: string): string => sitePath(address, site) ?? address;
  const named = retired.find((entry) => pathOf(entry.address) === path && (entry.to ?? undefined) === to);
  if (named === undefined) return undefined;
  const below = retired.filter((entry) => entry !== named && isPathBelow(pathOf(entry.address), path));
  const sources = sourcesNamed(pages.content, name);
  const index = sources.find((one) => one.endsWith("/index.json")) ?? "";
  const leaf = sources.find((one) => one !== index) ?? index;
  const isSection = statIfThere(join(pages.content, dirname(index)))?.type === "folder";
  // The subpages are listed with the section's file, because the entries do not record their grouping folders.
  const file = isSection ? index : leaf;
  return [named, ...below].map((one) => ({ file, id: one.id, address: one.address, to }));
}

/** @throws Failure, before any change, if the draft, or draft section, cannot be a page at its address. */
export function publishDraft(content: string, file: string, options: MoveOptions = {}): Redrafted {
  const { from, to } = redraft(content, file, false, options);
  return { from, to };
}

/**
 * Makes a draft of a page and all its subpages. `_history.json` gets no entries: the pages keep their ids, so publishing
 * the draft again restores the same pages at the same addresses.
 *
 * @returns also the links that are broken now.
 * @throws Failure, before any change, if the page cannot be a draft.
 */
export const withdraw = (content: string, file: string, options: MoveOptions = {}): Withdrawn =>
  redraft(content, file, true, options);

const redraft = (content: string, source: string, isDraft: boolean, options: MoveOptions): Withdrawn =>
  changePages(content, options, (site) => {
    const page = findMovable(site, join(content, source));
    const { file, type } = page;
    const name = file.slice(file.lastIndexOf("/") + 1);
    const folder = file.slice(0, -name.length);
    if (name.startsWith("_") === isDraft)
      throw new Failure(`${file} is ${isDraft ? "a draft already" : "not a draft"}.`);
    const to = folder + (isDraft ? `_${name}` : name.slice(1));
    const problem = isDraft ? draftNameProblem(to) : undefined;
    if (problem !== undefined) throw new Failure(problem);
    if (!isDraft) findTarget(site, join(content, to), type, false, file);
    if (existsSync(join(content, to))) throw new Failure(`${to} is there already.`);
    const pages = [file, ...page.below].flatMap((one) => {
      const address = isDraft ? site.addresses.get(one) : undefined;
      return address === undefined ? [] : [{ file: one, id: idOf(content, one), address }];
    });
    const part = partOf(site, page);
    const [change, links] = planRedraft(part, { from: file, to });
    return [keepTranslations(part, translationGroups(site), change), { from: file, to, pages, links }];
  });

/**
 * The ids of the pages that were never published at their addresses: the branch from which the site is published does not
 * have them there. Undefined if git gives no information.
 *
 * @throws CheckoutRefused if git refuses to read the checkout: without it, unnecessary addresses would be kept.
 */
function unpublishedOf(
  content: string,
  site: Site,
  readdressed: readonly Readdressed[],
): Set<number> | undefined {
  const pathOf = (address: string): string => sitePath(address, site) ?? address;
  const fileAt = contentPaths(site);
  const pages = readdressed.map(({ id, before }) => ({ id, path: fileAt(pathOf(before)) }));
  try {
    const repository = openRepository(content);
    const { commit } = resolveBase(repository, undefined);
    const objects = new Map<string, string>();
    for (const [file, { object, kind }] of listTreeSync(repository, commit)) {
      const path = addressPathOf(file);
      if (kind === "file" && path !== undefined) objects.set(path, object);
    }
    const unpublished = new Set(pages.flatMap(({ id, path }) => (objects.has(path) ? [] : [id])));
    const known = pages.filter(({ id }) => !unpublished.has(id));
    const sources = readObjects(
      repository,
      known.map(({ path }) => objects.get(path) ?? ""),
    );
    for (const page of known) {
      const id = objectIn(sources.next().value?.bytes?.toString("utf8") ?? "")?.["id"];
      if (id !== undefined && id !== page.id) unpublished.add(page.id);
    }
    return unpublished;
  } catch (cause) {
    if (cause instanceof Failure && !(cause instanceof CheckoutRefused)) return undefined;
    throw cause;
  }
}
