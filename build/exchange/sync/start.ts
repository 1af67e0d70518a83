import { existsSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { Failure } from "../../base/failure.ts";
import { suggestedSlug } from "../../editor/form/place.ts";
import type { PageModel } from "../../model/page.ts";
import { isObject } from "../../source/json/object.ts";
import { openExport } from "./records.ts";
import { MAX_NAME_LENGTH } from "./values.ts";

/** What a column of an export says about a work, by the names that collection systems give it, without signs and case. */
const MEANINGS = {
  title: /^((object|work)?(title|name))$/,
  number: /^((object|accession|inventory|catalogue|museum|id)(no|number|num)?|accno|invno|no|number)$/,
  artist: /^((artists?|makers?|creators?)(name|displayname)?|artistmaker)$/,
  date: /^((date|year)(made|created|text|display|ofproduction)?|(production|creation|display)date|dated)$/,
  acquired: /^((date|year)?acquired|(acquisition|accession)(date|year)|year(of)?acquisition)$/,
  medium: /^(medium|media|materials?|technique|mediumandsupport|materialsandtechniques?)$/,
  dimensions: /^(dimensions?|size|measurements?)$/,
  credit: /^(credit(line)?|acknowledgements?)$/,
  image: /^((primary|main)?(image|picture|photo|photograph|media)(file|filename|path|url)?)$/,
} as const;

type Meaning = keyof typeof MEANINGS;

const folded = (column: string): string => column.toLowerCase().replace(/[^\p{L}\d]/gu, "");

/** The code that makes the value of a field from the code of a column. */
type Conversion = (column: string) => string;

const asWritten: Conversion = (column) => column;
const asYear: Conversion = (column) => `year(${column})`;
/** A table has only texts. One that is empty becomes no number: it would be 0. */
const asNumber: Conversion = (column) => `${column} && Number(${column})`;

/** The fields of a work, each with the column that it is made of. */
const WORK_FIELDS: readonly (readonly [field: string, meaning: Meaning, as: Conversion])[] = [
  ["acno", "number", asWritten],
  ["allArtists", "artist", asWritten],
  ["dateText", "date", asWritten],
  ["start_year", "date", asYear],
  ["end_year", "date", asYear],
  ["mltYear", "date", asYear],
  ["acquisitionYear", "acquired", asYear],
  ["medium", "medium", asWritten],
  ["dimensions", "dimensions", asWritten],
  ["creditLine", "credit", asWritten],
  ["master_images", "image", (column) => `pictures(${column}, image)`],
];

/** A field of the module's pages; `column` is undefined if the export has none for it. */
interface StartedField {
  field: string;
  column: string | undefined;
  as: Conversion;
}

/** A first module, and what is left to do in it. */
export interface StartedModule {
  /** Beside the export, with its name. */
  path: string;
  recognized: string[];
  /** Columns that the module has as comments. */
  others: string[];
  todo: string[];
}

/**
 * Writes a first module for an export, with the columns that it recognizes.
 *
 * @throws Failure if there is such a module already, or if the export has no record.
 */
export async function startModule(file: string, model: PageModel): Promise<StartedModule> {
  const named = suggestedSlug(basename(file).replace(/\..*$/, ""));
  // The name of an export often begins with its date, and that of a module with a letter.
  const name = named.replace(/^[^a-z]+/, "").slice(0, MAX_NAME_LENGTH) || "records";
  const path = resolve(dirname(file), `${name}.mjs`);
  const shown = relative(process.cwd(), path).split(sep).join("/");
  if (existsSync(path)) throw new Failure(`${shown} is there already. Run it, or remove it first.`);
  const columns = await columnsOf(file);
  const of = meaningsOf(columns);
  const own = ownType(model, columns, Math.max(1, of.size));
  const type = own?.type ?? model.typesWith("acno")[0] ?? model.usual;
  const fields: StartedField[] = [
    { field: "title", column: of.get("title"), as: asWritten },
    ...(own?.fields ?? WORK_FIELDS.map(([field, meaning, as]) => ({ field, column: of.get(meaning), as }))),
  ];
  const used = new Set([of.get("number"), ...fields.map(({ column }) => column)]);
  const recognized = columns.filter((column) => used.has(column));
  const others = columns.filter((column) => !used.has(column));

  const number = of.get("number");
  const key = fieldOf(number ?? columns[0] ?? "");
  const slugs = [of.get("title"), number].filter((column) => column !== undefined).map(fieldOf);
  const hasPictures = own === undefined && of.has("image");
  const helpers = ["slug", ...(own === undefined ? ["year"] : []), ...(hasPictures ? ["image"] : [])];
  const lacking = fields.filter(({ column }) => column === undefined);
  const lines = [
    `/** @type {import("static-page-api").Sync} */`,
    "export default {",
    `  name: ${JSON.stringify(name)},`,
    `  label: "the collection system",`,
    `  records: ${JSON.stringify(basename(file))},`,
    number === undefined
      ? "  // To do: name the column whose value is another one for each record, and never changes."
      : [],
    `  key: (record) => ${key},`,
    `  /** @returns {import("static-page-api").SyncPage} */`,
    `  page: (record, { ${helpers.join(", ")} }) => ({`,
    "    // To do: write the address of the page below which new pages are made.",
    `    parent: "/art/artworks/",`,
    `    slug: slug(${slugs.join(", ") || key}),`,
    "    // To do: choose the page type, if it is not this one.",
    `    meta: { type: ${JSON.stringify(type)} },`,
    fields.flatMap(({ field, column, as }) =>
      column === undefined ? [] : `    ${field}: ${as(fieldOf(column))},`,
    ),
    lacking.length === 0 ? [] : "    // To do: name the columns of these fields, or remove the lines.",
    lacking.map(({ field, as }) => `    // ${field}: ${as('record["…"]')},`),
    own === undefined ? CLASSIFICATION : [],
    others.length === 0
      ? []
      : "    // Columns that are not used. A line becomes a field when it has a field's name and no “//”.",
    others.map((column) => `    // …: ${fieldOf(column)},`),
    "  }),",
    "};",
    hasPictures ? PICTURES : [],
  ].flat();
  writeFileSync(path, `${lines.join("\n")}\n`, { flag: "wx" });
  const todo = lines.flatMap((line) => /\/\/ To do: (.*)/.exec(line)?.[1] ?? []);
  return { path: shown, recognized, others, todo };
}

const fieldOf = (column: string): string => `record[${JSON.stringify(column)}]`;

/** The first column with each meaning. */
function meaningsOf(columns: readonly string[]): Map<Meaning, string> {
  const of = new Map<Meaning, string>();
  const meanings = Object.keys(MEANINGS) as Meaning[];
  for (const column of columns) {
    const meaning = meanings.find((one) => !of.has(one) && MEANINGS[one].test(folded(column)));
    if (meaning !== undefined) of.set(meaning, column);
  }
  return of;
}

/** The type, other than works, that has the most fields with the names of columns: more than `least`. */
function ownType(
  model: PageModel,
  columns: readonly string[],
  least: number,
): { type: string; fields: StartedField[] } | undefined {
  const works = model.typesWith("acno");
  const found = model.names.map((type) => {
    const fields = (works.includes(type) ? [] : model.of(type).own).map((field) => ({
      field,
      column: columns.find((one) => folded(one) === folded(field)),
      as: model.sourceOf(type).fields.get(field)?.kind === "number" ? asNumber : asWritten,
    }));
    return { type, fields, size: fields.filter(({ column }) => column !== undefined).length };
  });
  return found.filter(({ size }) => size > least).sort((a, b) => b.size - a.size)[0];
}

async function columnsOf(file: string): Promise<string[]> {
  const { read } = await openExport(resolve(file), process.cwd());
  for await (const { record } of read()) {
    const columns = isObject(record) ? Object.keys(record) : [];
    if (columns.length > 0) return columns;
    break;
  }
  throw new Failure(
    `${file} has no record with columns. If its records are in a member of a JSON object, write the module with “element” (docs/collection.md).`,
  );
}

const CLASSIFICATION = [
  "    // To do: choose the classification of each work by its id.",
  `    // classification: { id: 1, meta: { type: "artworks.Classification" } },`,
];

const PICTURES = [
  "",
  "/** One picture in the size of its file. The size of an image at an address is not known. */",
  "function pictures(from, image) {",
  "  const { url, width, height } = from ? image(from) : {};",
  "  if (width === undefined) return [];",
  "  const range = `0-${width}`;",
  "  const ratio = Number((height / width).toFixed(3));",
  "  return [",
  "    {",
  "      sizes: [[width, range, url]],",
  "      default_url: url,",
  "      current_size: range,",
  "      height_ratio: ratio,",
  "      max_width: width,",
  "    },",
  "  ];",
  "}",
];
