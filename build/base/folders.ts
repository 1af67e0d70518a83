import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { HEADERS_NAME } from "./api.ts";

/** The program's folder, whether this code runs from its sources or compiled. No file of a site is in it. */
export const PROGRAM_FOLDER = packageAbove(dirname(fileURLToPath(import.meta.url)));

function packageAbove(folder: string): string {
  const found = nearestAbove(folder, "package.json");
  if (found === undefined) throw new Error("This program is not in its folder.");
  return found;
}

/** The nearest folder, from this one upwards, that contains a file. */
export function nearestAbove(folder: string, file: string): string | undefined {
  if (existsSync(join(folder, file))) return folder;
  return dirname(folder) === folder ? undefined : nearestAbove(dirname(folder), file);
}

/** The package that a site depends on, which is not always the running program: npx has its own copy. */
export function installedPackage(site: string): string {
  const installed = join("node_modules", "static-page-api");
  return join(nearestAbove(site, join(installed, "package.json")) ?? site, installed);
}

/** The headers of a site without `_headers`. */
export const PROGRAM_HEADERS = join(PROGRAM_FOLDER, HEADERS_NAME);

/** A site's folder and the default paths in it, as a person in the current folder would write them. */
export interface SiteFolder {
  site: string;
  content: string;
  out: string;
  /** The site's own `_headers`, or the program's. */
  headersFile: string;
  /** The folder for manifests. */
  cache: string;
}

/** @param given by default, the nearest folder upwards that contains a site, or else the current folder. */
export function siteFolder(given?: string): SiteFolder {
  const site = given ?? (relative("", nearestAbove(resolve(), join("content", "_site.json")) ?? "") || ".");
  const own = resolve(site, HEADERS_NAME);
  return {
    site,
    content: join(site, "content"),
    out: join(site, "public"),
    headersFile: existsSync(own) ? own : PROGRAM_HEADERS,
    cache: join(site, ".cache", "builds"),
  };
}
