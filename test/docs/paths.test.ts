import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import glob from "fast-glob";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { DOCUMENTS, spansOf } from "./documents.ts";

/** Documents give paths of modules below build/, and other paths from the project folder. */
const ROOTS = ["", "build"];
const CODE = /^[\w.-]+(?:\/[\w.*-]+)*\/[\w.*-]+\.(?:ts|mjs|js|yml|jsonc?)$/;
/** A module named after its folder, as in the map of docs/architecture.md. */
const MODULE = /^[\w-]+(?:\.\w+)?\.ts$/;
const FOLDER = /^(?:build|scripts|test|docs|\.github|\.ci|\.vscode|\.devcontainer)\//;
/** Example paths: files of pages, of an output or of a client. */
const EXAMPLE =
  /^(?:\.\.?\/|content\/|public\/|art\/|visit\/|about\/|releases\/|api\/|bulk\/|index\/|shards\/|schema\/|expected\/|ajv\/|browse\/(?!client|parts)|\.cache\/)/;

const exists = (path: string): boolean =>
  ROOTS.some((root) =>
    path.includes("*")
      ? glob.sync(join(root, path), { cwd: PROGRAM_FOLDER, dot: true, onlyFiles: false }).length > 0
      : existsSync(join(PROGRAM_FOLDER, root, path)),
  );

describe("paths", () => {
  it.each(DOCUMENTS)("in $path exist", ({ path, text }) => {
    const named = spansOf(text).filter(
      (span) => !EXAMPLE.test(span) && !/[<>… ]/.test(span) && (FOLDER.test(span) || CODE.test(span)),
    );
    expect(named.filter((span) => !exists(span) && !exists(join(dirname(path), span)))).toEqual([]);
    expect(basename(path)).toMatch(/\.md$/);
  });

  it("of modules that the map names without their folder exist", () => {
    const map = DOCUMENTS.find(({ path }) => path === "docs/architecture.md")?.text ?? "";
    const modules = new Set(
      glob.sync("{build,scripts,test}/**/*.ts", { cwd: PROGRAM_FOLDER }).map((path) => basename(path)),
    );
    const named = spansOf(map).filter((span) => MODULE.test(span));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((span) => !modules.has(span))).toEqual([]);
  });
});
