import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { PROGRAM_FOLDER } from "../../build/base/folders.ts";
import { NAMES } from "../../scripts/commands.mjs";
import { commandsPage, describeCommands, type Description } from "../../scripts/commands-page.ts";
import { blocksOf, DOCUMENTS, spansOf } from "./documents.ts";

const { scripts } = JSON.parse(readFileSync(join(PROGRAM_FOLDER, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

let described: Map<string, Description>;
// Loads every command, which takes long on a busy machine.
beforeAll(async () => {
  described = await describeCommands();
}, 180_000);

describe("docs/commands.md", () => {
  it("is as generated: if not, run npm run generate:commands", () => {
    expect(readFileSync(join(PROGRAM_FOLDER, "docs", "commands.md"), "utf8")).toBe(commandsPage(described));
  });

  it("has every command and every option", () => {
    expect([...described.keys()].sort()).toEqual([...NAMES].sort());
    const page = readFileSync(join(PROGRAM_FOLDER, "docs", "commands.md"), "utf8");
    for (const [name, { options }] of described) {
      const section = page.split(`\n### ${name}\n`)[1]?.split("\n### ")[0] ?? "";
      for (const option of Object.keys(options))
        expect(option === "site" ? page : section).toContain(`\`--${option}`);
    }
  });
});

/** Other programs that command lines of the documents start. */
const OTHER_PROGRAMS = new Set(["cd", "curl", "export", "git"]);
/** Prefixes of command lines that need an account or the network, so that no test can run them. */
const NEED_NETWORK = ["npx wrangler ", "npx serve "];
const OF_NPM = new Set(["ci", "test", "start", "run", "install-scripts"]);
/** Options of other programs in running text. */
const OTHER_OPTIONS = ["--allow-unrelated-histories", "--init", "--strict-allow-scripts", "--merge"];

/** The commands of a shell line: without comments, values of variables, pipes and redirections. */
const commandsOf = (line: string): string[] =>
  line
    .replace(/(^|\s)#.*$/, "")
    .split(/&&|\|(?=\s)/)
    .map((part) => part.replace(/\s[<>]\s*\S+/g, "").trim())
    .filter((part) => part !== "");

const wordsOf = (command: string): string[] =>
  (command.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));

/** The reason why the program would refuse a command line; undefined if it accepts the line. */
function problemOf(command: string, inText = false): string | undefined {
  const words = wordsOf(command);
  if (NEED_NETWORK.some((start) => `${command} `.startsWith(start))) return undefined;
  if (OTHER_PROGRAMS.has(words[0] ?? "")) return undefined;
  const bin = words[0] === "npx" && words[1] === "page-api";
  if (!bin && (words[0] === "npm.cmd" ? "npm" : words[0]) !== "npm") return "another program";
  const rest = words.slice(bin ? 2 : 1).filter((word) => word !== "--silent");
  if (!bin && !OF_NPM.has(rest[0] ?? "")) return `npm has no ${rest[0]}`;
  if (!bin && rest[0] !== "run" && rest[0] !== "start") return undefined;
  const [name = "", ...args] = bin || rest[0] === "start" ? rest : rest.slice(1);
  if (name === "" || /^[A-Z…]/.test(name)) return undefined;
  if (!described.has(name))
    return Object.hasOwn(scripts, name) || name === "--help" ? undefined : `no ${name}`;
  if (!bin && args.length > 0 && args[0] !== "--") return "no -- before the options";
  const problem = argumentProblem(described.get(name), bin ? args : args.slice(1));
  // In running text, the last option may be named without its value.
  return inText && problem === `no value of ${args.at(-1)}` ? undefined : problem;
}

function argumentProblem(description: Description | undefined, args: readonly string[]): string | undefined {
  const { usage, options } = description ?? { usage: { name: "", summary: "" }, options: {} };
  for (let i = 0; i < args.length; i++) {
    const [option = "", inline] = (args[i] ?? "").split("=");
    if (!option.startsWith("--")) {
      if (usage.args === undefined && option !== "…") return `no argument ${option}`;
      continue;
    }
    if (option === "--help" || option === "--…") continue;
    const found = Object.hasOwn(options, option.slice(2)) ? options[option.slice(2)] : undefined;
    if (found === undefined) return `no option ${option}`;
    if (found.type === "boolean" || inline !== undefined) continue;
    const value = args[i + 1];
    if (value !== undefined && !value.startsWith("--")) i++;
    else if (found.isAlone !== true) return `no value of ${option}`;
  }
  return undefined;
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
    const known = new Set([...described.values()].flatMap(({ options }) => Object.keys(options)));
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
