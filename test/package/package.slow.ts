import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { programTypes } from "../../build/model/program-types.ts";
import { runSync, start } from "../command.ts";
import { tsc } from "../outputs/contract/validators.ts";
import { commit, git } from "../change/diff/repository.ts";
import { filesBelow, readJson, treeOf } from "../files.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { firstPort } from "../ports.ts";
import { scratch } from "../scratch.ts";

/* The package, as npm pack makes it and npm install installs it: in a folder whose path has a space and an umlaut. */

const folder = join(scratch("package"), "Hafen müseum");
const site = join(folder, "mu seum");
const PACKAGE = join(site, "node_modules", "static-page-api");
mkdirSync(folder);

const npm = (cwd: string, ...args: string[]) => spawnSync("npm", args, { cwd, encoding: "utf8" });

/** On most versions of Node, .ci/run leaves out tests that do not depend on the version. */
const isSmokeTest = process.env["SMOKE_TEST"] !== undefined;

// The package is the same on each version of Node, so .ci/run packs it once for most of them.
const shared = process.env["PACKED"];
if (shared !== undefined && existsSync(shared)) cpSync(shared, folder, { recursive: true });
else {
  const { status, stderr } = npm(PROGRAM_FOLDER, "pack", "--silent", "--pack-destination", folder);
  if (status !== 0) throw new Error(stderr);
  if (shared !== undefined) cpSync(folder, shared, { recursive: true });
}
const [tarball = ""] = readdirSync(folder);
const initial = npm(
  folder,
  ...`exec --yes --package=./${tarball} -- page-api init --title Hafen`.split(" "),
  "mu seum",
);
const installing = initial.status === 0 ? npm(site, "install", "--no-audit", "--no-fund") : initial;
const isInstalled = installing.status === 0;
if (!isInstalled && !/E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT|NOTCACHED)/.test(installing.stderr))
  throw new Error(installing.stderr);
if (!isInstalled) console.warn("SKIPPED: the package's tests, because npm's registry cannot be reached");

interface How {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
}

const run = (args: string[], { cwd = site, env = {}, ...as }: How = {}) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(PACKAGE, "scripts/run.mjs"), ...args],
    {
      cwd,
      encoding: "utf8",
      env: { ...process.env, npm_config_offline: "true", ...env },
      ...as,
    },
  );
  return { status, stdout, stderr };
};

const edit = (file: string, from: string | RegExp, to: string): void =>
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));

const replaceContent = (): void => {
  rmSync(join(site, "content"), { recursive: true });
  cpSync(FIXTURE_SITE, join(site, "content"), { recursive: true });
};

