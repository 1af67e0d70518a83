import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { commit, git } from "../diff/repository.ts";
import { scratch } from "../scratch.ts";
import { CHECKS, jobsOf, stepsOf, textOf } from "./read.ts";

const compare = jobsOf(CHECKS)
  .flatMap(([, job]) => stepsOf(job))
  .find(({ id }) => id === "compare");

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

/** Runs the step with a `gh` that prints these responses; for undefined ones it fails. */
function changed(runs: unknown, tree: unknown): string {
  const bin = scratch("gh");
  for (const [name, answer] of Object.entries({ runs, tree }))
    if (answer !== undefined) writeFileSync(join(bin, name), JSON.stringify(answer));
  writeFileSync(
    join(bin, "gh"),
    `#!/bin/sh
case "$1 $2" in
"api repos/museum/site/actions/workflows/publish.yml/runs?branch=main&event=push&status=success&per_page=1") cat '${bin}/runs' ;;
"api repos/museum/site/git/trees/${tested}") cat '${bin}/tree' ;;
*) exit 1 ;;
esac
`,
    { mode: 0o755 },
  );
  const { status, stderr } = spawnSync(
    "bash",
    ["--noprofile", "--norc", "-eo", "pipefail", "-c", textOf(compare?.["run"])],
    {
      cwd: project,
      encoding: "utf8",
      env: {
        ...process.env,
        PATH: [bin, process.env["PATH"]].join(delimiter),
        REPOSITORY: "museum/site",
        GITHUB_OUTPUT: join(bin, "output"),
      },
    },
  );
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return readFileSync(join(bin, "output"), "utf8");
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
