import { readFileSync, writeFileSync } from "node:fs";
import { hosts } from "../build/hosting/config/index.ts";
import { verifyServed, whileServed } from "../test/verify/hosts/host-test.ts";
import { isInstalled } from "../test/verify/hosts/installed.ts";
import { between, MARKS, table, type HostColumn } from "../test/verify/hosts/table.ts";
import { conforms } from "../build/verify/verify.ts";
import { bucketHosts } from "../test/release/hosts.ts";
import { command, CommandError, complain, print } from "./command.ts";

/** Several hosts may have the same program. */
const programs = [...new Set(hosts.flatMap(({ program }) => program ?? []))];

await command(
  {
    name: "generate:hosts",
    summary:
      "Starts every host on this machine with its printed configuration, checks each against the contract, and writes the\n" +
      `table of checks by host between the marks of a document. Needs ${programs.join(", ")}.`,
    status:
      "0 every host keeps the contract, except for its known limits, 1 one does not, 2 the hosts could not be run.",
  },
  {
    "file FILE": { text: "write the table into this document", default: "docs/hosting.md" },
    check: "write nothing; exit status 1 if the document's table is out of date",
    needs: "print the programs that must be on the machine, then their Debian packages, and do nothing else",
  },
  async ({ file, check, needs }) => {
    if (needs) {
      // Their packages have the same names.
      print(`${programs.join(" ")}\n`.repeat(2));
      return 0;
    }
    const missing = hosts.flatMap((host) => (isInstalled(host) ? [] : (host.program ?? [])));
    if (missing.length > 0)
      throw new CommandError(
        `Not installed on this machine: ${missing.join(", ")} (apt-get install ${missing.join(" ")}).`,
      );
    const document = readFileSync(file, "utf8");
    if (between(document, "") === undefined) throw new CommandError(`${file} lacks the marks ${MARKS}.`);

    const columns: HostColumn[] = [];
    for (const host of [...hosts, ...bucketHosts]) {
      const report = await whileServed(host, {}, (base, out) => verifyServed(host, base, out));
      columns.push({ host, report });
      complain(`${host.title}: ${report.requests} requests\n`);
      for (const { name, got } of report.checks.filter(({ status }) => status === "failed"))
        complain(`  ${name} fails: ${got}\n`);
    }
    const changed = between(document, table(columns)) ?? document;
    if (!columns.every(({ report }) => conforms(report))) return 1;
    if (check) {
      if (changed === document) return 0;
      complain(`The table in ${file} is out of date; update it with npm run generate:hosts.\n`);
      return 1;
    }
    if (changed !== document) writeFileSync(file, changed);
    print(`Wrote the table of ${columns.length} hosts to ${file}.\n`);
    return 0;
  },
);
