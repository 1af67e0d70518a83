import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkHistoryFile, checkSiteConfig } from "../../check/config.ts";
import { factsOf, type SourceFacts } from "../facts.ts";
import { sourcesNaming } from "../links.ts";
import { linksOfSource } from "../move-edits.ts";
import { finding, startOf, type Finding, byPlace, isError } from "../../findings/finding.ts";
import { parseJson, type ParsedJson } from "../../source/json/parse.ts";
import { HISTORY, TYPES, SITE, SYNC } from "../../source/site-files.ts";
import type { PageModel } from "../../model/page.ts";
import type { Site } from "../../model/site.ts";
import { withSource } from "../../source/read.ts";
import { findSources, listSources, nameFindings, type FoundSources } from "../../source/find.ts";
import { type SourceIndex } from "../../source/source-index.ts";
import { linkPath, findSlugClashes } from "../../model/tree.ts";
import {
  type Comparison,
  type RemovedAddress,
  type ChangedImage,
  type ChangedImages,
  changedDates,
  comparePages,
  dependents,
  pairsOf,
  type Pair,
} from "./pages.ts";
import { checkTypes } from "../../model/types.ts";
import { Failure } from "../../base/failure.ts";
import { fieldChanges } from "../../source/json/changes.ts";
import { valueOf, isObject, type JsonObject, objectIn } from "../../source/json/object.ts";
import { currentInstant, printInstant, type Instant } from "../../base/instant.ts";
import { encodedPath } from "../../model/media.ts";
import { modelLanguagesOf } from "../../model/languages.ts";
import { changedBy } from "../../model/ownership.ts";
import type { PageTypes } from "../../model/page-types.ts";
import { programModel } from "../../model/program-model.ts";
import { sourceChanges } from "../../model/shown-change.ts";
import { assertComplete, contentFolder } from "../../source/complete.ts";
import {
  changedPaths,
  listTree,
  objectId,
  openRepository,
  resolveBase,
  type TreeEntry,
} from "../../source/git.ts";
import { imagePath, MAX_IMAGE_BYTES, MEDIA } from "../../source/image-kinds.ts";
import { diskSources, foldersOf, formerSources, openVersion, parsed, type Contents } from "./version.ts";

const pathOf = (address: string): string => new URL(address).pathname;

/** Maximum number of findings; `npm run check` lists all. */
const MAX_DEAD_LINKS = 50;

/** Findings about links to removed addresses, on all pages: few of those pages are edited in the same change. */
function deadLinks(
  content: string,
  model: PageModel,
  listing: SourceIndex,
  site: Site,
  addresses: readonly RemovedAddress[],
): Finding[] {
  const now = new Map(
    addresses.map((removed) => [linkPath(pathOf(removed.address)), removed.now && pathOf(removed.now)]),
  );
  const findings: Finding[] = [];
  if (now.size === 0) return findings;
  const paths = new Set(now.keys());
  for (const { file, text } of sourcesNaming({ content, listing }, paths, new Set())) {
    const { links } = linksOfSource(parseJson(file, Buffer.from(text)), paths, new Set(), { model, site });
    for (const { href, path, place } of links)
      findings.push(finding("dead-link", { href, nearest: now.get(path) }, place));
    if (findings.length >= MAX_DEAD_LINKS) break;
  }
  return findings.slice(0, MAX_DEAD_LINKS);
}

/** Maximum number of findings: they have one cause, a move, and `npx page-api move` fixes them all. */
const MAX_UNRECORDED = 20;

/** Findings about moved and removed pages without an entry in `_history.json`. */
export function unrecorded(
  { moved, removed }: Pick<Comparison, "moved" | "removed">,
  after: ParsedJson | undefined,
): Finding[] {
  const checked = after === undefined ? undefined : checkHistoryFile(after);
  // If `_history.json` has errors, its entries are not known, so only its errors are reported.
  if (checked !== undefined && checked.history === undefined) return checked.findings;
  const { retired = [], moved: former = [] } = checked?.history ?? {};
  const ids = new Set(retired.map(({ id }) => id));
  const paths = new Set([...retired, ...former].map(({ address }) => linkPath(address)));
  const lost = [
    ...removed.filter(({ id, draft, isNotLive }) => draft === undefined && !isNotLive && !ids.has(id)),
    // Pages that moved with their parent are reported with the parent.
    ...moved
      .filter(({ from, isAlong }) => !isAlong && !paths.has(linkPath(pathOf(from.address))))
      .map((page) => ({ id: page.id, address: page.from.address, now: page.address })),
  ];
  return lost.slice(0, MAX_UNRECORDED).map((one) => {
    const args = {
      id: one.id,
      address: pathOf(one.address),
      ...("now" in one ? { now: pathOf(one.now) } : {}),
    };
    return finding("unrecorded-address", args, startOf(HISTORY));
  });
}

