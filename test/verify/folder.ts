import { write } from "../pipeline/site.ts";
import { scratch } from "../scratch.ts";
import { siteFor } from "./site.ts";

export interface Folder {
  path: string;
  write: (name: string, content: string) => void;
}

export function newFolder(): Folder {
  const path = scratch("verify");
  return { path, write: (name, content) => write(path, name, content) };
}

/** Writes the small site as a build would have done. */
export function writeOutput(folder: Folder, base: string): void {
  for (const [id, page] of siteFor(base)) folder.write(`api/v2/pages/${id}/index.json`, JSON.stringify(page));
}

/** Writes sources with the site's ids and types, which are all that verification reads. */
export function writeContent(folder: Folder): void {
  for (const [id, { meta }] of siteFor("https://api.example.org"))
    folder.write(`_group/page-${id}.json`, JSON.stringify({ id, meta }));
}
