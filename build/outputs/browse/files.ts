import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_FOLDER } from "../../base/folders.ts";
import { isPackage } from "../../base/program.ts";
import type { PageTypes } from "../../model/page-types.ts";
import type { Site } from "../../model/site.ts";
import type { describedFields } from "./fields.ts";
import { KINDS, type Counts } from "../../browse/data-files.ts";

export const INDEX = "index.html";
export const FOLDER = "browse";
export const HOME = `${FOLDER}/home.json`;
const TRANSLATIONS = `${FOLDER}/translations.json`;

/** Distinguishes the build's own page from others. */
const MARK = '<meta name="generator" content="static-page-api" />';

export const isOwnIndex = (text: string): boolean => text.includes(MARK);

/** The files that a browser loads. They are published as they are, without a build step. */
const CLIENT = [
  "page.css",
  "icon.svg",
  "app.js",
  "search.js",
  "home.js",
  "view.js",
  "tree.js",
  "own-fields.js",
  "response.js",
  "rich.js",
  "data.js",
  "dom.js",
  "drafts.js",
  "editing.js",
  "words.js",
  "place.js",
  "translations.js",
];
/** Only a preview has this script, which it loads instead of `app.js`. */
export const LIVE = "live.js";
/** The files of the editor (`outputs/editor/`). */
const EDITOR: ReadonlySet<string> = new Set([
  "edit.js",
  "edit-shared.js",
  "edit-rare.js",
  "edit.css",
  "images.json",
]);
const CLIENT_FOLDER = join(PROGRAM_FOLDER, "build", "browse");
/** The package has a copy. */
export const SANITISER = join(
  PROGRAM_FOLDER,
  isPackage ? "dist" : "node_modules/dompurify/dist",
  "purify.min.js",
);

const DATA_FILE = new RegExp(`^(?:${KINDS.join("|")})/\\d{1,3}\\.json$`);

/** Whether the build wrote a file below `browse/`, by its name. */
export const isOwnName = (name: string): boolean =>
  CLIENT.includes(name) ||
  EDITOR.has(name) ||
  name === "purify.js" ||
  name === "site.json" ||
  [HOME, TRANSLATIONS].includes(`${FOLDER}/${name}`) ||
  DATA_FILE.test(name);

/** Whether a file of the browse UI is the same for every site. */
export const isOwnFile = (name: string): boolean => [INDEX, "purify.js", LIVE, ...CLIENT].includes(name);

export function ownFile(name: string): Buffer {
  if (name === "purify.js") return sanitiser();
  const bytes = readFileSync(join(CLIENT_FOLDER, name));
  return name === "words.js" ? withLetters(bytes) : bytes;
}

/** The letters replace their import, so that a browser loads one file less. */
const withLetters = (words: Buffer): Buffer =>
  Buffer.concat([
    readFileSync(join(PROGRAM_FOLDER, "build", "base", "letters.js")),
    Buffer.from(words.toString().replace(/^import .*letters\.js";\n/m, "")),
  ]);

/** Half as large as the package's own module, but a script, which sets a global variable. */
const sanitiser = (): Buffer => {
  const script = readFileSync(SANITISER, "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
  return Buffer.from(`${script}export default globalThis.DOMPurify;\n`);
};

export interface BrowsedSite {
  types: PageTypes;
  counts: Counts;
  home: number;
  languages?: { code: string; label: string; home: number }[] | undefined;
  /** `ListedTranslations`, if the site has several languages. */
  translations?: object | undefined;
  siteUrl: string;
  /** In which times are shown. */
  timeZone: string | undefined;
  bulk: boolean;
  /** `_site.json`, if the published UI has an editor. */
  editing?: Site | undefined;
  /** The fields that the site declares, if there are any. */
  fields?: ReturnType<typeof describedFields> | undefined;
  /** Whether the site has a `_types.json`, if the published UI has an editor. */
  hasTypes?: boolean | undefined;
}

/** Without the data files, by path in the output. */
export function browseFiles({
  types,
  counts,
  home,
  languages,
  translations,
  siteUrl,
  timeZone,
  bulk,
  editing,
  fields,
  hasTypes,
}: BrowsedSite): Map<string, Uint8Array> {
  const { names } = types;
  const labels = names.map((type) => types.of(type).label);
  const below = names.map((type) =>
    names.flatMap((one, index) => (types.of(one).parents.includes(type) ? [index] : [])),
  );
  const used = Object.fromEntries(
    Object.entries(counts).filter(([kind, files]) => kind === "pages" || files > 0),
  );
  const rows = names.map((type) => types.of(type));
  // The search names the first ones in its field.
  const covered = rows.flatMap(({ shown: { covers: [first = [], ...rest] = [] } = {}, covers = [] }) =>
    [first, covers, rest].flat(),
  );
  const searched = [...new Set(covered)];
  const others = { time_zone: timeZone, below, searched, bulk, editing, fields, hasTypes };
  const site = { ...used, home, languages, site_url: siteUrl, types: names, labels, ...others };
  return new Map<string, Uint8Array>([
    [INDEX, ownFile(INDEX)],
    ...[...CLIENT, "purify.js"].map((name): [string, Uint8Array] => [`${FOLDER}/${name}`, ownFile(name)]),
    ...(translations === undefined
      ? []
      : [[TRANSLATIONS, Buffer.from(`${JSON.stringify(translations)}\n`)] as const]),
    [`${FOLDER}/site.json`, Buffer.from(`${JSON.stringify(site)}\n`)],
  ]);
}
