import { readFileSync, writeFileSync } from "node:fs";
import { examine } from "../build/hosts/examine.ts";
import { kinds } from "../build/hosts/kinds.ts";
import { isInstalled } from "../build/hosts/run.ts";
import { between, MARKS, table, type Column } from "../build/hosts/table.ts";
import { holds } from "../build/verify/verify.ts";
import { command, CommandError, type ExitStatus } from "./command.ts";
import { complain, print } from "./output.ts";

await command(
  `npm run hosts:table [-- --file FILE] [--check]

Starts every host on this machine with its printed configuration, asks each for the whole contract, and writes the
table of checks by host between the marks of a document. Needs nginx, Caddy, Apache and lighttpd.

  --file FILE  the document (README.md)
  --check      write nothing; exit status 1 where the table in the document is another

Exit status: 0 every host keeps the contract but for its known limits, 1 one does not, 2 it could not be done.`,
  { file: { type: "string", default: "README.md" }, check: { type: "boolean", default: false } },
  async ({ file, check }, positionals): Promise<ExitStatus> => {
    if (positionals.length > 0) throw new CommandError(`unexpected argument ${positionals[0]}`);
    const missing = kinds.filter((kind) => !isInstalled(kind)).map((kind) => kind.package);
    if (missing.length > 0)
      throw new CommandError(
        `Not on this machine: ${missing.join(", ")} (apt-get install ${missing.join(" ")})`,
      );
    const document = readFileSync(file, "utf8");
    if (between(document, "") === undefined)
      throw new CommandError(`${file} does not have the marks ${MARKS}.`);

    const columns: Column[] = [];
    for (const kind of kinds) {
      const report = await examine(kind);
      columns.push({ kind, report });
      complain(`${kind.name}: ${report.requests} requests\n`);
      for (const { name, got } of report.checks.filter(({ status }) => status === "failed"))
        complain(`  ${name} fails: ${got}\n`);
    }
    const changed = between(document, table(columns)) ?? document;
    if (!columns.every(({ report }) => holds(report))) return 1;
    if (check) {
      if (changed === document) return 0;
      complain(`${file} shows another table; npm run hosts:table writes it anew.\n`);
      return 1;
    }
    if (changed !== document) writeFileSync(file, changed);
    print(`The table of ${columns.length} hosts is in ${file}.\n`);
    return 0;
  },
);
