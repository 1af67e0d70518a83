import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitEnvironment } from "../../../build/sources/git.ts";
import type { Candidate, BenchRow } from "./candidate.ts";
import type { Command, Measurement } from "./measure.ts";
import {
  countRewritten,
  disownPaths,
  editFive,
  editSample,
  moveAll,
  offerBulk,
  offerEditor,
  warnOfEveryTitle,
  faultOf,
  identities,
  type MeasuredSite,
} from "./site.ts";

const row = (name: string, kind: BenchRow["kind"], leavesOut = ""): BenchRow => ({ name, kind, leavesOut });

export const COPY = row("cp -r content", "baseline", "checks nothing, derives nothing: the baseline");
export const START_UP = row("start-up: an npm script that only loads tsx", "baseline", "does nothing");
export const BUILD = row("build, as a process of its own", "build");
export const WITH_PAGE = row("the same, with the browse UI", "build");
export const WITHOUT_OWNED_PATHS = row("the same, without owned_paths", "build", "looks up no links");
export const WITH_WARNINGS = row("the same, with a warning on every page", "build", "writes other titles");
export const WITH_BULK = row("the same, with the bulk download", "build");
export const WITH_EDITOR = row("the same, with the browse UI and its editor", "build");
export const NOTHING_EDITOR = row("nothing to do, with the browse UI and its editor", "again");
export const EDITED_EDITOR = row("one page edited, with the browse UI and its editor", "again");
export const FORM = row(
  "from Edit to the form of a page, in Chromium",
  "live",
  "one of 9, at the median; memory: JavaScript",
);
export const KEYSTROKE = row(
  "from a keystroke to its finding, in Chromium",
  "live",
  "one of 9, at the median; memory: JavaScript",
);
const FULL_FORM = row(
  "the same, from Edit, for a work with every field",
  "live",
  "one of 9, at the median; memory: JavaScript",
);
const FULL_KEYSTROKE = row(
  "the same, from a keystroke, on a work with every field",
  "live",
  "one of 9, at the median; memory: JavaScript",
);
export const EDITED_BULK = row("one page edited, with the bulk download", "again");
export const NPM_BUILD = row("npm run build", "build");
export const NOTHING = row("npm run build, nothing to do", "again");
export const EDITED = row("npm run build, one page edited", "again");

export const SAVE = row("a save, until dev serves its page", "live", "one of 25, at the median");
export const DIFF_FIVE = row("npm run diff, five pages edited", "live");
export const DIFF_ALL = row("npm run diff, every page moved", "live");

/** Other generators write no browse UI, so it is measured in a row of its own. */
const NO_PAGE: readonly string[] = ["--no-browse"];

export const copy: Candidate = {
  rows: [COPY],
  steps: ({ content }, output) => [
    { row: COPY, command: { file: "cp", args: ["-r", content, output], folder: "/" } },
  ],
};

/** Writes a package to `folder` whose only script loads `tsx` and does nothing else. */
export function startUp(folder: string): Candidate {
  mkdirSync(folder, { recursive: true });
  const loader = import.meta.resolve("tsx");
  const scripts = { "start-up": `node --import ${loader} empty.ts` };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", scripts }));
  writeFileSync(join(folder, "empty.ts"), "export {};\n");
  return {
    rows: [START_UP],
    steps: () => [{ row: START_UP, command: { file: "npm", args: ["run", "start-up"], folder } }],
  };
}

export const build = (project: string): Candidate => fullBuild(project, BUILD, NO_PAGE);

export const buildWithPage = (project: string): Candidate => fullBuild(project, WITH_PAGE, []);

/** A full build and one of an edit, both with the bulk download. */
export const buildsWithBulk = (project: string): Candidate => ({
  rows: [WITH_BULK, EDITED_BULK],
  steps: (site, output) => {
    const { command, fault } = fullStep(project, site, output);
    return [
      { row: WITH_BULK, before: () => offerBulk(site), command, fault },
      {
        row: EDITED_BULK,
        before: () => {
          const undo = [offerBulk(site), editSample(site)];
          return () => undo.forEach((one) => one());
        },
        command,
        fault,
      },
    ];
  },
});

/** A full build, one with nothing to do and one of an edit, all with the editor of the published browse UI. */
export const buildsWithEditor = (project: string): Candidate => ({
  rows: [WITH_EDITOR, NOTHING_EDITOR, EDITED_EDITOR],
  steps: (site, output) => {
    const args = ["scripts/run.mjs", "bench/edited", site.content, output];
    const command = { file: process.execPath, args, folder: project };
    const fault = (): string | undefined => faultOf(output, site);
    const edit = (): (() => void) => {
      const undo = [offerEditor(site), editSample(site)];
      return () => undo.forEach((one) => one());
    };
    return [
      { row: WITH_EDITOR, before: () => offerEditor(site), command, fault },
      { row: NOTHING_EDITOR, before: () => offerEditor(site), command, fault },
      { row: EDITED_EDITOR, before: edit, command, fault },
    ];
  },
});

