import { writeFileSync } from "node:fs";
import { typesModule } from "../build/contract/types.ts";
import { printable } from "../build/findings/printable.ts";
import { command, CommandError } from "./command.ts";
import { print } from "./output.ts";

await command(
  {
    name: "types",
    does:
      "Writes a TypeScript module for clients of the API, which needs nothing beside it: the types of the pages, isPage, which\n" +
      "tells page types apart, and fetchPage, which asks for one.",
    status: "0 it is written, 2 it could not be.",
  },
  { out: { type: "string", value: "FILE", words: "where it is written", isRequired: true } },
  ({ out }) => {
    if (out === undefined) throw new CommandError("Where is it written? Give --out FILE.");
    writeFileSync(out, typesModule());
    print(`${printable(out)}: written\n`);
    return 0;
  },
);
