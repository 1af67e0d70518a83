import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll } from "vitest";

type Calls = typeof fs;

/** Replaces functions of `node:fs` during a test file. Unlike `vi.mock`, this loads no module of the program again. */
export function replaceCalls(replaced: (real: Calls) => Partial<Calls>): void {
  const real = { ...fs };
  const functions = replaced(real);
  const names = Object.keys(functions) as (keyof Calls)[];
  const set = (from: Partial<Calls>): void => {
    Object.assign(fs, Object.fromEntries(names.map((name) => [name, from[name]])));
    syncBuiltinESMExports();
  };
  beforeAll(() => set(functions));
  afterAll(() => set(real));
}

const CHANGING = [
  "writeFileSync",
  "renameSync",
  "mkdirSync",
  "rmdirSync",
  "rmSync",
  "chmodSync",
  "linkSync",
  "cpSync",
  "copyFileSync",
] as const satisfies readonly (keyof Calls)[];

/** The run that is interrupted; absent while no call fails. */
let run: { calls: string[]; fails: number; isKill: boolean } | undefined;

const MESSAGE = "a planted failure";

/** Failures that are planted before a call that changes a file. */
export const withFaults = (): void => replaceCalls(failingCalls);

function failingCalls(real: Calls): Partial<Calls> {
  /** Whether a call is made by another one, as Node's removal of a folder makes them. */
  let isWithin = false;
  const failing = CHANGING.map((name) => {
    const call = real[name] as (...args: unknown[]) => unknown;
    const faulty = (...args: unknown[]): unknown => {
      if (name === "renameSync" && isOfImage(real, String(args[0])))
        throw Object.assign(new Error("cross-device link"), { code: "EXDEV" });
      if (run === undefined || isWithin) return call(...args);
      const at = run.calls.push(name) - 1;
      // A killed process makes no further call.
      if (at === run.fails || (run.isKill && at > run.fails))
        throw Object.assign(new Error(`${MESSAGE}, ${name}`), { code: "ENOSPC" });
      isWithin = true;
      try {
        return call(...args);
      } finally {
        isWithin = false;
      }
    };
    return [name, faulty];
  });
  return Object.fromEntries(failing) as Partial<Calls>;
}

/**
 * A folder with this file, which contains the folder's path, cannot be renamed, like a folder of a container's image on
 * an overlay file system; a copy of the folder can.
 */
export const OF_IMAGE = ".of-image";

const isOfImage = (real: Calls, path: string): boolean =>
  real.existsSync(`${path}/${OF_IMAGE}`) && real.readFileSync(`${path}/${OF_IMAGE}`, "utf8") === path;

/** Runs a command whose call number `fails` fails, by a kill or by an error. Returns the names of its calls. */
export function interrupt(command: () => unknown, fails: number, isKill: boolean): string[] {
  const calls = begin(fails, isKill);
  try {
    command();
  } catch (cause) {
    assertPlanted(cause);
  } finally {
    run = undefined;
  }
  return calls;
}

/** The same for a command that others wait for. Returns whether it ended before that call. */
export async function kill(command: () => Promise<unknown>, fails: number, isKill = true): Promise<boolean> {
  const calls = begin(fails, isKill);
  await Promise.resolve()
    .then(command)
    .catch(assertPlanted)
    .finally(() => (run = undefined));
  return calls.length <= fails;
}

function begin(fails: number, isKill: boolean): string[] {
  run = { calls: [], fails, isKill };
  return run.calls;
}

function assertPlanted(cause: unknown): void {
  if (!(cause instanceof Error && cause.message.startsWith(MESSAGE))) throw cause;
}
