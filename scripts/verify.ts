import { existsSync } from "node:fs";
import { nearest } from "../build/findings/finding.ts";
import { printableJson } from "../build/findings/printable.ts";
import { against, agree, compareHosts } from "../build/verify/against.ts";
import { human, markdown, advice } from "../build/verify/report.ts";
import {
  checkNames,
  checks,
  holds,
  isCheckName,
  verifyHost,
  type CheckName,
} from "../build/verify/verify.ts";
import { command, CommandError } from "./command.ts";
import { complain, print, progressOn } from "./output.ts";

const REPORTERS = ["human", "markdown", "json"] as const;

const USAGE = `Usage: npm run verify -- URL [--against NEW] [--out DIR | --content DIR | --id N …] [--all] [--accept CHECK …] [--timeout SECONDS] [--concurrency N] [--reporter human|markdown|json] [--list]

Checks a running host, live or local, against the contract, and prints a table: check, expected, got. It also sends the
methods that a host must refuse (POST, PUT, PATCH, DELETE, …).

  URL                the address that /api/v2/pages/ is below
  --against NEW      compare URL, an old, live API, with this one instead: statuses, headers and values. Only GET, HEAD
                     and OPTIONS are sent then; --accept names fields and headers that may differ
  --out DIR          a build's output, with whose files bodies are compared byte by byte
  --content DIR      the sources (content): without --out they say which pages exist, with it which are drafts
  --id N             request this page; may be repeated
  --all              request every page, not only several of each type
  --accept CHECK     a known limit of the host: this check may fail; may be repeated
  --timeout SECONDS  how long to wait for a complete answer (10)
  --concurrency N    requests that are open at the same time (6)
  --reporter NAME    the format of the table: human, markdown or json (human)
  --list             print the name of every check and what it expects, and send nothing

Exit status: 0 the host keeps the contract except for what was accepted, 1 a check fails, 2 it could not be verified.`;

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
      for (const name of checkNames) print(`${name}: ${checks[name].asks}: ${checks[name].expected}\n`);
      return 0;
    }
    const url = address(positionals);
    if (values.against !== undefined) return compare(url, address([values.against]), values);
    const reporter = REPORTERS.find((known) => known === (values.reporter ?? "human"));
    if (reporter === undefined)
      throw new CommandError(`--reporter: expected ${REPORTERS.join(", ")}, found ${values.reporter}.`);
    const progress = progressOn(process.stderr, "Verifying");
    const report = await verifyHost(url, {
      ...pagesToAsk(values),
      ...(progress.show === undefined ? {} : { progress: progress.show }),
      accept: (values.accept ?? []).map(checkName),
      concurrency: whole("--concurrency", values.concurrency ?? "6", 64),
    }).finally(progress.clear);

    if (reporter === "json") print(`${printableJson(report, 2)}\n`);
    else if (reporter === "markdown") print(`${markdown(report)}\n`);
    else print(`${human(report, process.stdout.columns)}\n`);
    for (const line of advice(report)) complain(`${line}\n`);
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
    throw new CommandError(`--reporter: expected human or json with --against, found ${reporter}.`);
  const progress = progressOn(process.stderr, "Comparing");
  const report = await compareHosts(old, {
    ...pagesToAsk(values),
    ...(progress.show === undefined ? {} : { progress: progress.show }),
    against: now,
    accept: values.accept ?? [],
    concurrency: whole("--concurrency", values.concurrency ?? "4", 64),
  }).finally(progress.clear);
  print(`${reporter === "json" ? printableJson(report, 2) : against(report)}\n`);
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

function address(positionals: readonly string[]): URL {
  const [text, ...more] = positionals;
  if (text === undefined) throw new CommandError("Which host? Write npm run verify -- URL (see --help).");
  if (more.length > 0) throw new CommandError(`Give one address at a time, without ${more.join(" ")}.`);
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text))
    throw new CommandError(`${text}: expected an address that begins with http:// or https:// (see --help).`);
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
    throw new CommandError(`${option}: expected a whole number from 1 to ${most}, found ${text}.`);
  return value;
}

function seconds(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0 || value > 3600)
    throw new CommandError(
      `--timeout: expected a number of seconds up to 3600, such as 10 or 0.5, found ${text}.`,
    );
  return value;
}
