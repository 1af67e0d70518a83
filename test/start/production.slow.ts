import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { commit, git } from "../diff/repository.ts";
import { scratch } from "../scratch.ts";

/* A checkout whose packages for developers npm left out, and whose output folder was deleted. */

const folder = scratch("production");
for (const name of ["build", "scripts", "package.json", "_headers", "wrangler.jsonc"])
  cpSync(join(PROGRAM_FOLDER, name), join(folder, name), { recursive: true });
cpSync(join(PROGRAM_FOLDER, "test/fixtures/site"), join(folder, "content"), { recursive: true });
git(folder, "init", "--quiet");
commit(folder);

const install = (path: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  symlinkSync(join(PROGRAM_FOLDER, path), join(folder, path));
};
const { packages } = JSON.parse(readFileSync(join(PROGRAM_FOLDER, "package-lock.json"), "utf8")) as {
  packages: Record<string, { dev?: boolean }>;
};
for (const [path, { dev }] of Object.entries(packages))
  if (
    /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) &&
    dev !== true &&
    existsSync(join(PROGRAM_FOLDER, path))
  )
    install(path);

const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(folder, "scripts/run.mjs"), ...args], { cwd: folder, encoding: "utf8" });

const DRY = ["deploy", "--dry-run", "--base-url", "https://api.aldermouth.museum"];

it.each([DRY, ["preview:cloudflare"]])("%s reports that wrangler is missing, before any work", (...args) => {
  const { status, stdout, stderr } = run(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(
    /^The package wrangler is not installed in the site folder: .* Run npm ci --include=dev\.\n$/,
  );
  expect(existsSync(join(folder, "public"))).toBe(false);
});

it("contract and build need no package for developers", () => {
  expect(run("contract", "--base", "HEAD")).toMatchObject({ status: 0, stderr: "" });
  expect(run("build", "--out", join(folder, "out"))).toMatchObject({ status: 0 });
});

it("deploy makes the output folder and the list of files that it does not publish", () => {
  install("node_modules/wrangler");
  const { status, stdout } = run(...DRY);
  expect({ status, ends: stdout.includes("--dry-run: exiting now.") }).toEqual({ status: 0, ends: true });
  expect(readFileSync(join(folder, "public/.assetsignore"), "utf8")).toBe(".*\n");
});
