import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Plugin } from "esbuild";
import { Failure } from "../../base/failure.ts";
import { readBytes } from "../../base/file.ts";
import { hasProgramChanged, isPackage, PROGRAM } from "../../base/program.ts";
import { PROGRAM_FOLDER } from "../../base/folders.ts";
import { FOLDER } from "../browse/files.ts";

/* The editor's files that a browser loads when Edit is pressed: modules, of which rare parts are loaded late, and styles. */

const CLIENT = join(PROGRAM_FOLDER, "build", "editor", "client");
const RARE = join(CLIENT, "rare.ts");

/**
 * Modules that are replaced, as no browser needs them: numbers beyond those of JavaScript in GitHub's responses, and the
 * messages about hosts, several pages, the names of files and `_types.json`. A text in the browser is never invalid UTF-8.
 */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/^buffer$/, "export const isUtf8 = () => true;"],
  [/\/json-with-bigint\//, "export const JSONParse = JSON.parse, JSONStringify = JSON.stringify;"],
  [/\/catalogue\/consistency\.ts$/, "export const consistency = {};"],
  [/\/catalogue\/hosting\.ts$/, "export const hosting = {};"],
  [/\/catalogue\/files\.ts$/, "export const files = {};"],
  [/\/catalogue\/declarations\.ts$/, "export const declarations = {};"],
];

const EXAMPLES = /^ {4}(?:example|facts): (?:\{\n[^]*?\n {4}\}|.*),\n/gm;

const forBrowser: Plugin = {
  name: "browser",
  setup: (build) => {
    // Modules of the browse UI are already loaded, and the editor shares their state.
    build.onResolve({ filter: /\/browse\/[a-z-]+\.js$/ }, ({ path }) => ({
      path: `./${basename(path)}`,
      external: true,
    }));
    // One file for all parts that are loaded when they are first used.
    build.onResolve({ filter: /^\.\// }, ({ kind, importer }) =>
      kind === "dynamic-import" && dirname(importer) === CLIENT ? { path: RARE } : undefined,
    );
    build.onResolve({ filter: /^node:buffer$/ }, () => ({ path: "buffer", namespace: "node" }));
    for (const [filter, contents] of REPLACED) build.onLoad({ filter }, () => ({ contents }));
    // Of the catalogue's entries, only the page of codes has the examples.
    build.onLoad({ filter: /\/findings\/catalogue\/[a-z-]+\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      return { contents: text.replaceAll(EXAMPLES, ""), loader: "ts" };
    });
  },
};

/** The editor, what it shares with its rare parts, and these, which it loads when they are first used. */
export const MODULES = ["edit.js", "edit-shared.js", "edit-rare.js"] as const;

type Modules = ReadonlyMap<string, Uint8Array>;

let bundled: Promise<Modules> | undefined;

/** The modules by name: of the package, or bundled once. Later processes read them from the cache until the program changes. */
export function editorModules(): Promise<Modules> {
  bundled ??= isPackage ? packaged() : cached();
  bundled.catch(() => (bundled = undefined));
  return bundled;
}

const packaged = async (): Promise<Modules> =>
  new Map(
    await Promise.all(
      MODULES.map(async (name) => [name, await readFile(join(PROGRAM_FOLDER, "dist", name))] as const),
    ),
  );

const CACHE = join(PROGRAM_FOLDER, ".cache", "editor");

/** The cached file is named after the program's hash and renamed into place, so it is never incomplete. */
async function cached(): Promise<Modules> {
  const name = `${PROGRAM.slice(0, 32)}.json`;
  const known = readBytes(join(CACHE, name));
  if (known !== undefined) {
    const texts = Object.entries(JSON.parse(known.toString()) as Record<string, string>);
    return new Map(texts.map(([module, text]) => [module, Buffer.from(text)]));
  }
  const made = await bundleEditor().catch((cause: unknown) => {
    throw new Failure(`The editor could not be bundled: ${String(cause)} Run npm ci, then build again.`);
  });
  if (hasProgramChanged()) return made;
  const staged = join(CACHE, `${name}.${randomUUID()}`);
  try {
    rmSync(CACHE, { recursive: true, force: true });
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(
      staged,
      JSON.stringify(Object.fromEntries(Array.from(made, ([module, bytes]) => [module, bytes.toString()]))),
    );
    renameSync(staged, join(CACHE, name));
  } catch {
    // The project is read-only, or two builds run at once: the next build bundles again.
  }
  return made;
}

export async function bundleEditor(): Promise<ReadonlyMap<string, Buffer>> {
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    absWorkingDir: PROGRAM_FOLDER,
    metafile: true,
    entryPoints: { edit: join(CLIENT, "edit.ts"), "edit-rare": RARE },
    // Both entries share one chunk.
    chunkNames: "edit-shared",
    outdir: "unused",
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
    write: false,
    logLevel: "silent",
    plugins: [forBrowser],
  });
  const licences = Buffer.from(licencesOf(Object.keys(metafile.inputs)));
  return new Map(
    outputFiles.map(({ path, contents }) => {
      const name = basename(path);
      return [name, Buffer.concat(name === MODULES[0] ? [contents, licences] : [contents])];
    }),
  );
}

/** The licences of the bundled packages, as a comment: copies of the packages must contain them. */
export function licencesOf(inputs: readonly string[]): string {
  const folders = new Set(
    inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []),
  );
  const texts = [...folders].sort().map((folder) => {
    const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
    const file = readdirSync(join(PROGRAM_FOLDER, folder)).find((entry) =>
      /^licen[cs]e(?:\.|$)/i.test(entry),
    );
    if (file === undefined) throw new Error(`${folder} has no licence.`);
    const text = readFileSync(join(PROGRAM_FOLDER, folder, file), "utf8")
      .trim()
      // Wrapped in the same way, equal licences compress well.
      .replaceAll(/\s+/g, " ")
      .replaceAll("*/", "* /");
    return `${name}\n\n${text}\n`;
  });
  return `/*! This file contains these packages.\n\n${texts.join("\n")}*/\n`;
}

/** The styles without comments and indentation. */
export const editorStyles = (): Uint8Array =>
  Buffer.from(
    readFileSync(join(CLIENT, "edit.css"), "utf8")
      .replaceAll(/\/\*.*?\*\//gs, "")
      .replaceAll(/\s*([\n{};])\s*/g, "$1")
      .replaceAll(/([:,])\s+/g, "$1"),
  );

const STYLES = "edit.css";

/** A file of the editor below `browse/`; undefined if there is no such file. */
export async function editorFile(name: string): Promise<Uint8Array | undefined> {
  if (name === STYLES) return editorStyles();
  return MODULES.some((module) => module === name) ? (await editorModules()).get(name) : undefined;
}

/** The files of the editor, by their paths in the output. */
export async function editorFiles(): Promise<Map<string, Uint8Array>> {
  const files = [...(await editorModules()), [STYLES, editorStyles()] as const];
  return new Map(files.map(([name, bytes]) => [`${FOLDER}/${name}`, bytes] as const));
}
