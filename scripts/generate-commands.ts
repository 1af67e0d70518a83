import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_FOLDER } from "../build/base/folders.ts";
import { command, print } from "./command.ts";
import { COMMANDS } from "./commands.mjs";
import { commandsPage, describeCommands } from "./commands-page.ts";

const SUMMARY =
  "Writes docs/commands.md, the page of all commands, from the tables of options that --help prints. Run it after a change there.";

/** `package.json` with a script for each command; new ones follow the others that run commands. */
function withScripts(text: string): string {
  const manifest = JSON.parse(text) as { scripts: Record<string, string> };
  const names = Object.values(COMMANDS).flatMap((commands) => Object.keys(commands));
  const entries = Object.entries(manifest.scripts);
  const after = entries.findLastIndex(([, line]) => line.startsWith("node scripts/run.mjs ")) + 1;
  const missing = names
    .filter((name) => !(name in manifest.scripts))
    .map((name) => [name, `node scripts/run.mjs ${name}`]);
  const scripts = Object.fromEntries(entries.toSpliced(after, 0, ...(missing as [string, string][])));
  return `${JSON.stringify({ ...manifest, scripts }, undefined, 2)}\n`;
}

await command({ name: "generate:commands", summary: SUMMARY }, {}, async () => {
  // Commands are loaded as TypeScript, which needs a loader before Node 22.18.
  if (!Reflect.get(process.features, "typescript")) (await import("tsx/esm/api")).register();
  writeFileSync(join(PROGRAM_FOLDER, "docs", "commands.md"), commandsPage(await describeCommands()));
  const file = join(PROGRAM_FOLDER, "package.json");
  writeFileSync(file, withScripts(readFileSync(file, "utf8")));
  print("docs/commands.md\npackage.json\n");
});
