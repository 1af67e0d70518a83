import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Candidate, BenchRow } from "./candidate.ts";
import { writeHugoContent } from "./hugo-content.ts";
import { faultOf, type MeasuredSite } from "./site.ts";

/** A competitor, or the reason why it is missing. */
export type Competitor = Candidate | { rows: readonly [BenchRow]; missing: string };

export interface Places {
  /** The folder of the competitors' files in the project. */
  sources: string;
  /** The folder in which they are installed, separate from the project's dependencies. */
  installed: string;
  /** The folder for the files of this run. */
  work: string;
}

const SAME = "checks nothing, fills in no defaults, rebuilds everything each time";

const row = (name: string, leavesOut: string): BenchRow => ({ name, kind: "competitor", leavesOut });

/** Lets competitors in JavaScript use half of the machine's memory. */
const heap = (bytes: number): Record<string, string> => ({
  NODE_OPTIONS: `--max-old-space-size=${Math.floor(bytes / 2 / 2 ** 20)}`,
});

export function findHugo(places: Places): Competitor {
  const version = hugoVersion() ?? installedHugo();
  const hugo = row(
    `Hugo ${version ?? ""}`.trim(),
    `${SAME}, keeps removed pages; its sources were converted beforehand, not timed`,
  );
  if (version === undefined)
    return { rows: [hugo], missing: "not installed: there is no `hugo` on the PATH" };
  const folderOf = (site: MeasuredSite): string => join(places.work, `hugo-${site.pages}`);
  return {
    rows: [hugo],
    prepare: (site) => {
      const folder = folderOf(site);
      if (existsSync(folder)) return;
      cpSync(join(places.sources, "hugo/hugo.json"), join(folder, "hugo.json"));
      // Hugo requires this name, with the extension of the output. The template is not JSON, so it has another name
      // here.
      cpSync(join(places.sources, "hugo/page.gotmpl"), join(folder, "layouts/_default/page.json"));
      writeHugoContent(site.content, join(folder, "content"));
    },
    steps: (site, output) => [
      {
        row: hugo,
        command: { file: "hugo", args: ["--quiet", "--destination", output], folder: folderOf(site) },
        fault: () => faultOf(output, site),
      },
    ],
  };
}

function hugoVersion(): string | undefined {
  const { stdout } = spawnSync("hugo", ["version"], { encoding: "utf8" });
  return /^hugo v([\d.]+)/.exec(stdout ?? "")?.[1];
}

/** Installs Debian's package if this process may do so. */
function installedHugo(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "hugo"], {
    stdio: "ignore",
    timeout: 300_000,
  });
  return hugoVersion();
}

export const findEleventy = (places: Places, memory: number): Competitor =>
  npmCompetitor(places, memory, {
    folder: "eleventy",
    title: "Eleventy",
    module: "@11ty/eleventy",
    args: ["node_modules/@11ty/eleventy/cmd.cjs"],
    leavesOut: `${SAME}, keeps removed pages`,
  });

/** Astro in its two ways: content collections, and an endpoint that reads the files itself, which is faster. */
export const findAstro = (places: Places, memory: number): Competitor[] =>
  ["endpoint", "collection"].map((variant) =>
    npmCompetitor(places, memory, {
      folder: "astro",
      title: "Astro",
      variant,
      module: "astro",
      args: ["node_modules/astro/astro.js", "build", "--silent"],
      leavesOut: `${SAME}, empties the output first, so pages are missing meanwhile`,
    }),
  );

interface NpmCompetitor {
  folder: string;
  title: string;
  variant?: string;
  module: string;
  args: readonly string[];
  leavesOut: string;
}

function npmCompetitor(
  { sources, installed }: Places,
  memory: number,
  competitor: NpmCompetitor,
): Competitor {
  const folder = join(installed, competitor.folder);
  const failure = install(
    join(sources, competitor.folder),
    join(sources, "read-pages.js"),
    folder,
    competitor.module,
  );
  const version = `${competitor.title} ${pinned(join(sources, competitor.folder), competitor.module)}`;
  const name = competitor.variant === undefined ? version : `${version}, ${competitor.variant}`;
  const own = row(name, competitor.leavesOut);
  if (failure !== undefined) return { rows: [own], missing: `could not be installed: ${failure}` };
  return {
    rows: [own],
    steps: (site, output) => [
      {
        row: own,
        command: {
          file: process.execPath,
          args: competitor.args,
          folder,
          env: {
            ...heap(memory),
            ASTRO_TELEMETRY_DISABLED: "1",
            BENCH_CONTENT: site.content,
            BENCH_VARIANT: competitor.variant ?? "",
            BENCH_OUTPUT: output,
          },
        },
        fault: () => faultOf(output, site),
      },
    ],
  };
}

interface Package {
  version: string;
  dependencies: Record<string, string>;
}

const readPackage = (folder: string): Package =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;

const pinned = (folder: string, module: string): string => readPackage(folder).dependencies[module] ?? "";

function install(source: string, reader: string, folder: string, module: string): string | undefined {
  mkdirSync(folder, { recursive: true });
  cpSync(source, folder, { recursive: true });
  cpSync(reader, join(folder, "read-pages.js"));
  const there = join(folder, "node_modules", module);
  // npm writes this file last; if it is missing, the installation was interrupted.
  const isWhole = existsSync(join(folder, "node_modules", ".package-lock.json"));
  if (isWhole && existsSync(there) && readPackage(there).version === pinned(source, module)) return undefined;
  const { status, stderr, error } = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"],
    { cwd: folder, encoding: "utf8", timeout: 600_000 },
  );
  if (status === 0) return undefined;
  return (
    error?.message ??
    stderr
      .trim()
      .split("\n")
      .find((line) => /ERR|error/i.test(line)) ??
    "npm failed"
  ).slice(0, 160);
}
