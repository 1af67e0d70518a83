import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject, objectIn } from "../../source/json/object.ts";
import { Failure } from "../../base/failure.ts";
import { currentInstant, printInstant, type Instant } from "../../base/instant.ts";
import { byPlace, isError, type Finding } from "../../findings/finding.ts";
import { idIn } from "../ids.ts";
import { HISTORY, SITE, TYPES } from "../../source/site-files.ts";
import { imagePath, MAX_IMAGE_BYTES, MEDIA } from "../../source/image-kinds.ts";
import { encodedPath } from "../../model/media.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageTypes } from "../../model/page-types.ts";
import { programModel } from "../../model/program-model.ts";
import type { Site } from "../../model/site.ts";
import { withSource } from "../../source/read.ts";
import { assertComplete } from "../../source/complete.ts";
import { listSources, nameFindings, type FoundSources } from "../../source/find.ts";
import { findSlugClashes } from "../../model/tree.ts";
import { changedChildren, changedOrders } from "./children.ts";
import type { ChangedImage, ChangedImages, Comparison } from "./comparison.ts";
import {
  changedPaths,
  listTree,
  objectId,
  openRepository,
  resolveBase,
  type TreeEntry,
  type NameKind,
} from "../../source/git.ts";
import { deadLinks, unrecorded } from "./addresses.ts";
import { type FieldChange } from "../../source/json/changes.ts";
import { changedDates } from "./dates.ts";
import { openPairing, type Pair } from "./pairing.ts";
import { openSnapshot, parsed, type Snapshot, type Contents, type ReadContents } from "./snapshot.ts";
import { compareSites, compareTypes, groupRetyped, uneditedPairs } from "./settings.ts";
import { diskSources, foldersOf, formerSources, type FormerSources } from "./sources.ts";

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
 * Compares the pages that the content folder publishes with those of a git revision. It renders both snapshots in
 * memory, and reads little more than the changed files.
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
  if (statSync(content, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Failure(`There is no content folder ${content}.`);
  const repository = openRepository(content);
  await assertComplete(content);
  const base = resolveBase(repository, revision);
  const [tree, paths] = await Promise.all([
    listTree(repository, base.commit),
    changedPaths(repository, base.commit),
  ]);
  const edited = sortedSources(paths);
  begin?.(edited.length);
  const found = namesFound(content, tree, edited);
  const disk = diskSources(content);
  const former = formerSources(repository, tree, new Set(edited), disk);

  const site = compareSites(
    found.before.hasSite ? parsed(SITE, former.read(SITE)) : undefined,
    found.after.hasSite ? parsed(SITE, disk(SITE)) : undefined,
  );
  const at = chosen ?? currentInstant();
  const types = compareTypes(
    found.before.hasTypes ? parsed(TYPES, former.read(TYPES)) : undefined,
    found.after.hasTypes ? parsed(TYPES, disk(TYPES)) : undefined,
    program,
  );
  const times = { at, onlyLive: chosen !== undefined };
  const media = site.after.media_url;
  const before = openSnapshot(found.before, site.before, former.read, {
    ...times,
    model: types.before,
    media,
    readEach: former.readEach,
  });
  const after = openSnapshot(found.after, site.after, disk, { ...times, model: types.after, other: before });

  const changed = [...edited, ...statusChanges(edited, before, after)];

  const pairing = openPairing(site.changes.length === 0 ? undefined : site.former, before, after);
  const removed = changed.filter((file) => before.files.has(file) && !after.files.has(file));
  const added = changed.filter((file) => after.files.has(file) && !before.files.has(file));
  const targets = byId(added, disk);
  /** The new path of each file that was moved. */
  const moved = new Map<string, string>();
  for (const [old, contents] of targets.size === 0 ? [] : former.readAll(removed)) {
    const id = idOf(contents);
    const now = id === undefined ? undefined : targets.get(id);
    if (id === undefined || now === undefined) continue;
    targets.delete(id);
    moved.set(old, now);
    pairing.addMoved(
      { file: old, before: before.load(old, contents) },
      { file: now, after: after.load(now) },
    );
  }
  const formerOf = new Map([...moved].map(([old, now]) => [now, old]));
  const others = changed.filter((file) => !moved.has(file) && !formerOf.has(file));
  for (const pair of pairs(former, disk, before, after, others)) pairing.add(pair);
  const known = new Set(changed);
  const hasOtherTypes = types.changes.length > 0;
  if (hasOtherTypes || types.showsPages) {
    const old = Array.from(former.readAll(changed), ([, contents]) => idOf(contents));
    const now = changed.filter((file) => after.files.has(file)).map((file) => idOf(disk(file)));
    const shown = hasOtherTypes ? undefined : new Set([...old, ...now]);
    for (const pair of uneditedPairs(before, after, known, shown)) pairing.add(pair);
  }
  const dates = changedDates(before, after, former, edited, formerOf);
  const { reordered, ...paired } = pairing.result(new Set(dates.map(({ file }) => file)));
  for (const page of paired.added.slice(0, MAX_PAGES_WITH_FIELDS)) page.fields = fieldsOf(disk(page.file));
  const unedited = paired.changed.filter(({ file }) => before.files.has(file) && !known.has(file));
  const children = changedChildren(before, after, new Set([...known, ...unedited.map(({ file }) => file)]));
  const retyped = hasOtherTypes ? unedited : [];
  const findings = [
    ...deadLinks(content, types.after, found.after.listing, site.after, paired.addresses),
    ...newFindings(found, types.after),
    ...site.findings,
    ...(edited.includes(TYPES) ? types.findings : []),
    ...paired.findings,
    ...children.findings,
    ...unrecorded(paired, found.after.hasHistory ? parsed(HISTORY, disk(HISTORY)) : undefined),
  ];
  return {
    base,
    at: printInstant(at),
    pages: after.countPages(),
    site: site.changes,
    types: types.changes,
    models: [types.before, types.after],
    ...paired,
    changed: paired.changed.filter((page) => !retyped.includes(page)),
    retyped: groupRetyped(retyped),
    images: changedImages(content, site, tree, found.there, edited),
    submodules: innerRepositories(content, tree, paths).map((file) => ({ file })),
    dates,
    children: children.changed,
    orders: changedOrders(after, reordered),
    findings: findings.sort(byPlace),
  };
}

/** Unedited files whose section became or stopped being a draft or live, by an edit of its `index.json`. */
function statusChanges(edited: readonly string[], before: Snapshot, after: Snapshot): string[] {
  const sections = edited.filter((file) => /(?:^|\/)_?index\.json$/.test(file));
  if (sections.length === 0) return [];
  const known = new Set(edited);
  const datedFolders = sections
    .filter((file) => !file.endsWith("_index.json") && isLiveIn(before, file) !== isLiveIn(after, file))
    .map((file) => file.slice(0, -"index.json".length));
  return Array.from(before.files).flatMap(([file, i]) => {
    const now = after.files.get(file);
    if (now === undefined || known.has(file)) return [];
    const isChanged =
      (before.listing.kind(i) === "draft") !== (after.listing.kind(now) === "draft") ||
      // Reads the pages of its ancestors.
      (datedFolders.some((folder) => file.startsWith(folder)) &&
        before.isLiveAbove(i) !== after.isLiveAbove(now));
    return isChanged ? [file] : [];
  });
}

/** Whether a section is live, by its dates; a section without a page is. */
function isLiveIn(snapshot: Snapshot, file: string): boolean {
  const i = snapshot.files.get(file);
  return i === undefined || snapshot.isLive(i);
}

const idOf = ({ bytes }: Contents): number | undefined => bytes && idIn(bytes.toString("utf8"));

/** The files by their ids, without those that share an id. */
function byId(files: readonly string[], read: ReadContents): Map<number, string> {
  const found = new Map<number, string>();
  const shared = new Set<number>();
  for (const file of files) {
    const id = idOf(read(file));
    if (id === undefined) continue;
    if (found.has(id)) shared.add(id);
    found.set(id, file);
  }
  for (const id of shared) found.delete(id);
  return found;
}

/** By code units, the same on every machine. */
const sortedSources = (paths: Set<string>): string[] =>
  [...paths].filter((path) => !path.endsWith("/")).sort();

/** The sources before and after the change, and the kinds of the changed files that are there. */
function namesFound(content: string, tree: ReadonlyMap<string, TreeEntry>, changed: readonly string[]) {
  const before = listSources(foldersOf(tree));
  const there = kindsOnDisk(content, changed);
  if (changed.every((path) => there.get(path) === tree.get(path)?.kind))
    return { before, after: before, there };
  const now = new Map<string, { kind: NameKind }>(tree);
  for (const path of changed) {
    const kind = there.get(path);
    if (kind === undefined) now.delete(path);
    else now.set(path, { kind });
  }
  return { before, after: listSources(foldersOf(now)), there };
}

function kindsOnDisk(content: string, paths: readonly string[]): Map<string, NameKind> {
  const kinds = new Map<string, NameKind>();
  const behindLink = linkFinder(content);
  for (const path of paths) {
    if (behindLink(path)) continue;
    const stats = lstatSync(join(content, path), { throwIfNoEntry: false });
    if (stats?.isFile() === true) kinds.set(path, "file");
    else if (stats !== undefined && !stats.isDirectory())
      kinds.set(path, stats.isSymbolicLink() ? "link" : "other");
  }
  return kinds;
}

/** Returns a function that reports whether a folder of a path is a link: files behind links are not content. */
function linkFinder(content: string): (path: string) => boolean {
  const known = new Map([[".", false]]);
  const isLink = (folder: string): boolean =>
    lstatSync(join(content, folder), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const isBehind = (path: string): boolean => {
    const folder = dirname(path);
    const found = known.get(folder) ?? (isBehind(folder) || isLink(folder));
    known.set(folder, found);
    return found;
  };
  return isBehind;
}

function* pairs(
  former: FormerSources,
  disk: ReadContents,
  before: Snapshot,
  after: Snapshot,
  changed: readonly string[],
): Generator<Pair> {
  const contents = former.readAll(changed.filter((file) => before.files.has(file)));
  for (const file of changed) {
    const wasThere = before.files.has(file);
    const isThere = after.files.has(file);
    if (!wasThere && !isThere) continue;
    const old = wasThere ? contents.next().value : undefined;
    const bytes = old?.[1].bytes;
    yield {
      file,
      isSame: isThere && bytes !== undefined && disk(file).bytes?.equals(bytes) === true,
      ...(old === undefined ? {} : { before: before.load(file, old[1]) }),
      ...(isThere ? { after: after.load(file) } : {}),
    };
  }
}

/** The images that a change adds, changes or removes. @param there the kinds of the changed files on the disk. */
function changedImages(
  content: string,
  sites: { former: Site; after: Site },
  tree: ReadonlyMap<string, TreeEntry>,
  there: ReadonlyMap<string, NameKind>,
  changed: readonly string[],
): ChangedImages {
  const images: ChangedImages = { added: [], changed: [], removed: [] };
  for (const file of changed) {
    const path = imagePath(file);
    if (path === undefined) continue;
    const before = tree.get(file);
    const wasThere = before?.kind === "file";
    const isThere = there.get(file) === "file";
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

/** Maximum number of added pages whose fields are listed. */
const MAX_PAGES_WITH_FIELDS = 50;

/** The fields of a source that are not empty, except those that a report lists for every page. */
function fieldsOf({ bytes }: Contents): FieldChange[] {
  const { $schema: _, id: _id, title: _title, meta, ...rest } = objectIn(bytes?.toString() ?? "") ?? {};
  const { type: _type, ...ofMeta } = isObject(meta) ? meta : {};
  const inMeta = Object.entries(ofMeta).map(([key, one]) => ({ field: `meta.${key}`, new: one }));
  const fields = [...inMeta, ...Object.entries(rest).map(([key, one]) => ({ field: key, new: one }))];
  return fields.filter(({ new: one }) => !isEmpty(one));
}

const isEmpty = (value: unknown): boolean =>
  value === false || value === null || ['""', "[]", "{}"].includes(JSON.stringify(value));

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
): Finding[] {
  const found = nameFindingsOf(after, types);
  const old = new Set((before === after ? found : nameFindingsOf(before, types)).map(keyOf));
  return found.filter((f) => isError(f) || !old.has(keyOf(f)));
}

const nameFindingsOf = (found: FoundSources, types: PageTypes): Finding[] => [
  ...nameFindings(found, types),
  ...findSlugClashes(found.listing),
];

const keyOf = ({ code, place }: Finding): string => `${code} ${place.file}`;
