import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import type { Site } from "../../build/model/site.ts";
import { gitEnvironment } from "../../build/source/git.ts";
import type { Measurement, Row } from "./measure.ts";
import { evenly, isPage, sourcePaths, type MeasuredSite } from "./site.ts";

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

const script = (...args: string[]): string[] => [
  process.execPath,
  join(PROGRAM_FOLDER, "scripts/run.mjs"),
  ...args,
];

const build = (name: string, before?: Row["before"], options = ["--no-browse"]): Row => ({
  name,
  command: ({ content }, output) =>
    script("build", "--site", PROGRAM_FOLDER, "--content", content, "--out", output, ...options),
  before,
});

const diff = (name: string, change: (site: MeasuredSite) => () => void): Row => ({
  name: `diff, ${name}`,
  command: ({ content }) => script("diff", "--content", content, "--base", "HEAD"),
  before: (site) => {
    commitAll(site);
    return change(site);
  },
});

// Other generators write no browse UI, so it is measured in rows of its own.
export const BUILD = build("build, as a process of its own");

const figuresOf = (output: string): string => `${output}-figures.json`;

const COPY: Row = {
  name: "cp -r content",
  leavesOut: "checks nothing, derives nothing: the baseline",
  command: ({ content }, output) => ["cp", "-r", content, output],
};

const SAVE: Row = {
  name: "a save, until dev serves its page",
  leavesOut: "one of 25, at the median",
  command: ({ content }, output) => script("bench/saves", content, output, "25", figuresOf(output)),
  measured: (output) => JSON.parse(readFileSync(figuresOf(output), "utf8")) as Measurement,
};

/** The rows of this project. Those of a series run in one output folder. */
export const SERIES: readonly (readonly Row[])[] = [
  [COPY],
  [BUILD, build("nothing to do"), build("one page edited", edit(1))],
  [
    build("the same, with the browse UI", undefined, []),
    build("one page edited, with the browse UI", edit(1), []),
  ],
  [SAVE],
  [diff("five pages edited", edit(5)), diff("every page moved", moveAll)],
];

function commitAll({ content }: MeasuredSite): void {
  // Outside of the content folder, because others copy it.
  const repository = `${content}.git`;
  if (existsSync(repository)) return;
  const git = (...args: string[]): Buffer =>
    execFileSync("git", args, { cwd: content, env: gitEnvironment() });
  git("init", "--quiet", `--separate-git-dir=${repository}`);
  git("add", "--all");
  git("-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "-m", "base");
}

const hugoFolder = ({ content }: MeasuredSite): string => `${content}-hugo`;

/** The fastest of other generators; undefined if it is not installed. */
export function hugo(): Row | undefined {
  const { stdout } = spawnSync("hugo", ["version"], { encoding: "utf8" });
  const version = /^hugo v([\d.]+)/.exec(stdout ?? "")?.[1];
  if (version === undefined) return undefined;
  return {
    name: `Hugo ${version}`,
    leavesOut:
      "checks nothing, fills in no defaults, rebuilds everything each time, keeps removed pages; its sources were converted beforehand, not timed",
    isPeer: true,
    command: (site, output) => ["hugo", "--quiet", "--source", hugoFolder(site), "--destination", output],
    before: writeHugoSite,
  };
}

/**
 * Writes the same pages in Hugo's format. Hugo creates no pages from data files and lowercases the keys of front matter. So
 * the source is the content of a page, below a front matter with the fields that Hugo itself needs. Hugo's home page cannot
 * be moved, so the whole site is one folder deeper.
 */
function writeHugoSite(measured: MeasuredSite): undefined {
  const [folder, { content }] = [hugoFolder(measured), measured];
  if (existsSync(folder)) return;
  const files = join(PROGRAM_FOLDER, "scripts/bench/hugo");
  cpSync(join(files, "hugo.json"), join(folder, "hugo.json"));
  // Hugo requires this name, with the extension of the output. The template is not JSON.
  cpSync(join(files, "page.gotmpl"), join(folder, "layouts/_default/page.json"));
  const site = JSON.parse(readFileSync(join(content, "_site.json"), "utf8")) as Partial<Site>;
  for (const path of sourcePaths(content).filter(isPage)) {
    const text = readFileSync(join(content, path), "utf8");
    const { id, meta, title } = JSON.parse(text) as { id: number; meta: { type: string }; title: string };
    const slugs = path.replace(/(?:\/?index)?\.json$/, "").split("/");
    const named = slugs.filter((slug) => slug !== "" && !slug.startsWith("_"));
    const end = named.length === 0 || site.append_slash !== false ? "/" : "";
    const front = {
      id,
      title,
      pagetype: meta.type,
      slug: named.at(-1) ?? "home",
      url: `/api/v2/pages/${id}/`,
      detail: `${site.base_url}/api/v2/pages/${id}/`,
      address: [site.site_url, ...named].join("/") + end,
      layout: "page",
    };
    const name = basename(path) === "index.json" ? "_index.md" : basename(path).replace(/json$/, "md");
    const file = join(folder, "content/home", dirname(path), name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(front)}\n\n${text}`);
  }
}
