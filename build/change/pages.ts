import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import { addressAtPath } from "../check/history.ts";
import { typeOf } from "../check/nodes.ts";
import type { Node } from "../source/json/object.ts";
import { isDraftFile, sectionFolder } from "../source/page-files.ts";
import type { ParsedJson } from "../source/json/parse.ts";
import type { History } from "../model/history.ts";
import { isHomeFile, markLanguages } from "../model/languages.ts";
import type { Site } from "../model/site.ts";
import type { PageModel } from "../model/page.ts";
import type { PageType, PageTypes } from "../model/page-types.ts";
import { SourceReader } from "../source/read.ts";
import { findSources } from "../source/find.ts";
import { type SourceIndex } from "../source/source-index.ts";
import { folderAddress, pathsOf, sitePath } from "../model/tree.ts";
import { isSource, partsOf, siteIn, sourcesNamed } from "./files.ts";
import { HISTORY } from "../source/site-files.ts";
import { sourceTextIfReadable } from "./apply.ts";
import { historyIn, historyOf } from "./history.ts";
import { idIn } from "./plan.ts";

/** The sources and addresses that `move` and `retire` work with. */
export interface SitePages {
  content: string;
  model: PageModel;
  listing: SourceIndex;
  site: Site;
  /** The addresses of published pages on the website, without its host, by the paths of their sources. */
  addresses: Map<string, string>;
}

/** @throws Failure if `_site.json` is missing or has errors: without it, pages have no addresses. */
export function readSite(content: string): Pick<SitePages, "listing" | "site"> {
  const { listing, hasSite } = findSources(content);
  const site = hasSite ? siteIn(content) : undefined;
  if (site === undefined)
    throw new Failure("_site.json is missing or has errors: fix it first (npm run check).");
  markLanguages(listing, site);
  return { listing, site };
}

/** @throws Failure if `_site.json` is missing or has errors. */
export function readPages(content: string, model: PageModel): SitePages {
  const { listing, site } = readSite(content);
  const addresses = new Map<string, string>();
  for (const [path, file] of pathsOf(listing, site))
    addresses.set(listing.path(file), addressAtPath(path, site));
  return { content, model, listing, site, addresses };
}

export interface NamedPage {
  file: string;
  /** Its folder, if it can have subpages. */
  folder?: string;
  isDraft: boolean;
  type: PageType;
  /** The sources of its subpages at all levels, including drafts. */
  below: string[];
}

/** The website path of a name, whether or not a page exists there; undefined for a draft. */
export function addressNamed({ content, site }: SitePages, name: string): string | undefined {
  const folder = folderNamed(content, name);
  if (isDraftFile(folder)) return undefined;
  return sitePath(folderAddress(folder, site), site);
}

/** Whether there is a page, or a draft, that an editor named. */
export function hasPage({ content }: SitePages, name: string): boolean {
  return sourcesNamed(content, name).some((path) => isSource(content, path));
}

/** The folder of a page that an editor named, if it can have subpages. */
const folderNamed = (content: string, name: string): string => {
  const parts = partsOf(content, name);
  return (parts.at(-1) === "index" ? parts.slice(0, -1) : parts).join("/");
};

/** @throws Failure if there is no such page. */
export function sourceNamed(content: string, name: string): string {
  const candidates = sourcesNamed(content, name);
  const file = candidates.find((path) => isSource(content, path));
  if (file === undefined) throw new Failure(`There is no page ${name}: no ${candidates.join(", nor ")}.`);
  return file;
}

/** @throws Failure as `findPage` does, or if it is the home page of a language. */
export function findMovable(pages: SitePages, name: string): NamedPage {
  const page = findPage(pages, name);
  if (isHomeFile(page.file, pages.site))
    throw new Failure(
      `${page.file} is the home page of a language: it can only be retired, with the whole language.`,
    );
  return page;
}

/** @throws Failure if there is no such page, or if it is the home page. */
export function findPage({ content, model, listing }: SitePages, name: string): NamedPage {
  const file = sourceNamed(content, name);
  if (file === "index.json")
    throw new Failure("The home page is the root of the site, so it cannot be moved or retired.");
  const base = file.slice(file.lastIndexOf("/") + 1);
  const folder = sectionFolder(file);
  const own = file.slice(0, -base.length - 1);
  const at = listing.folders.findIndex(({ path }) => path === own);
  if (listing.find(at, base) === -1) throw new Failure(`${file} is not the source of a page.`);
  const below: string[] = [];
  if (folder !== undefined)
    for (let i = 0; i < listing.count; i++) {
      const path = listing.path(i);
      if (path !== file && path.startsWith(`${folder}/`)) below.push(path);
    }
  const type = typeIn(content, model, file);
  if (type === undefined) throw new Failure(`${file} has no known type: fix it first (npm run check).`);
  const page = { file, isDraft: isDraftFile(file), type, below };
  return folder === undefined ? page : { ...page, folder };
}

const rootOf = (content: string, file: string): Node | undefined =>
  new SourceReader().read(content, file).parsed().root;

export function typeIn(content: string, types: PageTypes, file: string): PageType | undefined {
  const root = rootOf(content, file);
  return root && typeOf(root, types);
}

/** @throws Failure if the source has no valid id. */
export const idOf = (content: string, file: string): number =>
  idIn(file, sourceTextIfReadable(content, file));

/** The entries of `_history.json`; empty if there is no such file. @throws HistoryError. */
export const readHistory = (content: string): History => readParsedHistory(content).history;

/** Like `readHistory`, with the parsed file for findings, if there is one. @throws HistoryError. */
export function readParsedHistory(content: string): { history: History; parsed?: ParsedJson } {
  if (!existsSync(join(content, HISTORY))) return { history: historyOf(null) };
  const parsed = new SourceReader().read(content, HISTORY).parsed();
  return { history: historyIn(parsed), parsed };
}
