import { readdirSync, realpathSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Copy, WAYS } from "./copy.ts";

let copy: Copy;
beforeEach(() => {
  copy = new Copy();
});
afterEach(() => copy.remove());

const bundles = (): string[] => readdirSync(copy.at(".cache", "compiled", "node20"));
const say = (word: string): void => copy.write("build/word.ts", `export const word = "${word}";\n`);

/** A command that loads a part of itself, and its second thread, only when it is told to. */
const WAITS = `
import { once } from "node:events";
console.log("ready");
await once(process.stdin, "data");
const { late } = await import("../build/late.ts");
const { SecondThread } = await import("../build/pipeline/threads.ts");
const thread = new SecondThread();
thread.warmUp(1_000_000);
await thread.dismiss();
console.log(late);
`;

describe.each(Object.entries(WAYS))("commands that start, %s", { timeout: 240_000 }, (_, way) => {
  it("all do their work when they start at once and are the first", async () => {
    for (let round = 0; round < 2; round++) {
      rmSync(copy.at(".cache"), { recursive: true, force: true });
      const started = Array.from({ length: 10 }, () => copy.start(way, "check"));
      const ended = await Promise.all(started.map(({ ends }) => ends()));
      for (const { status, stderr } of ended)
        expect([status, stderr]).toEqual([0, expect.not.stringContaining("Warning")]);
    }
  });

  it("go on when the program changes and others start", async () => {
    copy.write("scripts/cases.ts", WAITS);
    copy.write("build/late.ts", 'export const late = "done";\n');
    const first = copy.start(way, "cases");
    await first.speaks;
    for (let change = 0; change < 3; change++) {
      copy.write(`build/change-${change}.ts`, "");
      const other = copy.start(way, "cases");
      other.tell();
      expect(await other.ends()).toMatchObject({ status: 0, stdout: "ready\ndone\n" });
    }
    first.tell();
    expect(await first.ends()).toEqual({ status: 0, stdout: "ready\ndone\n", stderr: "" });
  });

  it("run the program as it is, whatever it was", () => {
    copy.write("scripts/cases.ts", 'import { word } from "../build/word.ts";\nconsole.log(word);\n');
    for (const word of ["one", "two", "one", "six"]) {
      say(word);
      expect(copy.run(way, "cases")).toEqual({ status: 0, stdout: `${word}\n`, stderr: "" });
    }
  });

  it("run without a cache where none can be made", () => {
    copy.write(".cache", "no folder");
    expect(copy.run(way, "check").status).toBe(0);
  });
});

describe("a bundle", () => {
  const way = WAYS["as a bundle"] ?? {};
  beforeEach(() => {
    copy.write("scripts/cases.ts", 'import { word } from "../build/word.ts";\nconsole.log(word);\n');
    say("one");
  });

  it("is not filed as that of a program which changed while it was made", () => {
    const esbuild = copy.at("node_modules", "esbuild");
    const real = pathToFileURL(join(realpathSync(esbuild), "lib", "main.js")).href;
    rmSync(esbuild);
    copy.write("node_modules/esbuild/package.json", '{ "type": "module", "exports": "./index.js" }');
    // Whoever bundles first finds another word than there was when the program was looked at.
    copy.write(
      "node_modules/esbuild/index.js",
      `import { build as real } from ${JSON.stringify(real)};
import { existsSync, writeFileSync } from "node:fs";
export const build = (options) => {
  if (!existsSync("changed")) {
    writeFileSync("build/word.ts", 'export const word = "two";');
    writeFileSync("changed", "");
  }
  return real(options);
};`,
    );
    expect(copy.run(way, "cases").stdout).toBe("two\n");
    say("one");
    expect(copy.run(way, "cases").stdout).toBe("one\n");
  });

  it("is kept for as long as it may be in use, and goes after that", () => {
    copy.run(way, "cases");
    const [old = ""] = bundles();
    say("two");
    copy.run(way, "cases");
    expect(bundles()).toHaveLength(2);
    const longAgo = new Date(Date.now() - 30 * 24 * 3_600_000);
    utimesSync(copy.at(".cache", "compiled", "node20", old), longAgo, longAgo);
    say("three");
    copy.run(way, "cases");
    expect(bundles()).toHaveLength(2);
    expect(bundles()).not.toContain(old);
  });

  it("counts as used by every run", () => {
    copy.run(way, "cases");
    const [old = ""] = bundles();
    const longAgo = new Date(Date.now() - 30 * 24 * 3_600_000);
    utimesSync(copy.at(".cache", "compiled", "node20", old), longAgo, longAgo);
    copy.run(way, "cases");
    say("two");
    copy.run(way, "cases");
    expect(bundles()).toContain(old);
  });
});
