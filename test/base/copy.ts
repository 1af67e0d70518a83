import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { start, type Ended } from "../command.ts";
import { FIXTURE_SITE } from "../fixtures.ts";

/** The ways in which this version of Node can run a command from `scripts/`, each with its environment. */
export const WAYS: Record<string, NodeJS.ProcessEnv> =
  "typescript" in process.features && process.features.typescript !== false
    ? { "as TypeScript": {}, compiled: { NODE_OPTIONS: "--no-strip-types" } }
    : { compiled: {} };

/** A copy of the project that a test can change; the packages are shared. */
export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), "program-"));

  constructor() {
    for (const name of ["build", "scripts", "_headers", "package.json", "package-lock.json"])
      cpSync(join(PROGRAM_FOLDER, name), join(this.folder, name), { recursive: true });
    cpSync(FIXTURE_SITE, this.at("content"), { recursive: true });
    // Each package has its own link, so that a test can replace one.
    mkdirSync(this.at("node_modules"));
    for (const name of readdirSync(join(PROGRAM_FOLDER, "node_modules")))
      symlinkSync(join(PROGRAM_FOLDER, "node_modules", name), this.at("node_modules", name));
  }

  at(...path: string[]): string {
    return join(this.folder, ...path);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), text);
  }

  /** Runs `npm run NAME -- ARGS` without npm. */
  run(way: NodeJS.ProcessEnv, ...args: string[]): Ended {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/run.mjs", ...args], {
      ...this.options(way),
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  }

  /** Starts the same command without waiting: its first output, and its end after `tell` sends a line. */
  start(way: NodeJS.ProcessEnv, ...args: string[]) {
    const { child, ended } = start(process.execPath, ["scripts/run.mjs", ...args], this.options(way));
    return { speaks: once(child.stdout, "data"), ended, tell: () => child.stdin.end("\n") };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private options(way: NodeJS.ProcessEnv) {
    return { cwd: this.folder, env: { ...process.env, ...way } };
  }
}
