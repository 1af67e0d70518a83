import { asBytes } from "../../base/columns.ts";
import { includes, printInstant, type Instant, type Period } from "../../base/instant.ts";
import { type CheckedPage, type PagePosition } from "../../check/page.ts";
import { asParent, SourceChecker } from "../../check/source.ts";
import { isError, type Finding, type Place } from "../../findings/finding.ts";
import { markLanguages } from "../../model/languages.ts";
import type { Placement } from "../../model/derive.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import { positionOf } from "../../model/position.ts";
import type { ShownPage } from "../../model/reference.ts";
import { livePeriod, ownPeriod, periodOrAlways } from "../../model/schedule.ts";
import type { Site } from "../../model/site.ts";
import { childAddress, detailUrl, pageAddress, parentOf, positionIn, type Parent } from "../../model/tree.ts";
import { SourceReader, type SourceBytes } from "../../source/read.ts";
import { folderEntries, type FolderEntries, type FoundSources } from "../../source/find.ts";
import { objectId, readObjects, type NameKind, type Repository, type TreeEntry } from "../../source/git.ts";
import { isObject, objectIn } from "../../source/json/object.ts";
import { parseJson, tooLarge, type ParsedJson } from "../../source/json/parse.ts";
import { placeAt } from "../../source/json/place.ts";
import { hasFolder } from "../../source/page-files.ts";
import { factsOf, type SourceFacts } from "../facts.ts";
import { groupsAmong, type LocalizedPage, type TranslationFacts } from "../translation-groups.ts";

export interface PageName {
  id: number;
  type: PageType;
  title: string;
  /** On the website. */
  address: string;
  /** Relative to the content folder. */
  file: string;
}

/** The reason why a page is not live at the instant of the comparison. A page that is never live has no dates. */
export interface NotLive {
  isNotLive: true;
  /** The instant at which the page, or an ancestor, expired: in UTC with Z. */
  expire_at?: string;
  /** The instant from which the page and all its ancestors are live: in UTC with Z. */
  go_live_at?: string;
}

export interface RenderedPage {
  kind: "page";
  name: PageName;
  /** As JSON, with a character for each byte. */
  response: string;
  findings: Finding[];
  notLive: NotLive | undefined;
  /** As in `positionOf`: no response has it. */
  position: number;
  /** Of its source. */
  meta: object;
}

/** The place of a page below its parent, with what responses show of it besides translations. */
export interface PlaceInTree {
  parent: Parent;
  placement: Placement;
}

/** The effect of a source in one version of the site. */
export type Effect =
  | RenderedPage
  /** A page that cannot be published; its id, if it can be read. */
  | { kind: "broken"; id: number | undefined; findings: Finding[]; isBelowBroken: boolean }
  /** A page that is left out, because it is not live. */
  | { kind: "hidden"; id: number; notLive: NotLive; findings: Finding[] }
  /** Drafts, and files that are not pages. */
  | { kind: "unpublished"; findings: Finding[] };

/** `bytes` is missing if the file is larger than a source may be. */
export interface Contents {
  bytes?: Buffer | undefined;
  size: number;
}

/** Reads a file of a version. The contents are valid until the next read. */
type ReadContents = (file: string) => Contents;

interface VersionOptions {
  found: FoundSources;
  site: Site;
  model: PageModel;
  read: ReadContents;
  /** The instant that decides which pages are live. */
  at: Instant;
  /** Whether pages that are not live are left out; otherwise each page is shown as when it is live. */
  onlyLive: boolean;
  /** The `media_url` of the responses. */
  media: string;
  /** The facts of the sources that both versions have, as far as these were read for translations. */
  alike: { has: (file: string) => boolean; facts: Map<string, SourceFacts> };
  /** Another version, whose checker is shared if it has the same settings and types. */
  like?: { model: PageModel; site: Site; checker: SourceChecker } | undefined;
}

export type Version = ReturnType<typeof openVersion>;

