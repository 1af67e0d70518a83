import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedBytes } from "../base/columns.ts";
import { isUnchanged, statIfThere, type RecordedStat } from "../base/file.ts";
import type { SourceChecker } from "../check/source.ts";
import { finding, isError, startOf, type Finding } from "../findings/finding.ts";
import { contentFolder } from "../source/complete.ts";
import { checkConnections } from "../hosting/connections.ts";
import type { HeaderRule } from "../hosting/headers.ts";
import { headersIn } from "../hosting/conformance.ts";
import { knownEntries, type KnownFolder, type Manifest, type TypesFile } from "./manifest/manifest.ts";
import { sourceStat } from "./manifest/page-table.ts";
import type { ParsedJson } from "../source/json/parse.ts";
import { placeAt } from "../source/json/place.ts";
import { HISTORY, SITE, SYNC, TYPES } from "../source/site-files.ts";
import type { ModelLanguages, PageModel } from "../model/page.ts";
import { beginsWith, ownImagesOf } from "../model/media.ts";
import { languagesIn, languagesOf, markLanguages, modelLanguagesOf } from "../model/languages.ts";
import type { Site } from "../model/site.ts";
import { SOURCE, type FormerBuild, type Suspects } from "./changes.ts";
import type { ModelSource } from "./outcome.ts";
import { SourceReader, type KnownSource } from "../source/read.ts";
import {
  findSources,
  listSources,
  nameFindings,
  readFolder,
  type FolderEntries,
  type FolderState,
  type FoundSources,
} from "../source/find.ts";
import { type SourceIndex } from "../source/source-index.ts";
import { findImages, type SourceImage } from "../source/images.ts";
import { positionIn, type Parent } from "../model/tree.ts";

/** The data of the whole site that is needed before its pages are read one by one. */
export interface Discovery {
  model: ModelSource;
  /** Absent if there is no `_types.json`, or if it has errors. */
  types: TypesFile | undefined;
  /** Absent if `_site.json` is missing or has errors. */
  site: Site | undefined;
  /** A digest of the inputs of all responses: `_site.json`, `_types.json` and `--base-url`. */
  siteKey: string;
  /** A digest of `_history.json`; empty if there is none. */
  historyKey: string;
  /** Parses `_history.json`; absent if there is none. */
  history: (() => ParsedJson) | undefined;
  /** The bytes of `_headers`. */
  headers: Buffer;
  listing: SourceIndex;
  /** By folder: its state, which the next build uses while the folder is unchanged. */
  walked: FolderState[];
  /** Whether the folders and files are those of the manifest. */
  isKnown: boolean;
  /** By folder: the data of its page that subpages need. */
  parents: (Parent | undefined)[];
  /** By file, the sources of `parents`, until all pages are read. Unchanged ones have no bytes. */
  sources: Map<number, KnownSource>;
  /** The images in `_media/`; the manifest's own list if they cannot have changed. */
  images: readonly SourceImage[];
  /** Findings about names and folders. */
  nameFindings: Finding[];
  /** The same, and findings about `_site.json` and `_headers`. All others are found when the pages are read. */
  findings: Finding[];
}

export interface DiscoverOptions {
  content: string;
  /** The page types of the program. */
  model: ModelSource;
  /** Those of the site in the last step, which are used again if `_types.json` has the same text. */
  lastModel?: ModelSource | undefined;
  /** Replaces `base_url`. */
  baseUrl?: string | undefined;
  headersFile: string;
}

/**
 * Finds the sources, and reads `_site.json`, `_history.json`, `_headers` and parent pages. It takes everything unchanged
 * from the manifest.
 *
 * @param listed called after each folder with the number of files so far.
 * @throws Failure if there is no content folder.
 */
