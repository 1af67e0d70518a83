import { dirname, join, relative, sep } from "node:path";
import { PROGRAM_FOLDER } from "../base/folders.ts";
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
  relative(dirname(path), join(SCHEMAS, schemaName(source)))
    .split(sep)
    .join("/");
