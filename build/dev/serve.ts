import { spawn, type ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Failure } from "../failure.ts";
import type { HeaderRule } from "../hosting/headers.ts";
import { serve as serveConfiguration } from "../hosting/hosts/serve.ts";
import { printListen, type Listen } from "../hosting/listen.ts";

export interface ServeOptions {
  /** The absolute path of the folder to serve. */
  root: string;
  listen: Listen;
  rules: HeaderRule[];
  /** Must answer 200 before the server counts as running, with this text in the body. */
  probe: { url: string; text: string };
}

export interface RunningServe {
  /** Resolves with what is wrong when the server ends though nobody ended it. */
  failed: Promise<Failure>;
  end: () => Promise<void>;
}

const PATIENCE_MS = 15_000;
const STEP_MS = 50;

/** Runs `serve` with the configuration that is derived from `_headers`; resolves when it answers. */
export async function runServe({ root, listen, rules, probe }: ServeOptions): Promise<RunningServe> {
  const configuration = join(root, "serve.json");
  writeFileSync(configuration, serveConfiguration({ root, listen, rules }));
  const child = spawn(
    process.execPath,
    // prettier-ignore
    [serveProgram(), "--config", configuration, "--listen", `tcp://${printListen(listen)}`,
      "--no-clipboard", "--no-request-logging", root],
    { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, NO_UPDATE_CHECK: "1" } },
  );
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  const ended = new Promise<void>((resolve) => {
    child.once("error", ({ message }) => ((complaint += message), resolve()));
    child.once("close", () => resolve());
  });
  const failed = ended.then(() => new Failure(`serve has ended by itself. ${complaint.trim()}`.trim()));
  const end = async () => {
    await endProcess(child, ended);
  };
  const problem = await Promise.race([failed, answers(probe)]);
  if (problem === undefined) return { failed, end };
  await end();
  throw problem;
}

/** The file that the package's command runs. */
function serveProgram(): string {
  const manifest = createRequire(import.meta.url).resolve("serve/package.json");
  return join(dirname(manifest), "build", "main.js");
}

/** Waits for the probe's answer; gives what is wrong with it. */
async function answers({ url, text }: ServeOptions["probe"]): Promise<Failure | undefined> {
  for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
    try {
      const response = await fetch(url);
      const body = await response.text();
      if (response.ok && body.includes(text)) return undefined;
      // `serve` moves to another port where its own was taken between the build and its start.
      return new Failure(`${url} is answered by another program. Start again.`);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  }
  return new Failure(`${url} did not answer within ${PATIENCE_MS / 1000} seconds.`);
}

async function endProcess(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill("SIGTERM");
  // It waits for open connections, which a browser may keep for minutes.
  const timer = setTimeout(() => child.kill("SIGKILL"), 500);
  await ended;
  clearTimeout(timer);
}
