import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import type { PageModel } from "../../build/model/page.ts";
import { modelOf } from "../../build/model/types.ts";
import { typesModule } from "../../build/outputs/contract/types.ts";
import { SITE } from "../../build/source/site-files.ts";
import { updateFile, type UpdatedFile } from "./update.ts";

/* The website that `init --website` writes: the files of `website/` beside this module, with the addresses of the site. */

/** Its folder in a site. */
export const WEBSITE = "website";
/** The digests of the files as they were written. */
const RECORD = join(WEBSITE, ".init.json");
/** The module of `types`. Nobody changes it, so it is always written. */
export const MODULE = join(WEBSITE, "src/page-api.ts");

const TEMPLATE = join(PROGRAM_FOLDER, "scripts/init", WEBSITE);

/** The names of the fields whose values are ids of pages, or lists of such ids. */
function referencesIn(model: PageModel): string[] {
  const fields = model.names.flatMap((type) => Array.from(model.of(type).source.fields));
  const names = fields.flatMap(([name, field]) => {
    const one = field.kind === "list" ? field.element : field;
    return one.kind === "number" && one.reference !== undefined ? [name] : [];
  });
  return [...new Set(names)].sort();
}

/** @param note prints what its user has to do. */
export function writeWebsite(site: string, content: string, note: (text: string) => void): UpdatedFile[] {
  const settings = JSON.parse(readFileSync(join(content, SITE), "utf8")) as Record<string, unknown>;
  const record = existsSync(join(site, RECORD))
    ? (JSON.parse(readFileSync(join(site, RECORD), "utf8")) as Record<string, string>)
    : {};
  const files = readdirSync(TEMPLATE, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(TEMPLATE.length + 1)] : [],
  );
  const model = modelOf(content);
  const own = (text: string): string =>
    text
      .replace("references = []", () => `references = ${JSON.stringify(referencesIn(model))}`)
      .replace("https://api.example.org", () => String(settings["base_url"]))
      .replace("https://www.example.org", () => String(settings["site_url"]))
      .replace('"UTC"', () => JSON.stringify(settings["time_zone"] ?? "UTC"));
  const updated = files.sort().map((name) => {
    const text = readFileSync(join(TEMPLATE, name), "utf8");
    // npm packs no file with the name .gitignore.
    const path = [WEBSITE, ...name.replace(/^gitignore$/, ".gitignore").split(sep)].join("/");
    return updateFile(site, path, name === "site.mjs" ? own(text) : text, record);
  });
  mkdirSync(join(site, WEBSITE, "src"), { recursive: true });
  writeFileSync(join(site, MODULE), typesModule(model));
  writeFileSync(join(site, RECORD), `${JSON.stringify(record, null, 2)}\n`);
  if (settings["index"] === undefined || settings["bulk"] === undefined)
    note(`The website needs "index": true in ${SITE}, and is built faster with "bulk": true.\n`);
  note(
    `To build the website: cd ${WEBSITE} && npm install && npm run build. To see drafts in it: npx page-api dev --website\n`,
  );
  return updated;
}
