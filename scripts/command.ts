import { channel } from "node:diagnostics_channel";
import type { SiteFolder } from "../build/base/folders.ts";
import { Failure } from "../build/base/failure.ts";
import { printable } from "../build/findings/printable.ts";
import { readArguments } from "./arguments.ts";
import { complain, print } from "./output.ts";
import { parserOf, siteOf, type Options, type Usage, type Values } from "./usage.ts";

export { refuseOthers, refuseUseless } from "./arguments.ts";
export { complain, print, progressOn, withProgress } from "./output.ts";
export {
  addressIn,
  CommandError,
  nameIn,
  reporterOption,
  siteOf,
  siteOptions,
  whole,
  type Values,
} from "./usage.ts";

/** Exit status: 0 success, 1 the content (or the host being checked) has errors, 2 the command failed. */
export type ExitStatus = 0 | 1 | 2;

/** A command that returns nothing has succeeded. `site` is the one that `siteOptions` name. */
type Run<O extends Options> = (
  values: Values<O>,
  positionals: string[],
  site: SiteFolder,
) => Promise<ExitStatus | void> | ExitStatus | void;

/** If this channel has a subscriber, a command that is loaded publishes its usage and options here and does not run. */
export const DESCRIPTIONS = channel("page-api:command");

/** `--help` prints `usage` and the options; wrong arguments, its first line. Exceptions give status 2. */
export async function command<const O extends Options>(usage: Usage, options: O, run: Run<O>): Promise<void> {
  if (DESCRIPTIONS.hasSubscribers) {
    DESCRIPTIONS.publish({ usage, options });
    return;
  }
  if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
    print(helpText(usage, options));
    return;
  }
  process.on("uncaughtException", (cause) => {
    complain(`${explain(cause)}\n`);
    process.exit(2);
  });
  try {
    const { values, positionals } = readArguments(usage, options);
    process.exitCode = (await run(values as Values<O>, positionals, siteOf(values))) ?? 0;
  } catch (cause) {
    complain(`${explain(cause)}\n`);
    process.exitCode = 2;
  }
}

export function helpText(usage: Usage, options: Options): string {
  const help = parserOf(usage, options).helpInformation();
  const more = [usage.more, usage.status === undefined ? undefined : `Exit status: ${usage.status}`];
  return [help, ...more.flatMap((part) => (part === undefined ? [] : `${part}\n`))].join("\n");
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
  EADDRINUSE: "another program listens on this port",
  EBUSY: "another program uses it",
  EMFILE: "too many open files",
  ELOOP: "symbolic links form a circle",
  ENAMETOOLONG: "the name is too long",
  EXDEV: "this cannot be moved, because it is on another file system or in a lower layer of an overlay",
  EIO: "the disk could not be read or written",
};

/** Plain words for expected failures and those of the system; a stack only for mistakes in this program. */
export function explain(cause: unknown): string {
  if (cause instanceof Failure) return cause.message;
  if (cause instanceof Error) {
    const { code, path: from, dest } = cause as NodeJS.ErrnoException & { dest?: string };
    // A copy that fails has both paths.
    const path = code === "ENOSPC" ? (dest ?? from) : from;
    const words = code === undefined ? undefined : SYSTEM_ERRORS[code];
    if (words !== undefined) return `${path === undefined ? "" : `${printable(path)}: `}${words} (${code})`;
    return cause.stack ?? cause.message;
  }
  return String(cause);
}
