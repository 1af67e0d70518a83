import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseYaml, type Yaml } from "./yaml.ts";

const FOLDER = ".github/workflows";
type Mapping = { [key: string]: Yaml };

const mapping = (value: Yaml | undefined): Mapping => {
  if (typeof value !== "object" || Array.isArray(value))
    throw new TypeError(`no mapping: ${JSON.stringify(value)}`);
  return value;
};
const list = (value: Yaml | undefined): Yaml[] => {
  if (!Array.isArray(value)) throw new TypeError(`no list: ${JSON.stringify(value)}`);
  return value;
};

const textOf = (value: Yaml | undefined): string => (typeof value === "string" ? value : "");

const files = readdirSync(FOLDER);
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

describe.each(files)("%s", (file) => {
  const source = readFileSync(`${FOLDER}/${file}`, "utf8");
  const workflow = mapping(parseYaml(source));
  const jobs = Object.entries(mapping(workflow["jobs"])).map(([name, job]) => ({ name, job: mapping(job) }));
  const steps = jobs.flatMap(({ name, job }) =>
    list(job["steps"]).map((step) => ({ name, step: mapping(step) })),
  );
  const runs = steps.flatMap(({ step }) => (typeof step["run"] === "string" ? [step["run"]] : []));

  it("runs on no event that gives the code of a pull request rights", () => {
    const events = Object.keys(mapping(workflow["on"]));
    expect(["pull_request", "push", "workflow_dispatch"]).toEqual(expect.arrayContaining(events));
  });

  it("pins every action to a commit, with its version beside it", () => {
    const uses = source.split("\n").filter((line) => /^\s*(?:- )?uses:/.test(line));
    expect(uses.length).toBe(steps.filter(({ step }) => step["uses"] !== undefined).length);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("has no rights but those that a job asks for", () => {
    expect(workflow["permissions"]).toEqual({});
    const allowed = [{ contents: "read" }, { "pull-requests": "write" }];
    for (const { job } of jobs) expect(allowed).toContainEqual(job["permissions"]);
  });

  it("runs none of the repository's code with the right to write", () => {
    for (const { job } of jobs) {
      if (!Object.values(mapping(job["permissions"])).includes("write")) continue;
      for (const step of list(job["steps"]).map(mapping)) {
        expect(step["uses"]).toBeUndefined();
        expect(step["run"]).not.toMatch(/\b(?:npm|npx|node)\b/);
      }
    }
  });

  it("expands nothing in a shell: values come by the environment", () => {
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) expect(run).not.toContain("${{");
  });

  it("gives secrets to the steps alone that need them", () => {
    for (const line of source.split("\n").filter((text) => text.includes("secrets.")))
      expect(line).toMatch(
        /^ {10}\w+: \$\{\{ secrets\.\w+ \}\}$|^ {6}HAS_TOKEN: \$\{\{ secrets\.\w+ != '' \}\}$/,
      );
  });

  it("leaves no credentials of the checkout behind", () => {
    const checkouts = steps.filter(({ step }) => textOf(step["uses"]).startsWith("actions/checkout@"));
    for (const { step } of checkouts) expect(mapping(step["with"])["persist-credentials"]).toBe("false");
    expect(checkouts.length).toBeGreaterThan(0);
  });

  it("ends every job that hangs", () => {
    for (const { job } of jobs) expect(Number(job["timeout-minutes"])).toBeGreaterThan(0);
    expect(jobs.length).toBeGreaterThan(0);
  });

  it("runs commands that there are", () => {
    for (const run of runs)
      for (const [, name = ""] of run.matchAll(/npm run (?:--silent )?([\w:-]+)/g))
        expect(Object.keys(scripts)).toContain(name);
  });
});

/** A list of versions of Node in the CI script. */
const versions = (name: string): string[] =>
  new RegExp(`^${name}="(.*)"$`, "m").exec(readFileSync(".ci/run", "utf8"))?.[1]?.split(" ") ?? [];

describe("the versions of Node", () => {
  const readme = /tested on Node ([\d, and]+)\./.exec(readFileSync("README.md", "utf8"))?.[1] ?? "";
  const listed = readme.split(/, | and /);

  it("are tested as the README says", () => {
    expect([...versions("tested_on"), ...versions("smoke_tested_on")].sort()).toEqual(listed);
  });

  it("are in the workflows the latest that runs all tests", () => {
    const used = files.flatMap((file) =>
      Array.from(
        readFileSync(`${FOLDER}/${file}`, "utf8").matchAll(/node-version: (.*)/g),
        ([, found]) => found,
      ),
    );
    expect(used.length).toBeGreaterThan(0);
    expect(new Set(used)).toEqual(new Set([JSON.stringify(versions("tested_on").at(-1))]));
  });
});

describe("the reader of workflows", () => {
  it("reads what they are written in", () => {
    const read = parseYaml(
      'a: b # why\nlist:\n  - x: 1\n    run: |\n      one # no comment\n      two\n  - "y"\nflow: [p, q]\nempty: {}\n',
    );
    expect(read).toEqual({
      a: "b",
      list: [{ x: "1", run: "one # no comment\ntwo" }, "y"],
      flow: ["p", "q"],
      empty: {},
    });
  });

  it.each(["a: &anchor b", "a: {b: c}", "a: 'b'", "a:\n    b: c\n   d: e", "a: b\na: c", "- ? a"])(
    "refuses %j",
    (text) => {
      expect(() => parseYaml(text)).toThrow(/line/);
    },
  );
});
