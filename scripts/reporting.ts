import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { isError, type Finding, type Place } from "../build/findings/finding.ts";
import { reporters } from "../build/findings/reporters/index.ts";
import type { Checked } from "../build/pipeline.ts";
import { CommandError, type ExitStatus } from "./command.ts";

export const reporterOption = { reporter: { type: "string", default: "human" } } as const;

/** @throws CommandError where there is no such reporter. */
export function chooseReporter(name: string) {
  const reporter = Object.hasOwn(reporters, name) ? reporters[name] : undefined;
  if (reporter === undefined)
    throw new CommandError(`--reporter must be one of ${Object.keys(reporters).join(", ")}, but is ${name}`);
  return reporter;
}

/** Prints what was found in a content folder, and `result` where there is no error; gives the exit status. */
export function report(
  name: string,
  content: string,
  { pages, findings }: Checked,
  result?: string,
): ExitStatus {
  const reporter = chooseReporter(name);
  const fails = findings.some(isError);
  const output = reporter({
    pages,
    findings: findings.map((f) => fromHere(content, f)),
    textOf,
    ...(result === undefined || fails ? {} : { result }),
  });
  process.stderr.write(output.stderr);
  process.stdout.write(output.stdout);
  return fails ? 1 : 0;
}

/** Findings name files relative to the content folder; people and editors start from where they are. */
export function fromHere(content: string, f: Finding): Finding {
  const moved = (place: Place): Place => ({
    ...place,
    file: relative(process.cwd(), resolve(content, place.file)),
  });
  return f.other ? { ...f, place: moved(f.place), other: moved(f.other) } : { ...f, place: moved(f.place) };
}

/** The texts of the files that findings name; a few at a time are kept, as findings come sorted by file. */
const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8").replace(/^\ufeff/, "");
  } catch {
    return undefined;
  }
};

/** Shows on a terminal how far a long run has come; elsewhere nothing. */
export function progressOn(stream: NodeJS.WriteStream, what: string) {
  if (!stream.isTTY || process.env["CI"] !== undefined) return { show: undefined, clear: () => undefined };
  const start = performance.now();
  let last = start;
  let shown = false;
  return {
    show: (done: number, of: number): void => {
      const now = performance.now();
      if (now - start < 1000 || now - last < 100) return;
      last = now;
      shown = true;
      stream.write(`\r\u001b[K${what} ${Math.floor((100 * done) / Math.max(1, of))}%`);
    },
    clear: (): void => {
      if (shown) stream.write("\r\u001b[K");
    },
  };
}
