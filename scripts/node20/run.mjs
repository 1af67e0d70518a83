// Runs a command on Node 20, which cannot run TypeScript. To be deleted when Node 20 is no longer supported, with the
// other folders named node20 and the packages esbuild and tsx.
//
// Loading a hundred modules one by one with a loader takes longer than building a small site, so a command is bundled
// once after each change of the program.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { digestOf } from "../../build/base/digest.mjs";

const HOUR_MS = 3_600_000;
/** Maximum milliseconds for which an unused bundle is kept. */
const MAX_UNUSED_MS = 7 * 24 * HOUR_MS;

export async function run(project, name) {
  let entry;
  try {
    entry = await bundled(project, name);
  } catch {
    // The project is read-only, or the code has a mistake, which the loader reports best.
    const { register } = await import("tsx/esm/api");
    register();
    // Loaded first, so that no code is newer than the program's digest.
    await import("../../build/base/program.ts");
    entry = join(project, "scripts", `${name}.ts`);
  }
  await import(pathToFileURL(entry).href);
}

/**
 * Bundles a command, unless a bundle exists. A bundle's name contains the digest of its parts. The bundle is moved into
 * place complete, and is never replaced, or removed while it may be in use, because a process loads some parts of it
 * only when it needs them.
 */
async function bundled(project, name) {
  const bundles = join(project, ".cache", "compiled", "node20");
  // A second attempt if the program changed during bundling, because the bundle would have the wrong name.
  for (let attempt = 0; attempt < 2; attempt++) {
    const digest = digestOf(project);
    const folder = join(bundles, `${name}-${digest.slice(0, 32)}`);
    const entry = join(folder, `${name}.mjs`);
    if (!existsSync(entry)) {
      mkdirSync(bundles, { recursive: true });
      const staged = mkdtempSync(`${folder}.`);
      try {
        await bundle(project, name, digest, staged);
        if (digestOf(project) !== digest) continue;
        putInPlace(staged, folder);
      } finally {
        rmSync(staged, { recursive: true, force: true });
      }
      prune(bundles);
    }
    keepInUse(folder);
    return entry;
  }
  throw new Error("the program changes all the time");
}

async function bundle(project, name, digest, outdir) {
  const { build } = await import("esbuild");
  await build({
    entryPoints: {
      [name]: join(project, "scripts", `${name}.ts`),
      "pipeline/thread": join(project, "build", "pipeline", "thread.ts"),
      "shards/thread": join(project, "build", "shards", "thread.ts"),
    },
    outdir,
    outExtension: { ".js": ".mjs" },
    // build/base/threads.ts, which is in a chunk, finds the modules of threads as in the sources.
    chunkNames: "base/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    define: { BUNDLED: JSON.stringify(digest) },
    // Replaces constants that modules share by their values.
    minifySyntax: true,
    // Packages that are native, or have other files beside their code.
    external: ["wrangler", "serve", "esbuild", "tsx", "playwright-core", "typescript"],
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = (name) => __createRequire(import.meta.url)(name);',
    },
    logLevel: "silent",
  });
}

function putInPlace(staged, folder) {
  try {
    renameSync(staged, folder);
  } catch (cause) {
    // Another run was faster, with the same bundle.
    if (!existsSync(folder)) throw cause;
  }
}

/** Sets the folder's time to the time of its last use. */
function keepInUse(folder) {
  const touch = () => {
    try {
      utimesSync(folder, new Date(), new Date());
    } catch {
      // The project is read-only, so no process removes its bundles.
    }
  };
  touch();
  setInterval(touch, HOUR_MS).unref();
}

/** Removes bundles that were not used for long, and those that killed runs left behind. */
function prune(bundles) {
  for (const name of readdirSync(bundles)) {
    const path = join(bundles, name);
    const gone = `${path}.gone`;
    try {
      if (statSync(path).mtimeMs > Date.now() - MAX_UNUSED_MS) continue;
      // Renamed first, so that no process uses an incomplete bundle.
      renameSync(path, gone);
      rmSync(gone, { recursive: true, force: true });
    } catch {
      // Another run removes it.
    }
  }
}
