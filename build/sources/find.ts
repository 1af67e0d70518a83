import { readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { meantSource } from "../findings/catalogue/files.ts";
import type { Args } from "../findings/catalogue/index.ts";
import { finding, startOf, type Finding } from "../findings/finding.ts";
import { capFindings } from "../findings/cap.ts";
import { SLUG_PATTERN } from "../page/address.ts";
import { HISTORY, SITE } from "../page/files.ts";
import { ROOT_TYPE } from "../page/types.ts";
import { listingColumns, type Listing } from "./listing.ts";
import { SourceVanished } from "./read.ts";
import { isUnchanged, seen, statAt, type SeenStat } from "../base/stat.ts";

/** What a walk saw of a folder; a later walk trusts it while the folder's own times are the same. */
export interface FolderEntries {
  stat: SeenStat;
  files: string[];
  folders: string[];
  findings: Finding[];
}

/** What is kept of a folder: a listing has the names of its files already, a million of which are dear. */
export type FolderState = Omit<FolderEntries, "files">;

/** In a folder without `index.json` it says that nothing below is published. */
const DRAFT_INDEX = "_index.json";

/** The same but for upper and lower case in the ending, or in the name of a folder's page. */
function meantName(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (lower === name) return undefined;
  const meant = /^_?index\.json$|^_site\.json$/.test(lower)
    ? lower
    : lower.endsWith(".json")
      ? `${name.slice(0, -".json".length)}.json`
      : name;
  return meant === name ? undefined : meant;
}

const INDEX = /^_?index\.json$/;

/** A file by which somebody meant one with such a name. */
const isMeantAs = ({ code, args }: Finding, name: RegExp): boolean =>
  code === "wrong-case" && name.test((args as Args<"wrong-case">).meant);

/** The file that was meant as the folder's page, but for its ending. */
const meantAsIndex = (findings: readonly Finding[]): string | undefined =>
  findings
    .filter(({ code }) => code === "other-file")
    .map(({ args }) => (args as Args<"other-file">).name)
    .find((name) => meantSource(name)?.toLowerCase() === "index.json");

/** What git, operating systems and editors leave lying: nothing that anybody would take for a page. */
const LITTER = /^(?:~\$.*|Thumbs\.db|ehthumbs\.db|desktop\.ini|Icon\r|.*~|.*\.orig|.*\.rej|#.*#)$/i;

/** Nearly all names end like those of sources, and of these few are litter. */
const isLitter = (name: string): boolean =>
  (!name.endsWith(".json") || name.startsWith("~")) && LITTER.test(name);

export const SLUG = new RegExp(`^${SLUG_PATTERN}$`);

/**
 * Finds the sources below a content folder (DESIGN, section 2). Paths in findings are relative to that folder.
 * Links are never followed. What is wrong with names and folders is a finding; the rest of the tree is still listed.
 *
 * @param listed is told after each folder how many files there are so far.
 * @throws SourceVanished if a folder below it is gone, the system's error if one cannot be read.
 */
export const findSources = (
  content: string,
  remembered?: (folder: string) => FolderEntries | undefined,
  listed?: (count: number) => void,
): FoundSources => listSources((path) => readFolder(content, path, remembered?.(path)), listed);

export interface FoundSources {
  listing: Listing;
  /** By the number of the folder in the listing. */
  walked: FolderState[];
  hasSite: boolean;
  hasHistory: boolean;
  findings: Finding[];
}

/** Lists the sources of a content folder, of which `read` knows what each folder holds. */
export function listSources(
  read: (folder: string) => FolderEntries,
  listed?: (count: number) => void,
): FoundSources {
  const columns = listingColumns();
  const walked: FolderState[] = [];
  const findings: Finding[] = [];
  let hasSite = false;
  let hasHistory = false;
  let top: FolderEntries | undefined;

  const visit = (path: string, parent: number, isGroup: boolean, isBelowDraft: boolean): boolean => {
    const held = read(path);
    top ??= held;
    const { stat, folders, findings: own } = held;
    walked.push({ stat, folders, findings: own });
    const hasIndex = !isGroup && held.files.includes("index.json");
    const isDraft =
      isBelowDraft || (!isGroup && !hasIndex && path !== "" && held.files.includes(DRAFT_INDEX));
    const tell = (f: Finding): void => void findings.push(isDraft ? { ...f, severity: "warning" } : f);
    for (const f of held.findings) tell(f);
    const folder = columns.addFolder(path, parent, isGroup);
    let sources = 0;
    for (const name of held.files) {
      const file = path === "" ? name : `${path}/${name}`;
      if (name === SITE) {
        if (path === "") hasSite = true;
        else findings.push(finding("site-misplaced", {}, startOf(file)));
      } else if (name === HISTORY) {
        if (path === "") hasHistory = true;
        else findings.push(finding("history-misplaced", {}, startOf(file)));
      } else if (name === "index.json") {
        if (isGroup) tell(finding("index-in-group", {}, startOf(file)));
        if (isDraft || !isGroup) columns.addFile(name, isDraft ? "draft" : "index");
      } else if (name.startsWith("_")) {
        columns.addFile(name, "draft");
        const slug = name.slice(1, -".json".length);
        if (!SLUG.test(slug))
          findings.push({ ...finding("bad-slug", { slug }, startOf(file)), severity: "warning" });
      } else {
        sources++;
        const slug = name.slice(0, -".json".length);
        // A draft's name may have any characters; one that is not UTF-8 leads to no file.
        const isSlug = SLUG.test(slug);
        const isRead = isSlug || (isDraft && !slug.includes("\ufffd"));
        if (!isSlug) {
          const bad = finding("bad-slug", { slug }, startOf(file));
          findings.push(isDraft && isRead ? { ...bad, severity: "warning" } : bad);
        }
        if (isRead) columns.addFile(name, isDraft ? "draft" : "leaf");
      }
    }
    listed?.(columns.count);
    let hasPages = sources > 0;
    for (const name of held.folders) {
      const below = path === "" ? name : `${path}/${name}`;
      const grouping = name.startsWith("_");
      const found = visit(below, folder, grouping, isDraft);
      if (found) hasPages = true;
      if (found && !grouping && !SLUG.test(name))
        tell(finding("bad-slug", { slug: name, isFolder: true }, startOf(`${below}/index.json`)));
    }
    const isPage =
      hasIndex ||
      (isDraft && held.files.includes(DRAFT_INDEX)) ||
      held.files.includes("index.json.json") ||
      own.some((f) => isMeantAs(f, INDEX));
    if (hasPages && !isPage && !isGroup && path !== "")
      tell(
        finding(
          "index-missing",
          { folder: path.slice(path.lastIndexOf("/") + 1), meant: meantAsIndex(own) },
          startOf(`${path}/index.json`),
        ),
      );
    // A folder in a draft section has drafts alone, and nothing above it needs a page for them.
    return (hasPages || hasIndex) && (isBelowDraft || !isDraft);
  };

  visit("", -1, false, false);
  const listing = columns.finish();
  const own = top?.findings ?? [];
  if (!hasSite && !own.some((f) => isMeantAs(f, /^_site\.json$/)))
    findings.push(finding("site-missing", {}, startOf(SITE)));
  if (listing.folders[0]?.index === -1 && !own.some((f) => isMeantAs(f, INDEX))) {
    const meant = meantAsIndex(own) ?? top?.files.find((name) => name === DRAFT_INDEX);
    findings.push(finding("home-missing", { type: ROOT_TYPE, meant }, startOf("index.json")));
  }
  return { listing, walked, hasSite, hasHistory, findings };
}

export function readFolder(content: string, path: string, remembered?: FolderEntries): FolderEntries {
  const absolute = join(content, path);
  try {
    const stat = seen(statAt(absolute));
    if (remembered !== undefined && isUnchanged(stat, remembered.stat)) return remembered;
    return folderEntries(path, stat, readdirSync(absolute, { withFileTypes: true }));
  } catch (cause) {
    const isGone = ["ENOENT", "ENOTDIR"].includes((cause as NodeJS.ErrnoException).code ?? "");
    throw path !== "" && isGone ? new SourceVanished(path) : cause;
  }
}

/** What a folder holds for the walk, of all that lies in it. */
export function folderEntries(
  path: string,
  stat: SeenStat,
  all: Iterable<Pick<Dirent, "name" | "isDirectory" | "isFile" | "isSymbolicLink">>,
): FolderEntries {
  const files: string[] = [];
  const folders: string[] = [];
  const findings: Finding[] = [];
  for (const entry of all) {
    const { name } = entry;
    const file = path === "" ? name : `${path}/${name}`;
    if (name.startsWith(".") || (entry.isFile() && isLitter(name))) continue;
    const meant = entry.isFile() ? meantName(name) : undefined;
    if (meant !== undefined) {
      const told = finding("wrong-case", { name, meant }, startOf(file));
      findings.push(name.startsWith("_") && meant !== SITE ? { ...told, severity: "warning" } : told);
      continue;
    }
    const isDraft = entry.isFile() && name.startsWith("_") && name.endsWith(".json");
    if (name.includes("\ufffd") && (isDraft || entry.isDirectory())) {
      // It stands for what is not UTF-8 in a name: nothing is found again by a name like that.
      const unreadable = finding("bad-slug", { slug: name }, startOf(file));
      findings.push(isDraft ? { ...unreadable, severity: "warning" } : unreadable);
    } else if (entry.isDirectory()) folders.push(name);
    else if (entry.isFile() && name.endsWith(".json")) files.push(name);
    else if (entry.isSymbolicLink()) findings.push(finding("link-in-content", { name }, startOf(file)));
    else findings.push(finding("other-file", { name }, startOf(file)));
  }
  // By code units: the order in which a file system lists its entries is no fact of the content.
  return { stat, files: files.sort(), folders: folders.sort(), findings: capFindings(findings) };
}