describe.skipIf(!isInstalled)("the installed package", () => {
  afterAll(() => chmodSync(PACKAGE, 0o755));

  it.skipIf(isSmokeTest)(
    "is small, and has no native code, no install script and no developer's file",
    () => {
      const { packages } = readJson(site, "package-lock.json") as {
        packages: Record<string, { hasInstallScript?: boolean }>;
      };
      expect(Object.keys(packages).length).toBeLessThanOrEqual(120);
      expect(Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
      expect(filesBelow(join(site, "node_modules")).filter((file) => file.endsWith(".node"))).toEqual([]);
      expect(
        filesBelow(PACKAGE).filter((file) => /\.test\.|(?:^|\/)test\/|bench|fuzz|(?<!\.d)\.ts$/.test(file)),
      ).toEqual(["docs/bench.md"]);
    },
  );

  it.skipIf(isSmokeTest)("imports no package at run time but serve, and wrangler of the site", () => {
    const imported = filesBelow(join(PACKAGE, "dist"))
      .filter((file) => file.endsWith(".mjs"))
      .flatMap((file) =>
        [
          ...readFileSync(join(PACKAGE, "dist", file), "utf8").matchAll(
            /^(?:import|export)\b[^"'\n;]*["']([^"']+)["'];$/gm,
          ),
        ].map(([, name = ""]) => name),
      );
    const known = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);
    expect(imported.filter((name) => !name.startsWith(".") && !known.has(name))).toEqual([]);
  });

  it("made a site that depends on the same package, and has no mistakes", () => {
    expect(readJson(site, "package.json")).toMatchObject({
      dependencies: { "static-page-api": `file:${tarball}` },
      scripts: { start: "page-api start" },
    });
    expect(run(["check", "--strict"])).toEqual({ status: 0, stdout: "1 page: no problems\n", stderr: "" });
    const { $schema } = readJson(site, "content/index.json") as {
      $schema: string;
    };
    expect(existsSync(join(site, "content", $schema))).toBe(true);
    expect(npm(site, "run", "--silent", "check").stdout).toBe("1 page: no problems\n");
    const bin = spawnSync("npx", ["--offline", "page-api", "--version"], { cwd: site, encoding: "utf8" });
    expect(bin.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("writes a page of every type", () => {
    const types = programTypes.names
      .map((name) => programTypes.of(name))
      .filter(({ parents }) => parents.length > 0);
    const paths = types.map(({ shortName, parents }) =>
      parents.includes(programTypes.root)
        ? [shortName]
        : [programTypes.of(parents[0] ?? "").shortName, shortName],
    );
    // Parents first.
    for (const path of paths.sort((a, b) => a.length - b.length)) {
      const created = run(["new", path.at(-1) ?? "", `${path.join("/")}/`, "--title", "New"]);
      expect([path, created.status, created.stderr]).toEqual([path, 0, ""]);
    }
    expect(run(["new", "--list", "subjects"]).status).toBe(0);
  });

  it("builds the same output as a clone, and then has nothing to do", () => {
    replaceContent();
    const clone = join(folder, "clone");
    expect(runSync("build", ["--content", join(site, "content"), "--out", clone]).status).toBe(0);
    expect(run(["build"]).stdout).toContain("69 written");
    expect(treeOf(join(site, "public"))).toEqual(treeOf(clone));
    expect(run(["build"]).stdout).toContain("0 written, 69 unchanged");
    writeFileSync(join(site, "_headers"), "/api/v2/pages/*\n  Allow: GET\n");
    expect(run(["build"]).status).toBe(1);
    rmSync(join(site, "_headers"));
  });

  it("needs no git, and no write access to the packages", () => {
    const other = join(folder, "other");
    cpSync(FIXTURE_SITE, join(other, "content"), { recursive: true });
    chmodSync(PACKAGE, 0o555);
    const how: How = {
      cwd: other,
      env: { PATH: dirname(process.execPath) === "/usr/bin" ? "" : dirname(process.execPath) },
    };
    if (process.getuid?.() === 0) {
      chmodSync(dirname(folder), 0o755);
      chownSync(other, 65_534, 65_534);
      Object.assign(how, { uid: 65_534, gid: 65_534 });
    }
    expect(run(["build"], how)).toMatchObject({ status: 0, stderr: "" });
    expect(treeOf(join(other, "public"))).toEqual(treeOf(join(site, "public")));
  });

  it("builds two sites at the same time, with the rights that another user's umask gives", async () => {
    const places = ["one", "two"].map((name) => join(folder, name));
    const builds = places.map((cwd) => {
      cpSync(FIXTURE_SITE, join(cwd, "content"), { recursive: true });
      const program = join(PACKAGE, "scripts/run.mjs");
      const line = ["-c", 'umask 077 && exec "$0" "$@"', process.execPath, program, "build"];
      return start("sh", line, { cwd }).ended;
    });
    expect((await Promise.all(builds)).map(({ status }) => status)).toEqual([0, 0]);
    for (const place of places) {
      expect(treeOf(join(place, "public"))).toEqual(treeOf(join(site, "public")));
      expect(statSync(join(place, "public/openapi.json")).mode & 0o777).toBe(0o600);
    }
  });

  it("finds its site from a folder of a monorepo", () => {
    const one = join(folder, "mono/sites/one");
    mkdirSync(join(folder, "mono/node_modules"), { recursive: true });
    symlinkSync(PACKAGE, join(folder, "mono/node_modules/static-page-api"));
    expect(run(["init", one])).toMatchObject({ status: 0, stderr: "" });
    const created = run(["new", "general", "about", "--title", "About"], { cwd: join(one, "content") });
    expect(created).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(join(one, "content/about.json"), "utf8")).toContain(
      '"../../../node_modules/static-page-api/build/contract/page.schema.json"',
    );
    expect(run(["build"], { cwd: join(one, "content") })).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(join(one, "public/openapi.json"))).toBe(true);
  });

  it("writes nothing to a folder whose package.json is not JSON", () => {
    const broken = join(folder, "broken");
    mkdirSync(broken);
    writeFileSync(join(broken, "package.json"), "{");
    const { status, stderr } = run(["init", broken]);
    expect({ status, files: readdirSync(broken) }).toEqual({ status: 2, files: ["package.json"] });
    expect(stderr).toContain("is not valid JSON");
  });

  it("shows the effect of a change, and prints a configuration for the site's output", () => {
    git(site, "init", "--quiet", "--initial-branch=main");
    commit(site);
    edit(join(site, "content/visit/access.json"), /"title": "[^"]*"/, '"title": "Step-free access"');
    const diff = run(["diff", "--base", "HEAD"]);
    expect(diff).toMatchObject({ status: 0, stderr: "" });
    expect(diff.stdout).toContain("Step-free access");
    expect(run(["hosting", "nginx"]).stdout).toContain(`root "${join(site, "public")}";`);
    expect(run(["schedule"]).status).toBe(0);
    expect(run(["contract", "--base", "HEAD"]).status).toBe(0);
  });

  it.each([
    ["start", "/", 1000],
    ["dev", "/browse/edit.js", 100_000],
  ])("%s serves the pages, and %s", async (name, path, size) => {
    const port = firstPort();
    const line = [join(PACKAGE, "scripts/run.mjs"), name, "--port", `${port}`];
    const { child, printed, ended } = start(process.execPath, line, { cwd: site });
    try {
      await expect.poll(() => printed.stdout).toContain(`http://localhost:${port}/   the browse UI`);
      const page = await fetch(`http://localhost:${port}/api/v2/pages/5033/`);
      expect(page.headers.get("content-type")).toBe("application/json");
      expect(await page.json()).toMatchObject({ id: 5033 });
      const file = await fetch(`http://localhost:${port}${path}`);
      expect([file.status, (await file.text()).length > size]).toEqual([200, true]);
      const copy = join(folder, `copy of ${name}`);
      const mirrored = run(["mirror", `http://localhost:${port}`, copy, "--ids", "5033"]);
      expect(mirrored).toMatchObject({ status: 0 });
      expect(filesBelow(copy)).toContain("api/v2/pages/5033/index.json");
    } finally {
      child.kill("SIGINT");
    }
    expect(await ended).toMatchObject({ status: 0 });
  });

  it.skipIf(isSmokeTest)("has functions and types for programs", () => {
    const program = join(site, "use.mjs");
    writeFileSync(
      program,
      `import { build, check } from "static-page-api";
const { pages, diagnostics } = await check();
const built = await build({ site: ".", out: "elsewhere", browse: false });
console.log(JSON.stringify([pages, diagnostics, built.published.written > 0]));`,
    );
    const used = spawnSync(process.execPath, [program], { cwd: site, encoding: "utf8" });
    expect(used).toMatchObject({ stdout: "[69,[],true]\n", stderr: "" });
    writeFileSync(
      join(site, "use.ts"),
      `import { build, type Diagnostic } from "static-page-api";
export const first = async (): Promise<Diagnostic | undefined> => (await build({ strict: true })).diagnostics[0];
// @ts-expect-error
await build({ content: 7 });`,
    );
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--types", ""];
    expect(tsc(site, ...options, "use.ts")).toBe("");
  });

  it("adds the files for GitHub and Cloudflare, and names wrangler if it is missing", () => {
    expect(run(["deploy", "--dry-run"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("wrangler"),
    });
    const added = run(["init", "--github", "--cloudflare", "--bucket"]);
    expect(added).toMatchObject({ status: 0, stderr: "" });
    expect(added.stdout).toContain("run npm install");
    for (const name of ["wrangler.jsonc", "wrangler.bucket.jsonc"]) {
      const [, main = ""] = /"main": "([^"]+)"/.exec(readFileSync(join(site, name), "utf8")) ?? [];
      expect(existsSync(join(site, main))).toBe(true);
    }
    expect(readFileSync(join(site, ".github/workflows/checks.yml"), "utf8")).toContain(
      "run: npx page-api check",
    );
    const updated = run(["init", "--github", "--cloudflare", "--bucket"]);
    expect(updated.stdout.match(/: (?!unchanged)/g)).toBeNull();
  });

  it.skipIf(isSmokeTest)("is updated without a change of the site's own pages, headers and workflows", () => {
    const own = ["content/visit/access.json", "_headers", ".github/workflows/checks.yml"].map((path) =>
      join(site, path),
    );
    cpSync(join(PROGRAM_FOLDER, "_headers"), join(site, "_headers"));
    const [, , workflow = ""] = own;
    edit(workflow, "timeout-minutes: ", "timeout-minutes: 1");
    const texts = own.map((file) => readFileSync(file, "utf8"));
    expect(run(["build"]).status).toBe(0);
    // A later version, which writes another CODEOWNERS and another workflow.
    const newer = join(folder, "newer");
    mkdirSync(newer);
    expect(spawnSync("tar", ["-xzf", join(folder, tarball), "-C", newer]).status).toBe(0);
    const change = (path: string, from: string | RegExp, to: string): void =>
      edit(join(newer, "package", path), from, to);
    change("package.json", /"version": "[^"]*"/, '"version": "99.0.0"');
    change(".github/CODEOWNERS", /$/, "/docs/ @OWNER/writers\n");
    change(".github/workflows/checks.yml", "timeout-minutes: ", "timeout-minutes: 2");
    expect(spawnSync("tar", ["-czf", join(folder, "newer.tgz"), "-C", newer, "package"]).status).toBe(0);
    const args = ["install", "--save-exact", "--no-audit", "--no-fund", "../newer.tgz"];
    expect(npm(site, ...args)).toMatchObject({ status: 0 });
    expect(run(["--version"]).stdout).toBe("99.0.0\n");
    expect(run(["check", "--strict"])).toMatchObject({ status: 0 });
    expect(run(["contract", "--base", "HEAD"])).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/from version \S+ to 99\.0\.0, which may break clients/) as string,
    });
    const updated = run(["init", "--github"]);
    expect(updated.status).toBe(1);
    expect(updated.stdout + updated.stderr).toMatch(/checks\.yml: changed by hand/);
    expect(readFileSync(join(site, ".github/CODEOWNERS"), "utf8")).toContain("/docs/ @OWNER/writers");
    expect(own.map((file) => readFileSync(file, "utf8"))).toEqual(texts);
    expect(run(["build"]).stdout).toContain("0 written");
  });
});
