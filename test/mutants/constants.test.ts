import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { constantsOf, mutantsOf } from "../../scripts/mutants/constants.ts";
import { Tests } from "../../scripts/mutants/tests.ts";
import { PROJECT } from "../../build/base/project.ts";
import { runHere } from "../command.ts";
import { scratch } from "../scratch.ts";

function constantsIn(text: string) {
  const folder = scratch("constants");
  mkdirSync(join(folder, "build"));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ include: ["build"], compilerOptions: { types: [] } }),
  );
  writeFileSync(join(folder, "build/a.ts"), text);
  return constantsOf(folder, (file) => file.startsWith("build/"));
}

const inShort = (text: string) => constantsIn(text).map(({ name, line, value }) => [name, line, value]);

describe("the constants of a module", () => {
  it("are its named numbers, single, in arithmetic, in objects and in lists", () => {
    const text = `export const BYTES = 4 * 2 ** 20;
const HOUR: number = 3_600_000, LOW = -5;
const LIMITS = { files: { free: 20 }, line: 7 } as const;
const WEIGHTS = [[1, 2]];
`;
    expect(inShort(text)).toEqual([
      ["BYTES", 1, 4_194_304],
      ["HOUR", 2, 3_600_000],
      ["LOW", 2, -5],
      ["LIMITS.files.free", 3, 20],
      ["LIMITS.line", 3, 7],
      ["WEIGHTS[0][0]", 4, 1],
      ["WEIGHTS[0][1]", 4, 2],
    ]);
  });

  it("can be computed from others, and are changed in their written form", () => {
    const [, kept] = constantsIn("const HOUR_MS = 60;\nconst KEPT_MS = 7 * HOUR_MS;\n");
    expect(kept).toMatchObject({ name: "KEPT_MS", value: undefined });
    expect(kept && mutantsOf(kept)).toEqual(["(7 * HOUR_MS) * 2", "Math.floor((7 * HOUR_MS) / 2)"]);
  });

  it("are not strings, character codes, patterns, results of calls, copies or variables", () => {
    const text = `const QUOTE = 0x22;
const TEXT = "100";
const PATTERN = /100/;
const DAY = Date.UTC(2026, 0, 1);
const COPY = QUOTE;
const small = 7;
let COUNT = 7;
const LIMITS_OF = () => 7;
function f() { const INNER = 7; return INNER + small + COUNT + DAY + COPY + LIMITS_OF(); }
`;
    expect(inShort(text)).toEqual([]);
  });

  it("are counts, unless their name or comment mentions milliseconds", () => {
    const text = `/** Maximum. */
const MOST = 7;
const WAIT_MS = 7;
/** In milliseconds. */
const WAIT = 7;
`;
    expect(constantsIn(text).map(mutantsOf)).toEqual([
      ["14", "3", "8", "6"],
      ["14", "3"],
      ["14", "3"],
    ]);
  });

  it("have only changes of their value", () => {
    expect(constantsIn("const A = 0;\nconst B = 1;\nconst C = 0.5;\n").map(mutantsOf)).toEqual([
      ["1", "-1"],
      ["2", "0"],
      ["1", "0.25"],
    ]);
  });

  it("have marks if no user can meet them", () => {
    const text = `/** Maximum. */
// tuning: any number gives the same
const A = 7;
// internal: a flag
const B = 8;
const C = 9;
const D = {
  // tuning: speed
  e: 1,
  f: 2,
};
`;
    expect(constantsIn(text).map(({ name, unseen }) => [name, unseen])).toEqual([
      ["A", "any number gives the same"],
      ["B", "a flag"],
      ["C", undefined],
      ["D.e", "speed"],
      ["D.f", undefined],
    ]);
  });
});

it("the tests of a module are those that reach it, by import or by a command, the nearest first", () => {
  const tests = new Tests(PROJECT);
  expect(tests.of("build/json/parse.ts")[0]).toMatch(/^test\/(?:json|limits)\//);
  expect(tests.of("build/json/parse.ts")).toContain("test/limits/json.test.ts");
  expect(tests.of("scripts/fuzz.ts")).toContain("test/commands/printed.test.ts");
  expect(tests.of("build/release/release-cache.ts")).not.toContain("test/json/exact.test.ts");
  expect(new Tests(PROJECT, 2).of("build/json/parse.ts")).toHaveLength(2);
});

describe("npm run mutants", () => {
  it("lists the constants of a module, with their changes or the reason why there are none", async () => {
    const { status, stdout } = await runHere("mutants", [
      "--list",
      "--concurrency",
      "16",
      join(PROJECT, "build/json/parse.ts"),
    ]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^build\/json\/parse\.ts:\d+ {2}MAX_DEPTH {2}100 → 200, 50, 101, 99$/m);
    expect(stdout).toMatch(/^build\/json\/parse\.ts:\d+ {2}JOINED_TOGETHER {2}4096 \(.+\)$/m);
  });

  it("refuses a file without constants, and more than 16 changes at the same time", async () => {
    const { status, stderr } = await runHere("mutants", ["--list", join(PROJECT, "build/base/failure.ts")]);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "build/base/failure.ts has no numeric constant.\n",
    });
    expect((await runHere("mutants", ["--list", "--concurrency", "17"])).stderr).toContain("from 1 to 16");
  });
});
