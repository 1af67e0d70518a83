import { writeFileSync } from "node:fs";
import { typesModule } from "../build/outputs/contract/types.ts";
import { printable } from "../build/findings/printable.ts";
import { modelOf } from "../build/model/types.ts";
import { command, CommandError } from "./command.ts";
import { print } from "./output.ts";
import { siteOf, siteOptions } from "./site.ts";

await command(
  {
    name: "types",
    summary:
      "Writes a TypeScript module for clients of the API, which has no dependencies: the types of the pages, isPage, which\n" +
      'tests a page\'s type, and functions that request pages: fetchPage, and with "index": true in _site.json fetchPageAt,\n' +
      'fetchRedirect, fetchRedirects, fetchChildren and fetchAllPages, with "bulk": true fetchPages.',
    status: "0 written, 2 it could not be written.",
  },
  {
    out: { type: "string", value: "FILE", description: "write the module to FILE", isRequired: true },
    ...siteOptions,
  },
  ({ out, ...values }) => {
    if (out === undefined) throw new CommandError("Give --out FILE, the file to write.");
    writeFileSync(out, typesModule(modelOf(siteOf(values).content)));
    print(`${printable(out)}: written\n`);
    return 0;
  },
);
