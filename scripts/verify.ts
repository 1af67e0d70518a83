import { existsSync } from "node:fs";
import { nearest } from "../build/findings/finding.ts";
import { against, agree, compareHosts } from "../build/verify/against.ts";
import { human, markdown, advice } from "../build/verify/report.ts";
import {
  CannotVerify,
  checkNames,
  checks,
  holds,
  isCheckName,
  verifyHost,
  type CheckName,
} from "../build/verify/verify.ts";
import { command, CommandError } from "./command.ts";
import { progressOn } from "./reporting.ts";

const REPORTERS = ["human", "markdown", "json"] as const;

const USAGE = `Usage: npm run verify -- URL [--against NEW] [--out DIR | --content DIR | --id N …] [--all] [--accept CHECK …] [--timeout SECONDS] [--concurrency N] [--reporter human|markdown|json] [--list]

Asks a running host, live or local, for everything that the service must answer, and prints a table: check, expected,
got. Methods that a host must refuse (POST, PUT, PATCH, DELETE, …) are asked too.

  URL                the address that /api/v2/pages/ is below
  --against NEW      compare what URL, an old, live API, and this one say, instead: statuses, headers and values. Only
                     GET, HEAD and OPTIONS are asked then; --accept names fields and headers that may differ
  --out DIR          a build's output: bodies are compared with its files, byte by byte
  --content DIR      the sources: without --out they tell which pages there are (content), with it which are drafts
  --id N             ask for this page; may be given again for more
  --all              ask for every page, not only for several of each type
  --accept CHECK     a known limit of the host: this check may fail; may be given again for more
  --timeout SECONDS  how long to wait for a whole answer (10)
  --concurrency N    questions that are open at the same time (6)
  --reporter NAME    how the table is printed: human, markdown or json (human)
  --list             print every check's name and what it expects, and ask nothing

Exit status: 0 the host keeps the contract but for what was accepted, 1 a check fails, 2 nothing could be asked.`;

await command(
  USAGE,
  {
    against: { type: "string" },
    out: { type: "string" },
    content: { type: "string" },
    id: { type: "string", multiple: true },
    all: { type: "boolean" },
    accept: { type: "string", multiple: true },
    timeout: { type: "string" },
    concurrency: { type: "string" },
    reporter: { type: "string" },
    list: { type: "boolean" },
  },
  async (values, positionals) => {
    if (values.list === true) {
      for (const name of checkNames)
        process.stdout.write(`${name}: ${checks[name].asks}: ${checks[name].expected}\n`);
      return 0;
    }
    const url = address(positionals);
    if (values.against !== undefined) return compare(url, address([values.against]), values);
    const reporter = REPORTERS.find((known) => known === (values.reporter ?? "human"));
    if (reporter === undefined)
      throw new CommandError(`--reporter ${values.reporter}: there is ${REPORTERS.join(", ")}.`);
    const progress = progressOn(process.stderr, "Asking for pages:");
    const report = await verifyHost(url, {
      ...pagesToAsk(values),
      ...(progress.show === undefined ? {} : { progress: progress.show }),
      accept: (values.accept ?? []).map(checkName),
      concurrency: whole("--concurrency", values.concurrency ?? "6", 64),
    })
      .catch(explained)
      .finally(progress.clear);

    if (reporter === "json") process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
    else if (reporter === "markdown") process.stdout.write(`${markdown(report)}\n`);
    else process.stdout.write(`${human(report, process.stdout.columns)}\n`);
    for (const line of advice(report)) process.stderr.write(`${line}\n`);
    return holds(report) ? 0 : 1;
  },
);

interface Chosen {
  out?: string | undefined;
  content?: string | undefined;
  id?: string[] | undefined;
  all?: boolean | undefined;
  accept?: string[] | undefined;
  timeout?: string | undefined;
  concurrency?: string | undefined;
  reporter?: string | undefined;
}

/** Two APIs side by side. */
async function compare(old: URL, now: URL, values: Chosen): Promise<0 | 1> {
  const reporter = values.reporter ?? "human";
  if (reporter !== "human" && reporter !== "json")
    throw new CommandError(`--reporter ${reporter}: with --against there is human, json.`);
  const progress = progressOn(process.stderr, "Asking for pages:");
  const report = await compareHosts(old, {
    ...pagesToAsk(values),
    ...(progress.show === undefined ? {} : { progress: progress.show }),
    against: now,
    accept: values.accept ?? [],
    concurrency: whole("--concurrency", values.concurrency ?? "4", 64),
  })
    .catch(explained)
    .finally(progress.clear);
  const text = reporter === "json" ? JSON.stringify(report, undefined, 2) : against(report);
  process.stdout.write(`${text}\n`);
  return agree(report) ? 0 : 1;
}

function pagesToAsk({ out, content, id = [], all = false, timeout = "10" }: Chosen) {
  const sources = content ?? (out === undefined && existsSync("content") ? "content" : undefined);
  return {
    ...(out === undefined ? {} : { out }),
    ...(sources === undefined ? {} : { content: sources }),
    ids: id.map((written) => whole("--id", written, Number.MAX_SAFE_INTEGER)),
    all,
    timeout: seconds(timeout),
  };
}

function explained(cause: unknown): never {
  throw cause instanceof CannotVerify ? new CommandError(cause.message) : cause;
}

function address(positionals: readonly string[]): URL {
  const [text, ...more] = positionals;
  if (text === undefined) throw new CommandError("Which host? npm run verify -- URL (see --help).");
  if (more.length > 0)
    throw new CommandError(`One address is verified at a time; ${more.join(" ")} is too much.`);
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text))
    throw new CommandError(`${text}: this is no address; write it with http:// or https:// (see --help).`);
  return new URL(text);
}

function checkName(name: string): CheckName {
  if (isCheckName(name)) return name;
  const near = nearest(name, checkNames);
  throw new CommandError(
    `--accept ${name}: there is no such check${near === undefined ? "; --list prints them all." : `; did you mean ${near}?`}`,
  );
}

function whole(option: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^[1-9]\d*$/.test(text) || value > most)
    throw new CommandError(`${option} ${text}: write a whole number from 1 to ${most}.`);
  return value;
}

function seconds(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0 || value > 3600)
    throw new CommandError(`--timeout ${text}: write a number of seconds, such as 10 or 0.5, at most 3600.`);
  return value;
}
