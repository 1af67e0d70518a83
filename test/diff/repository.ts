import { execFileSync } from "node:child_process";
import type { Comparison } from "../../build/diff/comparison.ts";
import { workplace, writeSite, type Workplace } from "../pipeline/site.ts";

/** Runs git in a folder, with a test user and without the machine's configuration. */
export function git(folder: string, ...args: string[]): string {
  const person = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...person, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

export function commit(folder: string): string {
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--allow-empty", "--message", "sources");
  return git(folder, "rev-parse", "HEAD").trim();
}

/** A checkout with a committed site on its main branch. */
export function repository(name: string, sources?: Record<string, unknown>): Workplace {
  const place = workplace(name);
  writeSite(place.content, sources);
  git(place.folder, "init", "--quiet", "--initial-branch", "main");
  commit(place.folder);
  return place;
}

export const ids = (pages: readonly { id: number }[]): number[] => pages.map(({ id }) => id);
export const codes = ({ findings }: Comparison): string[] => findings.map(({ code }) => code);
export const fieldsOf = (
  pages: readonly { id: number; fields: { field: string }[] }[],
  id: number,
): string[] => pages.find((one) => one.id === id)?.fields.map(({ field }) => field) ?? [];
