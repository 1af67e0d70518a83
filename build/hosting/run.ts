import { spawn, type ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Failure } from "../base/failure.ts";
import type { Host, HostOptions } from "./config/host.ts";

/** Maximum wait for a host's first response, in milliseconds. */
const TIMEOUT_MS = 60_000;
const STEP_MS = 50;
/** Maximum wait for a host to end, in milliseconds: servers wait for the open connections of browsers. */
const GRACE_MS = 500;

/** The path, with the folders in which Debian installs servers: an ordinary user's path lacks them. */
export const PATH = [
  ...(process.env["PATH"] ?? "").split(delimiter),
  "/usr/local/sbin",
  "/usr/sbin",
  "/sbin",
];

/** Writes a host's configuration into its folder and returns the file; undefined if there is none. */
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
  /** The host is ready once this URL responds: with success and with the `text`, if there is one. */
  ready: { url: string; text?: string };
  /** Ends the wait for a response when it resolves. */
  interrupted?: Promise<unknown>;
}

/**
 * Runs a host until `use` has ended. The argument of `use` resolves if the host ends by itself.
 *
 * @throws Failure if the host does not respond.
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
    // A process group of its own, so that its workers end with it.
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
    // Until the host prints its address, another program may respond there.
    const at = (): string | undefined => (listensAt === undefined ? options.ready.url : listensAt(said));
    const problem = await Promise.race([
      failed,
      awaitResponse(options.ready, at, waiting.signal),
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

async function awaitResponse(
  { url, text }: HostRunOptions["ready"],
  listensAt: () => string | undefined,
  isOver: AbortSignal,
): Promise<Failure | undefined> {
  for (let waited = 0; waited < TIMEOUT_MS && !isOver.aborted; waited += STEP_MS) {
    try {
      const at = listensAt();
      // Some hosts choose another port if theirs is taken.
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
      // The host does not respond yet.
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
  // Ends processes that the group's leader left behind.
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