export async function discover(
  options: DiscoverOptions,
  former: FormerBuild | undefined,
  listed?: (count: number) => void,
): Promise<Discovery> {
  const { content } = options;
  const { manifest, suspects } = former ?? {};
  contentFolder(content);
  const findings: Finding[] = [];
  const { headers, rules } = readHeaders(options.headersFile, findings);
  const searched =
    (manifest && findKnown(content, manifest, suspects)) ??
    findSources(content, manifest && knownEntries(manifest), listed);
  const siteFile = searched.hasSite ? new SourceReader().read(content, SITE) : undefined;
  const languages = languagesIn(siteFile?.bytes);
  const program = localized(languages, options);
  const {
    model,
    types,
    findings: mistakes,
  } = await readTypes({ ...options, model: program }, searched, manifest);
  for (const f of mistakes) findings.push(f);
  // Without its page types, nothing else of the site can be checked.
  const found = mistakes.some(isError) ? NOTHING_FOUND : searched;
  const { listing, walked } = found;
  const named = nameFindings(found, model.types);
  for (const f of named) findings.push(f);
  const isKnown = manifest !== undefined && listing === manifest.listing;
  const images = findImagesOf(content, manifest, suspects, findings);
  const { site, siteKey } =
    siteFile && found.hasSite
      ? withImages(await readSite(siteFile, options, model, manifest, findings), images)
      : NO_SITE;
  // With a mistake in the site, its languages are still named, so that their home pages are none.
  const namedLocales = Object.fromEntries(languages?.codes.map((code) => [code, code]) ?? []);
  markLanguages(listing, site ?? { locales: namedLocales });
  if (siteFile && site?.locales !== undefined) checkLocales(siteFile, site, listing, findings);
  if (site !== undefined) for (const f of checkConnections(rules, site)) findings.push(f);
  if (existsSync(join(content, SYNC))) await checkSyncFile(content, findings);
  const { history, historyKey } = found.hasHistory ? readHistory(content) : NO_HISTORY;
  const trusted = manifest?.siteKey === siteKey ? former : undefined;
  const { parents, sources } = await findParents(content, model, listing, site, trusted);
  const known = { listing, walked, images, nameFindings: named, isKnown, parents, sources };
  return { model, types, site, siteKey, history, historyKey, headers, ...known, findings };
}

export const knownFolders = ({ walked, parents }: Discovery): KnownFolder[] =>
  walked.map((folder, f) => ({ ...folder, parent: parents[f] }));

/**
 * The files of the manifest, if no file was added or removed. A folder with the same stat is unchanged; a changed one is
 * listed, because editors that save by renaming change only its times.
 */
function findKnown(
  content: string,
  manifest: Manifest,
  suspects: Suspects | undefined,
): FoundSources | undefined {
  const { folders, listing } = manifest;
  const before = knownEntries(manifest);
  const walked: FolderState[] = [];
  for (const [f, { path }] of listing.folders.entries()) {
    const known = folders[f];
    if (known !== undefined && suspects?.folders.has(f) === false) {
      walked.push(known);
      continue;
    }
    const now = statIfThere(join(content, path));
    if (now === undefined || known === undefined) return undefined;
    if (isUnchanged(now, known.stat)) walked.push(known);
    else {
      const [found, old] = [readFolder(content, path), before(path)];
      if (old === undefined || holds(found) !== holds(old)) return undefined;
      const { files: _, ...state } = found;
      walked.push(state);
    }
  }
  const { historyKey, types, nameFindings: named } = manifest;
  const [hasHistory, hasTypes] = [historyKey !== "", types !== undefined];
  return { listing, walked, hasSite: true, hasHistory, hasTypes, findings: named };
}

const holds = ({ files, folders, findings }: FolderEntries): string =>
  JSON.stringify([files, folders, findings]);

/** The images in `_media/`. Findings about them are errors, so the images of a manifest have none. */
function findImagesOf(
  content: string,
  manifest: Manifest | undefined,
  suspects: Suspects | undefined,
  findings: Finding[],
): readonly SourceImage[] {
  if (manifest !== undefined && suspects?.images === false) return manifest.images;
  const before = new Map(manifest?.images.map((image) => [image.path, image]));
  const found = findImages(content, (path) => before.get(path));
  for (const f of found.findings) findings.push(f);
  return found.images;
}

/** Adds the images to the site if the media host is the API's own: addresses of images must then lead to one of them. */
function withImages<T extends { site: Site | undefined }>(read: T, images: readonly SourceImage[]): T {
  const { site } = read;
  const own =
    site &&
    ownImagesOf(
      site,
      images.map(({ path, size }) => [path, size]),
    );
  return own === undefined ? read : { ...read, site: { ...site, images: own } };
}

