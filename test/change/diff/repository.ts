import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Comparison } from "../../../build/change/diff/pages.ts";
import { beforeEach } from "vitest";
import { diff } from "../../../build/change/diff/diff.ts";
import { reporters } from "../../../build/change/diff/reporters.ts";
import { placeWith, type Workplace } from "../../site/site.ts";

const SETTINGS = [
  "user.name=Test",
  "user.email=test@example.org",
  "commit.gpgsign=false",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

/** Runs git in a folder, with a test user and without the machine's configuration. */
export const git = (folder: string, ...args: string[]): string => gitAt({}, folder, ...args);

function gitAt(variables: NodeJS.ProcessEnv, folder: string, ...args: string[]): string {
  return execFileSync("git", [...SETTINGS, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...variables, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** An empty repository with the branch `main`, without a run of git: many tests need one. */
export function init(folder: string): void {
  mkdirSync(join(folder, ".git/objects"), { recursive: true });
  mkdirSync(join(folder, ".git/refs/heads"), { recursive: true });
  writeFileSync(join(folder, ".git/HEAD"), "ref: refs/heads/main\n");
}

export function commit(folder: string, at?: string): void {
  git(folder, "add", "--all");
  gitAt(
    at === undefined ? {} : { GIT_COMMITTER_DATE: at },
    folder,
    "commit",
    "--quiet",
    "--allow-empty",
    "--message",
    "sources",
  );
}

/** A checkout with a committed site on its main branch. */
export function repository(name: string, sources?: Record<string, unknown>): Workplace {
  const place = placeWith(name, sources);
  init(place.folder);
  commit(place.folder);
  return place;
}

/** A new checkout for each test of a file. */
export function eachInRepository(name: string, sources?: Record<string, unknown>) {
  let place: Workplace;
  beforeEach(() => {
    place = repository(name, sources);
  });
  return {
    here: () => place,
    source: (path: string) => place.file(path),
    put: (path: string, value: unknown) => place.put(path, value),
    compare: (base?: string) => diff({ content: place.content, base }),
  };
}

export const ids = (pages: readonly { id: number }[]): number[] => pages.map(({ id }) => id);
/** The comparison as `diff` prints it. */
export const printed = (reporter: string, comparison: Comparison, preview?: string): string =>
  Array.from(reporters[reporter as keyof typeof reporters](comparison, { preview })).join("");

export const codes = ({ findings }: Comparison): string[] => findings.map(({ code }) => code);
export const fieldsOf = (
  pages: readonly { id: number; fields: { field: string }[] }[],
  id: number,
): string[] => pages.find((one) => one.id === id)?.fields.map(({ field }) => field) ?? [];
