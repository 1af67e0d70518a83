import type { Description } from "../../scripts/commands-page.ts";
import { parserOf } from "../../scripts/usage.ts";
import { scripts } from "../command.ts";

/** Other programs that command lines of the documents start. */
const OTHER_PROGRAMS = new Set(["cd", "curl", "export", "git", "rm"]);
/** Prefixes of command lines that need an account or the network, so that no test can run them. */
const NEED_NETWORK = ["npx wrangler ", "npx serve ", "npx create-next-app ", "npx sv "];
const OF_NPM = new Set("ci install install-scripts pack publish run start test version".split(" "));
/** The commands of a shell line: without comments, values of variables, pipes and redirections. `${NAME:+WORDS}` is WORDS. */
export const commandsOf = (line: string): string[] =>
  line
    .replace(/(^|\s)#.*$/, "")
    .replaceAll(/\$\{\w+:\+(.*?)\}/g, "$1")
    .split(/&&|\|(?=\s)/)
    .map((part) => part.replace(/\s[<>]+\s*\S+/g, "").trim())
    .filter((part) => part !== "");

const wordsOf = (command: string): string[] =>
  (command.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));

/** The reason why the program would refuse a command line; undefined if it accepts the line. */
export function commandProblem(
  described: Map<string, Description>,
  command: string,
  inText = false,
): string | undefined {
  const words = wordsOf(command.replace(/^npx --package PACKAGE /, "npx "));
  if (NEED_NETWORK.some((start) => `${command} `.startsWith(start))) return undefined;
  if (OTHER_PROGRAMS.has(words[0] ?? "")) return undefined;
  const bin = words[0] === "npx" && words[1] === "page-api";
  if (!bin && (words[0] === "npm.cmd" ? "npm" : words[0]) !== "npm") return "another program";
  const rest = words.slice(bin ? 2 : 1).filter((word) => word !== "--silent");
  if (!bin && !OF_NPM.has(rest[0] ?? "")) return `npm has no ${rest[0]}`;
  if (!bin && rest[0] !== "run" && rest[0] !== "start") return undefined;
  const [name = "", ...args] = bin || rest[0] === "start" ? rest : rest.slice(1);
  if (name === "" || /^[A-Z…]/.test(name)) return undefined;
  const description = described.get(name);
  if (description === undefined)
    return Object.hasOwn(scripts, name) || name === "--help" ? undefined : `no ${name}`;
  if (!bin && args.length > 0 && args[0] !== "--") return "no -- before the options";
  const problem = argumentProblem(description, bin ? args : args.slice(1));
  // In running text, the last option may be named without its value.
  return inText && problem === `no value of ${args.at(-1)}` ? undefined : problem;
}

function argumentProblem({ usage, options }: Description, args: readonly string[]): string | undefined {
  let lacking: string | undefined;
  const parser = parserOf(usage, options, (name) => (lacking = name));
  const { operands, unknown } = parser.parseOptions(
    args.filter((argument) => !["--help", "--…"].includes(argument)),
  );
  if (unknown[0] !== undefined) return `no option ${unknown[0]}`;
  if (lacking !== undefined) return `no value of --${lacking}`;
  const argument = operands.find((operand) => operand !== "…");
  return usage.args === undefined && argument !== undefined ? `no argument ${argument}` : undefined;
}
