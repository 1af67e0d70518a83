import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ADDITIONS } from "../../scripts/init/files.ts";
import { dependencyOf, printLike, siteManifest, versionsSince } from "../../scripts/init/package.ts";
import { lineChanges, updateFile } from "../../scripts/init/update.ts";
import { scratch } from "../scratch.ts";
import { jobsOf, mapping, stepsOf, textOf, type Mapping } from "../workflows/read.ts";

describe("a file that init writes", () => {
  const site = scratch("init");
  const state = (path: string, text: string) => updateFile(site, path, text).state;

  it("is updated by a later version, unless it was changed by hand and the version would change it too", () => {
    expect(state("a/x.yml", "one\n")).toBe("written");
    expect(state("a/x.yml", "one\n")).toBe("unchanged");
    expect(updateFile(site, "a/x.yml", "two\n")).toMatchObject({
      state: "updated",
      changes: ["- one", "+ two"],
    });
    const file = join(site, "a/x.yml");
    appendFileSync(file, "own\n");
    const own = readFileSync(file, "utf8");
    expect(state("a/x.yml", "two\n")).toBe("unchanged");
    const { firstLine, ...left } = updateFile(site, "a/x.yml", "three\n");
    expect(left).toMatchObject({ state: "changed by hand", changes: ["- two", "- own", "+ three"] });
    expect(readFileSync(file, "utf8")).toBe(own);
    // The person takes in the change, and records it.
    writeFileSync(file, `${firstLine}three\nown\n`);
    expect(state("a/x.yml", "three\n")).toBe("unchanged");
  });

  it("was written by hand if its first line is missing, and is recognized with other line breaks", () => {
    writeFileSync(join(site, "y.yml"), "one\n");
    expect(state("y.yml", "two\n")).toBe("changed by hand");
    expect(state("y.yml", "one\n")).toBe("unchanged");
    updateFile(site, "z.jsonc", "{}\n");
    const file = join(site, "z.jsonc");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"));
    expect(state("z.jsonc", '{ "a": 1 }\n')).toBe("updated");
  });
});

it("changed lines are shown with the lines around them", () => {
  const lines = Array.from({ length: 20 }, (_, k) => `${k}`);
  const changed = lines.with(9, "nine").toSpliced(15, 1);
  expect(lineChanges(`${lines.join("\n")}\n`, `${changed.join("\n")}\n`)).toEqual(
    ["  …", "  7", "  8", "- 9", "+ nine", "  10", "  11", "  …"]
      .concat(["  13", "  14", "- 15", "  16", "  17", "  …"])
      .slice(1),
  );
  expect(lineChanges("a\n", "a\n")).toEqual([]);
});

describe.each([
  ["Cloudflare", "wrangler.jsonc"],
  ["a server of its own", undefined],
])("the workflows of a site for %s", (_, configuration) => {
  const site = scratch("site");
  if (configuration !== undefined) writeFileSync(join(site, configuration), "{}");
  const files = ADDITIONS.github(site);
  for (const [path, text] of files) updateFile(site, path, text);
  const workflows = [...files.keys()].filter((path) => path.includes("/workflows/"));

  it.each(workflows)("%s calls only commands of the package", (path) => {
    const jobs = jobsOf(join(site, path));
    const runs = jobs.flatMap(([, job]) => stepsOf(job).map(({ run }) => textOf(run)));
    expect(runs.filter((run) => /\bnpm\b|scripts\/|node_modules/.test(run))).toEqual([]);
    expect(jobs.map(([name]) => name)).not.toContain("test");
    // Every called workflow and action exists.
    const used = [...(files.get(path) ?? "").matchAll(/uses: \.\/(\S+)/g)].map(([, name = ""]) => name);
    for (const name of used) expect([...files.keys()].some((file) => file.startsWith(name))).toBe(true);
  });

  it("publish to this host only", () => {
    const publish = files.get(".github/workflows/publish.yml") ?? "";
    expect(/CLOUDFLARE|\*\/30|17,47/.test(publish)).toBe(configuration !== undefined);
    expect(/ssh .*"\$SERVER"/.test(publish)).toBe(configuration === undefined);
    expect(publish).not.toMatch(/undefined|\\\$/);
    const deploy = mapping(mapping((parse(publish) as Mapping)["jobs"])["deploy"]);
    expect(deploy["if"]).toBe("${{ github.ref == 'refs/heads/main' }}");
  });

  it("have no needs that are not among the jobs, and no comment about the program's tests", () => {
    const text = [...files.values()].join("");
    expect(text).not.toMatch(/npm test|npm run/);
    for (const path of workflows) expect(() => parse(files.get(path) ?? "") as unknown).not.toThrow();
  });
});

