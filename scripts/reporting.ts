import { relative, resolve } from "node:path";
import { isError, type Finding, type Place } from "../build/findings/finding.ts";
import { reporters } from "../build/findings/reporters/index.ts";
import type { Checked } from "../build/pipeline/outcome.ts";
import { Reader } from "../build/sources/read.ts";
import { CommandError, type ExitStatus } from "./command.ts";
import { complain, print } from "./output.ts";

export const contentOption = {
  content: { type: "string", value: "DIR", default: "content", words: "the page sources" },
} as const;

export const reporterOption = {
  reporter: {
    type: "string",
    value: "NAME",
    default: "human",
    words: `how findings are printed: ${Object.keys(reporters).join(", ")}`,
  },
} as const;

export const browseOption = {
  "no-browse": {
    type: "boolean",
    default: false,
    words: "do not publish the browse UI; remove it if an earlier build did",
  },
} as const;

export const strictOption = {
  strict: { type: "boolean", default: false, words: "warnings are errors" },
} as const;

/** @throws CommandError where there is no such reporter. */
export function chooseReporter(name: string) {
  const reporter = Object.hasOwn(reporters, name) ? reporters[name] : undefined;
  if (reporter === undefined)
    throw new CommandError(`--reporter: expected ${Object.keys(reporters).join(", ")}, found “${name}”.`);
  return reporter;
}

/** What a command says beside its findings, where there is no error. */
export interface Said {
  result?: string;
  /** For programs, beside the findings. */
  more?: Record<string, unknown>;
}

/** Prints what was found in a content folder, and what there is to say besides; gives the exit status. */
export function report(
  name: string,
  content: string,
  { pages, findings }: Checked,
  said: Said | string = {},
): ExitStatus {
  const reporter = chooseReporter(name);
  const fails = findings.some(isError);
  const output = reporter({
    pages,
    findings: findings.map((f) => fromHere(content, f)),
    textOf: textReader(),
    ...(fails ? {} : typeof said === "string" ? { result: said } : said),
  });
  complain(output.stderr, { commands: output.commands === true });
  print(output.stdout);
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

/** Reads the files that findings name, under the conditions of a source; the last one is kept, as findings are sorted. */
function textReader(): (file: string) => string | undefined {
  const reader = new Reader();
  let last: { file: string; text: string | undefined } | undefined;
  return (file) => {
    if (last?.file !== file) last = { file, text: reader.textOf(file)?.replace(/^\ufeff/, "") };
    return last.text;
  };
}
