import { Command, Option as Parsed } from "commander";
import { siteFolder, type SiteFolder } from "../build/base/folders.ts";
import { Failure } from "../build/base/failure.ts";
import { isPackage } from "../build/base/program.ts";
import { printable } from "../build/findings/printable.ts";
import { SITE_SCRIPTS } from "./init/package.ts";

/** An expected failure of a command: its message is printed without a stack, and the exit status is 2. */
export class CommandError extends Failure {}

export type ParseOption<T> = (written: string, option: string) => T;

/** What an option means, if not only its description matters. */
export interface Option {
  /** Its meaning; the default is added. */
  text: string;
  default?: string;
  isRequired?: true;
  /** Reads the value; `option` is its name in messages, such as `--content`. Throws a Failure if the value is wrong. */
  parse?: ParseOption<unknown>;
  /** A heading above it, at the beginning of a group of options. */
  heading?: string;
}

/**
 * The options of a command, for the parser, for `--help` and for docs/commands.md, as they are typed: `"content DIR"` has a
 * value, `"types [FILE]"` may have one, `"id N …"` may be repeated, and `"strict"` has none.
 */
export type Options = Readonly<Record<string, string | Option>>;

type NameOf<Typed> = Typed extends `${infer Name} ${string}` ? Name : Typed;

type ParsedValue<O> = O extends { parse: ParseOption<infer T> } ? T : string;

type ValueOf<Typed, O> = Typed extends `${string} …`
  ? ParsedValue<O>[]
  : Typed extends `${string} [${string}`
    ? ParsedValue<O> | true | undefined
    : Typed extends `${string} ${string}`
      ? ParsedValue<O> | (O extends { default: string } | { isRequired: true } ? never : undefined)
      : boolean;

/** The options by their names, as a command gets them. */
export type Values<O extends Options> = {
  -readonly [Typed in keyof O as NameOf<Typed>]: ValueOf<Typed, O[Typed]>;
};

export interface DeclaredOption extends Option {
  /** As it is typed: `--content DIR`. */
  typed: string;
  name: string;
  hasValue: boolean;
  mayBeRepeated: boolean;
}

export const declared = (options: Options): DeclaredOption[] =>
  Object.entries(options).map(([key, option]) => {
    const [name = "", value, more] = key.split(" ");
    const form = {
      typed: `--${key}`,
      name,
      hasValue: value !== undefined,
      mayBeRepeated: more !== undefined,
    };
    return Object.assign(form, typeof option === "string" ? { text: option } : option);
  });

/** The option that names the format of a command's output. */
export const reporterOption = <Name extends string>(
  what: string,
  reporters: Readonly<Record<Name, unknown>>,
) => ({
  text: `print ${what} in this format: ${Object.keys(reporters).join(", ")}`,
  default: "human",
  parse: nameIn(reporters),
});

/** The options of every command that reads a site. Their default paths are in the site folder. */
export const siteOptions = {
  "site DIR":
    "use the site in DIR (default: the nearest folder, from the current one upwards, that has content/_site.json; otherwise the current one)",
  "content DIR": "read the page sources from DIR (default: content)",
} as const;

/** The site folder of a command, with the paths that its options give. */
export function siteOf(values: Partial<Record<"site" | "content" | "out", string | undefined>>): SiteFolder {
  const site = siteFolder(values.site);
  const { content = site.content, out = site.out } = values;
  return { ...site, content, out };
}

/** Reads the name of one of these members. */
export const nameIn =
  <Name extends string>(members: Readonly<Record<Name, unknown>>): ParseOption<Name> =>
  (written, option) => {
    if (Object.hasOwn(members, written)) return written as Name;
    throw new CommandError(
      `${option}: expected ${Object.keys(members).join(", ")}, found “${printable(written)}”.`,
    );
  };

/** Reads a whole number in a range; the only parser of numbers in arguments. */
export const whole =
  (from = 0, to = Number.MAX_SAFE_INTEGER): ParseOption<number> =>
  (written, option) => {
    const value = Number(written);
    if (/^(?:0|-?[1-9]\d{0,15})$/.test(written) && value >= from && value <= to) return value;
    const range =
      to === Number.MAX_SAFE_INTEGER ? (from > 0 ? `, ${from} or more` : "") : ` from ${from} to ${to}`;
    throw new CommandError(`${option}: expected a whole number${range}, found “${printable(written)}”.`);
  };

/** Reads an address of the web. */
export function addressIn(written: string): URL {
  if (URL.canParse(written) && /^https?:\/\//i.test(written)) return new URL(written);
  throw new CommandError(
    `${written}: expected an address that begins with http:// or https:// (see --help).`,
  );
}

export interface Usage {
  /** The command's name in npm. */
  name: string;
  summary: string;
  /** The arguments by their names in the usage line, with their meaning. */
  args?: Record<string, string>;
  /** Whether the arguments depend on options, so that the command itself checks their number. */
  hasModes?: true;
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

/** The usage lines; the first one lists all arguments and options. */
export function usageLines({ name, args = {} }: Usage, options: Options): string {
  const shown = declared(options).map((one) => (one.isRequired ? one.typed : `[${one.typed}]`));
  const parts = [...Object.keys(args), ...shown];
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
    parser.argument(name.replace("…", "..."), meaning);
  let group: string | undefined;
  for (const option of declared(options)) {
    const { name, text, hasValue, mayBeRepeated, default: usual } = option;
    const parsed = new Parsed(option.typed.replace(" …", ""), text);
    parsed.attributeName = () => name;
    // `--no-worker` is a name like any other.
    parsed.negate = false;
    const mayLackValue = parsed.optional;
    // The parser takes no option as the value of another if the value is optional.
    parsed.optional = hasValue;
    group = option.heading ?? group;
    if (group !== undefined) parsed.helpGroup(group);
    if (usual !== undefined) parsed.default(usual, usual);
    if (mayBeRepeated) parsed.argParser((value, earlier?: string[]) => [...(earlier ?? []), value]);
    parser.addOption(parsed);
    if (hasValue && !mayLackValue)
      parser.on(`option:${name}`, (value: string | null) => value === null && onMissing?.(name));
  }
  return parser;
}
