import type { ParseArgsConfig } from "node:util";
import { isPackage } from "../build/base/program.ts";
import { wrapped } from "../build/base/wrapped.ts";
import { SITE_SCRIPTS } from "./init/package.ts";

/** An option, for the parser and for `--help`. */
export type Option = NonNullable<ParseArgsConfig["options"]>[string] & {
  /** The name of its value, such as DIR in `--content DIR`. */
  value?: string;
  /** Whether the value may be left out. */
  isAlone?: true;
  /** Its meaning; the default is added. */
  description: string;
  isRequired?: boolean;
  /** A heading above it, at the beginning of a group of options. */
  heading?: string;
};

export const flag = (description: string) => ({ type: "boolean", default: false, description }) as const;

/** An option with a value, which has this name in the help. */
export function valued(value: string, description: string): TextOption;
export function valued(
  value: string,
  description: string,
  fallback: string,
): TextOption & { default: string };
export function valued(value: string, description: string, fallback?: string): TextOption {
  const option = { type: "string", value, description } as const;
  return fallback === undefined ? option : Object.assign({ default: fallback }, option);
}

interface TextOption {
  type: "string";
  value: string;
  description: string;
}

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

/** Maximum width of the table of options, in columns. */
const MAX_TABLE_WIDTH = 118;

/** The command as npm runs it; a site has only some of the scripts of the program's repository. */
export function typed(name: string): string {
  if (name === "start") return "npm start";
  return !isPackage || SITE_SCRIPTS.includes(name) ? `npm run ${name}` : typedByBin(name);
}

/** The command with the project's own bin, which needs no “--” before the options. */
export const typedByBin = (name: string): string => `npx page-api ${name}`;

const label = (name: string, { type, value = "VALUE", isAlone }: Option): string =>
  type === "boolean" ? `--${name}` : `--${name} ${isAlone === true ? `[${value}]` : value}`;

/** The usage lines; the first one lists all arguments and options. */
export function usageLines({ name, args = {} }: Usage, options: Record<string, Option>): string {
  const parts = Object.keys(args);
  for (const [option, of] of Object.entries(options)) {
    const shown = `${label(option, of)}${of.multiple === true ? " …" : ""}`;
    parts.push(of.isRequired === true ? shown : `[${shown}]`);
  }
  const byBin = typedByBin(name);
  if (typed(name) === byBin) return `Usage: ${[byBin, ...parts].join(" ")}`;
  const or = `or:    ${[byBin, ...(parts.length > 0 ? ["…"] : [])].join(" ")}`;
  return `Usage: ${[typed(name), ...(parts.length > 0 ? ["--", ...parts] : [])].join(" ")}\n${or}`;
}

/** The arguments and options of a command, as `--help` and docs/commands.md list them. */
export function rowsOf(usage: Usage, options: Record<string, Option>) {
  return [
    ...Object.entries(usage.args ?? {}).map(([name, description]) => ({
      label: name.replace(/[[\]…]/g, ""),
      description,
      heading: undefined,
    })),
    ...Object.entries(options).map(([name, of]) => ({
      label: label(name, of),
      description:
        typeof of.default === "string" ? `${of.description} (default: ${of.default})` : of.description,
      heading: of.heading,
    })),
  ];
}

export function usageText(usage: Usage, options: Record<string, Option>): string {
  const rows = rowsOf(usage, options);
  const column = Math.max(0, ...rows.map((row) => row.label.length)) + 4;
  const table = rows.map(({ label: first, description, heading }) => {
    const lines = wrapped(description, MAX_TABLE_WIDTH - column).join(`\n${" ".repeat(column)}`);
    return `${heading === undefined ? "" : `\n${heading}\n`}  ${first.padEnd(column - 2)}${lines}`;
  });
  const status = usage.status === undefined ? undefined : `Exit status: ${usage.status}`;
  return [usageLines(usage, options), usage.summary, table.join("\n"), usage.more, status]
    .filter((part) => part !== undefined && part !== "")
    .join("\n\n");
}
