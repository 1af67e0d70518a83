import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { programModel as model } from "../../build/model/program-model.ts";
import { filesBelow } from "../files.ts";

/** Files that name types on purpose: the importer of Tate's data, sources for the benchmark, settings of a user's website. */
const NAMING =
  /^build\/model\/|^scripts\/(?:import-)?tate\.|^scripts\/bench\/|^scripts\/init\/website\/site\.mjs$/;

/** The modules at which the program begins: commands and tests call them, a thread, or a browser. */
const ENTRIES = [
  "change/diff/diff.ts",
  "dev/develop.ts",
  "editor/client/host.ts",
  "model/program-model.ts",
  "model/types.ts",
  "site/outcome.ts",
  "site/thread.ts",
];

describe("the page types", () => {
  it("are named nowhere outside build/model", () => {
    const name = new RegExp(
      model.names.map((type) => `\\b${type.replace(".", String.raw`\.`)}\\b`).join("|"),
    );
    const files = ["build", "scripts"].flatMap((folder) =>
      filesBelow(join(PROGRAM_FOLDER, folder)).map((file) => `${folder}/${file}`),
    );
    const sources = files.filter((file) => /\.m?[jt]s$/.test(file) && !NAMING.test(file));
    expect(sources.length).toBeGreaterThan(200);
    const named = sources.flatMap((file) => {
      // Examples of findings, and their facts, may name types.
      const text = readFileSync(join(PROGRAM_FOLDER, file), "utf8").replace(
        /^ +(?:example|facts): (?:.*\},|\{[^]*?\n {4}\},)$/gm,
        "",
      );
      return text.split("\n").flatMap((line) => (name.test(line) ? [`${file}: ${line.trim()}`] : []));
    });
    expect(named).toEqual([]);
  });

  it("of the program are read only where the program begins, and passed to all other code", () => {
    const files = filesBelow(join(PROGRAM_FOLDER, "build")).filter((file) => file.endsWith(".ts"));
    const reading = files.filter((file) =>
      /\/program-\w+\.ts"/.test(readFileSync(join(PROGRAM_FOLDER, "build", file), "utf8")),
    );
    expect(reading.sort()).toEqual(ENTRIES);
  });

  it("differ in their labels and short names, and name types as their parents", () => {
    for (const column of ["label", "shortName"] as const) {
      const values = model.names.map((type) => model.of(type)[column].toLowerCase());
      expect(new Set(values).size).toBe(model.names.length);
    }
    expect(model.names).toEqual(
      expect.arrayContaining(model.names.flatMap((type) => model.of(type).parents)),
    );
  });
});
