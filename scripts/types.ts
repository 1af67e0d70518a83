import { writeFileSync } from "node:fs";
import { typesModule } from "../build/contract/types.ts";
import { printable } from "../build/findings/printable.ts";
import { command, CommandError } from "./command.ts";
import { print } from "./output.ts";

const USAGE = `Usage: npm run types -- --out FILE

Writes a TypeScript module for clients of the API, which needs nothing beside it: the types of the pages, isPage, which
tells page types apart, and fetchPage, which asks for one.

Exit status: 0 it is written, 2 it could not be.`;

await command(USAGE, { out: { type: "string" } }, ({ out }, positionals) => {
  if (positionals.length > 0)
    throw new CommandError(`unexpected argument ${positionals[0]}\n${USAGE.split("\n")[0]}`);
  if (out === undefined) throw new CommandError(`--out is missing.\n${USAGE.split("\n")[0]}`);
  writeFileSync(out, typesModule());
  print(`${printable(out)}: written\n`);
  return 0;
});
