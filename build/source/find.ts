import { readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { type RecordedStat, recordStat, statAt, isUnchanged } from "../base/file.ts";
import { meantSource } from "../findings/catalogue/files.ts";
import type { Args } from "../findings/catalogue/index.ts";
import { type Finding, finding, startOf, capFindings } from "../findings/finding.ts";
import { isPageName, isReservedName } from "./address.ts";
import { MEDIA_FOLDER } from "./image-kinds.ts";
import { SourceMissing } from "./read.ts";
import { SITE, TYPES, HISTORY, SYNC, SITE_FILES } from "./site-files.ts";
import { SourceIndex, KINDS, type Folder, type SourceKind } from "./source-index.ts";

/** A later search uses them again while the stat of the folder is the same. */
export interface FolderEntries {
  stat: RecordedStat;
  files: string[];
  folders: string[];
  findings: Finding[];
}

/** The part that is saved. The listing has the names of files, of which there may be a million. */
export type FolderState = Omit<FolderEntries, "files">;

/** In a folder without `index.json`, this file makes all pages in it drafts, in a grouping folder too. */
const DRAFT_INDEX = "_index.json";

/** The files that only the content folder itself has. */
const MISPLACED = new Map<string, `${"site" | "types" | "history" | "sync"}-misplaced`>([
  [SITE, "site-misplaced"],
  [TYPES, "types-misplaced"],
  [HISTORY, "history-misplaced"],
  [SYNC, "sync-misplaced"],
]);

const asWarning = (one: Finding): Finding => ({ ...one, severity: "warning" });

const INDEX = /^_?index\.json$/;

/** The correct spelling, if the case of the ending, or of a special name, is wrong. */
function meantName(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (lower === name) return undefined;
  const meant =
    INDEX.test(lower) || SITE_FILES.has(lower)
      ? lower
      : lower.endsWith(".json")
        ? `${name.slice(0, -".json".length)}.json`
        : name;
  return meant === name ? undefined : meant;
}

/** Whether a misspelt file was meant to have such a name. */
const isMeantAs = ({ code, args }: Finding, name: RegExp): boolean =>
  code === "wrong-case" && name.test((args as Args<"wrong-case">).meant);

/** The file that was meant as the folder's page, but has another ending. */
const meantAsIndex = (findings: readonly Finding[]): string | undefined =>
  findings
    .filter(({ code }) => code === "other-file")
    .map(({ args }) => (args as Args<"other-file">).name)
    .find((name) => meantSource(name)?.toLowerCase() === "index.json");

const badName = (slug: string, file: string, isFolder = false): Finding | undefined =>
  !isPageName(slug)
    ? finding("bad-slug", { slug, isFolder }, startOf(file))
    : isReservedName(slug)
      ? finding("reserved-name", { name: slug, isFolder }, startOf(file))
      : undefined;

/**
 * Finds the sources below a content folder (“Sources” in docs/reference.md). Paths in findings are relative to that folder.
 * It never follows links. Wrong names and folders are findings; the rest of the tree is still listed.
 *
 * @param listed called after each folder with the number of files so far.
 * @throws SourceMissing if a folder below it does not exist any more, the system's error if one cannot be read.
 */
export const findSources = (
  content: string,
  remembered?: (folder: string) => FolderEntries | undefined,
  listed?: (count: number) => void,
): FoundSources => listSources((path) => readFolder(content, path, remembered?.(path)), listed);

export interface FoundSources {
  listing: SourceIndex;
  /** By the number of the folder in the listing. */
  walked: FolderState[];
  hasSite: boolean;
  hasHistory: boolean;
  hasTypes: boolean;
  /** The finding for a `_types.json` whose name is in the wrong case. */
  misnamedTypes?: Finding | undefined;
  findings: Finding[];
  /** Set if there is no home page, with the file that is meant as one. */
  home?: { meant: string | undefined };
}

export const nameFindings = ({ findings, home }: FoundSources, { root }: { root: string }): Finding[] =>
  home === undefined
    ? findings
    : [...findings, finding("home-missing", { type: root, ...home }, startOf("index.json"))];

/** @param read the entries of a folder, by its path in the content folder */
export function listSources(
  read: (folder: string) => FolderEntries,
  listed?: (count: number) => void,
): FoundSources {
  const [sourceFolders, names]: [Folder[], string[]] = [[], []];
  const [folderOf, kinds]: [number[], number[]] = [[], []];
  const walked: FolderState[] = [];
  const findings: Finding[] = [];
  let top: FolderEntries | undefined;

  const visit = (path: string, parent: number, isGroup: boolean, isBelowDraft: boolean): boolean => {
    const entries = read(path);
    top ??= entries;
    const { stat, folders, findings: own } = entries;
    walked.push({ stat, folders, findings: own });
    const hasIndexFile = entries.files.includes("index.json");
    const hasIndex = !isGroup && hasIndexFile;
    const isDraft = isBelowDraft || (!hasIndexFile && path !== "" && entries.files.includes(DRAFT_INDEX));
    const add = (f: Finding): void => void findings.push(isDraft ? asWarning(f) : f);
    for (const f of entries.findings) add(f);
    const folder: Folder = { path, parent, isGroup, index: -1, first: names.length, end: names.length };
    const number = sourceFolders.push(folder) - 1;
    const addFile = (name: string, kind: SourceKind): void => {
      if (kind === "index") folder.index = names.length;
      folderOf.push(number);
      kinds.push(KINDS.indexOf(kind));
      folder.end = names.push(name);
    };
    let sources = 0;
    for (const name of entries.files) {
      const file = path === "" ? name : `${path}/${name}`;
      const misplaced = MISPLACED.get(name);
      if (misplaced !== undefined) {
        if (path !== "") findings.push(finding(misplaced, {}, startOf(file)));
      } else if (name === "index.json") {
        if (isGroup) add(finding("index-in-group", {}, startOf(file)));
        if (isDraft || !isGroup) addFile(name, isDraft ? "draft" : "index");
      } else if (name.startsWith("_")) {
        addFile(name, "draft");
        // Its error if it becomes index.json.
        if (isGroup && name === DRAFT_INDEX)
          findings.push(asWarning(finding("index-in-group", {}, startOf(file))));
        const bad = badName(name.slice(1, -".json".length), file);
        if (bad !== undefined) findings.push(asWarning(bad));
      } else {
        sources++;
        const slug = name.slice(0, -".json".length);
        const bad = badName(slug, file);
        // A draft's name may have any characters, but a name that is not UTF-8 cannot be opened.
        const isRead = bad?.code !== "bad-slug" || (isDraft && !slug.includes("\ufffd"));
        // Even a draft with a reserved name breaks a checkout on Windows.
        const isWarning = isDraft && isRead && bad?.code === "bad-slug";
        if (bad !== undefined) findings.push(isWarning ? asWarning(bad) : bad);
        if (isRead) addFile(name, isDraft ? "draft" : "leaf");
      }
    }
    listed?.(names.length);
    let hasPages = sources > 0;
    for (const name of entries.folders) {
      // `_media/` has images, and no pages.
      if (path === "" && name === MEDIA_FOLDER) continue;
      const below = path === "" ? name : `${path}/${name}`;
      const grouping = name.startsWith("_");
      const found = visit(below, number, grouping, isDraft);
      if (found) hasPages = true;
      const bad = found && !grouping ? badName(name, `${below}/index.json`, true) : undefined;
      if (bad !== undefined) add(bad);
    }
    const isPage =
      hasIndex ||
      (isDraft && entries.files.includes(DRAFT_INDEX)) ||
      entries.files.includes("index.json.json") ||
      own.some((f) => isMeantAs(f, INDEX));
    if (hasPages && !isPage && !isGroup && path !== "")
      add(
        finding(
          "index-missing",
          { folder: path.slice(path.lastIndexOf("/") + 1), meant: meantAsIndex(own) },
          startOf(`${path}/index.json`),
        ),
      );
    // A folder in a draft section has only drafts, so the folders above it need no page.
    return (hasPages || hasIndex) && (isBelowDraft || !isDraft);
  };

  visit("", -1, false, false);
  const listing = new SourceIndex({
    folders: sourceFolders,
    names,
    folderOf: Uint32Array.from(folderOf),
    kinds: Uint8Array.from(kinds),
  });
  const { files = [], findings: own = [] } = top ?? {};
  const hasSite = files.includes(SITE);
  if (!hasSite && !own.some((f) => isMeantAs(f, /^_site\.json$/)))
    findings.push(finding("site-missing", {}, startOf(SITE)));
  const lacksHome = listing.folders[0]?.index === -1 && !own.some((f) => isMeantAs(f, INDEX));
  const meant = meantAsIndex(own) ?? files.find((name) => name === DRAFT_INDEX);
  return {
    listing,
    walked,
    hasSite,
    hasHistory: files.includes(HISTORY),
    hasTypes: files.includes(TYPES),
    misnamedTypes: own.find((f) => isMeantAs(f, /^_types\.json$/)),
    findings,
    ...(lacksHome && { home: { meant } }),
  };
}

export function readFolder(content: string, path: string, remembered?: FolderEntries): FolderEntries {
  const absolute = join(content, path);
  try {
    const stat = recordStat(statAt(absolute));
    if (remembered !== undefined && isUnchanged(stat, remembered.stat)) return remembered;
    return folderEntries(path, stat, readdirSync(absolute, { withFileTypes: true }));
  } catch (cause) {
    const isGone = ["ENOENT", "ENOTDIR"].includes((cause as NodeJS.ErrnoException).code ?? "");
    throw path !== "" && isGone ? new SourceMissing(path) : cause;
  }
}

/** The relevant entries of a folder, and findings about others. */
export function folderEntries(
  path: string,
  stat: RecordedStat,
  all: Iterable<Pick<Dirent, "name" | "isDirectory" | "isFile" | "isSymbolicLink">>,
): FolderEntries {
  const files: string[] = [];
  const folders: string[] = [];
  const findings: Finding[] = [];
  for (const entry of all) {
    const { name } = entry;
    const file = path === "" ? name : `${path}/${name}`;
    if (name.startsWith(".")) continue;
    const meant = entry.isFile() ? meantName(name) : undefined;
    if (meant !== undefined) {
      const mistake = finding("wrong-case", { name, meant }, startOf(file));
      findings.push(name.startsWith("_") && !SITE_FILES.has(meant) ? asWarning(mistake) : mistake);
      continue;
    }
    const isDraft = entry.isFile() && name.startsWith("_") && name.endsWith(".json");
    if (name.includes("\ufffd") && (isDraft || entry.isDirectory())) {
      // The replacement character replaces bytes that are not UTF-8, so the name cannot be opened.
      const unreadable = finding("bad-slug", { slug: name }, startOf(file));
      findings.push(isDraft ? asWarning(unreadable) : unreadable);
    } else if (entry.isDirectory()) folders.push(name);
    else if (entry.isFile() && name.endsWith(".json")) files.push(name);
    else if (entry.isSymbolicLink()) findings.push(finding("link-in-content", { name }, startOf(file)));
    else findings.push(finding("other-file", { name, isSpecial: !entry.isFile() }, startOf(file)));
  }
  // Sorted by code units, because file systems list entries in different orders.
  return { stat, files: files.sort(), folders: folders.sort(), findings: capFindings(findings) };
}
