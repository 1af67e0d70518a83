import { spawn, type ChildProcess } from "node:child_process";
import { accessSync, constants, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Failure } from "../../base/failure.ts";
import type { Host, HostOptions } from "../../hosting/config/host.ts";

const TIMEOUT_MS = 60_000;
// tuning: it only spaces the looks
const STEP_MS = 50;
/** Servers wait for open connections, which a browser may keep for minutes. */
const GRACE_MS = 500;

/** Where Debian puts servers, which the path of an ordinary user leaves out. */
const PATH = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/local/sbin", "/usr/sbin", "/sbin"];

/** Whether the machine has what a host needs. */
export const isInstalled = ({ program }: Pick<Host, "program">): boolean =>
  program === undefined || PATH.some((folder) => isExecutable(join(folder, program.name)));

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Writes a host's configuration, where it has one, into its folder; gives the file. */
export function writeConfiguration(
  { configuration }: Host,
  options: HostOptions,
  folder: string,
): string | undefined {
  if (configuration === undefined) return undefined;
  const path = join(folder, configuration.file);
  writeFileSync(path, configuration.print(options));
  return path;
}

export interface HostRunOptions extends HostOptions {
  /** The host's own folder, with its configuration. */
  folder: string;
  /** The host runs once this address answers: 200, with the text in the body, where one is given. */
  ready: { url: string; text?: string };
  /** Once this resolves, the answer is not waited for any longer. */
  interrupted?: Promise<unknown>;
}

/**
 * Runs a host until `use` is done with it; `use` is given what resolves should the host end by itself.
 * @throws Failure where it does not answer.
 */
export async function whileRunning<T>(
  host: Host,
  options: HostRunOptions,
  use: (failed: Promise<Failure>) => Promise<T>,
): Promise<T> {
  const { command, args, env, cwd = options.folder, listensAt } = host.launch(options, options.folder);
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PATH: PATH.join(delimiter), ...env },
    stdio: "pipe",
    // A group of its own, so that its workers end with it.
    detached: HAS_GROUPS,
  });
  let said = "";
  const listen = (text: Buffer): void => void (said = (said + text.toString()).slice(-4000));
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  const failed = new Promise<Failure>((resolve) => {
    const fail = (why: string): void => resolve(new Failure(`${host.title} ${why}\n${said}`.trim()));
    child.once("error", ({ message }) => fail(`could not be started: ${message}`));
    child.once("close", (code) => fail(`ended unexpectedly, with ${code}.`));
  });
  const abandon = (): void => signal(child, "SIGKILL");
  process.once("exit", abandon);
  const waiting = new AbortController();
  try {
    // Before it says where it listens, another program may answer in its place.
    const at = (): string | undefined => (listensAt === undefined ? options.ready.url : listensAt(said));
    const problem = await Promise.race([
      failed,
      answers(options.ready, at, waiting.signal),
      ...(options.interrupted === undefined ? [] : [options.interrupted.then(() => undefined)]),
    ]);
    if (problem !== undefined) throw problem;
    return await use(failed);
  } finally {
    waiting.abort();
    await end(child, failed);
    process.off("exit", abandon);
  }
}

/** Waits for an answer; gives what is wrong with it. */
async function answers(
  { url, text }: HostRunOptions["ready"],
  listensAt: () => string | undefined,
  isOver: AbortSignal,
): Promise<Failure | undefined> {
  for (let waited = 0; waited < TIMEOUT_MS && !isOver.aborted; waited += STEP_MS) {
    try {
      const at = listensAt();
      // Some hosts move to another port where theirs has been taken.
      if (at !== undefined && new URL(at).port !== new URL(url).port)
        return new Failure(`The port of ${url} was taken by another program. Start again.`);
      if (at !== undefined) {
        const limit = AbortSignal.any([isOver, AbortSignal.timeout(TIMEOUT_MS)]);
        const response = await fetch(url, { redirect: "manual", signal: limit });
        const body = await response.text();
        if (text === undefined || (response.ok && body.includes(text))) return undefined;
        return new Failure(`${url} belongs to another program. Start again.`);
      }
    } catch {
      // Not yet.
    }
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  return new Failure(`${url} did not respond within ${TIMEOUT_MS / 1000} seconds.`);
}

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  signal(child, "SIGTERM");
  const timer = setTimeout(() => signal(child, "SIGKILL"), GRACE_MS);
  await ended;
  clearTimeout(timer);
  // What the group's leader left behind.
  signal(child, "SIGKILL");
}

const HAS_GROUPS = process.platform !== "win32";

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (HAS_GROUPS) process.kill(-child.pid, name);
    else child.kill(name);
  } catch {
    // The whole group has ended.
  }
}
