import { spawn } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runHere } from "../command.ts";
import { write } from "../pipeline/site.ts";
import { scratch } from "../scratch.ts";

/** A site as clients see it: built by the project's commands, and served by a web server. */
export interface Published {
  /** The URL in front of /api/v2/pages/. */
  base: string;
  out: string;
  /** Builds the current state of `content`. */
  build: () => Promise<void>;
  close: () => Promise<void>;
}

export interface Sources {
  folder: string;
  write: (name: string, source: object) => void;
}

export function newSources(): Sources {
  const folder = scratch("sources");
  return { folder, write: (name, source) => write(folder, name, source) };
}

export async function publish(content: string): Promise<Published> {
  const root = scratch("published");
  const out = join(root, "public");
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const build = async (): Promise<void> => {
    await script("build", "--content", content, "--out", out, "--base-url", base);
  };
  await build();
  const configuration = join(root, "serve.json");
  writeFileSync(
    configuration,
    await script("hosting", "serve", "--content", content, "--root", out, "--listen", `127.0.0.1:${port}`),
  );
  const server = spawn(
    process.execPath,
    ["node_modules/serve/build/main.js", "--config", configuration, "--listen", `tcp://127.0.0.1:${port}`],
    { stdio: "ignore" },
  );
  const ended = new Promise<void>((done) => server.on("exit", () => done()));
  await answering(base, () => server.exitCode !== null);
  return {
    base,
    out,
    build,
    close: async () => {
      server.kill();
      await ended;
    },
  };
}

/** Runs one of the project's commands and returns its stdout. */
async function script(name: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runHere(name, args);
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  return stdout;
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

async function answering(base: string, ended: () => boolean): Promise<void> {
  for (;;) {
    if (ended()) throw new Error(`${base}: the server has ended`);
    const answered = await fetch(base).then(
      (response) => response.arrayBuffer().then(() => true),
      () => false,
    );
    if (answered) return;
    await new Promise((later) => setTimeout(later, 50));
  }
}