/** The sources before or after a change. Files are read only when they are needed. */
export function openVersion(version: VersionOptions) {
  const { found, site, model, read, at: instant, onlyLive, like, alike } = version;
  const { listing } = found;
  markLanguages(listing, site);
  const times = onlyLive ? { at: instant, knownSince: instant } : undefined;
  const options = { model, site, printedMedia: { ...site, media_url: version.media }, times };
  const isAlike = like?.model === model && JSON.stringify(like.site) === JSON.stringify(site);
  const checker = isAlike ? like.checker : new SourceChecker(options);
  /** The numbers of the files in the listing, by their paths. */
  const files: ReadonlyMap<string, number> = new Map(
    Array.from({ length: listing.count }, (_, i) => [listing.path(i), i]),
  );
  const parents: (Parent | undefined)[] = [];
  const known = new Set<number>();
  /** The facts of changed sources, which are read first. */
  const facts = new Map<string, SourceFacts>();
  const factsIn = (file: string): SourceFacts => facts.get(file) ?? factsOf(read(file).bytes);

  /** Whether a file is a page, and no draft. */
  function isPage(file: string): boolean {
    const i = files.get(file);
    return i !== undefined && listing.kind(i) !== "draft";
  }

  const pages = (): [file: string, i: number][] => [...files].filter(([, i]) => listing.kind(i) !== "draft");

  /** The number of pages that are shown. If only live ones are, it reads every source. */
  const countPages = (): number =>
    pages().filter(([, i]) => !onlyLive || includes(periodOrAlways(periodOf(i)), instant)).length;

  /** @param given its contents, which stay valid when other files are read; otherwise they are read. */
  function effectOf(file: string, given?: Contents): Effect {
    const i = files.get(file);
    if (i === undefined) return { kind: "unpublished", findings: [] };
    // First, because reading the parent overwrites earlier contents.
    const at = { ...positionOfFile(i), translations: translationsOf(file) };
    const source = { file, bytes: undefined, ...(given ?? read(file)) };
    const { page, id, findings, response, address = "" } = checkShowing(source, at);
    if (listing.kind(i) === "draft")
      return { kind: "unpublished", findings: findings.map((f) => ({ ...f, severity: "warning" })) };
    const isValid = page !== undefined && !findings.some(isError);
    if (!isValid || response === undefined) return { kind: "broken", id, findings, isBelowBroken: isValid };
    const notLive = reasonOf(page.meta, at.parent);
    if (notLive !== undefined && onlyLive) return { kind: "hidden", id: page.id, notLive, findings };
    const described = { id: page.id, type: page.meta.type, title: page.title, address, file };
    return {
      kind: "page",
      name: described,
      response,
      findings,
      notLive,
      position: positionOf(page.meta),
      meta: page.meta,
    };
  }

  /** The facts that references show of pages, by id; undefined if they are not known. */
  const shown = new Map<number, ShownPage>();
  let showing: SourceChecker | undefined;
  let fileOf: ReadonlyMap<number | undefined, string> | undefined;

  /** Checks a page, again if it shows other pages, which are read in between. */
  function checkShowing(source: SourceBytes, at: PagePosition): CheckedPage {
    const checked = checker.check(source, at);
    if (checked.shown.length === 0) return checked;
    const bytes = source.bytes && Buffer.from(source.bytes);
    fileOf ??= new Map(pages().map(([file]) => [factsIn(file).id, file]));
    for (const id of checked.shown) {
      const file = fileOf.get(id);
      const summary = shown.has(id) || file === undefined ? undefined : asParentPage(file)?.summary;
      if (summary !== undefined) shown.set(id, { ...summary.meta, title: summary.title });
    }
    showing ??= new SourceChecker({ ...options, pages: shown });
    return showing.check({ ...source, bytes }, at);
  }

  /** A page, in the form that its subpages need. */
  function asParentPage(file: string): Parent {
    const at = positionOfFile(files.get(file) ?? 0);
    return asParent(checker.check({ file, bytes: undefined, ...read(file) }, at), at, site);
  }

  /** Without translations, whose live periods depend on their own parents: these may be below the page. */
  const positionOfFile = (i: number): PagePosition => {
    parentAbove(i);
    return positionIn(listing, parents, i, listing.path(i), site);
  };

  /**
   * The place that a page with this id has in a file; undefined for drafts, home pages, and pages below one that cannot be
   * shown.
   */
  function placedAt(file: string, id: number): PlaceInTree | undefined {
    const i = files.get(file);
    if (i === undefined || listing.kind(i) === "draft") return undefined;
    const { parent, slug, language } = positionOfFile(i);
    if (parent === undefined || parent === "root" || parent.summary === undefined) return undefined;
    const [response, address] = [detailUrl(site, id), childAddress(parent.address, slug, site)];
    return { parent, placement: { response, address, slug, parent: parent.summary, locale: language?.code } };
  }

  let groups: Map<string, LocalizedPage[]> | undefined;

  /** The translations of a page as JSON, for its response; undefined if there are none, or if responses lack them. */
  function translationsOf(file: string): string | undefined {
    if (site.locales === undefined || site.translations === false) return undefined;
    groups ??= groupsAmong(
      pages().map(([one]) => [one, translatedFacts(one)] as const),
      site,
    );
    const others = groups.get(file)?.filter((one) => {
      const i = files.get(one.file) ?? 0;
      return one.file !== file && (!onlyLive || includes(periodOrAlways(periodOf(i)), instant));
    });
    if (others === undefined || others.length === 0) return undefined;
    const summaries = others.map(({ file: other, id, type, language: { code: locale }, title }) => {
      const meta = { type, locale, detail_url: detailUrl(site, id), html_url: pageAddress(other, site) };
      return { id, meta, title };
    });
    return asBytes(JSON.stringify(summaries));
  }

  function translatedFacts(file: string): TranslationFacts | undefined {
    const ofSource = facts.get(file) ?? alike.facts.get(file) ?? factsOf(read(file).bytes);
    if (alike.has(file)) alike.facts.set(file, ofSource);
    return ofSource.page;
  }

  /** The reason why a page is not live at the instant; undefined if it is live. */
  function reasonOf(meta: object, parent: Parent | "root" | undefined): NotLive | undefined {
    const above = parent === "root" ? undefined : parent?.live;
    const period = periodOrAlways(livePeriod(ownPeriod(meta), above));
    if (includes(period, instant)) return undefined;
    // Its section may expire before it goes live.
    if (period.from >= period.until) return { isNotLive: true };
    return period.from > instant
      ? { isNotLive: true, go_live_at: printInstant(period.from) }
      : { isNotLive: true, expire_at: printInstant(period.until) };
  }

  /** The time in which a page and all its ancestors are live, by its dates; undefined if that is always. */
  function periodOf(i: number): Period | undefined {
    const parent = parentAbove(i);
    const own = ownPeriod(factsIn(listing.path(i)).dates);
    return livePeriod(own, parent === "root" ? undefined : parent?.live);
  }

  /** The description of a page, without checking the rest of its source; undefined if the source lacks a part of it. */
  function nameOf(file: string): PageName | undefined {
    const { id, meta, title } = objectIn(read(file).bytes?.toString() ?? "") ?? {};
    const type = isObject(meta) ? meta["type"] : undefined;
    if (typeof id !== "number" || !model.has(type) || typeof title !== "string") return undefined;
    return { id, type, title, address: pageAddress(file, site), file };
  }

  const placeOfId = (file: string): Place => placeAt(parsed(file, read(file)), ["id"]);

  /** The parent of file i; "root" for the home page. */
  function parentAbove(i: number): Parent | "root" | undefined {
    const folder = listing.parentOf(i);
    if (folder !== -1) folderPage(folder);
    return parentOf(listing, parents, i);
  }

  /** A folder's own page, in the form that its subpages need. */
  function folderPage(folder: number): Parent | undefined {
    if (known.has(folder)) return parents[folder];
    known.add(folder);
    const { index } = listing.folders[folder] ?? { index: -1 };
    if (index !== -1) parents[folder] = asParentPage(listing.path(index));
    return parents[folder];
  }

  const idIn = (file: string): number | undefined => factsIn(file).id;

  const readings = {
    countPages,
    idIn,
    effectOf,
    nameOf,
    placeOfId,
    folderPage,
    placedAt,
    reasonOf,
    translationsOf,
    periodOf,
    isPage,
    pages,
  };
  return { site, model, checker, onlyLive, listing, files, facts, read, ...readings };
}