it("the workflows of a site in a larger repository are at its root, under names of their own, and run in the site", () => {
  const root = scratch("mono");
  const site = join(root, "sites/one");
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(site, { recursive: true });
  const installed = join(root, "node_modules/static-page-api");
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, "package.json"), "{}");
  expect(ADDITIONS.cloudflare(site).get("wrangler.jsonc")).toContain(
    '"main": "../../node_modules/static-page-api/dist/worker.mjs"',
  );
  writeFileSync(join(site, "wrangler.jsonc"), "{}");
  const files = ADDITIONS.github(site);
  const sync = ADDITIONS.github(site, true).get("../../.github/workflows/sites-one-sync.yml");
  expect(sync).toContain("--head sites-one-page-api-sync ");
  expect(sync).not.toMatch(/(?<!sites-one-)page-api-sync/);
  for (const [path, text] of files) updateFile(site, path, text);
  const workflows = readdirSync(join(root, ".github/workflows"));
  expect(workflows).toEqual(["checks", "publish", "pull-request"].map((name) => `sites-one-${name}.yml`));
  const steps = workflows.flatMap((name) =>
    jobsOf(join(root, ".github/workflows", name)).flatMap(([, job]) => stepsOf(job)),
  );
  for (const step of steps)
    expect(step["working-directory"]).toBe(textOf(step.run).includes("page-api") ? "sites/one" : undefined);
  const all = [...files.values()].join("");
  for (const [, used = ""] of all.matchAll(/uses: \.\/(\S+)/g))
    expect(existsSync(join(root, used))).toBe(true);
  expect(all).toContain("actions/workflows/sites-one-publish.yml/runs");
  expect(all).not.toMatch(/group: (?!sites-one-)|^\/content|^\*/m);
  expect(all).toContain('working-directory: "sites/one"\n      run: npm ci');
});

it.each([
  ["package-lock.json", "", "npm ci --strict-allow-scripts"],
  ["pnpm-lock.yaml", "", "pnpm install --frozen-lockfile"],
  ["yarn.lock", "# yarn lockfile v1\n", "yarn install --frozen-lockfile"],
  ["yarn.lock", "__metadata:\n  version: 8\n", "yarn install --immutable"],
  ["bun.lock", "{}", "bun install --frozen-lockfile"],
])("the workflows install the packages of %s (%j) with %s", (name, text, command) => {
  const root = scratch("managed");
  const site = join(root, "site");
  mkdirSync(join(root, ".git"));
  mkdirSync(site);
  for (const folder of [site, root]) {
    writeFileSync(join(folder, name), text);
    const [, action = ""] = [...ADDITIONS.github(site)].find(([path]) => path.endsWith("action.yml")) ?? [];
    const [, install] = stepsOf(mapping((parse(action) as Mapping)["runs"]));
    expect(textOf(install?.["run"])).toContain(command);
    expect(install?.["working-directory"]).toBe(folder === site ? "site" : ".");
    rmSync(join(folder, name));
  }
});

const NAME = "static-page-api";

