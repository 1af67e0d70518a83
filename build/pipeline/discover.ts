import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import type { Finding } from "../findings/finding.ts";
import { headersIn } from "../hosting/read.ts";
import { forms } from "../page/forms.ts";
import type { Site } from "../page/site.ts";
import { knownFolders, sourceStat, type Manifest } from "../manifest/manifest.ts";
import {
  findSources,
  readFolder,
  type FolderEntries,
  type FolderState,
  type Found,
} from "../sources/find.ts";
import type { Listing } from "../sources/listing.ts";
import { Reader } from "../sources/read.ts";
import { sameStat, statIfThere, type FileStat } from "../base/stat.ts";
import { parentOf, type Parent } from "../sources/tree.ts";

/** What must be known of a whole site before its pages are read one by one. */
export interface Discovery {
  /** Absent where `_site.json` has errors. */
  site: Site | undefined;
  /** Differs where any response could differ for another reason than its own source or its parent's. */
  siteKey: string;
  /** The bytes of the project's `_headers`. */
  headers: Buffer;
  listing: Listing;
  /** By the folders' paths. */
  entries: Map<string, FolderState>;
  /** The very folders and files of the known build. */
  isRemembered: boolean;
  /** By folder: its page, as the pages below it see it. */
  parents: (Parent | undefined)[];
  /** By folder: the source of that page as it was when it was read for `parents`. */
  parentStats: (FileStat | undefined)[];
  /** Of names, folders, `_site.json` and `_headers`; others are found when the pages are read. */
  findings: Finding[];
}

export interface DiscoverOptions {
  content: string;
  /** Stands in for `base_url`. */
  baseUrl?: string | undefined;
  headersFile: string;
}

/**
 * @param listed is told, while the folders are walked through, how many files there are so far.
 * @throws Failure where there is no content folder.
 */
export async function discover(
  options: DiscoverOptions,
  manifest: Manifest | undefined,
  listed?: (count: number) => void,
): Promise<Discovery> {
  const { content } = options;
  if (!existsSync(content)) throw new Failure(`There is no content folder ${content}.`);
  if (!lstatSync(`${content}/`).isDirectory()) throw new Failure(`${content} is not a folder.`);
  const findings: Finding[] = [];
  const headers = readHeaders(options.headersFile, findings);
  const found =
    (manifest && known(content, manifest)) ??
    findSources(content, manifest && knownFolders(manifest), listed);
  for (const f of found.findings) findings.push(f);
  const { listing, entries } = found;
  const isRemembered = manifest !== undefined && listing === manifest.listing;
  const { site, siteKey } = found.hasSite ? await readSite(options, manifest, findings) : NO_SITE;
  const sameSite = manifest?.header.siteKey === siteKey;
  const { parents, parentStats } = await findParents(content, listing, site, sameSite ? manifest : undefined);
  return { site, siteKey, headers, listing, entries, isRemembered, parents, parentStats, findings };
}

/**
 * The known files, where there are no others: a folder with the same times holds the same, and one that an editor
 * saved a file in by renaming is looked through.
 */
function known(content: string, manifest: Manifest): Found | undefined {
  const { header, listing } = manifest;
  const before = knownFolders(manifest);
  const entries = new Map<string, FolderState>();
  for (const { path, stat, folders, findings } of header.folders) {
    const now = statIfThere(join(content, path));
    if (now === undefined) return undefined;
    if (sameStat(now, stat)) entries.set(path, { stat, folders, findings });
    else {
      const [found, old] = [readFolder(content, path), before(path)];
      if (old === undefined || holds(found) !== holds(old)) return undefined;
      entries.set(path, found);
    }
  }
  return { listing, entries, hasSite: true, findings: header.folders.flatMap(({ findings }) => findings) };
}

const holds = ({ files, folders, findings }: FolderEntries): string =>
  JSON.stringify([files, folders, findings]);

function readHeaders(file: string, findings: Finding[]): Buffer {
  const bytes = readFileSync(file);
  findings.push(...headersIn(bytes.toString("utf8"), file).findings);
  return bytes;
}

const NO_SITE = { site: undefined, siteKey: "" };

/** The very site of the known build was sound, so that what checks it need not even be loaded. */
async function readSite(
  { content, baseUrl }: DiscoverOptions,
  manifest: Manifest | undefined,
  findings: Finding[],
): Promise<Pick<Discovery, "site" | "siteKey">> {
  const { bytes, parsed } = new Reader().readBoth(content, "_site.json");
  const siteKey = createHash("sha256")
    .update(bytes ?? "")
    .update(`\n${baseUrl ?? ""}`)
    .digest("hex");
  if (manifest?.header.siteKey === siteKey) return { site: manifest.header.site, siteKey };
  const { checkSiteConfig } = await import("../check/page.ts");
  const { site, findings: found } = checkSiteConfig(parsed());
  for (const f of found) findings.push(f);
  return { site: site && baseUrl !== undefined ? { ...site, base_url: baseUrl } : site, siteKey };
}

/** @throws Failure where the address cannot stand in for `base_url`. */
export function checkBaseUrl(url: string): string {
  if (!forms["absolute-url"].holds(url) || /[?#]/.test(url))
    throw new Failure(`--base-url must be a complete address such as https://api.example.org, but is ${url}`);
  return url.replace(/\/+$/, "");
}

/**
 * The pages of folders, as far as pages below need them, from the top down: a page's address comes from its parent's.
 * One whose source and parent are as known is not read again.
 */
async function findParents(
  content: string,
  listing: Listing,
  site: Site | undefined,
  manifest: Manifest | undefined,
): Promise<Pick<Discovery, "parents" | "parentStats">> {
  const parents: (Parent | undefined)[] = [];
  const parentStats: (FileStat | undefined)[] = [];
  const before = new Map(manifest?.header.folders.map((folder) => [folder.path, folder]));
  const same = new Set<Parent>();
  const havePagesBelow = listing.havePagesBelow();
  const reader = new Reader();
  for (const [f, folder] of listing.folders.entries()) {
    if (folder.index === -1 || havePagesBelow[f] === 0) {
      parents.push(undefined);
      parentStats.push(undefined);
      continue;
    }
    const encodedParent = parentOf(listing, parents, folder.index);
    const old = before.get(folder.path);
    if (
      manifest &&
      old?.asParent &&
      (encodedParent === "root" || (encodedParent && same.has(encodedParent)))
    ) {
      const stat = statIfThere(join(content, listing.path(folder.index)));
      if (stat !== undefined && sameStat(stat, sourceStat(manifest.columns, old.index))) {
        same.add(old.asParent);
        parents.push(old.asParent);
        parentStats.push(stat);
        continue;
      }
    }
    const { parentIn } = await import("./worker.ts");
    const { parsed, stat } = reader.read(content, listing.path(folder.index));
    parents.push(parentIn(parsed, listing, parents, folder.index, site));
    parentStats.push(stat);
  }
  return { parents, parentStats };
}
