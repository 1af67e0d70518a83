import { spawn, type ChildProcess } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Failure } from "../failure.ts";
import type { Kind, Launch } from "./kinds.ts";

const PATIENCE_MS = 60_000;
const STEP_MS = 50;

/** Where Debian puts servers, which the path of an ordinary user leaves out. */
const PATH = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/local/sbin", "/usr/sbin", "/sbin"];

/** Whether the machine has what a host needs. */
export const isInstalled = ({ program }: Kind): boolean =>
  program === undefined || PATH.some((folder) => isExecutable(join(folder, program)));

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs a host until `use` is done with it. @throws Failure where it does not answer. */
export async function whileRunning<T>(launch: Launch, base: string, use: () => Promise<T>): Promise<T> {
  const { command, args, env } = launch;
  const child = spawn(command, args, {
    cwd: launch.cwd,
    env: { ...process.env, PATH: PATH.join(delimiter), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that its workers end with it.
    detached: true,
  });
  let said = "";
  const listen = (text: Buffer): void => void (said = (said + text.toString()).slice(-4000));
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  const ended = new Promise<string>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("close", (code) => resolve(`It ended with ${code}.`));
  });
  try {
    const problem = await Promise.race([ended, answers(base)]);
    if (problem !== undefined) throw new Failure(`${command} does not serve at ${base}. ${problem}\n${said}`);
    return await use();
  } finally {
    await end(child, ended);
  }
}

async function answers(base: string): Promise<string | undefined> {
  for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
    try {
      await fetch(base, { redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
      return undefined;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  }
  return `It did not answer within ${PATIENCE_MS / 1000} seconds.`;
}

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  signal(child, "SIGTERM");
  const timer = setTimeout(() => signal(child, "SIGKILL"), 3000);
  await ended;
  clearTimeout(timer);
  // What the group's leader left behind.
  signal(child, "SIGKILL");
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // The whole group has ended.
  }
}
