import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { plural, thousands } from "../build/base/numbers.ts";
import { reasonOf } from "../build/base/failure.ts";
import { isFolder } from "../build/base/file.ts";
import { startModule, type StartedModule } from "../build/exchange/sync/start.ts";
import { sync, type Sync } from "../build/exchange/sync/sync.ts";
import type { SyncResult } from "../build/exchange/sync/values.ts";
import { hintOf, messageOf } from "../build/findings/finding.ts";
import { printable, printableJson } from "../build/findings/printable.ts";
import { code } from "../build/findings/reporters.ts";
import { countedFields } from "../build/model/ownership.ts";
import { modelOf } from "../build/model/types.ts";
import { isObject } from "../build/source/json/object.ts";
import type * as api from "./api.d.ts";
import {
  command,
  CommandError,
  complain,
  print,
  reporterOption,
  siteOptions,
  withProgress,
} from "./command.ts";
import { pathsFromHere } from "./reporting.ts";

/** Maximum number of entries of one list that a report shows. */
const MAX_LISTED = 20;

/** Whether gone pages were retired, and misplaced ones moved. */
interface Done {
  retired: boolean;
  moved: boolean;
}

const REPORTERS = {
  human: (results, file, done) =>
    results
      .map(([module, result]) =>
        lines(module, result, file, done)
          .map((line) => `${printable(line)}\n`)
          .join(""),
      )
      .join("\n"),
  markdown: (results, file, done) =>
    results
      .map(([module, result]) => {
        const [first = "", ...rest] = lines(module, result, (path) => code(file(path)), done);
        return `### ${printable(first)}\n\n${rest.map((line) => `- ${printable(line.trim())}\n`).join("")}`;
      })
      .join("\n"),
  json: (results) =>
    `${printableJson(
      results.map(([{ name }, { refused, ...result }]) => ({
        name,
        ...result,
        refused: refused.map(({ key, findings }) => ({
          key,
          diagnostics: findings.map((one) => ({
            ...one.place,
            code: one.code,
            message: messageOf(one),
            hint: hintOf(one),
          })),
        })),
      })),
    )}\n`,
} satisfies Record<
  string,
  (results: readonly [Sync, SyncResult][], file: (path: string) => string, done: Done) => string
>;

const listed = <T>(entries: readonly T[], line: (entry: T) => string): string[] => [
  ...entries.slice(0, MAX_LISTED).map((entry) => `  ${line(entry)}`),
  ...(entries.length > MAX_LISTED ? [`  … and ${thousands(entries.length - MAX_LISTED)} more`] : []),
];

/** The number of the pages, if there are any, and a line for each if they are listed. */
const part = <T>(pages: readonly T[], words: string, line?: (page: T) => string): string[] =>
  pages.length === 0
    ? []
    : [`${plural(pages.length, "page")} ${words}`, ...(line ? listed(pages, line) : [])];

/** The effects in words: the numbers of pages, and of the fields that changed. */
function lines(
  { name, label = name }: Sync,
  result: SyncResult,
  file: (path: string) => string,
  { retired, moved }: Done,
): string[] {
  const changed = result.changed.map(({ fields }) => ({ fields: fields.map((field) => ({ field })) }));
  return [
    `${name}: ${plural(result.records, "record")} of ${label}`,
    ...part(result.created, "new"),
    ...part(result.changed, `changed: ${countedFields(changed)}`),
    `${plural(result.unchanged, "page")} unchanged`,
    ...(result.withoutPage === 0 ? [] : [`${plural(result.withoutPage, "record")} without a page`]),
    ...(result.released.length === 0
      ? []
      : [
          `Fields that the module does not return any more, so that editors change them: ${result.released.join(", ")}`,
        ]),
    ...(result.images === 0 ? [] : [`${plural(result.images, "image")} copied`]),
    ...part(
      result.gone,
      retired
        ? "retired, without a record in the export:"
        : "without a record in the export (--retire retires them):",
      (one) => `${one.key}  ${file(one.file)}`,
    ),
    ...part(
      result.misplaced,
      moved ? "moved:" : "with another place in the module (--move moves them):",
      (one) => `${file(one.file)} to ${file(one.to)}`,
    ),
    ...part(
      result.returned,
      "retired, whose records are there again (--restore makes them again):",
      (one) => `${one.key}  ${one.file}:${one.line}`,
    ),
    ...part(result.lost, "saved by an editor meanwhile; run the command again:", (one) => file(one.file)),
    ...part(result.refused, "not written, because of errors:"),
    ...listed(
      result.refused.flatMap(({ key, findings }) => findings.map((one) => ({ key, one }))),
      ({ key, one }) => `${one.place.file}:${one.place.line}  ${key}: ${messageOf(one)} ${hintOf(one)}`,
    ),
  ];
}

