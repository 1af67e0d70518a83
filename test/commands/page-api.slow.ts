import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { ALIASES, commandNamed, NAMES } from "../../scripts/commands.mjs";
import { commandLine, start } from "../command.ts";
import { HIDDEN, HOSTILE_LINES, isCommand } from "../findings/hostile.ts";
import { scratch } from "../scratch.ts";
import { readJson } from "../files.ts";

const manifest = readJson(PROGRAM_FOLDER, "package.json") as {
  version: string;
  bin: Record<string, string>;
  scripts: Record<string, string>;
};

const pageApi = (...args: string[]) =>
  spawnSync(process.execPath, [join(PROGRAM_FOLDER, manifest.bin["page-api"] ?? ""), ...args], {
    cwd: PROGRAM_FOLDER,
    encoding: "utf8",
  });

describe("page-api", () => {
  it("has every command of npm, by the same name, and no other", () => {
    const scripts = Object.entries(manifest.scripts).filter(([, line]) => line.includes("run.mjs"));
    expect(scripts.map(([name]) => name).sort()).toEqual([...NAMES, ...Object.keys(ALIASES)].sort());
    // Options of Node only save memory and processor time.
    for (const [name, line] of scripts)
      expect(line.replace(/^node (?:--\S+ )+/, "node ")).toBe(`node ${manifest.bin["page-api"]} ${name}`);
  });

  it("accepts options of commands without “--”", () => {
    const { status, stdout } = pageApi("check", "--content", "test/fixtures/site", "--strict");
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining("no problems") });
  });

  it.each(["import:tate", "serve:bucket", "preview:cloudflare", "generate:hosts"])(
    "runs %s by its name with a colon",
    (name) => {
      const { status, stdout } = pageApi(name, "--help");
      expect(status).toBe(0);
      expect(stdout).toContain(`Usage: npm run ${name}`);
      expect(stdout).toContain(`npx page-api ${name}`);
    },
  );

  it("accepts former names", () => {
    expect(commandNamed("preview:edge")).toBe("preview:cloudflare");
    expect(commandNamed("constructor")).toBeUndefined();
  });

  it("lists every command if none is named", () => {
    const [asked, forgotten] = [pageApi("--help"), pageApi()];
    expect([asked.status, forgotten.status, forgotten.stdout]).toEqual([0, 2, ""]);
    expect(forgotten.stderr).toBe(asked.stdout);
    for (const name of NAMES) expect(asked.stdout).toMatch(new RegExp(`^ {2}${name} {2,}\\S`, "m"));
  });

  it("suggests the nearest command", () => {
    const { status, stderr } = pageApi("chekc", "--strict");
    expect(status).toBe(2);
    expect(stderr.split("\n")[0]).toBe("There is no command “chekc”. Did you mean check?");
  });

  it.each(["arguments", "bench/saves.ts", "../build/base/program", "help.ts"])(
    "runs no other file: %s",
    (name) => {
      expect(pageApi(name).stderr).toContain(`There is no command “${name}”`);
    },
  );

  it("prints the version", () => {
    expect(pageApi("--version").stdout).toBe(`${manifest.version}\n`);
  });

  it("ends as usual if the reader of its output ends first", async () => {
    const { child, ended } = start(process.execPath, commandLine("verify", "--list"));
    child.stdout.destroy();
    expect(await ended).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("prints no control characters of its arguments", () => {
    const lines = pageApi(HOSTILE_LINES).stderr.split("\n");
    expect(lines.filter((line) => HIDDEN.test(line) || isCommand(line))).toEqual([]);
  });

  it("checks first that the packages are installed", () => {
    const folder = scratch("clone");
    execFileSync("cp", ["-r", join(PROGRAM_FOLDER, "scripts"), join(PROGRAM_FOLDER, "build"), folder]);
    const { status, stderr } = spawnSync(process.execPath, [join(folder, "scripts", "run.mjs"), "check"], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining("npm ci") });
  });
});
