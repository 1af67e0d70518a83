import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holdFreePort } from "../dev/port.ts";
import { Failure } from "../failure.ts";
import { isError } from "../findings/finding.ts";
import { readHeaders } from "../hosting/read.ts";
import { layoutOf } from "../output/layout.ts";
import { thisProcess } from "../output/lock.ts";
import { build } from "../pipeline.ts";
import { PROJECT } from "../project.ts";
import { verifyHost, type CheckName, type Report } from "../verify/verify.ts";
import type { Kind } from "./kinds.ts";
import { whileRunning } from "./run.ts";

/** What a host serves, and its configuration where it has one: what a defect can be planted in. */
export interface Served {
  root: string;
  configuration?: string | undefined;
}

export interface Examination {
  /** Changes what is served before the host starts. */
  plant?: (served: Served) => void;
  /** The pages to ask for, where not several of each type. */
  ids?: readonly number[];
}

/** Builds the sample site, serves it on a free port of this machine, and asks the host for the whole contract. */
export async function examine(kind: Kind, { plant, ids }: Examination = {}): Promise<Report> {
  const { port, release } = await holdFreePort(18_080);
  // Servers that root starts serve as another user, who may not see the project's folder.
  const folder = mkdtempSync(join(tmpdir(), "host-"));
  chmodSync(folder, 0o755);
  try {
    const base = `http://127.0.0.1:${port}`;
    const root = join(folder, "public");
    await buildFor(base, root, join(PROJECT, ".cache", "hosts", String(port)));
    const listen = { address: "127.0.0.1", port };
    const launch = kind.prepare(folder, { root, listen, rules: readHeaders().rules });
    plant?.({ root, configuration: launch.configuration });
    await release();
    const accept = Object.keys(kind.limits) as CheckName[];
    return await whileRunning(launch, base, () =>
      verifyHost(new URL(base), { out: root, content: SAMPLE, accept, timeout: 20, ...(ids ? { ids } : {}) }),
    );
  } finally {
    await release();
    rmSync(folder, { recursive: true, force: true });
  }
}

const SAMPLE = join(PROJECT, "content");

/** What a build remembers goes by the output's folder: one that comes again leaves nothing behind. */
async function buildFor(baseUrl: string, root: string, out: string): Promise<void> {
  mkdirSync(out, { recursive: true });
  const { findings } = await build({ content: SAMPLE, out, baseUrl });
  if (findings.some(isError)) throw new Failure("The sample content has errors: npm run check shows them.");
  cpSync(out, root, { recursive: true });
  copyFileSync(join(PROJECT, "public", ".assetsignore"), join(root, ".assetsignore"));
  // As while the next build runs.
  const { staging, lock } = layoutOf(root);
  mkdirSync(staging);
  writeFileSync(lock, JSON.stringify(thisProcess()));
}
