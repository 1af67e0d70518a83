import { spawn } from "node:child_process";
import { PROJECT } from "../../base/project.ts";
import { wranglerEnvironment, wranglerProgram } from "./wrangler.ts";

export interface Deployment {
  /** What wrangler is called with. */
  args: string[];
  /** Is given what wrangler prints. */
  print: (text: string) => void;
  /** Milliseconds after which a wrangler that prints nothing has stalled. */
  patience: number;
  attempts: number;
  /** The file that is run; wrangler's own by default. */
  program?: string;
}

/**
 * Runs wrangler until it has published, anew where it stalls: it does not upload again what it has uploaded.
 *
 * @param stalled is told of each time that it printed nothing for too long and was ended.
 * @returns what ended it: its exit status, or that it stalled each time.
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
