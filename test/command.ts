import { execFile, spawn, spawnSync, type SpawnOptionsWithoutStdio } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_FOLDER } from "../build/base/folders.ts";
import { fileOf } from "../scripts/commands.mjs";
import { FIXTURES } from "./fixtures.ts";

// esbuild starts its process in the folder that was current when it was loaded. A test may remove the folder of its command.
await import("esbuild");

export const { scripts } = JSON.parse(readFileSync(join(PROGRAM_FOLDER, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** Node's arguments for `npm run NAME -- ARGS`, for use in any folder. */
export function commandLine(name: string, ...args: string[]): string[] {
  const [program, ...words] = (scripts[name] ?? "").split(" ");
  if (program !== "node") throw new Error(`no script of package.json that runs in Node: ${name}`);
  const given = words.map((word) => (word.startsWith("scripts/") ? join(PROGRAM_FOLDER, word) : word));
  return [...given, ...args];
}

export interface Ended {
  /** Null if it was killed. */
  status: number | null;
  stdout: string;
  stderr: string;
}

let runs = 0;

/**
 * Runs a command to its end in this process, which takes a tenth of the time of a separate process. Only one command
 * can run at a time. It must end by itself; for signals and the behaviour of the process, use `run` and `runSync`.
 */
export async function runHere(
  name: string,
  args: string[],
  { cwd = FIXTURES, env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const script = join(PROGRAM_FOLDER, "scripts", `${fileOf(name)}.ts`);
  const { vi } = await import("vitest");
  const { argv, env: environment, exitCode } = process;
  const folder = process.cwd();
  const listeners = new Set(process.listeners("uncaughtException"));
  const printed = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((text: string | Uint8Array) => {
      printed[stream] += typeof text === "string" ? text : Buffer.from(text).toString();
      return true;
    }),
  );
  process.argv = [process.execPath, script, ...args];
  process.env = { ...environment, ...env };
  process.exitCode = undefined;
  process.chdir(cwd);
  try {
    // Loading a script runs the command, so each run loads a new copy, but only of the script.
    runs += 1;
    await import(`${script}?run=${runs}`);
    const status = process.exitCode as number | undefined;
    return { status: status ?? 0, ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.chdir(folder);
    Object.assign(process, { argv, env: environment, exitCode });
    for (const listener of process.listeners("uncaughtException"))
      if (!listeners.has(listener)) process.off("uncaughtException", listener);
  }
}

export function runSync(name: string, args: string[], cwd = FIXTURES): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, commandLine(name, ...args), {
    cwd,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** Starts a program: the output so far, and the end with the whole output. */
export function start(program: string, args: readonly string[], options: SpawnOptionsWithoutStdio = {}) {
  const child = spawn(program, args, options);
  const printed = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => (printed[stream] += text));
  const ended = once(child, "close").then(([status]): Ended => ({
    status: status as number | null,
    ...printed,
  }));
  return { child, printed, ended };
}

/** Runs a command to its end, or for at most `timeout` milliseconds, without blocking this process. */
export const run = (
  name: string,
  args: string[],
  { timeout = 0, env = {} }: { timeout?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const how = { cwd: FIXTURES, maxBuffer: 2 ** 26, timeout, killSignal: "SIGKILL" } as const;
    const options = { ...how, env: { ...process.env, ...env } };
    const child = execFile(process.execPath, commandLine(name, ...args), options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
