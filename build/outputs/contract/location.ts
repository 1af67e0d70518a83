import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { readBytes } from "../../base/file.ts";
import { installedPackage, PROGRAM_FOLDER } from "../../base/folders.ts";
import { isPackage } from "../../base/program.ts";
import { languagesIn } from "../../model/languages.ts";
import { HISTORY, SITE, SITE_SCHEMA, TYPES } from "../../source/site-files.ts";

/** The folder of the generated schemas. */
export const SCHEMAS = join(PROGRAM_FOLDER, "build", "contract");

/** The contract with clients, as last committed. */
export const CONTRACT = "openapi.json";

const PAGE_SCHEMA = "page.schema.json";

const SCHEMA_NAMES: Record<string, string> = {
  [SITE]: "site.schema.json",
  [HISTORY]: "history.schema.json",
  [TYPES]: "types.schema.json",
};

export const declaresTypes = (content: string): boolean => existsSync(join(content, TYPES));

/** Whether the site's sources have a schema of their own: if it declares types, or has several languages. */
export const hasOwnSchema = (content: string): boolean =>
  declaresTypes(content) || languagesIn(readBytes(join(content, SITE))) !== undefined;

/** The `$schema` of a source. @param hasOwn whether the site's sources have a schema of their own */
export function schemaReference(content: string, source: string, hasOwn = hasOwnSchema(content)): string {
  const name = SCHEMA_NAMES[source] ?? PAGE_SCHEMA;
  const isOwn = name === PAGE_SCHEMA && hasOwn;
  const [folder, schema] = [resolve(content), isOwn ? SITE_SCHEMA : name];
  const schemas = isPackage ? join(installedPackage(dirname(folder)), "build", "contract") : SCHEMAS;
  return relative(dirname(join(folder, source)), join(isOwn ? folder : schemas, schema))
    .split(sep)
    .join("/");
}
