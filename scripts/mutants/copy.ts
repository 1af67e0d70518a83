import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { statIfThere } from "../../build/base/stat.ts";
import type { Constant } from "./constants.ts";

/** The result of a run of tests: all pass, one fails, or the time is over. */
export type Result = "passed" | "failed" | "over";

/** A copy of the project in which one number at a time is another, and tests run. */
export class Copy {
  private readonly folder: string;
  private readonly temporary: string;
  private running: ChildProcess | undefined;

  constructor(project: string, folder: string) {
    this.folder = join(folder, "project");
    this.temporary = join(folder, "tmp");
    mkdirSync(this.temporary, { recursive: true });
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: project,
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    });
    for (const file of new Set(listed.split("\0")))
      // Links that lead nowhere, too: tests have some.
      if (file !== "" && statIfThere(join(project, file)) !== undefined) {
        mkdirSync(dirname(join(this.folder, file)), { recursive: true });
        cpSync(join(project, file), join(this.folder, file), { verbatimSymlinks: true });
      }
    // Each package by a link of its own, so that nothing is cached in the project's folder.
    const packages = join(this.folder, "node_modules");
    mkdirSync(packages);
    for (const name of readdirSync(join(project, "node_modules")))
      if (name !== ".vite") symlinkSync(join(project, "node_modules", name), join(packages, name));
  }

  /** Puts another number in the place of a constant while `use` runs. */
  async with<T>({ file, start, end }: Constant, mutant: string, use: () => Promise<T>): Promise<T> {
    const path = join(this.folder, file);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.slice(0, start) + mutant + text.slice(end));
    try {
      return await use();
    } finally {
      writeFileSync(path, text);
    }
  }

  /** Runs test files up to the first failure, or to the end of the time. */
  run(tests: readonly string[], milliseconds: number): Promise<Result> {
    return this.vitest(["--bail", "1", ...tests], milliseconds);
  }

  /** The test files that fail in the unchanged project, and how many milliseconds they all take. */
  async failing(tests: readonly string[]): Promise<{ failing: Set<string>; milliseconds: number }> {
    const report = join(this.temporary, "report.json");
    const start = performance.now();
    await this.vitest(["--reporter", "json", "--outputFile", report, ...tests]);
    const milliseconds = performance.now() - start;
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
      testResults: { name: string; status: string }[];
    };
    const passing = new Set(testResults.filter(({ status }) => status === "passed").map(({ name }) => name));
    return { failing: new Set(tests.filter((test) => !passing.has(join(this.folder, test)))), milliseconds };
  }

  private vitest(args: readonly string[], milliseconds?: number): Promise<Result> {
    const program = join(this.folder, "node_modules", "vitest", "vitest.mjs");
    const child = spawn(process.execPath, [program, "run", "--maxWorkers", "1", ...args], {
      cwd: this.folder,
      env: { ...process.env, TMPDIR: this.temporary, npm_lifecycle_event: "test" },
      stdio: "ignore",
      detached: true,
    });
    this.running = child;
    return new Promise((resolve, reject) => {
      let isOver = false;
      const timer =
        milliseconds === undefined
          ? undefined
          : setTimeout(() => {
              isOver = true;
              this.stop();
            }, milliseconds);
      child.once("error", reject);
      child.once("close", (status) => {
        clearTimeout(timer);
        this.running = undefined;
        resolve(isOver ? "over" : status === 0 ? "passed" : "failed");
      });
    });
  }

  /** Ends the tests that run, with the processes that they started. */
  stop(): void {
    const pid = this.running?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // They have ended.
    }
  }
}
