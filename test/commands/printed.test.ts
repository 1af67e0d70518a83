import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { HOSTILE, HOSTILE_LINES } from "../findings/hostile.ts";
import {
  CALLS,
  callsOf,
  checkBroken,
  COMMANDS,
  harmOf,
  noHarm,
  here,
  withHostileSources,
} from "./printing.ts";

withHostileSources();

const PRINTS = /\bconsole\.\w+\(|process\.std(?:out|err)\s*\.write\b/;

// printed.slow.ts runs the commands in separate processes.
describe("every command", () => {
  it("has calls that are tested", () => {
    expect(Object.keys(CALLS).sort()).toEqual(COMMANDS.map(({ file }) => file).sort());
    expect(COMMANDS.filter(({ name }) => name === "")).toEqual([]);
  });

  /** The Worker writes its own log and escapes its lines itself. */
  const PRINTERS = new Set([join("scripts", "output.ts"), join("build", "release", "worker.ts")]);

  it("prints only with the functions that escape", () => {
    const others = ["build", "scripts"].flatMap((folder) =>
      readdirSync(join(PROGRAM_FOLDER, folder), { recursive: true, encoding: "utf8" })
        .map((file) => join(folder, file))
        .filter((file) => file.endsWith(".ts") && !PRINTERS.has(file))
        .filter((file) => PRINTS.test(readFileSync(join(PROGRAM_FOLDER, file), "utf8"))),
    );
    expect(others).toEqual([]);
  });

  it.each(COMMANDS)("$name prints no control characters and no workflow commands", async ({ file, name }) => {
    const calls = callsOf(file).filter(({ until }) => until === undefined);
    for (const call of calls) expect(harmOf(call, await here(name, call))).toEqual(noHarm(call));
  });

  /** Their JSON has no texts of third parties (contract), or needs a bucket (deploy: the report of `build`). */
  const WITHOUT_CALL = ["contract", "deploy"];

  it("that prints JSON is called with hostile texts, and makes its JSON with the function for programs", () => {
    const texts = COMMANDS.map(({ file }) => ({
      file,
      text: readFileSync(join(PROGRAM_FOLDER, "scripts", `${file}.ts`), "utf8"),
    }));
    const withReporter = texts.filter(({ text }) => text.includes('"reporter NAME"'));
    expect(withReporter.length).toBeGreaterThan(5);
    const uncalled = withReporter.filter(({ file }) => !callsOf(file).some(({ isJson }) => isJson === true));
    expect(uncalled.map(({ file }) => file)).toEqual(WITHOUT_CALL);
    expect(texts.filter(({ text }) => /print\([^;]*JSON\.stringify/.test(text))).toEqual([]);
  });

  it("gives programs the exact values", async () => {
    const { stdout } = await here("check", checkBroken("--reporter", "json"));
    const { diagnostics } = JSON.parse(stdout.toString()) as {
      diagnostics: { file: string; message: string }[];
    };
    expect(diagnostics.some(({ file }) => file.endsWith(`/${HOSTILE_LINES}.json`))).toBe(true);
    expect(diagnostics.some(({ message }) => message.includes(HOSTILE))).toBe(true);
  });
});
