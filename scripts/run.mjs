// Runs a command of this folder: `node scripts/run.mjs build --strict`. Loading its hundred modules one by one through
// a loader takes longer than building a small site, so they are bundled once after each change and kept in .cache/.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const compiled = join(project, ".cache", "compiled");

/** Differs after any change of the program: sizes and times are enough for files that people edit. */
function state() {
  const hash = createHash("sha256").update(process.version);
  const add = (path) => {
    const { size, mtimeMs, ctimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs} ${ctimeMs}\n`);
  };
  const visit = (folder) => {
    for (const item of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, item.name);
      if (item.isDirectory()) visit(path);
      else if (/\.(ts|mjs|json)$/.test(item.name)) add(path);
    }
  };
  for (const folder of ["build", "scripts"]) visit(join(project, folder));
  for (const name of ["package.json", "package-lock.json"])
    if (existsSync(join(project, name))) add(join(project, name));
  return hash.digest("hex").slice(0, 16);
}

async function compile(name, folder) {
  const { build } = await import("esbuild");
  const aside = `${folder}.${process.pid}`;
  mkdirSync(aside, { recursive: true });
  try {
    await build({
      entryPoints: {
        [name]: join(project, "scripts", `${name}.ts`),
        thread: join(project, "build", "thread.ts"),
      },
      outdir: aside,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node20",
      // Numbers that modules share by name are written in place.
      minifySyntax: true,
      // What has its own files beside its code, or is native, stays where it is.
      external: ["@parcel/watcher", "wrangler", "serve", "esbuild", "tsx"],
      banner: {
        js: 'import { createRequire as __createRequire } from "node:module"; const require = (name) => __createRequire(import.meta.url)(name);',
      },
      logLevel: "silent",
    });
    for (const old of readdirSync(compiled))
      if (old.startsWith(`${name}-`) && !old.includes("."))
        rmSync(join(compiled, old), { recursive: true, force: true });
    renameSync(aside, folder);
  } catch (cause) {
    rmSync(aside, { recursive: true, force: true });
    // Another run may have come first.
    if (!existsSync(folder)) throw cause;
  }
}

async function entry(name) {
  const folder = join(compiled, `${name}-${state()}`);
  const file = join(folder, `${name}.mjs`);
  try {
    if (!existsSync(file)) await compile(name, folder);
    return pathToFileURL(file).href;
  } catch {
    // A read-only project, or a mistake in the code, which the loader reports best.
    const { register } = await import("tsx/esm/api");
    register();
    return new URL(`${name}.ts`, import.meta.url).href;
  }
}

const [name, ...rest] = process.argv.slice(2);
process.argv.splice(1, process.argv.length - 1, join(project, "scripts", `${name}.ts`), ...rest);
await import(await entry(name));
