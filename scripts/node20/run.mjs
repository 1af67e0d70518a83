// How Node 20 runs a command, as it cannot run TypeScript: to be deleted with the last support of Node 20, and with it
// build/node20/ and the packages esbuild and tsx.
//
// Loading a hundred modules one by one through a loader takes longer than building a small site, so a command is
// bundled once after each change of the program.

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

/** Milliseconds. */
const HOUR = 3_600_000;
/** Milliseconds for which a bundle is kept that nobody uses. */
const KEPT = 7 * 24 * HOUR;

export async function run(project, name) {
  let entry;
  try {
    entry = await bundled(project, name);
  } catch {
    // A read-only project, or a mistake in the code, which the loader reports best.
    const { register } = await import("tsx/esm/api");
    register();
    // First of all, so that no code is younger than the program's digest.
    await import("../../build/base/program.ts");
    entry = join(project, "scripts", `${name}.ts`);
  }
  await import(pathToFileURL(entry).href);
}

/**
 * A bundle's name says what it was made of, and it is put in place whole. From then on it is never replaced, nor removed
 * while it may be in use: parts of it are loaded only when they are needed, for as long as its processes run.
 */
async function bundled(project, name) {
  const bundles = join(project, ".cache", "compiled", "node20");
  // Once more, where the program changed while it was bundled: that would be filed under the wrong name.
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
      "node20/thread": join(project, "build", "pipeline", "thread.ts"),
      "node20/packing": join(project, "build", "shards", "thread.ts"),
    },
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    define: { BUNDLED: JSON.stringify(digest) },
    // Numbers that modules share by name are written in place.
    minifySyntax: true,
    // What has its own files beside its code, or is native, stays where it is.
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
    // Another run came first, with the same.
    if (!existsSync(folder)) throw cause;
  }
}

/** A folder's time is that of its last use. */
function keepInUse(folder) {
  const touch = () => {
    try {
      utimesSync(folder, new Date(), new Date());
    } catch {
      // A read-only project: nobody removes anything there.
    }
  };
  touch();
  setInterval(touch, HOUR).unref();
}

/** Removes what nobody has used for long, also what killed runs left. */
function prune(bundles) {
  for (const name of readdirSync(bundles)) {
    const path = join(bundles, name);
    const gone = `${path}.gone`;
    try {
      if (statSync(path).mtimeMs > Date.now() - KEPT) continue;
      // At once: nobody may take a half for a bundle.
      renameSync(path, gone);
      rmSync(gone, { recursive: true, force: true });
    } catch {
      // Another run removes it.
    }
  }
}
