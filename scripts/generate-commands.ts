import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_FOLDER } from "../build/base/folders.ts";
import { command, print } from "./command.ts";
import { commandsPage, describeCommands } from "./commands-page.ts";

const SUMMARY =
  "Writes docs/commands.md, the help of all commands, from the tables of options in scripts/. Run it after a change there.";

await command({ name: "generate:commands", summary: SUMMARY }, {}, async () => {
  // Commands are loaded as TypeScript, which needs a loader before Node 22.18.
  if (!Reflect.get(process.features, "typescript")) (await import("tsx/esm/api")).register();
  writeFileSync(join(PROGRAM_FOLDER, "docs", "commands.md"), commandsPage(await describeCommands()));
  print("docs/commands.md\n");
});