/**
 * Compares `_site.json` in both versions; undefined means that there is none. If one of them has errors, the other
 * is used for both.
 *
 * @throws Failure if neither is valid.
 */
function compareSites(before: ParsedJson | undefined, after: ParsedJson | undefined) {
  const old = before && checkSiteConfig(before).site;
  const checked = after && checkSiteConfig(after);
  const now = checked?.site ?? old;
  if (now === undefined)
    throw new Failure(
      "_site.json is missing or has errors, both before and after the change: see npm run check.",
    );
  /** The actual settings before the change. */
  const former = old ?? now;
  return {
    // The new settings, so that each changed address is reported only once, but with the former `media_url`, as the
    // addresses in the sources before the change are below it.
    before: { ...now, media_url: former.media_url },
    after: now,
    former,
    changes: fieldChanges(old ?? {}, now),
    findings: checked?.findings ?? [],
  };
}

/**
 * Compares `_types.json` in both versions; undefined means that there is none. If one of them has errors, the other is
 * used for both.
 *
 * @throws Failure if neither is valid.
 */
export function compareTypes(
  before: ParsedJson | undefined,
  after: ParsedJson | undefined,
  program: PageModel,
) {
  const [was, is] = [before, after].map((file) =>
    file === undefined ? { model: program, findings: [] } : checkTypes(file, program),
  );
  const [former, now] = [was?.model ?? is?.model, is?.model ?? was?.model];
  if (former === undefined || now === undefined)
    throw new Failure(`${TYPES} has errors, both before and after the change: see npx page-api check.`);
  const isComparable = was?.model !== undefined && is?.model !== undefined;
  const [declared, declares] = [declaredIn(before), declaredIn(after)];
  const changes = isComparable ? fieldChanges(declared, declares) : [];
  return {
    // The same model, so that both versions share a checker.
    before: changes.length === 0 ? now : former,
    after: now,
    changes,
    /** Tells whether the page of a source may differ; undefined if none does. */
    mayDiffer: isComparable ? typeMentions(declared, declares) : undefined,
    /** Whether responses may contain facts of other pages. */
    showsPages: [declared, declares].some((one) => JSON.stringify(one).includes('"shows":')),
    findings: is?.findings ?? [],
  };
}

function declaredIn(types: ParsedJson | undefined): JsonObject {
  const value = types?.root === undefined ? {} : valueOf(types.root);
  return isObject(value) ? value : {};
}

/** Whether a source mentions a type whose declaration differs; changes of anything else concern all types. */
function typeMentions(before: JsonObject, after: JsonObject): ((bytes: Buffer) => boolean) | undefined {
  const [was, is] = [typesOf(before), typesOf(after)];
  if (!isSame({ ...before, types: {} }, { ...after, types: {} })) return () => true;
  const names = Object.keys({ ...was, ...is }).filter((name) => !isSame(was[name], is[name]));
  // A name may be spelled with escapes.
  return names.length === 0 ? undefined : (bytes) => [...names, "\\u"].some((text) => bytes.includes(text));
}

const typesOf = ({ types }: JsonObject): JsonObject => (isObject(types) ? types : {});

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Tells whether a source contains one of some numbers, in any place. */
export const mentions =
  (ids: ReadonlySet<number | undefined>) =>
  (bytes: Buffer): boolean =>
    (bytes.toString("latin1").match(/\d+/g) ?? []).some((digits) => ids.has(Number(digits)));

interface DiffOptions {
  content: string;
  /** The page types of the program, to which `_types.json` adds (default: its own). */
  model?: PageModel | undefined;
  /** A git revision (default: the merge base with the main branch). */
  base?: string | undefined;
  /**
   * The instant of the comparison: pages that are not live then are left out. By default, each page is shown as when it
   * is live, and the current time decides which pages are live.
   */
  at?: Instant | undefined;
  /** Receives the number of changed sources before they are read. */
  begin?: (sources: number) => void;
}

/**
 * Compares the pages that the content folder publishes with those of a git revision. Both versions of each page that may
 * differ are checked in memory: the same source in the same place, with the same settings, has the same response.
 *
 * @throws Failure outside of a git checkout, or if the revision does not exist.
 */
