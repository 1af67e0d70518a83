import { spawn } from "node:child_process";
import { PROJECT } from "../../base/project.ts";
import { wranglerEnvironment, wranglerProgram } from "./wrangler.ts";

export interface Deployment {
  /** The arguments of wrangler. */
  args: string[];
  /** Called with wrangler's output. */
  print: (text: string) => void;
  /** Maximum milliseconds without output; after them, wrangler has stalled. */
  patience: number;
  attempts: number;
  /** The file to run; wrangler's own by default. */
  program?: string;
}

/**
 * Runs wrangler, and runs it again if it stalls: it does not upload a file twice.
 *
 * @param stalled called each time after a stalled wrangler was ended.
 * @returns its exit status, or “stalled” if each attempt stalled.
 */
export async function runDeployment(
  deployment: Deployment,
  stalled: (attempt: number) => void,
): Promise<number | "stalled"> {
  for (let attempt = 1; attempt <= deployment.attempts; attempt++) {
    const ended = await runOnce(deployment);
    if (ended !== "stalled") return ended;
    stalled(attempt);
  }
  return "stalled";
}

function runOnce({ args, print, patience, program }: Deployment): Promise<number | "stalled"> {
  const child = spawn(process.execPath, [program ?? wranglerProgram(), ...args], {
    cwd: PROJECT,
    env: { ...process.env, ...wranglerEnvironment },
    stdio: ["inherit", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let isStalled = false;
    const watch = setTimeout(() => {
      isStalled = true;
      child.kill("SIGKILL");
    }, patience);
    const heard = (text: Buffer): void => {
      watch.refresh();
      print(text.toString());
    };
    child.stdout.on("data", heard);
    child.stderr.on("data", heard);
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(watch);
      resolve(isStalled ? "stalled" : (code ?? 1));
    });
  });
}
