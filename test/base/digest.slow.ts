import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Copy, WAYS } from "./copy.ts";

describe.each(Object.entries(WAYS))("the manifest of a build, run %s", (_, way) => {
  let own: Copy;
  beforeAll(() => {
    own = new Copy();
  });
  afterAll(() => own.remove());

  /** Builds, and returns whether the build used the previous build's manifest: if it does not, it writes a new one. */
  function trusts(): boolean {
    const builds = own.at(".cache", "builds");
    const manifest = (): string => join(builds, readdirSync(builds)[0] ?? "", "manifest");
    const before = existsSync(builds) ? statSync(manifest()).mtimeMs : undefined;
    expect(own.run(way, "build")).toMatchObject({ status: 0 });
    return statSync(manifest()).mtimeMs === before;
  }

  it("is used only by the same program", () => {
    expect([trusts(), trusts()]).toEqual([false, true]);
    const files = ["build/model/html/more.ts", "build/more/more.ts", "build/more.mjs", "scripts/more.ts"];
    for (const file of files) {
      own.write(file, "");
      expect([file, trusts(), trusts()]).toEqual([file, false, true]);
    }
    rmSync(own.at(files[0] ?? ""));
    expect(trusts()).toBe(false);
  });

  it("is not saved if the program changes during the build", () => {
    trusts();
    own.write(
      "scripts/bench.ts",
      `
import { writeFileSync } from "node:fs";
import { build } from "../build/site/build.ts";
writeFileSync("build/new.ts", "");
const { manifestError } = await build({ content: "content", out: "other", cache: ".cache/builds" });
console.log(manifestError === undefined ? "remembered" : "forgotten");
`,
    );
    // Compiled code does not change if the files that it was made from do.
    const expected =
      way["NODE_OPTIONS"] === undefined && "as TypeScript" in WAYS ? "forgotten" : "remembered";
    expect(own.run(way, "bench")).toMatchObject({ status: 0, stdout: `${expected}\n` });
  });
});
