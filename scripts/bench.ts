import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PROGRAM_FOLDER } from "../build/base/folders.ts";
import { bench, type BenchRun } from "./bench/bench.ts";
import { countPages } from "./bench/input/resize.ts";
import { markdown } from "./bench/report.ts";
import { command, CommandError, wholeNumber, type ExitStatus } from "./command.ts";
import { complain, print } from "./output.ts";
import { flag, valued } from "./usage.ts";

const MEMORY_FOLDER = "/dev/shm";
const TATE_PAGES = 62_489;
const MILLION = 1_000_000;

const defaultPlace = (): string => (existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir());

/** A failure of a competitor is a result; a failure of this project's build is an error. */
const isBroken = ({ results }: BenchRun): boolean =>
  results.some(({ row, failure }) => row.isCompetitor !== true && failure !== undefined);

await command(
  {
    name: "bench",
    summary:
      "Measures the build, cp -r of the same content, and Hugo, Eleventy and Astro doing the same; the time until dev\n" +
      "serves a saved page; and diff of five pages and of all. Prints a table. Takes some minutes. Needs cp, git, sync and\n" +
      "GNU time, and Chromium for the forms.",
    status: "0 measured, 2 the measurement could not be made, or the build itself failed.",
  },
  {
    content: valued(
      "DIR",
      "measure with these sources, in part for each smaller size (default: generated pages)",
    ),
    sizes: valued("N,N,…", "measure with these numbers of pages", "70,1000,8000"),
    full: flag("add the whole of --content, or 62,489 pages"),
    million: flag("add a million pages, without the competitors (12 GB and 3.1 million files)"),
    rounds: valued("N", "measure each size N times; at most 3 times if it is slow", "5"),
    "no-competitors": flag("measure only this project and cp -r"),
    fs: valued(
      "DIR",
      "measure on the file system of this folder (default: /dev/shm if it exists, or else the folder for temporary files)",
    ),
    limit: valued("SECONDS", "stop a single command after this time", "900"),
    report: valued("DIR", "write bench.md to this folder (default: .cache/bench)"),
  },
  async ({ report = join(PROGRAM_FOLDER, ".cache/bench"), ...values }): Promise<ExitStatus> => {
    // Without these handlers, an interrupted run would leave its processes and gigabytes of files behind.
    process.once("SIGINT", () => process.exit(130));
    process.once("SIGTERM", () => process.exit(143));

    const content = values.content === undefined ? undefined : resolve(values.content);
    const sizes = values.sizes.split(",").map((size) => wholeNumber("--sizes", size, { from: 1 }));
    if (values.full) sizes.push(content === undefined ? TATE_PAGES : countPages(content));
    if (values.million) sizes.push(MILLION);

    const measurements = await bench({
      project: PROGRAM_FOLDER,
      place: resolve(values.fs ?? defaultPlace()),
      ...(content === undefined ? {} : { content }),
      sizes: [...new Set(sizes)].sort((a, b) => a - b),
      rounds: wholeNumber("--rounds", values.rounds, { from: 1 }),
      competitors: !values["no-competitors"],
      limit: wholeNumber("--limit", values.limit, { from: 1 }),
      report: (line) => complain(`${line}\n`),
    });

    const occasion = {
      date: new Date().toISOString().slice(0, 10),
      command: [
        "npm run bench",
        ...(process.argv.slice(2).length > 0 ? ["--", ...process.argv.slice(2)] : []),
      ].join(" "),
    };
    const table = markdown(measurements, occasion);
    mkdirSync(report, { recursive: true });
    writeFileSync(join(report, "bench.md"), table);
    print(table);
    if (measurements.runs.some(isBroken)) throw new CommandError("The build itself failed: see the table.");
    return 0;
  },
);
