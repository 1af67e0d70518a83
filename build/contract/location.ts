import { dirname, join, relative, resolve, sep } from "node:path";
import { nearestAbove, PROGRAM_FOLDER } from "../base/folders.ts";
import { isPackage } from "../base/program.ts";
import { HISTORY, SITE } from "../page/files.ts";

/** The folder of the generated schemas. */
export const SCHEMAS = join(PROGRAM_FOLDER, "build", "contract");

/** The contract with clients, as last committed. */
export const CONTRACT = "openapi.json";

/** The schema of a source, by its path relative to the content folder. */
export const schemaName = (source: string): string =>
  source === SITE ? "site.schema.json" : source === HISTORY ? "history.schema.json" : "page.schema.json";

/** The `$schema` of a source at the absolute path `path`, whose path in the content folder is `source`. */
export const schemaReference = (path: string, source: string): string =>
  relative(dirname(path), join(isPackage ? installedSchemas(path, source) : SCHEMAS, schemaName(source)))
    .split(sep)
    .join("/");

/** The schemas of the package that the site depends on, which is not always the running program: npx has its own copy. */
function installedSchemas(path: string, source: string): string {
  const site = resolve(path, ...source.split("/").map(() => ".."), "..");
  const installed = join("node_modules", "static-page-api");
  return join(nearestAbove(site, join(installed, "package.json")) ?? site, installed, "build", "contract");
}
