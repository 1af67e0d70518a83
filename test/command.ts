import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../build/base/project.ts";
import { FIXTURES } from "./fixtures.ts";

const { scripts } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** What Node is given by `npm run NAME -- ARGS`, but for use in any folder. */
export function commandLine(name: string, ...args: string[]): string[] {
  const [program, ...words] = (scripts[name] ?? "").split(" ");
  if (program !== "node") throw new Error(`no script of package.json that runs in Node: ${name}`);
  const given = words.map((word) => (word.startsWith("scripts/") ? join(PROJECT, word) : word));
  return [...given, ...args];
}

export interface Ended {
  /** Null where it was killed. */
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command to its end. */
export function runSync(name: string, args: string[], cwd = FIXTURES): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, commandLine(name, ...args), {
    cwd,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** Runs a command to its end, or for so many milliseconds, while this process goes on. */
export const run = (name: string, args: string[], timeout = 0): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { cwd: FIXTURES, maxBuffer: 2 ** 26, timeout, killSignal: "SIGKILL" } as const;
    const child = execFile(process.execPath, commandLine(name, ...args), options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
