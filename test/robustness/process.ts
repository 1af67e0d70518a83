import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { BuildOptions } from "../../build/pipeline.ts";

const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));
const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

/** A build in another process: started when it is told to go. */
export interface Running {
  ready: Promise<void>;
  go: () => void;
  /** The exit status, or null where a signal ended it; and what it said. */
  ended: Promise<{ status: number | null; stderr: string }>;
}

export function startBuild(options: BuildOptions, as?: { uid: number; gid: number }): Running {
  const child: ChildProcessWithoutNullStreams = spawn(
    process.execPath,
    ["--import", "tsx", CHILD, JSON.stringify(options)],
    { cwd: PROJECT, ...as },
  );
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  // A child that ends before it reads is no failure of the test.
  child.stdin.on("error", () => undefined);
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    child.once("error", reject);
    child.once("exit", () => reject(new Error(stderr)));
  });
  const ended = new Promise<{ status: number | null; stderr: string }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, stderr }));
  });
  return { ready, go: () => child.stdin.write("go\n"), ended };
}
