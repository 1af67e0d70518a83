import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PROJECT } from "../build/base/project.ts";
import { bench, type Run } from "./bench/bench.ts";
import { countPages } from "./bench/input/resize.ts";
import { chart } from "./bench/report/chart.ts";
import { markdown } from "./bench/report/table.ts";
import { command, CommandError, type ExitStatus } from "./command.ts";
import { complain, print } from "./output.ts";

const USAGE = `
Usage: npm run bench -- [options]

Measures the build, cp -r of the same content, and Hugo, Eleventy and Astro doing the same, and prints a table.
Takes some minutes. Needs cp and sync; peak memory is known on Linux alone.

  --content DIR     measure with these sources, thinned out or repeated to each size (default: generated pages)
  --sizes N,N,…     numbers of pages (default: 1000,8000)
  --full            add the whole of --content, or 62,489 pages
  --million         add a million pages, without the competitors (12 GB and 3.1 million files)
  --rounds N        rounds of each size (default: 5; at most 3 of the slow ones)
  --no-competitors  measure only the build and cp -r
  --fs DIR          measure on the file system of this folder; may be repeated, but competitors run on the first alone
                    (default: /dev/shm where it exists, else the folder for temporary files)
  --limit SECONDS   stop a single command after this time (default: 900)
  --report DIR      where to write bench.md and bench.svg (default: .cache/bench)
`;

const MEMORY = "/dev/shm";
const WHOLE = 62_489;
const MILLION = 1_000_000;

const defaultPlace = (): string => (existsSync(MEMORY) ? MEMORY : tmpdir());

function positive(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new CommandError(`${option}: expected whole numbers above 0, found “${text}”`);
  }
  return number;
}

/** A failure of a competitor is a result; a failure of our own build is not. */
const isBroken = ({ results }: Run): boolean =>
  results.some(({ row, failure }) => row.kind !== "competitor" && failure !== undefined);

await command(
  USAGE,
  {
    content: { type: "string" },
    sizes: { type: "string", default: "1000,8000" },
    full: { type: "boolean", default: false },
    million: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    "no-competitors": { type: "boolean", default: false },
    fs: { type: "string", multiple: true },
    limit: { type: "string", default: "900" },
    report: { type: "string", default: join(PROJECT, ".cache/bench") },
  },
  async (values): Promise<ExitStatus> => {
    // Without this, an interrupted run would leave its processes and gigabytes of files behind.
    process.once("SIGINT", () => process.exit(130));
    process.once("SIGTERM", () => process.exit(143));

    const content = values.content === undefined ? undefined : resolve(values.content);
    const sizes = values.sizes.split(",").map((size) => positive("--sizes", size));
    if (values.full) sizes.push(content === undefined ? WHOLE : countPages(content));
    if (values.million) sizes.push(MILLION);

    const measurements = await bench({
      project: PROJECT,
      places: (values.fs ?? [defaultPlace()]).map((place) => resolve(place)),
      ...(content === undefined ? {} : { content }),
      sizes: [...new Set(sizes)].sort((a, b) => a - b),
      rounds: positive("--rounds", values.rounds),
      competitors: !values["no-competitors"],
      limit: positive("--limit", values.limit),
      say: (line) => complain(`${line}\n`),
    });

    const occasion = {
      date: new Date().toISOString().slice(0, 10),
      command: [
        "npm run bench",
        ...(process.argv.slice(2).length > 0 ? ["--", ...process.argv.slice(2)] : []),
      ].join(" "),
    };
    const table = markdown(measurements, occasion);
    mkdirSync(values.report, { recursive: true });
    writeFileSync(join(values.report, "bench.md"), table);
    writeFileSync(join(values.report, "bench.svg"), chart(measurements, occasion));
    print(table);
    if (measurements.runs.some(isBroken)) throw new CommandError("The build itself failed: see the table.");
    return 0;
  },
);
