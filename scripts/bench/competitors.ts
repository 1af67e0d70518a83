import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import { readManifest } from "../init/package.ts";
import type { Site } from "../../build/model/site.ts";
import { sourcePaths } from "./input/resize.ts";
import type { BenchRow, Candidate } from "./rounds.ts";
import { faultOf, type MeasuredSite } from "./site.ts";

/** A competitor. If `missing` is the reason why it cannot run, it only has its row. */
export type Competitor = Candidate & { missing?: string | undefined };

const SAME = "checks nothing, fills in no defaults, rebuilds everything each time";

const row = (name: string, leavesOut: string): BenchRow => ({
  name,
  leavesOut: `${SAME}, ${leavesOut}`,
  isCompetitor: true,
});

/** @param work the folder for the files of this run */
export const findCompetitors = (project: string, work: string): Competitor[] => {
  const sources = join(project, "scripts/bench/competitors");
  // Separate from the project's dependencies.
  const installed = join(project, ".cache/bench/competitors");
  return [findHugo(sources, work), ...NPM_COMPETITORS.map((one) => npmCompetitor(sources, installed, one))];
};

function findHugo(sources: string, work: string): Competitor {
  const version = hugoVersion();
  const hugo = row(
    `Hugo ${version ?? ""}`.trim(),
    "keeps removed pages; its sources were converted beforehand, not timed",
  );
  const folderOf = (site: MeasuredSite): string => join(work, `hugo-${site.pages}`);
  return {
    missing:
      version === undefined
        ? "not installed: there is no `hugo` on the PATH (Debian: apt-get install hugo)"
        : undefined,
    prepare: (site) => {
      const folder = folderOf(site);
      cpSync(join(sources, "hugo/hugo.json"), join(folder, "hugo.json"));
      // Hugo requires this name, with the extension of the output. The template is not JSON, so it has another name
      // here.
      cpSync(join(sources, "hugo/page.gotmpl"), join(folder, "layouts/_default/page.json"));
      writeHugoContent(site.content, join(folder, "content"));
    },
    steps: (site, output) => [
      {
        rows: [hugo],
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

/**
 * Writes the same pages in Hugo's format. Hugo creates no pages from data files (its content adapters are newer than
 * Debian's version) and lowercases the keys of front matter. So the source is the content of a page, below a front
 * matter with the fields that Hugo itself needs. Hugo's home page cannot be moved, so the whole site is one folder
 * deeper.
 */
function writeHugoContent(content: string, target: string): void {
  const site = JSON.parse(readFileSync(join(content, "_site.json"), "utf8")) as Partial<Site>;
  for (const path of sourcePaths(content)) {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    if (name.startsWith("_")) continue;
    const text = readFileSync(join(content, path), "utf8");
    const file = name === "index.json" ? "_index.md" : name.replace(/json$/, "md");
    const whole = join(target, "home", ...parts, file);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, `${JSON.stringify(frontMatter(text, parts, name, site))}\n\n${text}`);
  }
}

function frontMatter(
  text: string,
  folders: string[],
  name: string,
  site: Partial<Site>,
): Record<string, unknown> {
  const { id, meta, title } = JSON.parse(text) as { id: number; meta: { type: string }; title: string };
  const slugs = folders.filter((folder) => !folder.startsWith("_"));
  if (name !== "index.json") slugs.push(name.replace(/\.json$/, ""));
  const end = slugs.length === 0 || site.append_slash !== false ? "/" : "";
  return {
    id,
    title,
    pagetype: meta.type,
    slug: slugs.at(-1) ?? "home",
    url: `/api/v2/pages/${id}/`,
    detail: `${site.base_url}/api/v2/pages/${id}/`,
    address: [site.site_url, ...slugs].join("/") + end,
    layout: "page",
  };
}

const NPM_COMPETITORS = [
  {
    folder: "eleventy",
    title: "Eleventy",
    module: "@11ty/eleventy",
    args: ["node_modules/@11ty/eleventy/cmd.cjs"],
    leavesOut: "keeps removed pages",
  },
  {
    folder: "astro",
    title: "Astro",
    module: "astro",
    args: ["node_modules/astro/astro.js", "build", "--silent"],
    leavesOut: "empties the output first, so pages are missing meanwhile",
  },
];

function npmCompetitor(
  sources: string,
  installed: string,
  { folder: name, title, module, args, leavesOut }: (typeof NPM_COMPETITORS)[number],
): Competitor {
  const source = join(sources, name);
  const folder = join(installed, name);
  const failure = install(source, join(sources, "read-pages.js"), folder, module);
  const own = row(`${title} ${pinned(source, module)}`, leavesOut);
  return {
    missing: failure && `could not be installed: ${failure}`,
    steps: (site, output) => [
      {
        rows: [own],
        command: {
          file: process.execPath,
          args,
          folder,
          env: {
            // Half of the machine's memory.
            NODE_OPTIONS: `--max-old-space-size=${Math.floor(totalmem() / 2 / 2 ** 20)}`,
            ASTRO_TELEMETRY_DISABLED: "1",
            BENCH_CONTENT: site.content,
            BENCH_OUTPUT: output,
          },
        },
        fault: () => faultOf(output, site),
      },
    ],
  };
}

const pinned = (folder: string, module: string): string => readManifest(folder)?.dependencies?.[module] ?? "";

/** Installs a competitor, unless it is. @returns the reason why it could not be installed */
function install(source: string, reader: string, folder: string, module: string): string | undefined {
  mkdirSync(folder, { recursive: true });
  cpSync(source, folder, { recursive: true });
  cpSync(reader, join(folder, "read-pages.js"));
  const there = join(folder, "node_modules", module);
  // npm writes this file last; if it is missing, the installation was interrupted.
  const isWhole = existsSync(join(folder, "node_modules", ".package-lock.json"));
  if (isWhole && readManifest(there)?.version === pinned(source, module)) return undefined;
  const { status, stderr, error } = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"],
    { cwd: folder, encoding: "utf8", timeout: 600_000 },
  );
  if (status === 0) return undefined;
  const lines = stderr.trim().split("\n");
  return (error?.message ?? lines.find((line) => /ERR|error/i.test(line)) ?? "npm failed").slice(0, 160);
}
