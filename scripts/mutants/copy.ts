import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { statIfThere } from "../../build/base/stat.ts";
import type { NumericConstant } from "./constants.ts";

/** The result of a test run: all tests passed, one failed, or the time was over. */
export type TestResult = "passed" | "failed" | "over";

/** The result of one test file. */
export interface TestRun {
  isPassed: boolean;
  milliseconds: number;
}

interface RunTask {
  tests: string[];
  changed: string[];
  /** The number of failures after which the run ends; 0 if it never ends early. */
  bail: number;
}

interface RunReport {
  hasErrors: boolean;
  tests: (TestRun & { file: string })[];
}

/** A copy of the project, in which tests run with one changed number at a time. */
export class ProjectCopy {
  private readonly folder: string;
  private readonly temporary: string;
  private running: ChildProcess | undefined;
  /** The files changed since the last run. */
  private changed: string[] = [];

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
      // Also broken links, because tests have some.
      if (file !== "" && statIfThere(join(project, file)) !== undefined) {
        mkdirSync(dirname(join(this.folder, file)), { recursive: true });
        cpSync(join(project, file), join(this.folder, file), { verbatimSymlinks: true });
      }
    // A separate link to each package, so that no cache is written to the project's folder.
    const packages = join(this.folder, "node_modules");
    mkdirSync(packages);
    for (const name of readdirSync(join(project, "node_modules")))
      if (name !== ".vite") symlinkSync(join(project, "node_modules", name), join(packages, name));
  }

  /** Replaces a constant while `use` runs. */
  async with<T>({ file, start, end }: NumericConstant, mutant: string, use: () => Promise<T>): Promise<T> {
    const path = join(this.folder, file);
    const text = readFileSync(path, "utf8");
    const write = (changed: string): void => {
      writeFileSync(path, changed);
      this.changed.push(path);
    };
    write(text.slice(0, start) + mutant + text.slice(end));
    try {
      return await use();
    } finally {
      write(text);
    }
  }

  /** Runs test files until the first failure or the end of the time. */
  async run(tests: readonly string[], milliseconds: number): Promise<TestResult> {
    const report = await this.vitest(tests, 1, milliseconds);
    if (report === undefined) return "over";
    return report.hasErrors || report.tests.some(({ isPassed }) => !isPassed) ? "failed" : "passed";
  }

  /** Runs test files to their end. */
  async results(tests: readonly string[]): Promise<Map<string, TestRun>> {
    const report = await this.vitest(tests, 0);
    return new Map(report?.tests.map((one) => [one.file.slice(this.folder.length + 1), one]));
  }

  /** The report of a run; undefined if the time is over. */
  private async vitest(
    tests: readonly string[],
    bail: number,
    milliseconds?: number,
  ): Promise<RunReport | undefined> {
    // It may have ended by itself after its last report.
    if (this.running?.connected !== true) this.running = await this.start();
    const child = this.running;
    const task: RunTask = {
      tests: tests.map((file) => join(this.folder, file)),
      changed: this.changed,
      bail,
    };
    this.changed = [];
    const timer = milliseconds === undefined ? undefined : setTimeout(() => this.stop(), milliseconds);
    const reported = new Promise<RunReport | undefined>((resolve) => {
      const end = (report?: RunReport): void => {
        child.off("message", end).off("close", close);
        resolve(report);
      };
      const close = (): void => end();
      child.on("message", end).on("close", close);
    });
    child.send(task);
    const report = await reported;
    clearTimeout(timer);
    if (report === undefined) this.running = undefined;
    return report;
  }

  private async start(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [join(this.folder, "scripts", "mutants", "runner.mjs")], {
      cwd: this.folder,
      env: { ...process.env, TMPDIR: this.temporary, npm_lifecycle_event: "test" },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      detached: true,
    });
    await Promise.race([
      once(child, "message"),
      once(child, "close").then(() => {
        throw new Error("Vitest does not start.");
      }),
    ]);
    return child;
  }

  /** Ends the running tests and the processes that they started. */
  stop(): void {
    const pid = this.running?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // They have already ended.
    }
  }
}
