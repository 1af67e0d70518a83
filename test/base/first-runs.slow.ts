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

const versions = (): string[] => readdirSync(copy.at(".cache", "compiled", "node20"));
const say = (word: string): void => copy.write("build/word.ts", `export const word = "${word}";\n`);

/** A command that waits for a line of input before it loads a module and starts its second thread. */
const WAITS = `
import { once } from "node:events";
console.log("ready");
await once(process.stdin, "data");
const { late } = await import("../build/late.ts");
const { SecondThread } = await import("../build/site/threads.ts");
const thread = new SecondThread();
thread.warmUp(1_000_000);
await thread.dismiss();
console.log(late);
`;

describe.each(Object.entries(WAYS))("commands that start, %s", (_, way) => {
  it("all succeed if they start at the same time and no cache exists", async () => {
    for (let round = 0; round < 2; round++) {
      rmSync(copy.at(".cache"), { recursive: true, force: true });
      const started = Array.from({ length: 10 }, () => copy.start(way, "check"));
      const ended = await Promise.all(started.map(({ ended: end }) => end));
      for (const { status, stderr } of ended)
        expect([status, stderr]).toEqual([0, expect.not.stringContaining("Warning")]);
    }
  });

  it("continue if the program changes and others start", async () => {
    copy.write("scripts/bench.ts", WAITS);
    copy.write("build/late.ts", 'export const late = "done";\n');
    const first = copy.start(way, "bench");
    await first.speaks;
    for (let change = 0; change < 3; change++) {
      copy.write(`build/change-${change}.ts`, "");
      const other = copy.start(way, "bench");
      other.tell();
      expect(await other.ended).toMatchObject({ status: 0, stdout: "ready\ndone\n" });
    }
    first.tell();
    expect(await first.ended).toEqual({ status: 0, stdout: "ready\ndone\n", stderr: "" });
  });

  it("run the current version of the program, whichever ran before", () => {
    copy.write("scripts/bench.ts", 'import { word } from "../build/word.ts";\nconsole.log(word);\n');
    for (const word of ["one", "two", "one", "six"]) {
      say(word);
      expect(copy.run(way, "bench")).toEqual({ status: 0, stdout: `${word}\n`, stderr: "" });
    }
  });

  it("run without a cache if none can be made", () => {
    copy.write(".cache", "no folder");
    expect(copy.run(way, "check").status).toBe(0);
  });
});

describe("compiled code", () => {
  const way = WAYS["compiled"] ?? {};
  beforeEach(() => {
    copy.write("scripts/bench.ts", 'import { word } from "../build/word.ts";\nconsole.log(word);\n');
    say("one");
  });

  it("is not cached for a version of the program that changed while it was compiled", () => {
    const esbuild = copy.at("node_modules", "esbuild");
    const real = pathToFileURL(join(realpathSync(esbuild), "lib", "main.js")).href;
    rmSync(esbuild);
    copy.write("node_modules/esbuild/package.json", '{ "type": "module", "exports": "./index.js" }');
    // The first process to compile finds a word that differs from the one its digest was computed from.
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
    expect(copy.run(way, "bench").stdout).toBe("two\n");
    say("one");
    expect(copy.run(way, "bench").stdout).toBe("one\n");
  });

  it("is kept while a process may be using it, and then removed", () => {
    copy.run(way, "bench");
    const [old = ""] = versions();
    say("two");
    copy.run(way, "bench");
    expect(versions()).toHaveLength(2);
    const longAgo = new Date(Date.now() - 30 * 24 * 3_600_000);
    utimesSync(copy.at(".cache", "compiled", "node20", old), longAgo, longAgo);
    say("three");
    copy.run(way, "bench");
    expect(versions()).toHaveLength(2);
    expect(versions()).not.toContain(old);
  });

  it("counts every run as a use", () => {
    copy.run(way, "bench");
    const [old = ""] = versions();
    const longAgo = new Date(Date.now() - 30 * 24 * 3_600_000);
    utimesSync(copy.at(".cache", "compiled", "node20", old), longAgo, longAgo);
    copy.run(way, "bench");
    say("two");
    copy.run(way, "bench");
    expect(versions()).toContain(old);
  });
});
