// Compiles the commands to JavaScript: for the package (prepack.ts), and in a clone on Node 20, which cannot run TypeScript.
// Plain JavaScript, because Node 20 runs it.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { digestOf } from "../build/base/digest.mjs";
import { PACKAGED } from "./commands.mjs";

/** Maximum milliseconds for which the code of an earlier version is kept, because a running command loads parts late. */
const MAX_UNUSED_MS = 7 * 24 * 3_600_000;

/**
 * Bundles modules together, because loading hundreds of modules takes longer than building a small site.
 *
 * @param {string} project
 * @param {Record<string, string>} entries the modules by their names in the output.
 * @param {import("esbuild").BuildOptions} options
 * @returns {Promise<import("esbuild").Metafile>} the files that were bundled.
 */
export async function compile(project, entries, options) {
  const { build } = await import("esbuild");
  const threads = ["exchange/sync", "outputs/shards", "site", "site/manifest"].map((name) => [
    `${name}/thread`,
    `build/${name}/thread.ts`,
  ]);
  const built = await build({
    absWorkingDir: project,
    outExtension: { ".js": ".mjs" },
    // build/base/threads.ts, which is in a chunk, finds the modules of threads as in the sources.
    chunkNames: "base/[name]-[hash]",
    bundle: true,
    splitting: true,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Replaces constants that modules share by their values.
    minifySyntax: true,
    logLevel: "silent",
    // Packages that have other files beside their code, or that the site installs.
    external: ["esbuild", "serve", "wrangler"],
    // For packages in the older module format.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = (name) => __createRequire(import.meta.url)(name);',
    },
    entryPoints: { ...entries, ...Object.fromEntries(threads) },
    ...options,
  });
  return built.metafile;
}

/** The entries of commands, by their files. */
export const entriesOf = (/** @type {string[]} */ files) =>
  Object.fromEntries(files.map((file) => [file, `scripts/${file}.ts`]));

/**
 * The folder of a command of a clone, compiled once after each change of the program, together with all others that the
 * package has. Its name contains the digest of its parts. It is moved into place complete, and never replaced.
 */
export async function compiledCommands(/** @type {string} */ project, /** @type {string} */ file) {
  const cache = join(project, ".cache", "compiled", "node20");
  const [name, files] = PACKAGED.includes(file) ? ["all", PACKAGED] : [file.replace("/", "-"), [file]];
  // A second attempt if the program changed meanwhile, because the folder would have the wrong name.
  for (let attempt = 0; attempt < 2; attempt++) {
    const digest = digestOf(project);
    const folder = join(cache, `${name}-${digest.slice(0, 32)}`);
    if (use(folder)) return folder;
    const { outdir, isTemporary } = stagingFolder(project, folder);
    let isDone = false;
    try {
      const define = { COMPILED: JSON.stringify(digest) };
      // Developers' commands use packages that cannot be bundled.
      const packages = files === PACKAGED ? "bundle" : "external";
      await compile(project, entriesOf(files), { outdir, define, packages });
      if (digestOf(project) !== digest) continue;
      if (!isTemporary) putInPlace(outdir, folder);
      isDone = true;
      return isTemporary ? outdir : folder;
    } finally {
      if (!isDone) rmSync(outdir, { recursive: true, force: true });
    }
  }
  throw new Error("The program changes all the time.");
}

/** Sets the time of the folder's last use. @returns whether the folder exists. */
function use(/** @type {string} */ folder) {
  try {
    utimesSync(folder, new Date(), new Date());
    return true;
  } catch {
    // It does not exist, or another user owns it.
    return existsSync(folder);
  }
}

function stagingFolder(/** @type {string} */ project, /** @type {string} */ folder) {
  try {
    mkdirSync(dirname(folder), { recursive: true });
    prune(dirname(folder));
    return { outdir: mkdtempSync(`${folder}.`), isTemporary: false };
  } catch {
    // The project is read-only, so this run has a folder of its own, which looks like the project.
    const outdir = mkdtempSync(join(tmpdir(), "page-api-"));
    process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
    for (const name of ["_headers", "build", "node_modules", "package.json"])
      symlinkSync(join(project, name), join(outdir, name));
    return { outdir, isTemporary: true };
  }
}

function putInPlace(/** @type {string} */ staged, /** @type {string} */ folder) {
  // Other users run the same program; a folder of mkdtemp is private.
  chmodSync(staged, 0o777 & ~process.umask());
  try {
    renameSync(staged, folder);
  } catch (cause) {
    // Another run was faster, with the same code.
    if (!existsSync(folder)) throw cause;
    rmSync(staged, { recursive: true, force: true });
  }
}

/** Removes unused folders, and those that killed runs left behind. */
function prune(/** @type {string} */ cache) {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    try {
      if (statSync(path).mtimeMs > Date.now() - MAX_UNUSED_MS) continue;
      // Renamed first, so that no process uses an incomplete folder.
      renameSync(path, `${path}.gone`);
      rmSync(`${path}.gone`, { recursive: true, force: true });
    } catch {
      // Another run removes it.
    }
  }
}
