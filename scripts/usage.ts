import type { ParseArgsConfig } from "node:util";

/** An option, stated once: how it is parsed, and what is said of it. */
export type Option = NonNullable<ParseArgsConfig["options"]>[string] & {
  /** The name of its value, as in `--content DIR`. */
  value?: string;
  /** May stand without a value. */
  isAlone?: true;
  /** What it is for; a default is added to it. */
  words: string;
  /** Must be given. */
  isRequired?: boolean;
  /** Stands above it, where a group of options begins. */
  heading?: string;
};

export interface Usage {
  /** What npm calls the command by. */
  name: string;
  /** What it does, in paragraphs. */
  does: string;
  /** Its arguments by name, as in the usage line, with what they are. */
  args?: Record<string, string>;
  /** What is told at the end, before the exit status. */
  more?: string;
  status?: string;
}

const WIDTH = 118;

/** How the command is typed, up to its arguments. */
export const typed = (name: string): string => (name === "start" ? "npm start" : `npm run ${name}`);

/** The same by the project's own bin, which needs no “--” before the options. */
export const typedByBin = (name: string): string => `npx page-api ${name}`;

const label = (name: string, { type, value = "VALUE", isAlone }: Option): string =>
  type === "boolean" ? `--${name}` : `--${name} ${isAlone === true ? `[${value}]` : value}`;

/** The lines that list what may be typed; the first one has it all. */
export function usageLines({ name, args = {} }: Usage, options: Record<string, Option>): string {
  const parts = Object.keys(args);
  for (const [option, of] of Object.entries(options)) {
    const shown = `${label(option, of)}${of.multiple === true ? " …" : ""}`;
    parts.push(of.isRequired === true ? shown : `[${shown}]`);
  }
  const or = `or:    ${[typedByBin(name), ...(parts.length > 0 ? ["…"] : [])].join(" ")}`;
  return `Usage: ${[typed(name), ...(parts.length > 0 ? ["--", ...parts] : [])].join(" ")}\n${or}`;
}

export interface Row {
  label: string;
  words: string;
  heading: string | undefined;
}

/** The arguments and options of a command, as `--help` and docs/commands.md list them. */
export function rowsOf(usage: Usage, options: Record<string, Option>): Row[] {
  return [
    ...Object.entries(usage.args ?? {}).map(([name, words]) => ({
      label: name.replace(/[[\]…]/g, ""),
      words,
      heading: undefined,
    })),
    ...Object.entries(options).map(([name, of]) => ({
      label: label(name, of),
      words: typeof of.default === "string" ? `${of.words} (default: ${of.default})` : of.words,
      heading: of.heading,
    })),
  ];
}

/** What `--help` prints. */
export function usageText(usage: Usage, options: Record<string, Option>): string {
  const rows = rowsOf(usage, options);
  const column = Math.max(0, ...rows.map((row) => row.label.length)) + 4;
  const table = rows.map(({ label: first, words, heading }) => {
    const lines = wrapped(words, WIDTH - column).join(`\n${" ".repeat(column)}`);
    return `${heading === undefined ? "" : `\n${heading}\n`}  ${first.padEnd(column - 2)}${lines}`;
  });
  const status = usage.status === undefined ? undefined : `Exit status: ${usage.status}`;
  return [usageLines(usage, options), usage.does, table.join("\n"), usage.more, status]
    .filter((part) => part !== undefined && part !== "")
    .join("\n\n");
}

function wrapped(words: string, width: number): string[] {
  const lines = [""];
  for (const word of words.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}
