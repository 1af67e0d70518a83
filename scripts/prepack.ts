import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { digestOf } from "../build/base/digest.mjs";
import { PROGRAM_FOLDER } from "../build/base/folders.ts";
import { SANITISER } from "../build/outputs/browse/files.ts";
import { bundleEditor, licencesOf } from "../build/outputs/editor/bundle.ts";
import { readManifest } from "./init/package.ts";
import { command, print } from "./command.ts";
import { PACKAGED } from "./commands.mjs";
import { compile, entriesOf } from "./compile.mjs";

const DIST = join(PROGRAM_FOLDER, "dist");

/** The Workers for Cloudflare, which `main` in a site's wrangler.jsonc names. */
const WORKERS = { worker: "build/hosting/cloudflare/worker.ts", "bucket-worker": "build/release/worker.ts" };

await command(
  {
    name: "prepack",
    summary: "Compiles the program into dist/ for npm pack, which runs this command.",
  },
  {},
  async () => {
    const { version } = readManifest(PROGRAM_FOLDER) ?? {};
    rmSync(DIST, { recursive: true, force: true });
    mkdirSync(DIST);
    const program = await compile(
      PROGRAM_FOLDER,
      { ...entriesOf(PACKAGED), ...entriesOf(["index"]) },
      {
        outdir: DIST,
        define: {
          COMPILED: JSON.stringify(`${version}-${digestOf(PROGRAM_FOLDER).slice(0, 32)}`),
          IS_PACKAGE: "true",
        },
      },
    );
    const { metafile: workers } = await build({
      absWorkingDir: PROGRAM_FOLDER,
      entryPoints: WORKERS,
      outdir: DIST,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      metafile: true,
      format: "esm",
      target: "es2022",
      external: ["node:*"],
      logLevel: "silent",
    });
    for (const [name, bytes] of await bundleEditor()) writeFileSync(join(DIST, name), bytes);
    copyFileSync(SANITISER, join(DIST, "purify.min.js"));
    const bundled = [program, workers].flatMap(({ inputs }) => Object.keys(inputs));
    writeFileSync(join(DIST, "LICENSES.txt"), licencesOf(bundled));
    copyFileSync(join(PROGRAM_FOLDER, "scripts", "api.d.ts"), join(DIST, "index.d.ts"));
    print(`dist/: version ${version}\n`);
  },
);
