import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { NAMES } from "../../scripts/commands.mjs";
import { SITE_SCRIPTS } from "../../scripts/init/package.ts";
import { declared } from "../../scripts/usage.ts";
import { commandsPage, describeCommands, type Description } from "../../scripts/commands-page.ts";
import { stepsOf, jobsOf, textOf, workflows } from "../workflows/read.ts";
import { commandProblem, commandsOf } from "./command-lines.ts";
import { blocksOf, DOCUMENTS, spansOf } from "./documents.ts";

let described: Map<string, Description>;
beforeAll(async () => {
  described = await describeCommands();
});

describe("docs/commands.md", () => {
  it("is as generated: if not, run npm run generate:commands", () => {
    expect(readFileSync(join(PROGRAM_FOLDER, "docs", "commands.md"), "utf8")).toBe(commandsPage(described));
  });

  it("has every command and every option", () => {
    expect([...described.keys()].sort()).toEqual([...NAMES].sort());
    const page = readFileSync(join(PROGRAM_FOLDER, "docs", "commands.md"), "utf8");
    for (const [name, { options }] of described) {
      const section = page.split(`\n### ${name}\n`)[1]?.split("\n### ")[0] ?? "";
      for (const { name: option } of declared(options))
        expect(section).toMatch(new RegExp(`^ +--${option}\\b`, "m"));
    }
  });
});

/** Options of other programs in running text. */
const OTHER_OPTIONS = ["--allow-unrelated-histories", "--init", "--strict-allow-scripts", "--merge"];

const problemOf = (command: string, inText = false): string | undefined =>
  commandProblem(described, command, inText);

interface GitLabJob {
  script?: string[];
  before_script?: string[];
}

const OURS = /^(?:npm (?:run|start|ci|test)|npm\.cmd run|npx page-api)\b/;

describe("command lines", () => {
  it.each(DOCUMENTS)("of $path are accepted by the program", ({ text }) => {
    const lines = blocksOf(text, "sh").flatMap((code) => code.replace(/\\\n/g, " ").split("\n"));
    const inText = spansOf(text).filter((span) => OURS.test(span));
    const problems = [
      ...lines.flatMap(commandsOf).map((command) => [command, problemOf(command)]),
      ...inText.flatMap(commandsOf).map((command) => [command, problemOf(command, true)]),
    ];
    expect(problems.filter(([, problem]) => problem !== undefined)).toEqual([]);
  });

  it.each(
    DOCUMENTS.filter(({ path }) => !/^(?:CONTRIBUTING|docs\/(?:architecture|bench|commands))/.test(path)),
  )("of $path run the scripts of a site", ({ text }) => {
    const names = [...text.matchAll(/npm run (?!generate:|test:|lint\b)([a-z:]+)/g)].map(([, name]) => name);
    expect(SITE_SCRIPTS).toEqual(expect.arrayContaining(names));
  });

  it.each(workflows)("of %s are accepted by the program", (file) => {
    const runs = jobsOf(file).flatMap(([, job]) => stepsOf(job).map(({ run }) => textOf(run)));
    const own = runs.flatMap((run) => run.split("\n")).filter((line) => OURS.test(line));
    expect(own.length).toBeGreaterThan(0);
    expect(own.flatMap(commandsOf).flatMap((command) => problemOf(command) ?? [])).toEqual([]);
  });

  it("of timers are accepted by the program", () => {
    const files = DOCUMENTS.flatMap(({ text }) => [...blocksOf(text, "ini"), ...blocksOf(text, "text")]);
    const lines = files.flatMap(
      (text) => text.match(/(?<=^ExecStart=\/usr\/bin\/|&& )npx page-api .*$/gm) ?? [],
    );
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.flatMap((line) => problemOf(line) ?? [])).toEqual([]);
  });

  it("of the jobs for GitLab are accepted by the program", () => {
    const files = DOCUMENTS.flatMap(({ text }) => blocksOf(text, "yaml"));
    const jobs = files.flatMap((text) => Object.entries(parse(text) as Record<string, GitLabJob>));
    const lines = jobs.flatMap(([, { script = [], before_script: before = [] }]) => [...before, ...script]);
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.flatMap(commandsOf).flatMap((command) => problemOf(command) ?? [])).toEqual([]);
    const withoutScript = jobs.filter(([, { script }]) => script === undefined).map(([name]) => name);
    expect(withoutScript).toEqual(["image", "variables", "workflow", "default"]);
  });

  it.each([
    ["npm run check -- --strct", "no option --strct"],
    ["npm run check --strict", "no -- before the options"],
    ["npm run chekc", "no chekc"],
    ["npx page-api check --content", "no value of --content"],
    ["npx page-api deploy somewhere", "no argument somewhere"],
    ["make all", "another program"],
  ])("%s would be refused", (command, problem) => {
    expect(problemOf(command)).toBe(problem);
  });

  it("are found in the documents", () => {
    const all = DOCUMENTS.flatMap(({ text }) => [...blocksOf(text, "sh"), ...spansOf(text)]);
    expect(all.length).toBeGreaterThan(200);
  });
});

describe("options in running text", () => {
  it.each(DOCUMENTS)("of $path are options of a command", ({ text }) => {
    const known = new Set(
      [...described.values()].flatMap(({ options }) => declared(options)).map(({ name }) => name),
    );
    const named = spansOf(text)
      .map((span) => span.replace(/^-- /, ""))
      .filter((span) => span.startsWith("--") && span !== "--")
      .map((span) => span.split(/[ =]/)[0] ?? "");
    expect(
      named.filter(
        (name) => !known.has(name.slice(2)) && ![...OTHER_OPTIONS, "--help", "--version"].includes(name),
      ),
    ).toEqual([]);
  });
});

const CODE_FOLDERS = ["build", "scripts", "test", ".ci", ".github"];

/** All files of the program, its tests and its workflows, as one text. */
function programText(): string {
  const texts: string[] = [];
  for (const folder of CODE_FOLDERS)
    for (const entry of readdirSync(join(PROGRAM_FOLDER, folder), { recursive: true, withFileTypes: true }))
      if (
        entry.isFile() &&
        /\.(?:ts|mjs|js|yml)$|^run$/.test(entry.name) &&
        !entry.parentPath.endsWith("test/docs")
      )
        texts.push(readFileSync(join(entry.parentPath, entry.name), "utf8"));
  return texts.join("\n");
}

describe("environment variables", () => {
  it("in the documents are read by the program, its tests or its workflows", () => {
    const program = programText();
    const exported = DOCUMENTS.flatMap(({ text }) =>
      Array.from(text.matchAll(/^ *export (\w+)=/gm), ([, name = ""]) => name),
    );
    const named = [...DOCUMENTS.flatMap(({ text }) => spansOf(text)), ...exported].filter((span) =>
      /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(span),
    );
    // Other programs read these settings: wrangler, and a build at Cloudflare Pages.
    const others = new Set(["CLOUDFLARE_API_TOKEN", "CLOUDFLARE_ACCOUNT_ID", "PAGES_WRANGLER_MAJOR_VERSION"]);
    const missing = new Set(named.filter((name) => !others.has(name) && !program.includes(name)));
    // Codes of the API's data, and prefixes of constants, look like environment variables.
    for (const other of ["DISPLAY_CAPTION", "CATALOGUE_ENTRY", "MAX_"]) missing.delete(other);
    expect([...missing]).toEqual([]);
    expect(named).toContain("AWS_ACCESS_KEY_ID");
  });
});
