import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { digestOf } from "../../build/base/digest.mjs";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import type { Random } from "../random.ts";
import type { BuildOptions } from "../../build/site/outcome.ts";
import { compile } from "../../scripts/compile.mjs";
import { scratch } from "../scratch.ts";

/** The end of a build: its exit status, or null if a signal ended it, and its output. */
export interface Ended {
  status: number | null;
  stderr: string;
}

export type Builder = Awaited<ReturnType<typeof startBuilder>>;

/** Compiles a program of the tests: a process that compiles it itself takes several times as long to start. */
export async function compileProgram(path: string): Promise<string> {
  const cache = join(PROGRAM_FOLDER, ".cache");
  mkdirSync(cache, { recursive: true });
  const outdir = scratch("program", cache);
  // Another user may run it.
  chmodSync(outdir, 0o755);
  const define = { COMPILED: JSON.stringify(digestOf(PROGRAM_FOLDER)) };
  await compile(PROGRAM_FOLDER, { program: path }, { outdir, define, packages: "external" });
  return join(outdir, "program.mjs");
}

let compiled = "";

/** The program of a builder, which the files of a process share. */
async function builderProgram(): Promise<string> {
  if (!existsSync(compiled)) compiled = await compileProgram("test/robustness/child.ts");
  return compiled;
}

/**
 * Starts a process that runs the requested builds one after the other, and returns it after it has loaded its modules, so
 * that it builds immediately.
 */
export async function startBuilder(as?: { uid: number; gid: number }) {
  const child = spawn(process.execPath, [await builderProgram()], { cwd: PROGRAM_FOLDER, ...as });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  // A child that cannot start, or that ends before it reads, explains this in its output.
  for (const part of [child, child.stdin])
    part.on("error", (cause: Error) => {
      stderr += cause.message;
      child.stdout.destroy();
    });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let isKilled = false;
  const next = async (): Promise<string> => {
    const { done, value } = await lines.next();
    if (done === true && !isKilled) throw new Error(stderr);
    return done === true ? JSON.stringify({ status: null, stderr } satisfies Ended) : value;
  };
  await next();
  return {
    build: async (options: BuildOptions): Promise<Ended> => {
      child.stdin.write(`${JSON.stringify(options)}\n`);
      return JSON.parse(await next()) as Ended;
    },
    close: () => child.stdin.end(),
    /** Ends the running build without a status, as a crash would, and waits until the process has ended. */
    kill: async (): Promise<void> => {
      const exit = once(child, "exit");
      isKilled = child.kill("SIGKILL");
      await exit;
    },
  };
}

/** Builders that are killed. Each loads its modules while the caller checks the output of the one before. */
export class Victims {
  #next = startBuilder();
  /** How many milliseconds a build takes, as expected from the ones before. */
  #duration: number | undefined;

  /**
   * Starts a build, and kills it at a random moment of its expected duration. Calls `poll` while it runs. Returns false
   * if the build ended before. The first build is not killed.
   */
  async kill(options: BuildOptions, draw: Random, poll = (): void => undefined): Promise<boolean> {
    const builder = await this.#next;
    const start = performance.now();
    const end = this.#duration === undefined ? Infinity : start + draw.below(Math.ceil(this.#duration));
    const state = { isRunning: true };
    const ended = builder.build(options).finally(() => (state.isRunning = false));
    while (state.isRunning && performance.now() < end) {
      poll();
      await sleep(Math.min(4, end - performance.now()));
    }
    if (state.isRunning) await builder.kill();
    else builder.close();
    const { status, stderr } = await ended;
    // The load of the machine varies. After a build that was killed, the true duration is unknown.
    this.#duration = status === null ? (this.#duration ?? 0) * 1.1 : performance.now() - start;
    this.#next = startBuilder();
    if (status !== null && status !== 0) throw new Error(stderr);
    return status === null;
  }

  async close(): Promise<void> {
    (await this.#next).close();
  }
}
