import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Candidate, Row } from "./candidate.ts";
import { countRewritten, editSample, faultOf, identities, type MeasuredSite } from "./site.ts";

const row = (name: string, kind: Row["kind"], leavesOut = ""): Row => ({ name, kind, leavesOut });

export const COPY = row("cp -r content", "yardstick", "checks nothing, derives nothing: the yardstick");
export const START_UP = row("start-up: an npm script that only loads tsx", "yardstick", "does nothing");
export const BUILD = row("build, as a process of its own", "build");
export const WITH_PAGE = row("the same, with the page to look at", "build");
export const NPM_BUILD = row("npm run build", "build");
export const NOTHING = row("npm run build, nothing to do", "again");
export const EDITED = row("npm run build, one page edited", "again");

export const copy: Candidate = {
  rows: [COPY],
  steps: ({ content }, output) => [
    { row: COPY, command: { file: "cp", args: ["-r", content, output], folder: "/" } },
  ],
};

/** `folder` gets the package whose one script loads `tsx` and nothing else. */
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

const fullBuild = (project: string, own: Row, more: readonly string[]): Candidate => ({
  rows: [own],
  steps: (site, output) => [
    {
      row: own,
      command: {
        file: process.execPath,
        args: ["scripts/run.mjs", "build", ...target(site, output), ...more],
        folder: project,
      },
      fault: () => faultOf(output, site),
    },
  ],
});

/** A full build, one with nothing to do and one with one page edited, as an editor would start them. */
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

/** The generators write no such page either: it has a row of its own. */
const NO_PAGE = ["--no-browse"];

const target = ({ content }: MeasuredSite, output: string): string[] => [
  "--content",
  content,
  "--out",
  output,
];