function readHeaders(file: string, findings: Finding[]): { headers: Buffer; rules: readonly HeaderRule[] } {
  const headers = readFileSync(file);
  const { rules, findings: found } = headersIn(headers.toString("utf8"), file);
  for (const f of found) findings.push(f);
  return { headers, rules };
}

type SiteFile = ReturnType<SourceReader["read"]>;

const NO_SITE = { site: undefined, siteKey: "" };

/** The site of a manifest was valid, so the code that checks it is only loaded if it has changed. */
async function readSite(
  { bytes, parsed }: SiteFile,
  { baseUrl }: DiscoverOptions,
  { declared }: ModelSource,
  manifest: Manifest | undefined,
  findings: Finding[],
): Promise<Pick<Discovery, "site" | "siteKey">> {
  const siteKey = createHash("sha256")
    .update(bytes ?? "")
    .update(`\n${baseUrl ?? ""}`)
    .update(declared === undefined ? "" : `\n${declared}`)
    .digest("hex");
  if (manifest?.siteKey === siteKey) return { site: manifest.site, siteKey };
  const { checkSiteConfig } = await import("../check/config.ts");
  const { site, findings: found } = checkSiteConfig(parsed());
  for (const f of found) findings.push(f);
  return { site: site && (baseUrl === undefined ? site : withBaseUrl(site, baseUrl)), siteKey };
}

/** The site with another URL of the API's host. The URL of the media host changes with it, if it begins with that URL. */
function withBaseUrl(site: Site, base_url: string): Site {
  const { base_url: before, media_url: written } = site;
  if (!beginsWith(written, before)) return { ...site, base_url };
  const media_url = base_url + written.slice(before.length);
  return { ...site, base_url, media_url, written_media_url: written };
}

const NO_HISTORY = { history: undefined, historyKey: "" };

/** A listing without a page, and without the findings of one. */
const NO_STAT: RecordedStat = { size: 0, mtime: 0, ctime: 0, inode: 0, racy: true };
const NOTHING_FOUND: FoundSources = {
  listing: listSources(() => ({ stat: NO_STAT, files: [], folders: [], findings: [] })).listing,
  walked: [],
  hasSite: false,
  hasHistory: false,
  hasTypes: true,
  findings: [],
};

/** Warns of languages without pages, and refuses the folder of a language inside of another one. */
function checkLocales({ parsed }: SiteFile, site: Site, { folders }: SourceIndex, findings: Finding[]): void {
  const languages = languagesOf(site);
  const paths = new Set(folders.map(({ path }) => path));
  const lacking = languages.filter(({ folder }) => folder !== "" && !paths.has(folder));
  const source = lacking.length === 0 ? undefined : parsed();
  for (const { code, folder } of lacking) {
    const place = source && placeAt(source, ["locales", code]);
    if (place) findings.push(finding("locale-without-pages", { code, folder }, place));
  }
  for (const one of languages)
    for (const other of languages) {
      const path = `${one.folder}/${other.folder}`;
      if (one.folder === "" || other.folder === "" || one === other || !paths.has(path)) continue;
      findings.push(
        finding("locale-inside", { folder: path, meant: other.folder }, startOf(`${path}/index.json`)),
      );
    }
}

const languagesKey = (site: Pick<Site, "locales" | "translations"> | undefined): string | undefined =>
  site?.locales && JSON.stringify(modelLanguagesOf(site));

/** The page types of a site with several languages, whose pages have more fields; those of the program for others. */
function localized(
  languages: ModelLanguages | undefined,
  { model, lastModel }: DiscoverOptions,
): ModelSource {
  if (languages === undefined) return model;
  const key = JSON.stringify(languages);
  if (lastModel?.languages === key && lastModel.declared === undefined) return lastModel;
  let loaded: Promise<PageModel> | undefined;
  const load = (): Promise<PageModel> =>
    (loaded ??= model.load().then((program) => program.inLanguages(languages)));
  return { ...model, load, languages: key };
}

