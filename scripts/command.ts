import { parseArgs, type ParseArgsConfig } from "node:util";
import { Failure } from "../build/base/failure.ts";
import { printable } from "../build/findings/printable.ts";
import { complain, print } from "./output.ts";

/** Exit status of every command: 0 well, 1 the content (or the host asked) has errors, 2 the work could not be done. */
export type ExitStatus = 0 | 1 | 2;

/** The command could not do its work; its message is shown without a stack, exit status 2. */
export class CommandError extends Failure {}

type Options = NonNullable<ParseArgsConfig["options"]>;
type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>
>;

/**
 * Runs a command: reads its arguments, answers `--help`, and turns what it throws into exit status 2.
 * `usage` is what `--help` prints; its first line is repeated under a wrong call.
 */
export async function command<const O extends Options>(
  usage: string,
  options: O,
  run: (values: Parsed<O>["values"], positionals: string[]) => Promise<ExitStatus> | ExitStatus,
): Promise<void> {
  if (process.argv.slice(2).some((a) => a === "--help" || a === "-h")) {
    print(`${usage.trim()}\n`);
    return;
  }
  process.on("uncaughtException", (cause) => {
    complain(`${explain(cause)}\n`);
    process.exit(2);
  });
  try {
    refuseLineBreaks(process.argv.slice(2));
    let parsed: Parsed<O>;
    try {
      parsed = parseArgs({ options, allowPositionals: true, strict: true });
    } catch (cause) {
      throw new CommandError(`${(cause as Error).message}\n${usage.trim().split("\n")[0]}`);
    }
    refuseEmpty(parsed, usage);
    process.exitCode = await run(parsed.values, parsed.positionals);
  } catch (cause) {
    complain(`${explain(cause)}\n`);
    process.exitCode = 2;
  }
}

/** Messages repeat arguments, and one that goes on in a new line could speak there as if it were the program. */
function refuseLineBreaks(args: readonly string[]): void {
  const broken = args.find((argument) => argument.includes("\n"));
  if (broken !== undefined)
    throw new CommandError(`There is a line break in the argument ${printable(broken)}`);
}

/** An empty value is an unset variable in a script, and as a path it would be the current folder. */
function refuseEmpty(
  { values, positionals }: { values: Record<string, unknown>; positionals: string[] },
  usage: string,
): void {
  const empty = Object.entries(values)
    .filter(([, value]) => [value].flat().includes(""))
    .map(([name]) => `--${name}`);
  if (positionals.includes("")) empty.push("an argument");
  if (empty.length > 0)
    throw new CommandError(
      `${empty.join(" and ")}: expected a value, found an empty one.\n${usage.trim().split("\n")[0]}`,
    );
}

const SYSTEM_ERRORS: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of the path is not a folder",
  EISDIR: "this is a folder",
  EEXIST: "it exists already",
  EMFILE: "too many open files",
  ELOOP: "links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  EIO: "the disk could not be read or written",
};

/** What to tell a person of a failure: plain words for failures of the machine, a stack only for our own mistakes. */
export function explain(cause: unknown): string {
  if (cause instanceof Failure) return cause.message;
  if (cause instanceof Error) {
    const { code, path } = cause as NodeJS.ErrnoException;
    const words = code === undefined ? undefined : SYSTEM_ERRORS[code];
    if (words !== undefined) return `${path === undefined ? "" : `${printable(path)}: `}${words} (${code})`;
    return cause.stack ?? cause.message;
  }
  return String(cause);
}
