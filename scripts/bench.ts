import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bench, type Sitting } from "../build/bench/bench.ts";
import { countPages } from "../build/bench/input/resize.ts";
import { chart } from "../build/bench/report/chart.ts";
import { report } from "../build/bench/report/table.ts";
import { command, CommandError, type ExitStatus } from "./command.ts";
import { complain, print } from "./output.ts";

const USAGE = `
Usage: npm run bench -- [options]

Measures the build, cp -r of the same content, and Hugo, Eleventy and Astro doing the same, and prints a table.
Some minutes as it stands. Needs a system with cp and sync; peak memory is known on Linux alone.

  --content DIR    measure with these sources, thinned out or repeated to each size (default: generated pages)
  --sizes N,N,…    numbers of pages (default: 1000,8000)
  --full           adds the whole of --content, or 62,489 pages
  --million        adds a million pages, without the peers (12 GB and 3.1 million files)
  --rounds N       rounds of each size (default: 5; the slow ones at most 3)
  --no-peers       only the build and cp -r
  --fs DIR         measure on the file system of this folder; may be given again, the peers run on the first alone
                   (default: /dev/shm where it is there, else the folder for temporary files)
  --limit SECONDS  give up a single run after this time (default: 900)
  --report DIR     where bench.md and bench.svg are written (default: .cache/bench)
`;

const MEMORY = "/dev/shm";
const WHOLE = 62_489;
const MILLION = 1_000_000;
const project = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const defaultPlace = (): string => (existsSync(MEMORY) ? MEMORY : tmpdir());

function positive(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new CommandError(`${option} takes whole numbers above 0, not "${text}"`);
  }
  return number;
}

/** A peer that fails is a result; a build of our own that fails is not. */
const isBroken = ({ results }: Sitting): boolean =>
  results.some(({ row, failure }) => row.kind !== "peer" && failure !== undefined);

await command(
  USAGE,
  {
    content: { type: "string" },
    sizes: { type: "string", default: "1000,8000" },
    full: { type: "boolean", default: false },
    million: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    "no-peers": { type: "boolean", default: false },
    fs: { type: "string", multiple: true },
    limit: { type: "string", default: "900" },
    report: { type: "string", default: join(project, ".cache/bench") },
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
      project,
      places: (values.fs ?? [defaultPlace()]).map((place) => resolve(place)),
      ...(content === undefined ? {} : { content }),
      sizes: [...new Set(sizes)].sort((a, b) => a - b),
      rounds: positive("--rounds", values.rounds),
      peers: !values["no-peers"],
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
    const table = report(measurements, occasion);
    mkdirSync(values.report, { recursive: true });
    writeFileSync(join(values.report, "bench.md"), table);
    writeFileSync(join(values.report, "bench.svg"), chart(measurements, occasion));
    print(table);
    if (measurements.sittings.some(isBroken))
      throw new CommandError("The build itself failed: see the table.");
    return 0;
  },
);
