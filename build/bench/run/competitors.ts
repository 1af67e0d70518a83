import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Contender, Row } from "./candidate.ts";
import { writeHugoContent } from "./hugo-content.ts";
import { faultOf, type Site } from "./site.ts";

/** A peer is there, or it is not and this is why. */
export type Peer = Contender | { rows: readonly [Row]; missing: string };

export interface Places {
  /** The peers' own files, in the project. */
  sources: string;
  /** Where they are installed: outside the project's dependencies. */
  installed: string;
  /** Where this run's files go. */
  work: string;
}

const SAME = "checks nothing, fills in no default, rebuilds all each time";

const row = (name: string, leavesOut: string): Row => ({ name, kind: "peer", leavesOut });

/** Peers in JavaScript may use half of the machine's memory before Node gives up. */
const heap = (bytes: number): Record<string, string> => ({
  NODE_OPTIONS: `--max-old-space-size=${Math.floor(bytes / 2 / 2 ** 20)}`,
});

export function findHugo(places: Places): Peer {
  const version = hugoVersion() ?? installedHugo();
  const hugo = row(
    `Hugo ${version ?? ""}`.trim(),
    `${SAME}, leaves pages that are gone; its sources were put into its own form beforehand, not timed`,
  );
  if (version === undefined) return { rows: [hugo], missing: "not installed: no `hugo` is on the PATH" };
  const folderOf = (site: Site): string => join(places.work, `hugo-${site.pages}`);
  return {
    rows: [hugo],
    prepare: (site) => {
      const folder = folderOf(site);
      if (existsSync(folder)) return;
      cpSync(join(places.sources, "hugo/hugo.json"), join(folder, "hugo.json"));
      // Hugo finds a template by its output's ending, JSON, which it is not: hence the other name in the project.
      cpSync(join(places.sources, "hugo/page.gotmpl"), join(folder, "layouts/_default/page.json"));
      writeHugoContent(site.content, join(folder, "content"));
    },
    runs: (site, output) => [
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

/** Debian's package, where this may be installed. */
function installedHugo(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "hugo"], {
    stdio: "ignore",
    timeout: 300_000,
  });
  return hugoVersion();
}

export const findEleventy = (places: Places, memory: number): Peer =>
  npmPeer(places, memory, {
    folder: "eleventy",
    title: "Eleventy",
    module: "@11ty/eleventy",
    args: ["node_modules/@11ty/eleventy/cmd.cjs"],
    leavesOut: `${SAME}, leaves pages that are gone`,
  });

/** Both ways that Astro has: its content collections, and an endpoint that reads the files itself, which is faster. */
export const findAstro = (places: Places, memory: number): Peer[] =>
  ["endpoint", "collection"].map((variant) =>
    npmPeer(places, memory, {
      folder: "astro",
      title: "Astro",
      variant,
      module: "astro",
      args: ["node_modules/astro/astro.js", "build", "--silent"],
      leavesOut: `${SAME}, empties the output first, so readers miss pages meanwhile`,
    }),
  );

interface NpmPeer {
  folder: string;
  title: string;
  variant?: string;
  module: string;
  args: readonly string[];
  leavesOut: string;
}

function npmPeer({ sources, installed }: Places, memory: number, peer: NpmPeer): Peer {
  const folder = join(installed, peer.folder);
  const failure = install(join(sources, peer.folder), join(sources, "read-pages.js"), folder, peer.module);
  const version = `${peer.title} ${pinned(join(sources, peer.folder), peer.module)}`;
  const name = peer.variant === undefined ? version : `${version}, ${peer.variant}`;
  const own = row(name, peer.leavesOut);
  if (failure !== undefined) return { rows: [own], missing: `could not be installed: ${failure}` };
  return {
    rows: [own],
    runs: (site, output) => [
      {
        row: own,
        command: {
          file: process.execPath,
          args: peer.args,
          folder,
          env: {
            ...heap(memory),
            ASTRO_TELEMETRY_DISABLED: "1",
            BENCH_CONTENT: site.content,
            BENCH_VARIANT: peer.variant ?? "",
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
  // npm writes this file last: without it, an installation was interrupted.
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
