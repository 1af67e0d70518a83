import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { installedPackage, PROGRAM_FOLDER } from "../../base/folders.ts";
import { isPackage } from "../../base/program.ts";
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

/** The `$schema` of a source. @param hasTypes whether the site declares types of its own */
export function schemaReference(content: string, source: string, hasTypes = declaresTypes(content)): string {
  const name = SCHEMA_NAMES[source] ?? PAGE_SCHEMA;
  const isOwn = name === PAGE_SCHEMA && hasTypes;
  const [folder, schema] = [resolve(content), isOwn ? SITE_SCHEMA : name];
  const schemas = isPackage ? join(installedPackage(dirname(folder)), "build", "contract") : SCHEMAS;
  return relative(dirname(join(folder, source)), join(isOwn ? folder : schemas, schema))
    .split(sep)
    .join("/");
}
