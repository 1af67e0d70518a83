import { PROGRAM_FOLDER } from "../build/base/folders.ts";
import { isPackage } from "../build/base/program.ts";
import { nearest } from "../build/findings/finding.ts";
import { printable } from "../build/findings/printable.ts";
import { readManifest } from "./init/package.ts";
import { COMMANDS, FOR_DEVELOPERS, NAMES } from "./commands.mjs";
import { complain, print } from "./output.ts";

/** `npx page-api` without a known command prints the list of commands, the version, or a suggestion. */

const column = Math.max(...NAMES.map((name) => name.length)) + 4;

const list = Object.entries<Record<string, string>>(COMMANDS)
  .filter(([group]) => !isPackage || group !== FOR_DEVELOPERS)
  .map(([group, commands]) => {
    const rows = Object.entries(commands).map(
      ([name, summary]) => `  ${name.padEnd(column - 2)}${summary}\n`,
    );
    return `\n${group}\n${rows.join("")}`;
  })
  .join("");

const usage = `Usage: npx page-api COMMAND [OPTIONS], or npm run COMMAND -- [OPTIONS]
${list}
npx page-api COMMAND --help lists the options of a command; npx page-api --version prints the version.
`;

const [name] = process.argv.slice(2);
if (name === "--help" || name === "-h" || name === "help") print(usage);
else if (name === "--version" || name === "-v") print(`${readManifest(PROGRAM_FOLDER)?.version}\n`);
else {
  const near = name === undefined || name.startsWith("-") ? undefined : nearest(name, NAMES);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  if (name !== undefined) complain(`There is no command “${printable(name)}”.${hint}\n\n`);
  complain(usage);
  process.exitCode = 2;
}