export async function diff({
  content,
  model: program = programModel,
  base: revision,
  at: chosen,
  begin,
}: DiffOptions): Promise<Comparison> {
  const repository = openRepository(contentFolder(content));
  await assertComplete(content);
  const base = resolveBase(repository, revision);
  const [tree, paths] = await Promise.all([
    listTree(repository, base.commit),
    changedPaths(repository, base.commit),
  ]);
  // By code units, the same on every machine.
  const edited = [...paths].filter((path) => !path.endsWith("/")).sort();
  begin?.(edited.length);
  const isEdited = new Set(edited);
  const found = { before: listSources(foldersOf(tree)), after: findSources(content) };
  const disk = diskSources(content);
  const former = formerSources(repository, tree, isEdited, disk);

  const site = compareSites(
    found.before.hasSite ? parsed(SITE, former.read(SITE)) : undefined,
    found.after.hasSite ? parsed(SITE, disk(SITE)) : undefined,
  );
  const languages = modelLanguagesOf(site.after);
  const localized = languages === undefined ? program : program.inLanguages(languages);
  const types = compareTypes(
    found.before.hasTypes ? parsed(TYPES, former.read(TYPES)) : undefined,
    found.after.hasTypes ? parsed(TYPES, disk(TYPES)) : undefined,
    localized,
  );
  const at = chosen ?? currentInstant();
  const alike = { has: (file: string) => !isEdited.has(file), facts: new Map<string, SourceFacts>() };
  const shared = { alike, at, onlyLive: chosen !== undefined, media: site.after.media_url };
  const before = openVersion({
    ...shared,
    found: found.before,
    site: site.before,
    model: types.before,
    read: former.read,
  });
  const after = openVersion({
    ...shared,
    found: found.after,
    site: site.after,
    model: types.after,
    read: disk,
    like: before,
  });

  const touched = new Set<string>();
  for (const file of edited) {
    if (!after.files.has(file)) continue;
    const { bytes } = disk(file);
    after.facts.set(file, factsOf(bytes));
    if (bytes !== undefined && former.place(file, bytes)) touched.add(file);
  }
  const there = edited.filter((file) => before.files.has(file));
  const contents = former.readAll(there.filter((file) => former.nowAt(file) === undefined));
  for (const file of there)
    before.facts.set(
      file,
      after.facts.get(former.nowAt(file) ?? "") ?? factsOf(contents.next().value?.bytes),
    );

  const own = pairsOf(edited, before, after);
  const hasOtherTranslations = (file: string): boolean =>
    languages?.hasTranslations === true && before.translationsOf(file) !== after.translationsOf(file);
  const mayDiffer = (file: string, bytes: () => Buffer): boolean =>
    hasOtherTranslations(file) || types.mayDiffer?.(bytes()) === true;
  const pairs = [...own, ...dependents(before, after, isEdited, mayDiffer)];
  if (types.showsPages) {
    const known = new Set([...edited, ...pairs.flatMap(({ to }) => to ?? [])]);
    const ids = [before, after].flatMap(({ files, idIn }) =>
      [...known].filter((file) => files.has(file)).map(idIn),
    );
    const mentionsOne = mentions(new Set(ids));
    pairs.push(...dependents(before, after, known, (_, bytes) => mentionsOne(bytes())));
  }
  const pages = diskSources(content);
  /** Whether both have the same source. */
  const isMoved = ({ from, to }: Pair): boolean =>
    from !== undefined && to !== undefined && to === (isEdited.has(from) ? former.nowAt(from) : from);
  const sources = former.readAll(
    pairs.flatMap((pair) => (pair.from === undefined || isMoved(pair) ? [] : [pair.from])),
  );
  const contentsOf = (pair: Pair): Record<keyof Pair, Contents | undefined> => {
    const to = pair.to === undefined ? undefined : pages(pair.to);
    if (pair.from === undefined) return { from: undefined, to };
    return { from: isMoved(pair) ? to : sources.next().value, to };
  };
  const situation = { before, after, edited: isEdited, touched, former: site.former, contentsOf };
  const {
    retyped,
    children,
    orders,
    idle,
    findings: ofPages,
    ...compared
  } = comparePages(pairs, {
    ...situation,
    hasOtherTypes: types.changes.length > 0,
    showsPages: types.showsPages,
  });
  for (const page of compared.added.slice(0, MAX_PAGES_WITH_FIELDS))
    page.fields = sourceChanges(undefined, objectIn(disk(page.file).bytes?.toString() ?? ""));
  if (existsSync(join(content, SYNC))) {
    const sync = objectIn(disk(SYNC).bytes?.toString() ?? "");
    for (const page of compared.changed) {
      const source = objectIn(disk(page.file).bytes?.toString() ?? "") ?? {};
      const owner = changedBy(source, sync, page.fields);
      if (owner !== undefined) page.owner = { name: owner.name, label: owner.label };
    }
  }
  const formerOf = new Map(own.flatMap(({ from, to }) => (from && to ? [[to, from]] : [])));
  const dates = changedDates(before, after, edited, formerOf);
  const dated = new Set(dates.map(({ file }) => file));
  const unaffected = idle.filter((file) => !dated.has(file)).sort();
  const submodules = innerRepositories(content, tree, paths);
  const findings = [
    ...deadLinks(content, types.after, found.after.listing, site.after, compared.addresses),
    ...newFindings(found, types.after, submodules),
    ...site.findings,
    ...(isEdited.has(TYPES) ? types.findings : []),
    ...ofPages,
    ...unrecorded(compared, found.after.hasHistory ? parsed(HISTORY, disk(HISTORY)) : undefined),
  ];
  return {
    base,
    at: printInstant(at),
    pages: after.countPages(),
    site: site.changes,
    types: types.changes,
    models: [types.before, types.after],
    ...compared,
    withoutEffect: unaffected.length,
    unaffectedFiles: unaffected.slice(0, MAX_UNAFFECTED_FILES).map((file) => ({ file })),
    retyped,
    images: changedImages(content, site, tree, edited),
    submodules: submodules.map((file) => ({ file })),
    dates,
    children,
    orders,
    findings: findings.sort(byPlace),
  };
}

