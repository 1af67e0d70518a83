import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import { checkSiteConfig } from "../check/config.ts";
import { nodeAt } from "../json/node.ts";
import type { Site } from "../page/site.ts";
import { isPageType, type PageType } from "../page/types.ts";
import { findSources } from "../sources/find.ts";
import type { Listing } from "../sources/listing.ts";
import { Reader } from "../sources/read.ts";
import { homeAddress, pathsOf } from "../sources/tree.ts";
import { partsOf } from "./target.ts";
import { SITE } from "../page/files.ts";

/** The sources and the website that `move` and `retire` work with. */
export interface Pages {
  content: string;
  listing: Listing;
  site: Site;
  /** By the paths of sources: the addresses of published pages on the website, without its host. */
  addresses: Map<string, string>;
}

/** @throws Failure where `_site.json` does not say what addresses are made of. */
export function readPages(content: string): Pages {
  const { listing, hasSite } = findSources(content);
  const { site } = hasSite ? checkSiteConfig(new Reader().read(content, SITE).parsed) : {};
  if (site === undefined)
    throw new Failure("_site.json is missing or has errors: mend it first (npm run check).");
  const addresses = new Map<string, string>();
  const end = site.append_slash ? "/" : "";
  for (const [path, file] of pathsOf(listing, site))
    addresses.set(listing.path(file), path === "" ? new URL(homeAddress(site)).pathname : path + end);
  return { content, listing, site, addresses };
}

/** A page that an editor named, and what lies below it. */
export interface NamedPage {
  /** Its source. */
  file: string;
  /** Its folder, where pages can lie below it. */
  folder?: string;
  isDraft: boolean;
  type: PageType;
  /** The sources of the pages below it, drafts too. */
  below: string[];
}

/** @throws Failure where there is no such page, or it is the home page. */
export function findPage({ content, listing }: Pages, name: string): NamedPage {
  const parts = partsOf(content, name);
  const last = parts.pop() ?? "";
  const at = (...more: string[]): string => [...parts, ...more].join("/");
  const candidates =
    last === "index" ? [at("index.json")] : [at(`${last}.json`), at(last, "index.json"), at(`_${last}.json`)];
  const file = candidates.find((path) => lstatSync(join(content, path), { throwIfNoEntry: false })?.isFile());
  if (file === undefined) throw new Failure(`There is no page ${name}: no ${candidates.join(", nor ")}.`);
  if (file === "index.json")
    throw new Failure("The home page is the root of the site: it stays where it is.");
  const base = file.slice(file.lastIndexOf("/") + 1);
  const folder = base === "index.json" ? file.slice(0, -"/index.json".length) : undefined;
  const below: string[] = [];
  let isSource = false;
  for (let i = 0; i < listing.count; i++) {
    const path = listing.path(i);
    if (path === file) isSource = true;
    else if (folder !== undefined && path.startsWith(`${folder}/`)) below.push(path);
  }
  if (!isSource) throw new Failure(`${file} is not the source of a page.`);
  const page = { file, isDraft: base.startsWith("_"), type: typeOf(content, file), below };
  return folder === undefined ? page : { ...page, folder };
}

function typeOf(content: string, file: string): PageType {
  const { root } = new Reader().read(content, file).parsed;
  const type = root && nodeAt(root, ["meta", "type"]);
  if (type?.found === true && type.node.type === "string" && isPageType(type.node.value))
    return type.node.value;
  throw new Failure(`${file} has no known type: mend it first (npm run check).`);
}

/** The id of a source. @throws Failure where it has none. */
export function idOf(content: string, file: string): number {
  const { root } = new Reader().read(content, file).parsed;
  const id = root && nodeAt(root, ["id"]);
  if (
    id?.found === true &&
    id.node.type === "number" &&
    Number.isSafeInteger(id.node.value) &&
    id.node.value > 0
  )
    return id.node.value;
  throw new Failure(`${file} has no id that can be kept: mend it first (npm run check).`);
}
