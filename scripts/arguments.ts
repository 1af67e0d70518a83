import { nearest } from "../build/findings/finding.ts";
import { printable } from "../build/findings/printable.ts";
import { commandNamed } from "./commands.mjs";
import {
  CommandError,
  parserOf,
  typed,
  typedByBin,
  usageLines,
  declared,
  type DeclaredOption,
  type Options,
  type Usage,
} from "./usage.ts";

/** Reads the arguments of this process. @throws CommandError, with a message of our own, if they are not valid. */
export function readArguments(usage: Usage, options: Options) {
  const args = process.argv.slice(2);
  refuseLineBreaks(args);
  const [line] = usageLines(usage, options).split("\n");
  const refuse = (problem: string): never => {
    throw new CommandError(`${problem}\n${line}`);
  };
  const parser = parserOf(usage, options, (name) => refuse(withoutValue(`--${name}`, args)));
  const { operands, unknown } = parser.parseOptions(args);
  const all = declared(options);
  if (unknown[0] !== undefined) refuse(unknownOption(unknown[0], all));
  const writtenOf = ({ name }: DeclaredOption) => parser.getOptionValue(name) as WrittenValue;
  const empty = all.flatMap((one) => ([writtenOf(one)].flat().includes("") ? `--${one.name}` : []));
  if (operands.includes("")) empty.push("an argument");
  // An empty value often comes from an unset variable in a script. As a path, it would be the current folder.
  if (empty.length > 0) refuse(`${empty.join(" and ")}: expected a value, found an empty one.`);
  // Before arguments are counted: the value of such an option looks like a surplus one.
  refuseSwallowed(usage.name, all, operands);
  const { registeredArguments: known } = parser;
  const most = usage.hasModes || known.some(({ variadic }) => variadic) ? Infinity : known.length;
  if (operands.length > most) refuse(`Unexpected argument “${printable(operands[most] ?? "")}”.`);
  const values = all.map((one) => [one.name, valueOf(one, writtenOf(one))]);
  if (!usage.hasModes && known[operands.length]?.required === true)
    refuse(`Give ${known.map((one) => `${one.name()} (${one.description})`).join(" and ")}.`);
  const missing = all.find((one) => one.isRequired && writtenOf(one) === undefined);
  if (missing !== undefined) refuse(`Give ${missing.typed}.`);
  return { values: Object.fromEntries(values) as Record<string, unknown>, positionals: operands };
}

/** The parser has no value of a flag that is not given, and `true` for an option without its value. */
type WrittenValue = string | string[] | true | undefined;

function valueOf({ name, hasValue, mayBeRepeated, parse }: DeclaredOption, written: WrittenValue): unknown {
  if (!hasValue) return written === true;
  const read = (one: unknown): unknown => (typeof one === "string" && parse ? parse(one, `--${name}`) : one);
  return mayBeRepeated ? [written ?? []].flat().map(read) : read(written);
}

/** Messages repeat arguments, and a second line could look like the program's own output. */
function refuseLineBreaks(args: readonly string[]): void {
  const broken = args.find((argument) => argument.includes("\n"));
  if (broken !== undefined)
    throw new CommandError(`There is a line break in the argument ${printable(broken)}`);
}

function withoutValue(option: string, args: readonly string[]): string {
  const found = args[args.indexOf(option) + 1];
  if (found === undefined) return `${option}: expected a value after it.`;
  return `${option}: expected a value after it, found ${printable(found)}. A value that begins with “-” is written ${option}=${printable(found)}.`;
}

function unknownOption(argument: string, options: readonly DeclaredOption[]): string {
  const [written = ""] = argument.split("=");
  const name = written.replace(/^-+/, "");
  const names = options.map((option) => option.name);
  if (names.includes(name) && written === `--${name}`)
    return `${written} takes no value: write only its name.`;
  const near = name.length < 3 ? undefined : nearest(name, names);
  return `There is no option ${printable(written)}.${near === undefined ? "" : ` Did you mean --${near}?`}`;
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
function refuseSwallowed(
  name: string,
  options: readonly DeclaredOption[],
  positionals: readonly string[],
): void {
  // The variables of another command that npm runs, such as the tests, are not meant for this one.
  if (commandNamed(process.env["npm_lifecycle_event"]) !== name) return;
  // A dry run must not become a real run.
  if (variable("dry-run") === "true" && !options.some((option) => option.name === "dry-run"))
    throw new CommandError(
      `npm took --dry-run as its own, and ${typed(name)} has no such option: nothing was done.`,
    );
  const given = givenOptions();
  let isSure = true;
  const typedSo = options.flatMap(({ name: option, typed: shown, hasValue }) => {
    const swallowed = given.includes(option) ? undefined : swallowedValue(option);
    if (swallowed === undefined) return [];
    if (!hasValue) return [shown];
    if (swallowed !== "true") return [`--${option}=${swallowed}`];
    isSure = false;
    return [shown];
  });
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
