import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readText } from "../base/file.ts";
import { hasOwnSchema } from "../outputs/contract/location.ts";
import { pageSchema } from "../outputs/contract/schemas.ts";
import { SITE_SCHEMA } from "../source/site-files.ts";
import type { PageModel } from "../model/page.ts";
import type { FileChange } from "./change.ts";

export const schemaText = (model: PageModel): string => `${JSON.stringify(pageSchema(model), null, 2)}\n`;

/** The change of the schema of this site's pages, which text editors read, if it has one. */
export function schemaChange(content: string, model: PageModel): FileChange[] {
  if (!hasOwnSchema(content)) return [];
  const before = readText(join(content, SITE_SCHEMA)) ?? null;
  const after = schemaText(model);
  return before === after ? [] : [{ file: SITE_SCHEMA, before, after }];
}

export function writeSiteSchema(content: string, model: PageModel): void {
  for (const { file, after } of schemaChange(content, model)) {
    mkdirSync(dirname(join(content, file)), { recursive: true });
    writeFileSync(join(content, file), after ?? "");
  }
}