/** The page types of the site. If those of a manifest are the same, they have no errors. */
async function readTypes(
  { content, model: program, lastModel }: DiscoverOptions,
  { hasTypes, misnamedTypes }: FoundSources,
  manifest: Manifest | undefined,
): Promise<Pick<Discovery, "model" | "types" | "findings">> {
  if (!hasTypes)
    return { model: program, types: undefined, findings: misnamedTypes === undefined ? [] : [misnamedTypes] };
  const { bytes, parsed } = new SourceReader().read(content, TYPES);
  const text = bytes?.toString() ?? "";
  const loaded = (model: PageModel): ModelSource => {
    return { ...program, types: model, load: () => Promise.resolve(model), declared: text };
  };
  const known = manifest?.types;
  if (known?.text === text && program.languages === languagesKey(manifest?.site)) {
    if (lastModel?.declared === text && lastModel.languages === program.languages)
      return { model: lastModel, types: known, findings: known.findings };
    const { modelFrom } = await import("../model/types.ts");
    const model = modelFrom(text, await program.load());
    return { model: loaded(model), types: known, findings: known.findings };
  }
  const { checkTypes } = await import("../model/types.ts");
  const { model, findings } = checkTypes(parsed(), await program.load());
  if (model === undefined) return { model: program, types: undefined, findings };
  return { model: loaded(model), types: { text, findings }, findings };
}

/** The text of `_sync.json` that was checked last, and had no errors: it may be long. */
let rightSync: Buffer | undefined;

async function checkSyncFile(content: string, findings: Finding[]): Promise<void> {
  const { bytes, parsed } = new SourceReader().read(content, SYNC);
  if (bytes !== undefined && rightSync?.equals(bytes)) return;
  const { checkSync } = await import("../check/config.ts");
  const found = checkSync(parsed());
  for (const f of found) findings.push(f);
  if (found.length === 0) rightSync = bytes;
}

/** `_history.json` is checked later, with all pages together. */
function readHistory(content: string): Pick<Discovery, "history" | "historyKey"> {
  const { bytes, parsed } = new SourceReader().read(content, HISTORY);
  const historyKey = createHash("sha256")
    .update(bytes ?? "")
    .digest("hex");
  return { history: parsed, historyKey };
}

/** Of the shared memory for the bytes of parent pages: passing many parts to a thread takes long. */
const PART_BYTES = 1 << 20;

/** From the top down, because a page's address follows from its parent's. What is unchanged is the manifest's own object. */
async function findParents(
  content: string,
  model: ModelSource,
  listing: SourceIndex,
  site: Site | undefined,
  { manifest, changes }: Partial<FormerBuild> = {},
): Promise<Pick<Discovery, "parents" | "sources">> {
  const parents: (Parent | undefined)[] = listing.folders.map(() => undefined);
  const sources = new Map<number, KnownSource>();
  const numbers = new Map(manifest?.listing.folders.map(({ path }, f) => [path, f]));
  const unchanged = new Set<Parent | "root" | undefined>(["root"]);
  const havePagesBelow = listing.havePagesBelow();
  const reader = new SourceReader();
  let space = sharedBytes(0);
  let checker: SourceChecker | undefined;
  for (const [f, { index, path, isHome }] of listing.folders.entries()) {
    // The browse UI needs the home page even if the site has no other.
    if (index === -1 || (f > 0 && isHome !== true && havePagesBelow[f] === 0)) continue;
    const file = listing.path(index);
    const at = positionIn(listing, parents, index, file, site);
    const { parent } = at;
    const old = numbers.get(path) ?? -1;
    const known = manifest?.folders[old]?.parent;
    const knownIndex = manifest?.listing.folders[old]?.index ?? -1;
    let found = known;
    if (manifest && known && unchanged.has(parent) && ((changes?.[knownIndex] ?? SOURCE) & SOURCE) === 0)
      sources.set(index, { stat: sourceStat(manifest.table, knownIndex) });
    else {
      const { asParent, SourceChecker } = await import("../check/source.ts");
      checker ??= new SourceChecker({ model: await model.load(), site });
      const source = reader.readBytes(join(content, file), file);
      const length = source.bytes?.length ?? 0;
      if (space.length < length) space = sharedBytes(Math.max(length, PART_BYTES));
      source.bytes?.copy(space);
      sources.set(index, { stat: source.stat, bytes: source.bytes && space.subarray(0, length) });
      space = space.subarray(length);
      const now = asParent(checker.check(source, at), at, site);
      if (JSON.stringify(now) !== JSON.stringify(known)) found = now;
    }
    if (found === known) unchanged.add(known);
    parents[f] = found;
  }
  return { parents, sources };
}
