import { copy, create, pageTypeNamed, typesOf } from "../build/change/create.ts";
import { contentFolder } from "../build/source/complete.ts";
import { filesById, freeId } from "../build/change/ids.ts";
import { classificationNamed, listNames, referenceLine, referencesOf } from "../build/change/references.ts";
import { siteIn } from "../build/change/files.ts";
import { languageNamed, pathIn, translatePage } from "../build/change/translations.ts";
import { findSources } from "../build/source/find.ts";
import { command, CommandError, print, refuseOthers, siteOptions, whole } from "./command.ts";
import { pathsFromHere, printLines } from "./reporting.ts";
import { modelOf } from "../build/model/types.ts";

/** Findings report ids and years that do not fit. */
const anyNumber = whole(-Number.MAX_SAFE_INTEGER);

await command(
  {
    name: "new",
    hasModes: true,
    args: {
      TYPE: "a page type of the site: its short name, such as general, or its full name (without TYPE and PATH, the types are listed)",
      PATH: "its path in the content folder: visit/cafe for a page in one file, visit/food/ for a page with subpages",
    },
    summary:
      "Writes the source of a new page: the required fields, a free id, and the defaults of every page.",
    more: `npx page-api new --copy FILE PATH copies a page, with a free id and the facts that you give. npx page-api new --id prints only a free id.
npx page-api new --list subjects horse lists the subjects of the site with that word.
npx page-api new --translate ID copies a page into another language, with references to pages that are translated too.`,
    status: "0 written, 2 refused, with the reason.",
  },
  {
    "title TEXT":
      "give the page this title (default: none; npm run check reports an error until there is one)",
    draft: "make a draft, visit/_cafe.json: it is published once you rename it to visit/cafe.json",
    "copy FILE": "copy this page instead of starting with an empty one",
    "locale CODE": "put the page into this language of the site: PATH is below its home page",
    "translate ID": {
      text: "translate the page with this id into the language of --locale (default: the one that it lacks), at PATH (default: as the page, below the translation of its parent)",
      parse: whole(1),
    },
    "list KIND": `list values that the pages use, for copying: ${listNames(modelOf(undefined)).join(", ")} (or artists); a WORD after it selects some`,
    "id [N]": {
      text: "give the page this id (default: a random free one of eight digits)",
      parse: anyNumber,
    },
    "all-fields": "write every field with its default, to be filled in",
    ...siteOptions,
    "acno TEXT": {
      text: "its accession number (default: the one at the end of PATH, as in folly-bridge-d00001)",
      heading:
        "Facts for types that have them (npm run check reports each required one that you leave out, until you write it):",
    },
    "start-year N": { text: "the year in which it was begun", parse: anyNumber },
    "end-year N": { text: "the year in which it was finished (default: the start year)", parse: anyNumber },
    "acquisition-year N": { text: "the year in which it was acquired", parse: anyNumber },
    "mlt-year N": {
      text: "the year under which similar works are found (default: the start year)",
      parse: anyNumber,
    },
    "classification ID": "the id of its classification, or a word for it, such as drawing",
  },
  (values, positionals, { content }) => {
    const { title, draft, locale, id } = values;
    contentFolder(content);
    const here = pathsFromHere(content);
    // The option without a value asks for a free id.
    if (id === true) {
      if (positionals.length > 0)
        throw new CommandError("--id: expected a number after it, or no other argument for a free id.");
      refuseOthers(["id", "site", "content"], "--id without a number");
      print(`${freeId(filesById(content, findSources(content).listing))}\n`);
      return;
    }
    if (values.list !== undefined) {
      refuseOthers(["list", "site", "content"], "--list");
      const wanted = positionals.join(" ").toLowerCase();
      const lines = referencesOf(content, modelOf(content), values.list).map(referenceLine);
      const some = lines.filter((line) => line.toLowerCase().includes(wanted));
      print(some.map((line) => `${line}\n`).join(""));
      return;
    }
    const classification =
      values.classification === undefined
        ? undefined
        : classificationNamed(content, modelOf(content), values.classification);
    const facts = defined({
      acno: values.acno,
      acquisitionYear: values["acquisition-year"],
      start_year: values["start-year"],
      end_year: values["end-year"],
      mltYear: values["mlt-year"],
      classification: classification === undefined ? undefined : { id: classification },
    });
    const language = locale === undefined ? undefined : languageNamed(siteIn(content), locale);
    const inLanguage = (path: string): string =>
      language === undefined ? path : pathIn(language, content, path);
    if (values.translate !== undefined) {
      refuseOthers(["translate", "locale", "title", "draft", "id", "site", "content"], "--translate");
      const [path, unexpected] = positionals;
      if (unexpected !== undefined) throw new CommandError("Give one path.");
      const done = translatePage(values.translate, { content, locale, path, title, draft, id });
      printLines([
        `${here(done.target.file)}: ${here(done.original.file)} in ${done.language.label}, id ${done.id}`,
        "Now translate its texts.",
      ]);
      return;
    }
    if (values.copy !== undefined) {
      if (values["all-fields"])
        throw new CommandError("--all-fields has no effect with --copy: leave it out.");
      const [path, unexpected] = positionals;
      if (path === undefined || unexpected !== undefined)
        throw new CommandError("Give the path of the copy: npx page-api new --copy FILE PATH.");
      const copied = copy(values.copy, { content, path: inLanguage(path), draft, title, id, facts });
      printLines([
        `${here(copied.target.file)}: a copy of ${values.copy}, “${copied.title}”, id ${copied.id}`,
        `Now change the fields that differ${title === undefined ? ", the title first" : ""}.`,
      ]);
      return;
    }
    const model = modelOf(content);
    const [typeName, path, unexpected] = positionals;
    if (typeName === undefined || path === undefined || unexpected !== undefined)
      throw new CommandError(
        `Give a type and a path: npx page-api new TYPE PATH (see --help).\n${typesOf(model)}`,
      );
    const type = pageTypeNamed(model, typeName);
    const own = { content, type, path: inLanguage(path), title, draft, id, facts };
    const created = create({ ...own, allFields: values["all-fields"] });
    const { target, address, guessed } = created;
    const lines = [`${here(target.file)}: ${type} “${created.title}”, id ${created.id}`];
    if (address !== undefined)
      lines.push(
        `${target.published === undefined ? "Its address" : "Once published, its address"}: ${address}`,
      );
    if (guessed.length > 0) {
      lines.push("Write these; until then they are errors of npm run check:");
      for (const { place, field, value } of guessed)
        lines.push(`  ${here(place.file)}:${place.line}:${place.column}  ${field}: ${value}`);
    }
    if (target.published !== undefined) lines.push(`To publish it, rename it to ${here(target.published)}`);
    printLines(lines);
  },
);

function defined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
