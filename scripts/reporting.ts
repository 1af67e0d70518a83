import { isAbsolute, relative, resolve } from "node:path";
import { isInside } from "../build/base/paths.ts";
import { currentInstant, instantOf, type Instant } from "../build/base/instant.ts";
import { isError, type Finding, type Place } from "../build/findings/finding.ts";
import { reporters } from "../build/findings/reporters.ts";
import { printable } from "../build/findings/printable.ts";
import { checkBaseUrl, formats, type Format } from "../build/model/formats.ts";
import type { CheckedSite } from "../build/site/outcome.ts";
import { SourceReader } from "../build/source/read.ts";
import type { LocalizedPage } from "../build/change/translation-groups.ts";
import { CommandError, complain, type ExitStatus, print, reporterOption } from "./command.ts";

/** Options that several commands have. */
const SHARED = {
  "reporter NAME": reporterOption("the findings", reporters),
  strict: "treat warnings as errors",
  "exit-zero": "exit with 0 instead of 1, for a job that only reports",
  "at INSTANT": {
    text: "decide at this instant which pages are live, such as 2027-03-01T10:00:00+01:00 (default: now)",
    parse: instantIn,
  },
  "base REV": "compare with this revision of git (default: the merge base with the main branch)",
  "out DIR": "write the output to DIR (default: public)",
  "base-url URL": {
    text: "publish for this URL of the API (default: base_url in _site.json)",
    parse: checkBaseUrl,
  },
  "no-browse": "do not publish the browse UI; remove it if an earlier build did",
  "dry-run": "list the changes, and write nothing",
  translations: "include the translations of the page",
} as const;

type SharedOptions = typeof SHARED;

/** Some of these options, in this order. */
export const shared = <Name extends keyof SharedOptions>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, SHARED[name]])) as Pick<SharedOptions, Name>;

/** The first line of the output with `--dry-run`. */
export const DRY_RUN = "Nothing was written. Without --dry-run:\n";

/** Reads a date and time with an offset, or “now”. */
export function instantIn(written: string, option: string): Instant {
  if (written === "now") return currentInstant();
  const { expected, expectedFor, correctionOf, example, matches }: Format = formats["date-time"];
  if (matches(written)) return instantOf(written);
  const right = correctionOf?.(written);
  throw new CommandError(
    `${option}: expected ${expectedFor?.(written) ?? expected}, such as ${right !== undefined && matches(right) ? right : example}; found “${printable(written)}”.`,
  );
}

/** The lines about translations that stay. @param isGiven whether `--translations` is */
export const translationsLeft = (
  here: (file: string) => string,
  left: readonly LocalizedPage[],
  isGiven: boolean,
): string[] =>
  left.length === 0
    ? []
    : [
        isGiven ? "These translations stay:" : "Its translations stay; --translations includes them:",
        ...left.map(
          ({ file, language, isDraft }) => `  ${here(file)} (${language.label}${isDraft ? ", a draft" : ""})`,
        ),
      ];

/** The path of a file of a content folder, relative to the current folder. */
export function pathsFromHere(content: string): (file: string) => string {
  const folder = relative("", resolve(content));
  return (file) => (isAbsolute(file) ? relative("", file) : folder === "" ? file : `${folder}/${file}`);
}

/** Prints lines that contain third-party texts. */
export const printLines = (lines: readonly string[]): void =>
  print(lines.map((line) => `${printable(line)}\n`).join(""));

/**
 * Prints the findings of a content folder and, if there is no error, the command's other output, with more data for
 * programs. Returns the exit status.
 */
export function report(
  name: keyof typeof reporters,
  content: string,
  { pages, findings }: CheckedSite,
  own: { result?: string; more?: Record<string, unknown> } | string = {},
): ExitStatus {
  const fails = findings.some(isError);
  const output = reporters[name]({
    pages,
    findings: findings.map(withPlaces(name === "github" ? annotatedPaths(content) : pathsFromHere(content))),
    textOf: textReader(),
    ...(fails ? {} : typeof own === "string" ? { result: own } : own),
  });
  complain(output.stderr, { commands: output.commands === true });
  print(output.stdout);
  return fails ? 1 : 0;
}

/** GitHub reads the paths of annotations from the checkout's folder, also if the command runs in a folder below it. */
function annotatedPaths(content: string): (file: string) => string {
  const here = pathsFromHere(content);
  const { GITHUB_WORKSPACE: workspace } = process.env;
  return (file) => {
    const path = resolve(here(file));
    return workspace && isInside(path, workspace) ? relative(workspace, path) : here(file);
  };
}

/** Changes the paths of a finding; findings name files relative to the content folder. */
function withPlaces(path: (file: string) => string): (finding: Finding) => Finding {
  const moved = (place: Place): Place => ({ ...place, file: path(place.file) });
  return (f) =>
    f.other ? { ...f, place: moved(f.place), other: moved(f.other) } : { ...f, place: moved(f.place) };
}

/** Reads the files that findings name, like sources. The last file is cached, because findings are sorted. */
function textReader(): (file: string) => string | undefined {
  const reader = new SourceReader();
  let last: { file: string; text: string | undefined } | undefined;
  return (file) => {
    if (last?.file !== file) last = { file, text: reader.textOf(file)?.replace(/^\ufeff/, "") };
    return last.text;
  };
}
