import { readFileSync } from "node:fs";
import { join } from "node:path";
import glob from "fast-glob";
import { PROGRAM_FOLDER } from "../build/base/folders.ts";

/** A test file that replaces modules, which are its own then. */
const replacesModules = (file: string): boolean =>
  /\bvi\.(?:mock|doMock|resetModules)\b/.test(readFileSync(join(PROGRAM_FOLDER, file), "utf8"));

/** Two projects: in one, a process loads the program once, for many test files. In the other, each file has its own process. */
export function projectsOf(
  pattern: string,
  options?: { maxWorkers: number; sequence: { groupOrder: number } },
) {
  const own = glob.sync(pattern, { cwd: PROGRAM_FOLDER }).filter(replacesModules);
  const shared = { ...options, name: "shared", include: [pattern], exclude: own, isolate: false };
  return [
    { extends: true, test: shared },
    { extends: true, test: { ...options, name: "own process", include: own } },
  ] as const;
}
