import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBytes } from "../base/file.ts";
import { declaresTypes } from "../outputs/contract/location.ts";
import { pageSchema } from "../outputs/contract/schemas.ts";
import { SITE_SCHEMA } from "../source/site-files.ts";
import type { PageModel } from "../model/page.ts";

/** Writes the schema of this site's pages, which text editors read, if the site declares types of its own. */
export function writeSiteSchema(content: string, model: PageModel): void {
  if (!declaresTypes(content)) return;
  const path = join(content, SITE_SCHEMA);
  const text = `${JSON.stringify(pageSchema(model), null, 2)}\n`;
  if (readBytes(path)?.toString() === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