const FORMS = 9;

/** The times of the editor in a published site. */
export const forms = (project: string): Candidate => ({
  rows: [FORM, KEYSTROKE, FULL_FORM, FULL_KEYSTROKE],
  steps: ({ content }, output) =>
    [FORM, KEYSTROKE, FULL_FORM, FULL_KEYSTROKE].map((one) => {
      const figures = `${output}-figures.json`;
      const what = one === FORM || one === FULL_FORM ? "form" : "finding";
      const which = one === FORM || one === KEYSTROKE ? "any" : "full";
      const args = ["scripts/run.mjs", "bench/forms", content, output, `${FORMS}`, figures, what, which];
      return {
        row: one,
        command: { file: process.execPath, args, folder: project },
        measured: () => JSON.parse(readFileSync(figures, "utf8")) as Measurement,
      };
    }),
});

/** A build without `owned_paths`: the difference is the cost of checking links. */
export const buildWithoutOwnedPaths = (project: string): Candidate =>
  fullBuild(project, WITHOUT_OWNED_PATHS, NO_PAGE, disownPaths);

const warned = (site: MeasuredSite): MeasuredSite => ({ ...site, content: `${site.content}.warned` });

/** A build of the same pages, each with a warning: what it takes more is the cost of finding and placing them. */
export const buildWithWarnings = (project: string): Candidate => {
  return {
    rows: [WITH_WARNINGS],
    prepare: (site) => warnOfEveryTitle(site.content, warned(site).content),
    steps: (site, output) => [{ row: WITH_WARNINGS, ...fullStep(project, warned(site), output) }],
  };
};

const fullBuild = (
  project: string,
  own: BenchRow,
  more: readonly string[],
  before: (site: MeasuredSite) => () => void = () => () => undefined,
): Candidate => ({
  rows: [own],
  steps: (site, output) => [
    { row: own, before: () => before(site), ...fullStep(project, site, output, more) },
  ],
});

/** The arguments that `npm run build` gives Node. */
function buildArguments(project: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
    scripts: { build: string };
  };
  return scripts.build.split(" ").slice(1);
}

const fullStep = (project: string, site: MeasuredSite, output: string, more = NO_PAGE) => ({
  command: {
    file: process.execPath,
    args: [...buildArguments(project), ...target(site, output), ...more],
    folder: project,
  },
  fault: () => faultOf(output, site),
});

/** A full build, one with nothing to do, and one after an edit of one page, started like an editor starts them. */
export function npmBuild(project: string, rewritten: (pages: number) => void): Candidate {
  return {
    rows: [NPM_BUILD, NOTHING, EDITED],
    steps: (site, output) => {
      const command = {
        file: "npm",
        args: ["run", "build", "--", ...target(site, output), ...NO_PAGE],
        folder: project,
      };
      let before = new Map<string, string>();
      return [
        { row: NPM_BUILD, command, fault: () => faultOf(output, site) },
        { row: NOTHING, command, fault: () => faultOf(output, site) },
        {
          row: EDITED,
          command,
          before: () => {
            before = identities(output);
            return editSample(site);
          },
          fault: () => {
            const count = countRewritten(before, identities(output));
            rewritten(count);
            return count === 0 ? "the edited page was not rewritten" : undefined;
          },
        },
      ];
    },
  };
}

const SAVES = 25;

/** The time that an editor waits after a save, with a build that stays open. */
export const saves = (project: string): Candidate => ({
  rows: [SAVE],
  steps: ({ content }, output) => {
    const figures = `${output}-figures.json`;
    const args = ["scripts/run.mjs", "bench/saves", content, output, `${SAVES}`, figures];
    return [
      {
        row: SAVE,
        command: { file: process.execPath, args, folder: project },
        measured: () => JSON.parse(readFileSync(figures, "utf8")) as Measurement,
      },
    ];
  },
});

/** Diffs of changes against the content as it was committed. */
export function diffs(project: string, repository: string): Candidate {
  const command = ({ content }: MeasuredSite): Command => ({
    file: process.execPath,
    args: ["scripts/run.mjs", "diff", "--content", content, "--base", "HEAD"],
    folder: project,
  });
  return {
    rows: [DIFF_FIVE, DIFF_ALL],
    prepare: ({ content }) => {
      const git = (...args: string[]): void =>
        void execFileSync("git", args, { cwd: content, env: gitEnvironment() });
      // The repository is outside of the content, which other candidates copy.
      git("init", "--quiet", `--separate-git-dir=${repository}`);
      git("add", "--all");
      git("-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "-m", "base");
    },
    steps: (site) => [
      { row: DIFF_FIVE, command: command(site), before: () => editFive(site) },
      { row: DIFF_ALL, command: command(site), before: () => moveAll(site) },
    ],
  };
}

const target = ({ content }: MeasuredSite, output: string): string[] => [
  "--content",
  content,
  "--out",
  output,
];
