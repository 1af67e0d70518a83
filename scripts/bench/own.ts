import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { gitEnvironment } from "../../build/source/git.ts";
import { declareTypes } from "./declared.ts";
import type { Command, Measurement } from "./measure.ts";
import type { BenchRow, BenchStep, Candidate } from "./rounds.ts";
import {
  editFive,
  editSample,
  moveAll,
  offerBulk,
  offerEditor,
  offerIndex,
  warnOfEveryTitle,
  faultOf,
  type MeasuredSite,
} from "./site.ts";

const rowNamed = (name: string, leavesOut = ""): BenchRow => ({ name, leavesOut });

export const COPY = rowNamed("cp -r content", "checks nothing, derives nothing: the baseline");
export const BUILD = rowNamed("build, as a process of its own");
export const WITH_BROWSE = rowNamed("the same, with the browse UI");
export const WITH_WARNINGS = rowNamed("the same, with a warning on every page", "writes other titles");
export const DECLARED = rowNamed("the same, with page types that the site declares", "derives fewer fields");
const WITH_BULK = rowNamed("the same, with the bulk download");
const EDITED_BULK = rowNamed("one page edited, with the bulk download");
const WITH_INDEX = rowNamed("the same, with the files for websites");
const EDITED_INDEX = rowNamed("one page edited, with the files for websites");
const WITH_EDITOR = rowNamed("the same, with the browse UI and its editor");
const NOTHING_EDITOR = rowNamed("nothing to do, with the browse UI and its editor");
const EDITED_EDITOR = rowNamed("one page edited, with the browse UI and its editor");
const NPM_BUILD = rowNamed("npm run build");
export const NOTHING = rowNamed("npm run build, nothing to do");
export const EDITED = rowNamed("npm run build, one page edited");
export const SAVE = rowNamed("a save, until dev serves its page", "one of 25, at the median");
export const DIFF_FIVE = rowNamed("npm run diff, five pages edited");
export const DIFF_ALL = rowNamed("npm run diff, every page moved");
const FORMS = [
  "from Edit to the form of a page, in Chromium",
  "from a keystroke to its finding, in Chromium",
  "the same, from Edit, for a work with every field",
  "the same, from a keystroke, on a work with every field",
].map((name) => rowNamed(name, "one of 9, at the median; memory: JavaScript"));

export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

type SiteEdit = (site: MeasuredSite) => () => void;

const both =
  (...changes: SiteEdit[]): SiteEdit =>
  (site) => {
    const undo = changes.map((change) => change(site));
    return () => undo.forEach((one) => one());
  };

const copyOf = (site: MeasuredSite, name: string): MeasuredSite => ({
  ...site,
  content: `${site.content}.${name}`,
});

/** The repository of a content folder is outside of it, because other candidates copy the folder. */
const repositoryOf = ({ content }: MeasuredSite): string => `${content}.git`;

export function makeRepository(site: MeasuredSite): void {
  const git = (...args: string[]): Buffer =>
    execFileSync("git", args, { cwd: site.content, env: gitEnvironment() });
  git("init", "--quiet", `--separate-git-dir=${repositoryOf(site)}`);
  git("add", "--all");
  git("-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "-m", "base");
}

/** A command of this project that writes its own measurements to the file that is its last argument. */
function measuring(rows: readonly BenchRow[], command: Command, output: string): BenchStep {
  const figures = `${output}-figures.json`;
  return {
    rows,
    command: { ...command, args: [...command.args, figures] },
    measured: () => JSON.parse(readFileSync(figures, "utf8")) as Measurement[],
  };
}

const target = ({ content }: MeasuredSite, output: string): string[] => [
  "--content",
  content,
  "--out",
  output,
];

/** Builds of the whole site, one after another into the same output, each after a change of the sources. */
const builds = (
  commandOf: (site: MeasuredSite, output: string) => Command,
  ...measured: [row: BenchRow, change?: SiteEdit][]
): Candidate => ({
  steps: (site, output) =>
    measured.map(([row, change]) => ({
      rows: [row],
      command: commandOf(site, output),
      before: change && (() => change(site)),
      fault: () => faultOf(output, site),
    })),
});

/** The measurements of this project and of the baseline. Those of a small site include waits of people. */
export function ownCandidates(project: string, isSmall: boolean): Candidate[] {
  const script = (...args: string[]): Command => ({
    file: process.execPath,
    args: ["scripts/run.mjs", ...args],
    folder: project,
  });
  // Other generators write no browse UI, so it is measured in a row of its own.
  const build = (site: MeasuredSite, output: string): Command =>
    script("build", ...target(site, output), "--no-browse");
  const always: Candidate[] = [
    {
      steps: ({ content }, output) => [
        { rows: [COPY], command: { file: "cp", args: ["-r", content, output], folder: "/" } },
      ],
    },
    builds(build, [BUILD]),
    builds((site, output) => script("build", ...target(site, output)), [WITH_BROWSE]),
    {
      prepare: (site) => warnOfEveryTitle(site.content, copyOf(site, "warned").content),
      ...builds((site, output) => build(copyOf(site, "warned"), output), [WITH_WARNINGS]),
    },
    {
      prepare: (site) => declareTypes(site.content, copyOf(site, "declared").content),
      ...builds((site, output) => build(copyOf(site, "declared"), output), [DECLARED]),
    },
    builds(build, [WITH_BULK, offerBulk], [EDITED_BULK, both(offerBulk, editSample)]),
    builds(build, [WITH_INDEX, offerIndex], [EDITED_INDEX, both(offerIndex, editSample)]),
    builds(
      (site, output) => script("bench/edited", site.content, output),
      [WITH_EDITOR, offerEditor],
      [NOTHING_EDITOR, offerEditor],
      [EDITED_EDITOR, both(offerEditor, editSample)],
    ),
    builds(
      // Started like an editor starts them.
      (site, output) => ({
        file: "npm",
        args: ["run", "build", "--", ...target(site, output), "--no-browse"],
        folder: project,
      }),
      [NPM_BUILD],
      [NOTHING],
      [EDITED, editSample],
    ),
  ];
  if (!isSmall) return always;

  const compare = ({ content }: MeasuredSite): Command =>
    script("diff", "--content", content, "--base", "HEAD");
  return [
    ...always,
    {
      steps: ({ content }, output) => [
        measuring([SAVE], script("bench/saves", content, output, "25"), output),
      ],
    },
    {
      prepare: makeRepository,
      steps: (site) => [
        { rows: [DIFF_FIVE], command: compare(site), before: () => editFive(site) },
        { rows: [DIFF_ALL], command: compare(site), before: () => moveAll(site) },
      ],
    },
    ...(existsSync(CHROMIUM)
      ? [
          {
            steps: ({ content }: MeasuredSite, output: string) => [
              measuring(FORMS, script("bench/forms", content, output, "9"), output),
            ],
          },
        ]
      : []),
  ];
}
