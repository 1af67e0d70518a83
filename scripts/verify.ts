import { existsSync } from "node:fs";
import { nearest } from "../build/findings/finding.ts";
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

const REPORTERS = ["human", "markdown", "json"] as const;

await command(
  `npm run verify -- URL [--out DIR | --content DIR | --id N …] [--all] [--accept CHECK …] [--timeout SECONDS]
               [--concurrency N] [--reporter human|markdown|json] [--list]

Asks a running host, live or local, for everything that the service must answer, and prints a table: check, expected,
got. Methods that it must refuse (POST, PUT, PATCH, DELETE, …) are asked too. Exit status 1 where a check fails.

  URL              the address that /api/v2/pages/ is below
  --out DIR        a build's output: bodies are compared with its files, byte by byte
  --content DIR    where there is no --out: the sources that tell which pages there are (content, where left out)
  --id N           ask for this page; may be given again for more
  --all            ask for every page, not only for several of each type
  --accept CHECK   a known limit of the host: this check may fail; may be given again for more
  --timeout SECONDS  how long to wait for a whole answer (10)
  --concurrency N  questions that are open at the same time (6)
  --list           print every check's name and what it expects, and ask nothing`,
  {
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
    const reporter = REPORTERS.find((known) => known === (values.reporter ?? "human"));
    if (reporter === undefined)
      throw new CommandError(`--reporter ${values.reporter}: there is ${REPORTERS.join(", ")}.`);
    const content = values.content ?? (existsSync("content") ? "content" : undefined);
    const progress = progressOn(process.stderr);
    const report = await verifyHost(url, {
      ...(values.out === undefined ? {} : { out: values.out }),
      ...(content === undefined ? {} : { content }),
      ids: (values.id ?? []).map((id) => whole("--id", id, Number.MAX_SAFE_INTEGER)),
      accept: (values.accept ?? []).map(checkName),
      all: values.all ?? false,
      timeout: seconds(values.timeout ?? "10"),
      concurrency: whole("--concurrency", values.concurrency ?? "6", 64),
      progress: progress.show,
    }).catch((cause: unknown) => {
      throw cause instanceof CannotVerify ? new CommandError(cause.message) : cause;
    });
    progress.clear();

    if (reporter === "json") process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
    else if (reporter === "markdown") process.stdout.write(`${markdown(report)}\n`);
    else process.stdout.write(`${human(report, process.stdout.columns)}\n`);
    for (const line of advice(report)) process.stderr.write(`${line}\n`);
    return holds(report) ? 0 : 1;
  },
);

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

/** One line that is written over, on a terminal only. */
function progressOn(stream: NodeJS.WriteStream): {
  show: (done: number, total: number) => void;
  clear: () => void;
} {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined };
  return {
    show: (done, total) => {
      if (done % 100 === 0 || done === total) stream.write(`\r${done} of ${total} pages\u001b[K`);
    },
    clear: () => stream.write("\r\u001b[K"),
  };
}
