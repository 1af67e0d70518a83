import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentFolder } from "../build/source/complete.ts";
import { sourceTypes, typesModule } from "../build/outputs/contract/types.ts";
import { printable } from "../build/findings/printable.ts";
import { modelOf } from "../build/model/types.ts";
import { command, CommandError, print, siteOptions } from "./command.ts";

/** A name that a project of TypeScript finds by itself. */
const SOURCES = "page-sources.d.ts";

await command(
  {
    name: "types",
    summary:
      "Writes a TypeScript module for clients of the API, which has no dependencies: the types of the pages, isPage, which\n" +
      'tests a page\'s type, and functions that request pages: fetchPage, and with "index": true in _site.json fetchPageAt,\n' +
      'fetchRedirect, fetchRedirects, fetchChildren and fetchAllPages, with "bulk": true fetchPages. With --sources, it writes the\n' +
      "types of sources instead, by which TypeScript checks the modules of npx page-api sync.",
    status: "0 written, 2 it could not be written.",
  },
  {
    "out FILE": `write the module to FILE (default with --sources: ${SOURCES} in the site folder)`,
    sources: "write the types of the pages' sources",
    ...siteOptions,
  },
  ({ out: named, sources, ...values }, _, { site, content }) => {
    const out = named ?? (sources ? join(site, SOURCES) : undefined);
    if (values.content !== undefined) contentFolder(content);
    if (out === undefined) throw new CommandError("Give --out FILE, the file to write.");
    writeFileSync(out, (sources ? sourceTypes : typesModule)(modelOf(content)));
    print(`${printable(out)}: written\n`);
  },
);