/** The images that a change adds, changes or removes. */
function changedImages(
  content: string,
  sites: { former: Site; after: Site },
  tree: ReadonlyMap<string, TreeEntry>,
  changed: readonly string[],
): ChangedImages {
  const images: ChangedImages = { added: [], changed: [], removed: [] };
  for (const file of changed) {
    const path = imagePath(file);
    if (path === undefined) continue;
    const before = tree.get(file);
    const wasThere = before?.kind === "file";
    const isThere = isFile(content, file);
    const at = ({ base_url }: Site): ChangedImage => ({
      file,
      address: `${base_url}/${MEDIA}/${encodedPath(path)}`,
    });
    if (!isThere) {
      if (wasThere) images.removed.push(at(sites.former));
    } else if (!wasThere) images.added.push(at(sites.after));
    else if (!isSameImage(content, file, before.object)) images.changed.push(at(sites.after));
  }
  return images;
}

/** Git also lists files that were only touched. An image that is too large to be published is not read. */
const isSameImage = (content: string, file: string, object: string): boolean =>
  withSource(
    join(content, file),
    file,
    (handle, { size }) => size <= MAX_IMAGE_BYTES && objectId(readFileSync(handle), object.length) === object,
  );

/** Whether there is a file: files behind links are not content. */
function isFile(content: string, file: string): boolean {
  const stats = lstatSync(join(content, file), { throwIfNoEntry: false });
  return (
    stats?.isFile() === true &&
    realpathSync(dirname(join(content, file))) === join(realpathSync(content), dirname(file))
  );
}

/** Maximum number of files without effect that are listed. */
const MAX_UNAFFECTED_FILES = 10;

/** Maximum number of added pages whose fields are listed. */
const MAX_PAGES_WITH_FIELDS = 50;

/** Git does not compare their contents here. */
function innerRepositories(
  content: string,
  tree: ReadonlyMap<string, TreeEntry>,
  changed: ReadonlySet<string>,
): string[] {
  const submodules = new Set<string>();
  for (const [path, { kind }] of tree) if (kind === "other") submodules.add(path);
  for (const path of changed)
    if (path.endsWith("/")) submodules.add(path.slice(0, -1));
    // Sources are files, and there may be thousands, so they are not looked up.
    else if (!path.endsWith(".json") && existsSync(join(content, path, ".git"))) submodules.add(path);
  return [...submodules].sort();
}

/** Findings about names and folders; warnings only if the change causes them. */
function newFindings(
  { before, after }: { before: FoundSources; after: FoundSources },
  types: PageTypes,
  submodules: readonly string[],
): Finding[] {
  const old = new Set(nameFindingsOf(before, types).map(keyOf));
  const isInner = ({ place }: Finding): boolean =>
    submodules.some((folder) => place.file.startsWith(`${folder}/`));
  return nameFindingsOf(after, types).filter((f) => isError(f) || !(old.has(keyOf(f)) || isInner(f)));
}

const nameFindingsOf = (found: FoundSources, types: PageTypes): Finding[] => [
  ...nameFindings(found, types),
  ...findSlugClashes(found.listing),
];

const keyOf = ({ code, place }: Finding): string => `${code} ${place.file}`;
