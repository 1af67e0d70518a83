import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ADDITIONS } from "../../scripts/init/files.ts";
import { siteManifest } from "../../scripts/init/package.ts";
import { lineChanges, updateFile } from "../../scripts/init/update.ts";
import { scratch } from "../scratch.ts";
import { jobsOf, stepsOf, textOf } from "../workflows/read.ts";

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

describe("the workflows of a site", () => {
  const site = scratch("site");
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
  const files = ADDITIONS.github(site);
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

describe("a site's package.json", () => {
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
