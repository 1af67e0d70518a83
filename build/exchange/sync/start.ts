import { existsSync, writeFileSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { Failure } from "../../base/failure.ts";
import type { PageModel } from "../../model/page.ts";
import { isObject } from "../../source/json/object.ts";
import { openExport } from "./records.ts";

/** What a column of an export says about a work, by the names that collection systems give it, without signs and case. */
const MEANINGS = {
  title: /^((object|work)?(title|name))$/,
  number: /^((object|accession|inventory|catalogue|museum|id)(no|number|num)?|accno|invno|number)$/,
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

const asYear = (text: string): string => `year(${text})`;

const fieldOf = (column: string): string => `record[${JSON.stringify(column)}]`;

/** A table has only texts. One that is empty becomes no number: it would be 0. */
const valueOf = (column: string, isNumber: boolean): string =>
  isNumber ? `${fieldOf(column)} && Number(${fieldOf(column)})` : fieldOf(column);

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
  const name = basename(file)
    .replace(/\..*$/, "")
    .toLowerCase()
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "");
  const path = resolve(dirname(file), `${name || "records"}.mjs`);
  const shown = relative(process.cwd(), path).split(sep).join("/");
  if (existsSync(path)) throw new Failure(`${shown} is there already. Run it, or remove it first.`);
  const columns = await columnsOf(file);
  const of = new Map<Meaning, string>();
  for (const column of columns)
    for (const meaning of Object.keys(MEANINGS) as Meaning[])
      if (!of.has(meaning) && MEANINGS[meaning].test(folded(column))) {
        of.set(meaning, column);
        break;
      }
  const own = ownType(model, columns, Math.max(1, of.size));
  if (own !== undefined)
    for (const meaning of of.keys()) if (meaning !== "title" && meaning !== "number") of.delete(meaning);
  const used = new Set([...of.values(), ...(own?.fields.values() ?? [])]);
  const recognized = columns.filter((column) => used.has(column));
  const others = columns.filter((column) => !used.has(column));
  const type = own?.type ?? model.typesWith("acno")[0] ?? model.usual;
  const isNumber = (field: string): boolean => model.sourceOf(own?.type).fields.get(field)?.kind === "number";
  const values =
    own &&
    Array.from(own.fields, ([field, column]) => [field, column && valueOf(column, isNumber(field))] as const);
  const text = moduleText(name || "records", basename(file), of, columns, others, type, values);
  writeFileSync(path, text, { flag: "wx" });
  const todo = [...text.matchAll(/\/\/ To do: (.*)/g)].map(([, task = ""]) => task);
  return { path: shown, recognized, others, todo };
}

/** The type, other than works, that has the most fields with the names of columns: more than `least`; each with its column. */
function ownType(
  model: PageModel,
  columns: readonly string[],
  least: number,
): { type: string; fields: Map<string, string | undefined> } | undefined {
  const works = model.typesWith("acno");
  const found = model.names.map((type) => {
    const names = works.includes(type) ? [] : model.of(type).own;
    const fields = new Map(
      names.map((name) => [name, columns.find((one) => folded(one) === folded(name))] as const),
    );
    return { type, fields, size: [...fields.values()].filter((column) => column !== undefined).length };
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
  throw new Failure(`${file} has no record with columns.`);
}

function moduleText(
  name: string,
  records: string,
  of: ReadonlyMap<Meaning, string>,
  columns: readonly string[],
  others: readonly string[],
  type: string,
  own: OwnValues | undefined,
): string {
  const value = (meaning: Meaning): string | undefined => {
    const column = of.get(meaning);
    return column === undefined ? undefined : fieldOf(column);
  };
  const field = (
    key: string,
    meaning: Meaning,
    { as = (text) => text, todo }: { as?: (text: string) => string; todo?: string } = {},
  ): string[] => {
    const found = value(meaning);
    if (found !== undefined) return [`    ${key}: ${as(found)},`];
    return todo === undefined ? [] : [`    // To do: ${todo}`, `    // ${key}: ${as('record["…"]')},`];
  };
  const number = value("number");
  const slugs = [value("title"), number].filter((one) => one !== undefined);
  const lines = [
    `/** @type {import("static-page-api").Sync} */`,
    "export default {",
    `  name: ${JSON.stringify(name)},`,
    `  label: "the collection system",`,
    `  records: ${JSON.stringify(records)},`,
    ...(number === undefined
      ? ["  // To do: name the column whose value is another one for each record, and never changes."]
      : []),
    `  key: (record) => ${number ?? fieldOf(columns[0] ?? "")},`,
    `  /** @returns {import("static-page-api").SyncPage} */`,
    `  page: (record, { ${value("image") === undefined ? "" : "image, "}slug${own === undefined ? ", year" : ""} }) => ({`,
    "    // To do: write the address of the page below which new pages are made.",
    `    parent: "/art/artworks/",`,
    `    slug: slug(${(slugs.length > 0 ? slugs : [fieldOf(columns[0] ?? "")]).join(", ")}),`,
    "    // To do: choose the page type, if it is not this one.",
    `    meta: { type: ${JSON.stringify(type)} },`,
    ...field("title", "title", { todo: "name the column of the title." }),
    ...(own === undefined ? workFields(field) : ownFields(own)),
    ...(others.length === 0
      ? []
      : [
          "    // Columns that are not used. A line becomes a field when it has a field's name and no “//”.",
          ...others.map((column) => `    // …: ${fieldOf(column)},`),
        ]),
    "  }),",
    "};",
    ...(value("image") === undefined ? [] : ["", ...PICTURES]),
  ];
  return `${lines.join("\n")}\n`;
}

type FieldLines = (
  key: string,
  meaning: Meaning,
  options?: { as?: (text: string) => string; todo?: string },
) => string[];

/** The fields of a work. */
const workFields = (field: FieldLines): string[] => [
  ...field("acno", "number", { todo: "name the column of the accession number." }),
  ...field("allArtists", "artist"),
  ...field("dateText", "date"),
  ...["start_year", "end_year", "mltYear"].flatMap((key, k) =>
    field(key, "date", { as: asYear, ...(k === 0 ? { todo: "name the columns of the years." } : {}) }),
  ),
  ...field("acquisitionYear", "acquired", { as: asYear, todo: "name the column of the acquisition." }),
  ...field("medium", "medium"),
  ...field("dimensions", "dimensions"),
  ...field("creditLine", "credit"),
  ...field("master_images", "image", { as: (text) => `pictures(${text}, image)` }),
  "    // To do: choose the classification of each work by its id.",
  `    // classification: { id: 1, meta: { type: "artworks.Classification" } },`,
];

/** The fields of the site's own type, with the values of those that have a column. */
type OwnValues = readonly (readonly [field: string, value: string | undefined])[];

function ownFields(fields: OwnValues): string[] {
  const lines = fields.flatMap(([key, value]) => (value === undefined ? [] : [`    ${key}: ${value},`]));
  const others = fields.flatMap(([key, value]) =>
    value === undefined ? [`    // ${key}: record["…"],`] : [],
  );
  const todo = "    // To do: name the columns of these fields, or remove the lines.";
  return others.length === 0 ? lines : [...lines, todo, ...others];
}

const PICTURES = [
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
