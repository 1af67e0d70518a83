import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { gitEnvironment } from "../../build/source/git.ts";
import { countPages, evenly, leavesOf } from "./site.ts";
import type { Command, Measurement } from "./measure.ts";
import type { MeasuredSite, Row, Series } from "./rounds.ts";

export const siteIn = (content: string): MeasuredSite => ({
  content,
  pages: countPages(content),
  leaves: leavesOf(content),
});

/** `undo` restores the file. */
export function editTitle(file: string, more: string) {
  const text = readFileSync(file, "utf8");
  const { id, title } = JSON.parse(text) as { id: number; title: string };
  writeFileSync(file, text.replace(JSON.stringify(title), JSON.stringify(title + more)));
  return { id, title: title + more, undo: () => writeFileSync(file, text) };
}

const edit =
  (count: number) =>
  ({ content, leaves }: MeasuredSite): (() => void) => {
    const edits = evenly(leaves, count).map((path) => editTitle(join(content, path), ", edited"));
    return () => edits.forEach(({ undo }) => undo());
  };

/** Renames every top-level folder, so that all its pages move. Returns a function that moves them back. */
function moveAll({ content }: MeasuredSite): () => void {
  const folders = readdirSync(content, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^[._]/.test(entry.name))
    .map(({ name }) => join(content, name));
  for (const folder of folders) renameSync(folder, `${folder}-moved`);
  return () => folders.forEach((folder) => renameSync(`${folder}-moved`, folder));
}

const script = (...args: string[]): Command => ({
  file: process.execPath,
  args: ["scripts/run.mjs", ...args],
  folder: PROGRAM_FOLDER,
});

const build = (
  name: string,
  { before, browse = false }: { before?: Row["before"]; browse?: boolean } = {},
): Row => ({
  name,
  isBuild: true,
  command: ({ content }, output) =>
    script("build", "--content", content, "--out", output, ...(browse ? [] : ["--no-browse"])),
  before,
});

// Other generators write no browse UI, so it is measured in rows of its own.
export const BUILD = build("build, as a process of its own");

export const builds: readonly Series[] = [
  {
    rows: [
      {
        name: "cp -r content",
        leavesOut: "checks nothing, derives nothing: the baseline",
        command: ({ content }, output) => ({ file: "cp", args: ["-r", content, output], folder: "/" }),
      },
    ],
  },
  { rows: [BUILD, build("nothing to do"), build("one page edited", { before: edit(1) })] },
  {
    rows: [
      build("the same, with the browse UI", { browse: true }),
      build("one page edited, with the browse UI", { before: edit(1), browse: true }),
    ],
  },
];

const figuresOf = (output: string): string => `${output}-figures.json`;

export const saves: Series = {
  rows: [
    {
      name: "a save, until dev serves its page",
      leavesOut: "one of 25, at the median",
      command: ({ content }, output) => script("bench/saves", content, output, "25", figuresOf(output)),
      measured: (output) => JSON.parse(readFileSync(figuresOf(output), "utf8")) as Measurement,
    },
  ],
};

const diff = (name: string, before: Row["before"]): Row => ({
  name: `diff, ${name}`,
  command: ({ content }) => script("diff", "--content", content, "--base", "HEAD"),
  before,
});

export const diffs: Series = {
  prepare: ({ content }) => {
    const git = (...args: string[]): Buffer =>
      execFileSync("git", args, { cwd: content, env: gitEnvironment() });
    // Outside of the content folder, because others copy it.
    git("init", "--quiet", `--separate-git-dir=${content}.git`);
    git("add", "--all");
    git("-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "-m", "base");
  },
  rows: [diff("five pages edited", edit(5)), diff("every page moved", moveAll)],
};
