import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { PROJECT } from "../base/project.ts";

/*
 * The editor's files as a browser loads them after Edit: one module, and its styles.
 */

const CLIENT = join(PROJECT, "build", "editor", "client");

/** Modules of the browse UI are loaded already: the editor shares them and their state. */
const ofBrowseUi: Plugin = {
  name: "browse-ui",
  setup: (build) => {
    build.onResolve({ filter: /\/browse\/client\/[a-z-]+\.js$/ }, ({ path }) => ({
      path: `./${path.slice(path.lastIndexOf("/") + 1)}`,
      external: true,
    }));
  },
};

/** A text in the browser has no bytes that could be wrong. */
const withoutNode: Plugin = {
  name: "without-node",
  setup: (build) => {
    build.onResolve({ filter: /^node:buffer$/ }, ({ path }) => ({ path, namespace: "without-node" }));
    build.onLoad({ filter: /.*/, namespace: "without-node" }, () => ({
      contents: "export const isUtf8 = () => true;",
    }));
  },
};

let bundled: Promise<Uint8Array> | undefined;

/** The module `edit.js`. It is made once: a build writes it only if a store is active. */
export function editorModule(): Promise<Uint8Array> {
  bundled ??= bundle();
  bundled.catch(() => (bundled = undefined));
  return bundled;
}

async function bundle(): Promise<Uint8Array> {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [join(CLIENT, "edit.ts")],
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
    write: false,
    logLevel: "silent",
    plugins: [ofBrowseUi, withoutNode],
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error("esbuild made no file.");
  return file.contents;
}

/** The styles of the editor. */
export const editorStyles = (): Uint8Array => readFileSync(join(CLIENT, "edit.css"));

/** A file of the editor below `browse/`; undefined if it has none of that name. */
export async function editorFile(name: string): Promise<Uint8Array | undefined> {
  if (name === "edit.js") return editorModule();
  return name === "edit.css" ? editorStyles() : undefined;
}
