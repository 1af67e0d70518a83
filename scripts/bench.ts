import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PROGRAM_FOLDER } from "../build/base/folders.ts";
import { generatedSite, reduced, siteIn, writeSources } from "./bench/site.ts";
import { assertGnuTime, runRounds } from "./bench/measure.ts";
import { describeMachine, fileSystemOf, markdown, type BenchRun } from "./bench/report.ts";
import { hugo, SERIES } from "./bench/series.ts";
import { command, CommandError, complain, print, whole } from "./command.ts";

/** Maximum pages for which everything runs in all rounds; above it in at most three, as some take minutes. */
const MAX_PAGES_FOR_ALL_ROUNDS = 10_000;

const say = (line: string): void => complain(`${line}\n`);

await command(
  {
    name: "bench",
    summary:
      "Measures builds: of everything, of one edit and with nothing to do, beside cp -r of the same content and Hugo; the\n" +
      "time until dev serves a saved page; and diff of five pages and of all. Prints a table. Takes some minutes. Needs cp,\n" +
      "git, sync and GNU time.",
    status: "0 measured, 2 the measurement could not be made, or the build itself failed.",
  },
  {
    "content DIR": "measure with these sources, in part for each smaller size (default: generated pages)",
    "sizes N,N,…": {
      text: "measure with these numbers of pages",
      default: "70,1000,8000",
      parse: (written: string, option: string) => written.split(",").map((size) => whole(1)(size, option)),
    },
    full: "add the whole of --content, or 62,489 pages",
    "rounds N": {
      text: "measure each size N times; at most 3 times above 10,000 pages",
      default: "5",
      parse: whole(1),
    },
    "no-competitors": "measure only this project and cp -r",
    "fs DIR":
      "measure on the file system of this folder (default: /dev/shm if it exists, or else the folder for temporary files)",
    "limit SECONDS": { text: "stop a single command after this time", default: "900", parse: whole(1) },
    "report DIR": "write bench.md to this folder (default: .cache/bench)",
  },
  async ({ report = join(PROGRAM_FOLDER, ".cache/bench"), ...values }) => {
    // Without these handlers, an interrupted run would leave its processes and gigabytes of files behind.
    process.once("SIGINT", () => process.exit(130));
    process.once("SIGTERM", () => process.exit(143));

    const content = values.content === undefined ? undefined : resolve(values.content);
    const { rounds, limit } = values;
    const sizes = new Set(values.sizes);
    if (values.full) sizes.add(content === undefined ? 62_489 : siteIn(content).pages);

    assertGnuTime();
    const machine = describeMachine();
    const place = resolve(values.fs ?? (existsSync("/dev/shm") ? "/dev/shm" : tmpdir()));
    const work = mkdtempSync(join(place, "bench-"));
    const clean = (): void => rmSync(work, { recursive: true, force: true });
    process.once("exit", clean);
    const peer = values["no-competitors"] ? undefined : hugo();
    if (peer === undefined && !values["no-competitors"]) say("Hugo is not installed, so it is not measured.");
    const series = peer === undefined ? SERIES : [...SERIES, [peer]];
    const runs: BenchRun[] = [];
    for (const pages of [...sizes].sort((a, b) => a - b)) {
      say(`${pages} pages`);
      const folder = join(work, `${pages}`);
      const sources = content === undefined ? generatedSite(pages) : reduced(content, pages);
      writeSources(join(folder, "content"), sources);
      const site = siteIn(join(folder, "content"));
      const times = pages > MAX_PAGES_FOR_ALL_ROUNDS ? Math.min(rounds, 3) : rounds;
      const results = await runRounds(site, series, times, limit, say);
      runs.push({ pages: site.pages, results });
      // File systems also limit the number of files.
      rmSync(folder, { recursive: true, force: true });
    }
    clean();

    const typed = ["npm run bench --", ...process.argv.slice(2)].join(" ");
    const input = content === undefined ? "generated pages" : "the pages of a content folder";
    const date = new Date().toISOString().slice(0, 10);
    const table = markdown(
      runs,
      `Measured on ${date} by \`${typed}\`, with ${input} on ${fileSystemOf(place)}.\n\n${machine}`,
    );
    mkdirSync(report, { recursive: true });
    writeFileSync(join(report, "bench.md"), table);
    print(table);
    // A failure of a peer is a result; a failure of this project's build is an error.
    if (runs.some(({ results }) => results.some(({ row, failure }) => !row.isPeer && failure !== undefined)))
      throw new CommandError("The build itself failed: see the table.");
  },
);