describe("the former version of the program", () => {
  const root = scratch("versions");
  const site = join(root, "sites/one");
  mkdirSync(join(site, "node_modules", NAME), { recursive: true });
  writeFileSync(join(site, "node_modules", NAME, "package.json"), '{"version": "3.1.0"}');

  it.each([
    [{ [`node_modules/${NAME}`]: { version: "2.0.0" } }, { before: "2.0.0", now: "3.1.0" }],
    [
      {
        [`node_modules/${NAME}`]: { version: "3.1.0" },
        [`sites/one/node_modules/${NAME}`]: { version: "1.0.0" },
      },
      { before: "1.0.0", now: "3.1.0" },
    ],
    [
      {
        [`node_modules/${NAME}`]: { version: "1.0.0" },
        [`sites/one/node_modules/${NAME}`]: { version: "3.1.0" },
      },
      undefined,
    ],
    [{}, { now: "3.1.0" }],
  ])("is the one that the site finds in the lock file of its workspace: %j", (packages, expected) => {
    writeFileSync(join(root, "package-lock.json"), "");
    const asked: string[] = [];
    const found = versionsSince(site, (path) => {
      asked.push(path);
      return JSON.stringify({ packages });
    });
    expect({ found, asked }).toEqual({ found: expected, asked: [join(root, "package-lock.json")] });
    rmSync(join(root, "package-lock.json"));
  });

  it.each(["pnpm-lock.yaml", "yarn.lock"])("is not known from %s", (name) => {
    writeFileSync(join(site, name), "");
    expect(versionsSince(site, () => `lockfileVersion: '9.0'\n`)).toEqual({ now: "3.1.0" });
    expect(versionsSince(site, () => undefined)).toBe(undefined);
    rmSync(join(site, name));
  });
});

describe("a site's dependency on the program", () => {
  const root = scratch("dependency");
  /** A folder in which a package manager has installed the program for one command. */
  const installed = (given: string, below: string[] = [], name = NAME): string => {
    const owner = join(root, "cache");
    mkdirSync(join(owner, "node_modules"), { recursive: true });
    writeFileSync(join(owner, "package.json"), JSON.stringify({ dependencies: { [name]: given } }));
    return join(owner, "node_modules", ...below, name);
  };
  const site = join(root, "museum/site");
  mkdirSync(join(root, "museum/.git"), { recursive: true });
  mkdirSync(site);
  const file = join(root, "p-1.0.0.tgz");
  const inside = join(root, "museum/p-1.0.0.tgz");
  writeFileSync(file, "");
  const copied = { given: "file:p-1.0.0.tgz", copyOf: file };

  it.each([
    ["npm", installed("1.2.3"), "file:../p-1.0.0.tgz", copied],
    ["pnpm", installed("", [".pnpm", `${NAME}@file`, "node_modules"]), `file:${file}`, copied],
    ["bun", installed("", [], "page-api"), file, copied, "page-api"],
    ["yarn", installed("", ["..", "x.zip", "node_modules"]), `file:${file}#x::hash=1`, copied],
    [
      "a file in the repository",
      installed(""),
      `file:${inside}`,
      { given: "file:../p-1.0.0.tgz", isElsewhere: false },
    ],
    [
      "a folder elsewhere",
      installed(""),
      `file:${root}/cache`,
      { given: "file:../../cache", isElsewhere: true },
    ],
    ["an address", installed(""), "https://a.museum/p.tgz", { given: "https://a.museum/p.tgz" }],
  ])(
    "%s: is what was installed, from a file in the repository",
    (_, folder, given, expected, name = NAME) => {
      installed(given, [], name);
      expect(dependencyOf(site, folder)).toEqual(expected);
    },
  );

  it("is the running version if nothing says where the program is from", () => {
    expect(dependencyOf(site, join(root, "elsewhere"))).toEqual({
      given: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    });
  });
});

describe("a site's package.json", () => {
  it.each([
    '{\n\t"name": "a"\n}\n',
    '{\n    "name": "a"\n}',
    '{\r\n  "name": "a"\r\n}\r\n',
    '{\n  "name": "a"\n}\n',
  ])("keeps the layout %j", (text) => {
    expect(printLike(text, JSON.parse(text) as object)).toBe(text);
  });

  it("keeps what a person wrote, and gets the rest", () => {
    const site = join(scratch("manifest"), "Hafen Museum");
    expect(siteManifest(site, false)).toMatchObject({ name: "hafen-museum", private: true });
    const folder = scratch("manifest");
    const own = { name: "own", scripts: { start: "mine" }, dependencies: { "static-page-api": "2.0.0" } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(own));
    const manifest = siteManifest(folder, true);
    expect(manifest).toMatchObject(own);
    expect(manifest.scripts).toMatchObject({ deploy: "page-api deploy" });
    expect(manifest.devDependencies?.["wrangler"]).toMatch(/^\d+\.\d+\.\d+$/);
    expect(manifest.allowScripts).toMatchObject({ workerd: false });
  });
});