await command(
  {
    name: "sync",
    hasModes: true,
    args: {
      MODULE:
        "a JavaScript module that makes a page of each record of an export (docs/collection.md); several are run in their order",
    },
    summary:
      "Keeps pages in step with the exports of a collection system: writes the fields that the module returns, and no others.",
    status: "0 done, 1 pages were not written because of errors, 2 it could not be done, with the reason.",
  },
  {
    "dry-run": "list the effects and write nothing",
    retire: "retire the pages that have no record in the export any more",
    move: "move the pages for which the module returns another place, and record their old addresses",
    restore: "make the pages again whose records are there again after they were retired",
    yes: "go on even if the export looks broken, such as with many records less",
    "start FILE": "write a first module for this export, with the columns that it recognizes, and end",
    ...siteOptions,
    "reporter NAME": reporterOption("the result", REPORTERS),
  },
  async ({ "dry-run": dryRun, retire, move, restore, yes, start, reporter }, positionals, { content }) => {
    if (start !== undefined) {
      if (positionals.length > 0) throw new CommandError("--start takes an export, and no module.");
      print(startedText(await startModule(start, modelOf(content))));
      return 0;
    }
    if (positionals.length === 0)
      throw new CommandError("Name a module: npx page-api sync works.mjs. docs/collection.md shows one.");
    if (!isFolder(content)) throw new CommandError(`${content}: there is no such folder.`);
    const results: [Sync, SyncResult][] = [];
    const file = pathsFromHere(content);
    const printAll = (): void =>
      print(REPORTERS[reporter](results, file, { retired: retire && !dryRun, moved: move && !dryRun }));
    for (const path of positionals) {
      const module = await loaded(path);
      const folder = dirname(resolve(path));
      const options = { content, folder, model: modelOf(content), dryRun, retire, move, restore, yes };
      try {
        const result = await withProgress("Reading", "records", (progress) =>
          sync(module, { ...options, progress: (done) => progress?.(done, 0) }),
        );
        results.push([module, result]);
      } catch (cause) {
        // The modules before it have written their pages.
        if (results.length > 0) printAll();
        throw cause;
      }
    }
    printAll();
    if (dryRun && reporter === "human") complain("Nothing was written, because of --dry-run.\n");
    return results.some(([, { refused, lost }]) => refused.length + lost.length > 0) ? 1 : 0;
  },
);

function startedText({ path, recognized, others, todo }: StartedModule): string {
  const text = [
    `Wrote ${path}.`,
    `Recognized: ${recognized.join(", ") || "no column"}`,
    ...(others.length === 0 ? [] : [`As comments: ${others.join(", ")}`]),
    "",
    "Open it in an editor. What is left to do:",
    ...todo.map((task) => `  - ${task.slice(0, 1).toUpperCase()}${task.slice(1)}`),
    `Then see its effects with: npx page-api sync ${path} --dry-run`,
  ];
  return text.map((line) => `${printable(line)}\n`).join("");
}

/** @throws CommandError if the module cannot be loaded. */
async function loaded(path: string): Promise<api.Sync> {
  if (!existsSync(path)) throw new CommandError(`${path}: there is no such file.`);
  try {
    const { default: module } = (await import(pathToFileURL(resolve(path)).href)) as { default?: api.Sync };
    if (isObject(module)) return module as api.Sync;
  } catch (cause) {
    const hint = cause instanceof SyntaxError ? `. To see the line, run: node --check ${path}` : "";
    throw new CommandError(`${path}: ${reasonOf(cause)}${hint}`);
  }
  throw new CommandError(`${path} has no object as its default export. Begin it with: export default {`);
}
