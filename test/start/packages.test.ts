import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { scratch } from "../scratch.ts";
import { readJson } from "../files.ts";

const read = (name: string): unknown => readJson(PROGRAM_FOLDER, name);

it("every install script of a package is refused by name, and no other name is listed", () => {
  const { packages } = read("package-lock.json") as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const { allowScripts } = read("package.json") as { allowScripts: Record<string, boolean> };
  const named = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  expect(allowScripts).toEqual(Object.fromEntries(named.map((name) => [name, false])));
});

it("npx finds the project's own program without a registry, and passes all options to it", () => {
  const site = join(PROGRAM_FOLDER, "test", "fixtures", "site");
  const printed = execFileSync("npx", ["page-api", "check", "--strict", "--content", site], {
    cwd: PROGRAM_FOLDER,
    encoding: "utf8",
    env: { ...process.env, npm_config_cache: scratch("npm"), npm_config_offline: "true" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  expect(printed).toContain("no problems");
});