export const parsed = (file: string, { bytes, size }: Contents): ParsedJson =>
  bytes === undefined ? tooLarge(file, size) : parseJson(file, bytes);

export function diskSources(content: string): ReadContents {
  const reader = new SourceReader();
  return (file) => reader.readBytes(`${content}/${file}`, file);
}

/** Maximum bytes of former sources that are kept after the first reading, besides those of folders' own pages. */
const MAX_KEPT_BYTES = 64 << 20;

/** Reads the former sources: from the disk those that did not change, and the others from git. */
export function formerSources(
  repository: Repository,
  tree: ReadonlyMap<string, TreeEntry>,
  changed: ReadonlySet<string>,
  disk: ReadContents,
) {
  const kept = new Map<string, Contents>();
  let free = MAX_KEPT_BYTES;
  const objectOf = (file: string): string => tree.get(file)?.object ?? "";
  const [{ object: { length: digits } } = { object: "" }] = tree.values();
  const places = new Map<string, string>();

  /** Records where the contents of a changed file are now. @returns whether it had the same before */
  function place(file: string, bytes: Buffer): boolean {
    const object = objectId(bytes, digits);
    places.set(object, file);
    return object === objectOf(file);
  }

  /** The changed file that has the former contents of a changed file now, because its page moved. */
  const nowAt = (file: string): string | undefined => places.get(objectOf(file));

  /** The former contents of changed files, in the same order. */
  function* readAll(files: readonly string[]): Generator<Contents, undefined> {
    const missing = new Set(files.filter((file) => !kept.has(file)));
    const objects = readObjects(repository, Array.from(missing, objectOf));
    for (const file of files) {
      const contents = missing.has(file) ? objects.next().value : kept.get(file);
      if (contents === undefined) throw new RangeError(`${file} was not there`);
      keep(file, contents);
      yield contents;
    }
    return undefined;
  }

  function keep(file: string, { size, bytes }: Contents): void {
    if (kept.has(file) || bytes === undefined) return;
    // Other pages depend on a folder's own page, which is read at any time.
    if (size > free && !hasFolder(file)) return;
    free -= size;
    // A copy, because the bytes are a part of many sources.
    kept.set(file, { size, bytes: Buffer.from(bytes) });
  }

  const read: ReadContents = (file) => {
    const now = changed.has(file) ? nowAt(file) : file;
    if (now !== undefined) return disk(now);
    const [contents] = readAll([file]);
    return contents ?? { size: 0 };
  };
  return { read, readAll, place, nowAt };
}

/** The entries of each folder, derived from the paths of all files: for listing sources that are not on a disk. */
export function foldersOf(files: ReadonlyMap<string, { kind: NameKind }>): (folder: string) => FolderEntries {
  const folders = new Map<string, { name: string; kind: NameKind | "folder" }[]>();
  const add = (path: string, kind: NameKind | "folder"): void => {
    const slash = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(0, slash));
    const entries = folders.get(folder) ?? [];
    // A folder is an entry of the one that it is in, from its first entry on.
    if (entries.length === 0 && folder !== "") add(folder, "folder");
    entries.push({ name: path.slice(slash + 1), kind });
    folders.set(folder, entries);
  };
  for (const [path, { kind }] of files) add(path, kind);
  return (folder) => {
    const entries = (folders.get(folder) ?? []).map(({ name, kind }) => ({
      name,
      isDirectory: () => kind === "folder",
      isFile: () => kind === "file",
      isSymbolicLink: () => kind === "link",
    }));
    return folderEntries(folder, NO_STAT, entries);
  };
}

const NO_STAT = { size: 0, mtime: 0, ctime: 0, inode: 0, racy: false };
