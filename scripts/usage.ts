import { Command, Option as Parsed } from "commander";
import { isPackage } from "../build/base/program.ts";
import { SITE_SCRIPTS } from "./init/package.ts";

/** An option, for the parser, for `--help` and for docs/commands.md. */
export interface Option {
  type: "boolean" | "string";
  /** The name of its value, such as DIR in `--content DIR`. */
  value?: string;
  default?: string | undefined;
  /** Whether the option may be repeated. */
  multiple?: true;
  /** Whether the value may be left out. */
  isAlone?: true;
  /** Its meaning; the default is added. */
  description: string;
  isRequired?: boolean;
  /** A heading above it, at the beginning of a group of options. */
  heading?: string;
}

export type Options = Readonly<Record<string, Option>>;

/** The options by their names, as a command gets them. */
export type Values<O extends Options> = {
  -readonly [K in keyof O]: O[K] extends { type: "boolean" }
    ? boolean
    : O[K] extends { multiple: true }
      ? string[] | undefined
      : O[K] extends { default: string }
        ? string
        : string | undefined;
};

export const flag = (description: string) => ({ type: "boolean", description }) as const;

/** An option with a value, which has this name in the help. */
export const valued = <D extends string | undefined = undefined>(
  value: string,
  description: string,
  fallback?: D,
) => ({ type: "string", value, description, default: fallback as D }) as const;

/** The option that names the format of a command's output. */
export const reporterOption = (what: string, names: readonly string[]) =>
  valued("NAME", `print ${what} in this format: ${names.join(", ")}`, "human");

export interface Usage {
  /** The command's name in npm. */
  name: string;
  summary: string;
  /** The arguments by their names in the usage line, with their meaning. */
  args?: Record<string, string>;
  /** Text before the exit status. */
  more?: string;
  status?: string;
}

/** Maximum width of the help, in columns. */
const MAX_WIDTH = 118;

/** The command as npm runs it; a site has only some of the scripts of the program's repository. */
export function typed(name: string): string {
  if (name === "start") return "npm start";
  return !isPackage || SITE_SCRIPTS.includes(name) ? `npm run ${name}` : typedByBin(name);
}

/** The command with the project's own bin, which needs no “--” before the options. */
export const typedByBin = (name: string): string => `npx page-api ${name}`;

const labelOf = (name: string, { type, value = "VALUE", isAlone }: Option): string =>
  type === "boolean" ? `--${name}` : `--${name} ${isAlone === true ? `[${value}]` : value}`;

/** The usage lines; the first one lists all arguments and options. */
export function usageLines({ name, args = {} }: Usage, options: Options): string {
  const parts = Object.keys(args);
  for (const [option, of] of Object.entries(options)) {
    const shown = `${labelOf(option, of)}${of.multiple === true ? " …" : ""}`;
    parts.push(of.isRequired === true ? shown : `[${shown}]`);
  }
  const byBin = typedByBin(name);
  if (typed(name) === byBin) return `Usage: ${[byBin, ...parts].join(" ")}`;
  const or = `or:    ${[byBin, ...(parts.length > 0 ? ["…"] : [])].join(" ")}`;
  return `Usage: ${[typed(name), ...(parts.length > 0 ? ["--", ...parts] : [])].join(" ")}\n${or}`;
}

/** The parser of a command's options, and its help. `onMissing` gets the name of an option that lacks its value. */
export function parserOf(usage: Usage, options: Options, onMissing?: (name: string) => void): Command {
  const parser = new Command(usage.name)
    .description(usage.summary.replaceAll("\n", " "))
    .helpOption(false)
    .configureHelp({
      helpWidth: MAX_WIDTH,
      commandUsage: () => usageLines(usage, options).slice("Usage: ".length),
    });
  for (const [name, meaning] of Object.entries(usage.args ?? {}))
    parser.argument(name.replace("…", ""), meaning);
  let group: string | undefined;
  for (const [name, option] of Object.entries(options)) {
    const parsed = new Parsed(labelOf(name, option), option.description);
    parsed.attributeName = () => name;
    // `--no-worker` is a name like any other.
    parsed.negate = false;
    // The parser takes no option as the value of another if the value is optional.
    parsed.optional = option.type === "string";
    group = option.heading ?? group;
    if (group !== undefined) parsed.helpGroup(group);
    if (option.default !== undefined) parsed.default(option.default, option.default);
    if (option.multiple === true)
      parsed.argParser((value, earlier?: string[]) => [...(earlier ?? []), value]);
    parser.addOption(parsed);
    if (option.type === "string" && option.isAlone !== true)
      parser.on(`option:${name}`, (value: string | null) => value === null && onMissing?.(name));
  }
  return parser;
}
