import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { create } from "../build/edit/create.ts";
import type { ArtworkFacts } from "../build/edit/template.ts";
import { pageTypeNamed } from "../build/edit/type.ts";
import { printable } from "../build/findings/printable.ts";
import { command, CommandError } from "./command.ts";
import { print } from "./output.ts";

const USAGE = `Usage: npm run new -- TYPE PATH [--title TEXT] [--draft] [--id N] [--content DIR]

Writes the source of a new page: what is required, a free id, and the defaults that every page has.

  TYPE              artwork, artwork-index, general, project, project-index or home, or a type's full name
  PATH              where it lies in the content folder: visit/cafe for a page in one file,
                    visit/food/ for a page with pages below it
  --title TEXT      the page's title (made from PATH where left out)
  --draft           a draft, visit/_cafe.json: nothing publishes it until it is renamed to visit/cafe.json
  --id N            the page's id (a random free one of eight digits)
  --all-fields      writes every field there is, with its default, to be filled in
  --content DIR     the page sources (content)

What only you know of an artwork; a placeholder is written for what is left out, and you are told so:
  --acno TEXT       accession number (the one at the end of PATH, as in folly-bridge-d00001)
  --start-year N, --end-year N, --acquisition-year N
  --mlt-year N      (the start year)
  --classification ID

Exit status: 0 written, 2 refused, with the reason.`;

await command(
  USAGE,
  {
    title: { type: "string" },
    draft: { type: "boolean", default: false },
    id: { type: "string" },
    "all-fields": { type: "boolean", default: false },
    content: { type: "string", default: "content" },
    acno: { type: "string" },
    "start-year": { type: "string" },
    "end-year": { type: "string" },
    "acquisition-year": { type: "string" },
    "mlt-year": { type: "string" },
    classification: { type: "string" },
  },
  (values, [typeName, path, ...more]) => {
    if (typeName === undefined || path === undefined || more.length > 0)
      throw new CommandError(
        `TYPE and PATH are needed${more.length > 0 ? ", and nothing more" : ""}.\n\n${USAGE}`,
      );
    const { content, title, draft } = values;
    if (!existsSync(content)) throw new CommandError(`There is no content folder ${content}.`);
    const type = pageTypeNamed(typeName);
    const classification = wholeNumber("classification", values.classification);
    const facts: Partial<ArtworkFacts> = defined({
      acno: values.acno,
      acquisitionYear: wholeNumber("acquisition-year", values["acquisition-year"]),
      start_year: wholeNumber("start-year", values["start-year"]),
      end_year: wholeNumber("end-year", values["end-year"]),
      mltYear: wholeNumber("mlt-year", values["mlt-year"]),
      classification: classification === undefined ? undefined : { id: classification },
    });
    if (type !== "artworks.ArtworkPage" && Object.keys(facts).length > 0)
      throw new CommandError(
        `Only artworks have ${Object.keys(facts).join(", ")}, and this is to be a ${type}.`,
      );
    const id = wholeNumber("id", values.id);
    const created = create({ content, type, path, title, draft, id, facts, allFields: values["all-fields"] });
    const { target, address, guessed } = created;
    const here = (file: string): string => relative(process.cwd(), join(resolve(content), file));
    const lines = [`${here(target.file)}: ${type} “${created.title}”, id ${created.id}`];
    if (address !== undefined)
      lines.push(
        `${target.published === undefined ? "Its address" : "Once published, its address"}: ${address}`,
      );
    if (guessed.length > 0) {
      lines.push("Placeholders: check these before you publish:");
      for (const { place, field, value } of guessed)
        lines.push(`  ${here(place.file)}:${place.line}:${place.column}  ${field}: ${value}`);
    }
    if (target.published !== undefined)
      lines.push(`To publish it: git mv ${here(target.file)} ${here(target.published)}`);
    print(lines.map((line) => `${printable(line)}\n`).join(""));
    return 0;
  },
);

/** @throws CommandError where an option is no whole number. */
function wholeNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^-?\d{1,16}$/.test(value))
    throw new CommandError(`--${name} must be a whole number, but is ${value}`);
  return Number(value);
}

function defined<T extends Record<string, unknown>>(
  record: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never;
}
