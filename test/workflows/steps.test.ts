import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { commit, git } from "../change/diff/repository.ts";
import { scratch } from "../scratch.ts";
import { write } from "../site/site.ts";
import { CHECKS, jobsOf, mapping, pathWith, PUBLISH, PULL_REQUEST, read, stepsOf, textOf } from "./read.ts";

/** Runs a step as GitHub does, with these programs before all others. @returns the step's outputs. */
function outputsOf(file: string, step: string, programs: Record<string, string>, env: object): string {
  const found = jobsOf(file)
    .flatMap(([, job]) => stepsOf(job))
    .find(({ id }) => id === step);
  const output = join(scratch("step"), "output");
  const { status, stderr } = spawnSync("bash", ["-e", "-c", textOf(found?.["run"])], {
    cwd: project,
    encoding: "utf8",
    env: {
      ...process.env,
      PATH: pathWith(programs),
      GITHUB_REPOSITORY: "museum/site",
      GITHUB_OUTPUT: output,
      ...env,
    },
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return existsSync(output) ? readFileSync(output, "utf8") : "";
}

const project = scratch("program");
const put = (path: string, text: string): void => write(project, path, text);
git(project, "init", "--quiet");
put("content/index.json", "{}");
put("build/build.ts", "1");
put("package.json", "{}");
put("content and more", "");
commit(project);
const tested = git(project, "rev-parse", "HEAD").trim();

const RUNS = "api repos/museum/site/actions/workflows/publish.yml/runs?branch=main&status=success&per_page=1";

/** Runs the step with a `gh` that prints the commit of the last successful run, or fails. */
const changed = (last: string | undefined): string =>
  outputsOf(
    CHECKS,
    "compare",
    { gh: last === undefined ? "exit 1" : `[ "$1 $2" = "${RUNS}" ] && echo '${last}'` },
    {},
  );

const YES = "changed=true\n";
const NO = "";
const reset = (): string => git(project, "reset", "--quiet", "--hard", tested);

it("the program counts as tested if only pages change, or nothing", () => {
  expect(changed(tested)).toBe(NO);
  put("content/index.json", '{"id": 1}');
  put("content/visit/index.json", "{}");
  commit(project);
  expect(changed(tested)).toBe(NO);
  git(project, "rm", "-r", "--quiet", "content");
  commit(project);
  expect(changed(tested)).toBe(NO);
  reset();
});

it.each(["build/build.ts", "build/more.ts", "package.json", "content and more", "content.json", "_headers"])(
  "the program counts as changed if %s changes",
  (path) => {
    put(path, "2");
    put("content/index.json", '{"id": 1}');
    commit(project);
    expect(changed(tested)).toBe(YES);
    reset();
  },
);

it("the program counts as changed if the comparison fails", () => {
  for (const last of [undefined, "", "null", "0".repeat(40)]) expect(changed(last)).toBe(YES);
});

it("a run deploys if its commit was not deployed, if pages are due, or if a person started it", () => {
  const { jobs } = read(PUBLISH);
  const { due } = mapping(mapping(mapping(jobs)["due"])["outputs"]);
  const expression = /^\$\{\{ (.*) \}\}$/.exec(textOf(due))?.[1] ?? "";
  // The operators of GitHub's expressions mean the same here.
  const isDue = (event: string, deployed: string, events: string | undefined): unknown =>
    runInNewContext(expression, {
      github: { event_name: event, sha: "b" },
      steps: { last: { outputs: { commit: deployed } }, schedule: { outputs: { events } } },
    });
  for (const event of ["push", "schedule", "repository_dispatch"]) {
    // Without such a run before, or after one whose waiting successor was displaced.
    for (const deployed of ["", "a"]) expect(isDue(event, deployed, undefined)).toBe(true);
    expect(isDue(event, "b", "1")).toBe(true);
    expect(isDue(event, "b", "0")).toBe(false);
  }
  expect(isDue("workflow_dispatch", "b", "0")).toBe(true);
});

it.each([
  ["", "npm run --silent diff -- --base HEAD^1 --reporter markdown --exit-zero"],
  [
    "https://pr-7.example.org",
    "npm run --silent diff -- --base HEAD^1 --reporter markdown --exit-zero --preview https://pr-7.example.org",
  ],
])("the comment's text reaches the next job unchanged, with links to the preview “%s”", (url, first) => {
  const summary = join(scratch("summary"), "summary.md");
  const text = `"quoted" \\ $HOME \${{ github.token }} <b>\nmarkdown<<END\nEND\nmarkdown=x\n`;
  writeFileSync(join(project, "text"), text);
  const programs = {
    npm: `echo "npm $*"; cat text`,
    // The program jq may be missing here.
    jq: `[ "$*" = "--raw-input --slurp . diff.md" ] && node -p 'JSON.stringify(fs.readFileSync("diff.md", "utf8"))'`,
  };
  const env = { PREVIEW_URL: url, GITHUB_STEP_SUMMARY: summary };
  const output = outputsOf(PULL_REQUEST, "diff", programs, env);
  const contract = "npm run --silent contract -- --base HEAD^1 --reporter markdown --exit-zero";
  const whole = `${first}\n${text}${contract}\n${text}`;
  expect(output).toBe(`markdown=${JSON.stringify(whole)}\n`);
  expect(readFileSync(summary, "utf8")).toBe(whole);
});

it("a run compares itself with the last successful run, whatever started that one", () => {
  const gh = `[ "$1 $2" = "${RUNS}" ] && printf '%s' "$4"`;
  expect(outputsOf(PUBLISH, "last", { gh }, {})).toBe(
    '.workflow_runs[0] | "commit=\\(.head_sha // "")", "since=\\(.created_at // "")"',
  );
});
