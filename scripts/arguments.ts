import { parseArgs, type ParseArgsConfig } from "node:util";
import { Failure } from "../build/base/failure.ts";
import { nearest } from "../build/findings/finding.ts";
import { printable } from "../build/findings/printable.ts";
import { ALIASES } from "./commands.mjs";
import { typed, typedByBin } from "./usage.ts";

/** An expected failure of a command: its message is printed without a stack, and the exit status is 2. */
export class CommandError extends Failure {}

export type Options = NonNullable<ParseArgsConfig["options"]>;
export type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true; strict: true }>
>;

/** Reads the arguments of this process. @throws CommandError, with a message of our own, if they are not valid. */
export function readArguments<const O extends Options>(options: O, line: string): Parsed<O> {
  const args = process.argv.slice(2);
  refuseLineBreaks(args);
  const isAlone = (argument = ""): boolean => {
    const option = argument.startsWith("--") ? options[argument.slice(2)] : undefined;
    return option !== undefined && "isAlone" in option;
  };
  // `parseArgs` would take the next option as the value. It reads one at the end correctly.
  const alone = args.includes("--")
    ? undefined
    : args.find((argument, k) => isAlone(argument) && args[k + 1]?.startsWith("-") === true);
  const { values, positionals, tokens } = parseArgs({
    args: alone === undefined ? args : [...args.filter((argument) => argument !== alone), alone],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const wrong = tokens.flatMap((token) => (token.kind === "option" ? problemOf(token, options) : []));
  if (wrong[0] !== undefined) throw new CommandError(`${wrong[0]}\n${line}`);
  const empty = Object.entries(values)
    .filter(([, value]) => [value].flat().includes(""))
    .map(([name]) => `--${name}`);
  if (positionals.includes("")) empty.push("an argument");
  // An empty value often comes from an unset variable in a script. As a path, it would be the current folder.
  if (empty.length > 0)
    throw new CommandError(`${empty.join(" and ")}: expected a value, found an empty one.\n${line}`);
  return { values, positionals };
}

/** Messages repeat arguments, and a second line could look like the program's own output. */
function refuseLineBreaks(args: readonly string[]): void {
  const broken = args.find((argument) => argument.includes("\n"));
  if (broken !== undefined)
    throw new CommandError(`There is a line break in the argument ${printable(broken)}`);
}

interface OptionToken {
  name: string;
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

function problemOf({ name, rawName, value, inlineValue }: OptionToken, options: Options): string[] {
  const option = Object.hasOwn(options, name) && rawName.startsWith("--") ? options[name] : undefined;
  if (option === undefined) {
    const near = nearest(name, Object.keys(options));
    const hint = near === undefined || name.length < 3 ? "" : ` Did you mean --${near}?`;
    return [`There is no option ${printable(rawName)}.${hint}`];
  }
  if (option.type === "boolean")
    return value === undefined ? [] : [`${rawName} takes no value: write only its name.`];
  if (value === undefined && "isAlone" in option) return [];
  if (value === undefined) return [`${rawName}: expected a value after it.`];
  if (inlineValue === false && value.length > 1 && value.startsWith("-"))
    return [
      `${rawName}: expected a value after it, found ${printable(value)}. A value that begins with “-” is written ${rawName}=${printable(value)}.`,
    ];
  return [];
}

const givenOptions = (): string[] =>
  process.argv.slice(2).flatMap((argument) => /^--([^=]+)/.exec(argument)?.[1] ?? []);

/** Refuses options that have no effect in a combination. @throws CommandError. */
export function refuseUseless(names: readonly string[], beside: string): void {
  const useless = givenOptions().find((name) => names.includes(name));
  if (useless !== undefined)
    throw new CommandError(`--${useless} has no effect with ${beside}: leave it out.`);
}

/** Refuses all options but some. @throws CommandError. */
export const refuseOthers = (allowed: readonly string[], beside: string): void =>
  refuseUseless(
    givenOptions().filter((name) => !allowed.includes(name)),
    beside,
  );

/**
 * Refuses options that npm took as its own because there was no `--` before them. They reach the command as environment
 * variables, or not at all.
 *
 * @throws CommandError that shows the right command line.
 */
export function refuseSwallowed(
  name: string,
  options: Record<string, Options[string] & { value?: string }>,
  positionals: readonly string[],
): void {
  // The variables of another command that npm runs, such as the tests, are not meant for this one.
  const script = process.env["npm_lifecycle_event"] ?? "";
  if (script !== name && new Map(Object.entries(ALIASES)).get(script) !== name) return;
  // A dry run must not become a real run.
  if (variable("dry-run") === "true" && !Object.hasOwn(options, "dry-run"))
    throw new CommandError(
      `npm took --dry-run as its own, and ${typed(name)} has no such option: nothing was done.`,
    );
  const given = givenOptions();
  const typedSo: string[] = [];
  let isSure = true;
  for (const [option, { type, value = "VALUE" }] of Object.entries(options)) {
    if (given.includes(option)) continue;
    const swallowed = swallowedValue(option);
    if (swallowed === undefined) continue;
    const isAlone = type === "boolean" || swallowed === "true";
    if (isAlone && type !== "boolean") isSure = false;
    const shown = isAlone ? (type === "boolean" ? "" : ` ${value}`) : `=${swallowed}`;
    typedSo.push(`--${option}${shown}`);
  }
  if (typedSo.length === 0) return;
  // It is unknown which of the arguments is the option's value.
  const others = isSure ? positionals : positionals.length > 0 ? ["…"] : [];
  const names = typedSo.map((one) => one.split(/[ =]/)[0]).join(" and ");
  const lines = [[typed(name), "--"], [typedByBin(name)]].map((words) =>
    [...words, ...others, ...typedSo].map(printable).join(" "),
  );
  throw new CommandError(
    `npm took ${names} as its own, because the command has no “--” before its options. Type one of these:\n` +
      lines.map((line) => `  ${line}\n`).join("") +
      "In PowerShell, use the second one: there, npm removes the “--”.",
  );
}

const variable = (key: string): string | undefined => process.env[`npm_config_${key.replaceAll("-", "_")}`];

/** npm turns `--no-worker` into an empty `worker`. */
function swallowedValue(option: string): string | undefined {
  if (option.startsWith("no-") && variable(option.slice(3)) === "") return "true";
  const value = variable(option);
  return value === "" ? undefined : value;
}

/** The only argument. @throws CommandError with this message if there is another number of them. */
export function onlyArgument([argument, ...more]: readonly string[], message: string): string {
  if (argument === undefined || more.length > 0) throw new CommandError(message);
  return argument;
}

/** Both arguments. @throws CommandError with this message if there is another number of them. */
export function bothArguments([first, ...more]: readonly string[], message: string): [string, string] {
  if (first === undefined) throw new CommandError(message);
  return [first, onlyArgument(more, message)];
}

/** The member that an option names. @throws CommandError if there is none of this name. */
export function chosen<T>(option: string, name: string, members: Readonly<Record<string, T>>): T {
  const member = Object.hasOwn(members, name) ? members[name] : undefined;
  if (member !== undefined) return member;
  throw new CommandError(
    `${option}: expected ${Object.keys(members).join(", ")}, found “${printable(name)}”.`,
  );
}

/** Parses a whole number; the only parser of numbers in arguments. @throws CommandError if it is not in the range. */
export function wholeNumber(
  option: string,
  written: string,
  { from = 0, to = Number.MAX_SAFE_INTEGER }: { from?: number; to?: number } = {},
): number {
  const value = Number(written);
  if (/^(?:0|-?[1-9]\d{0,15})$/.test(written) && value >= from && value <= to) return value;
  const range =
    to === Number.MAX_SAFE_INTEGER ? (from > 0 ? `, ${from} or more` : "") : ` from ${from} to ${to}`;
  throw new CommandError(`${option}: expected a whole number${range}, found “${printable(written)}”.`);
}
