import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { scratch } from "../scratch.ts";

export const WORKFLOWS = ".github/workflows";
export const CHECKS = `${WORKFLOWS}/checks.yml`;
export const PUBLISH = `${WORKFLOWS}/publish.yml`;
export const PULL_REQUEST = `${WORKFLOWS}/pull-request.yml`;
type Yaml = string | Yaml[] | Mapping;
export type Mapping = { [key: string]: Yaml };

export const mapping = (value: Yaml | undefined): Mapping => {
  if (typeof value !== "object" || Array.isArray(value))
    throw new TypeError(`no mapping: ${JSON.stringify(value)}`);
  return value;
};
export const list = (value: Yaml | undefined): Yaml[] => {
  if (!Array.isArray(value)) throw new TypeError(`no list: ${JSON.stringify(value)}`);
  return value;
};
export const textOf = (value: Yaml | undefined): string => (typeof value === "string" ? value : "");

/** Every scalar is a text. */
export const read = (file: string): Mapping =>
  mapping(parse(readFileSync(file, "utf8"), { schema: "failsafe" }) as Yaml);
export const jobsOf = (file: string): [name: string, job: Mapping][] =>
  Object.entries(mapping(read(file)["jobs"])).map(([name, job]) => [name, mapping(job)]);
/** The steps of a job, or of an action's `runs`; empty for a job that calls a workflow. */
export const stepsOf = (job: Mapping): Mapping[] =>
  job["steps"] === undefined ? [] : list(job["steps"]).map(mapping);

/** Writes shell scripts as programs that come before all others. @returns the value of PATH. */
export function pathWith(programs: Record<string, string>): string {
  const bin = scratch("bin");
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return [bin, process.env["PATH"]].join(delimiter);
}

export const workflows = readdirSync(WORKFLOWS).map((name) => `${WORKFLOWS}/${name}`);
export const action = ".github/actions/install/action.yml";
