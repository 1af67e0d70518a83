import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { commit, git } from "../diff/repository.ts";
import { scratch } from "../scratch.ts";
import { CHECKS, jobsOf, PUBLISH, stepsOf, textOf } from "./read.ts";

/** Runs a step as GitHub does, with these programs before all others. @returns the step's outputs. */
function outputsOf(file: string, step: string, programs: Record<string, string>, env: object): string {
  const bin = scratch("bin");
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const found = jobsOf(file)
    .flatMap(([, job]) => stepsOf(job))
    .find(({ id }) => id === step);
  const PATH = [bin, process.env["PATH"]].join(delimiter);
  const output = join(bin, "output");
  const { status, stderr } = spawnSync(
    "bash",
    ["--noprofile", "--norc", "-eo", "pipefail", "-c", textOf(found?.["run"])],
    {
      cwd: project,
      encoding: "utf8",
      env: { ...process.env, PATH, REPOSITORY: "museum/site", GITHUB_OUTPUT: output, ...env },
    },
  );
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return readFileSync(output, "utf8");
}

const project = scratch("program");
const write = (path: string, text: string): void => {
  mkdirSync(join(project, path, ".."), { recursive: true });
  writeFileSync(join(project, path), text);
};
git(project, "init", "--quiet");
write("content/index.json", "{}");
write("build/build.ts", "1");
write("package.json", "{}");
write("content and more", "");
commit(project);
const tested = git(project, "rev-parse", "HEAD").trim();

/** GitHub's response with the entries of a commit. */
const treeOf = (revision: string): unknown => ({
  tree: git(project, "ls-tree", revision)
    .trim()
    .split("\n")
    .map((line) => {
      const [, mode, type, sha, path] = /^(\d+) (\w+) (\w+)\t(.*)$/.exec(line) ?? [];
      return { path, mode, type, sha, url: "https://api.example.org/" };
    }),
});

const RUNS = "api repos/museum/site/actions/workflows/publish.yml/runs?branch=main&status=success&per_page=1";

/** Runs the step with a `gh` that prints these responses; for undefined ones it fails. */
function changed(runs: unknown, tree: unknown): string {
  const answers = scratch("gh");
  for (const [name, answer] of Object.entries({ runs, tree }))
    if (answer !== undefined) writeFileSync(join(answers, name), JSON.stringify(answer));
  const gh = `case "$1 $2" in
"${RUNS}") cat '${answers}/runs' ;;
"api repos/museum/site/git/trees/${tested}") cat '${answers}/tree' ;;
*) exit 1 ;;
esac`;
  return outputsOf(CHECKS, "compare", { gh }, {});
}

const success = { workflow_runs: [{ head_sha: tested }] };
const is = (answer: boolean): string => `changed=${answer}\n`;
const reset = (): string => git(project, "reset", "--quiet", "--hard", tested);

it("the program counts as tested if only pages change, or nothing", () => {
  expect(changed(success, treeOf(tested))).toBe(is(false));
  write("content/index.json", '{"id": 1}');
  write("content/visit/index.json", "{}");
  commit(project);
  expect(changed(success, treeOf(tested))).toBe(is(false));
  git(project, "rm", "-r", "--quiet", "content");
  commit(project);
  expect(changed(success, treeOf(tested))).toBe(is(false));
  reset();
});

it.each(["build/build.ts", "build/more.ts", "package.json", "content and more", "content.json", "_headers"])(
  "the program counts as changed if %s changes",
  (path) => {
    write(path, "2");
    write("content/index.json", '{"id": 1}');
    commit(project);
    expect(changed(success, treeOf(tested))).toBe(is(true));
    reset();
  },
);

it("the program counts as changed if the comparison fails", () => {
  expect(changed({ workflow_runs: [] }, treeOf(tested))).toBe(is(true));
  expect(changed({ message: "Not Found" }, treeOf(tested))).toBe(is(true));
  expect(changed(undefined, treeOf(tested))).toBe(is(true));
  expect(changed(success, undefined)).toBe(is(true));
  expect(changed(success, { message: "Not Found" })).toBe(is(true));
  expect(changed(success, { tree: [] })).toBe(is(true));
});

const DUE = { at: "2026-12-01T09:00:00Z", change: "live" };

/** Whether a run is to deploy, with these events in the schedule since the last successful run. */
const due = (event: string, deployed: string, events: unknown[] | "unread"): string => {
  const npm = events === "unread" ? "exit 1" : `echo '${JSON.stringify({ events, next: null })}'`;
  const env = { EVENT: event, DEPLOYED: deployed, SINCE: "2026-11-30T00:00:00Z", GITHUB_SHA: "b" };
  return outputsOf(PUBLISH, "due", { npm }, env);
};

it.each(["push", "schedule", "repository_dispatch"])(
  "a run of %s deploys a commit that no run deployed, and pages that are due",
  (event) => {
    // Without such a run before, or after one whose waiting successor was displaced.
    for (const deployed of ["", "a"]) expect(due(event, deployed, "unread")).toBe("due=true\n");
    expect(due(event, "b", [DUE])).toBe("due=true\n");
    expect(due(event, "b", [])).toBe("due=false\n");
  },
);

it("a run that a person starts always deploys", () => {
  expect(due("workflow_dispatch", "b", "unread")).toBe("due=true\n");
});

it("a run compares itself with the last successful run, whatever started that one", () => {
  const gh = `[ "$1 $2" = "${RUNS}" ] && printf '%s' "$4"`;
  expect(outputsOf(PUBLISH, "last", { gh }, {})).toBe(
    '.workflow_runs[0] | "commit=\\(.head_sha // "")", "since=\\(.created_at // "")"',
  );
});
