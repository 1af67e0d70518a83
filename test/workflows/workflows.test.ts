import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  action,
  CHECKS,
  jobsOf,
  mapping,
  PUBLISH,
  PULL_REQUEST,
  read,
  stepsOf,
  textOf,
  workflows,
} from "./read.ts";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

describe.each([...workflows, action])("%s", (file) => {
  const source = readFileSync(file, "utf8");
  const lines = source.split("\n");
  const steps =
    file === action ? stepsOf(mapping(read(file)["runs"])) : jobsOf(file).flatMap(([, job]) => stepsOf(job));
  const runs = steps.flatMap(({ run }) => (typeof run === "string" ? [run] : []));

  it("has a name", () => {
    expect(textOf(read(file)["name"])).not.toBe("");
  });

  it("pins every action to a commit, with its version in a comment, or uses the repository's own", () => {
    const uses = lines.filter((line) => /^\s*(?:- )?uses:/.test(line));
    for (const line of uses)
      expect(line).toMatch(/uses: (?:[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/[\w./-]+)$/);
    const versions = uses.map((line) => line.replace(/.*uses: /, "")).filter((text) => text.includes("@"));
    const names = new Set(versions.map((text) => text.split("@")[0]));
    expect(new Set(versions).size, "one version of each").toBe(names.size);
  });

  it("expands no expression in a shell: values come from the environment", () => {
    for (const run of runs) expect(run).not.toContain("${{");
  });

  it("gives secrets only to the steps that need them", () => {
    for (const line of lines.filter((text) => text.includes("secrets.")))
      expect(line).toMatch(
        /^ {10}\w+: \$\{\{ secrets\.\w+ \}\}$|^ {6}HAS_TOKEN: \$\{\{ secrets\.\w+ != '' \}\}$/,
      );
  });

  it("keeps no credentials of the checkout", () => {
    const checkouts = steps.filter(({ uses }) => textOf(uses).startsWith("actions/checkout@"));
    expect(checkouts.map((step) => mapping(step["with"])["persist-credentials"])).toEqual(
      checkouts.map(() => "false"),
    );
  });

  it("uses no cache of packages", () => {
    for (const { uses, with: options } of steps) {
      if (!textOf(uses).startsWith("actions/setup-node@")) continue;
      expect(mapping(options)).toMatchObject({ "package-manager-cache": "false" });
      expect(mapping(options)["cache"]).toBeUndefined();
    }
  });

  it.each([
    ["use a cache that another run wrote", /actions\/cache/],
    ["change the environment or the path of later steps", /GITHUB_ENV|GITHUB_PATH|ACTIONS_ALLOW_UNSECURE/],
    ["use the name of the user who runs it", /github\.(?:actor|triggering_actor)\b/],
    ["give all secrets away", /secrets: inherit|toJSON\(secrets\)/i],
    ["ignore a failure", /continue-on-error/],
  ])("does not %s", (_, pattern) => {
    expect(source).not.toMatch(pattern);
  });

  it("installs only the packages of the lock file, and only with the action", () => {
    for (const run of runs) {
      expect(run).not.toMatch(/\bnpx\b|\bnpm (?:i|install|add|exec)\b/);
    }
    const installs = runs.filter((run) => run.includes("npm ci"));
    expect(installs).toEqual(file === action ? ["npm ci --strict-allow-scripts"] : []);
  });

  it("runs only existing commands", () => {
    for (const run of runs)
      for (const [, name = ""] of run.matchAll(/npm run (?:--silent )?([\w:-]+)/g))
        expect(Object.keys(scripts)).toContain(name);
  });
});

/** The versions of Node in a list of the CI script. */
const versions = (name: string): string[] =>
  new RegExp(`^${name}="(.*)"$`, "m").exec(readFileSync(".ci/run", "utf8"))?.[1]?.split(" ") ?? [];

describe.each(workflows)("%s", (file) => {
  const workflow = read(file);
  const jobs = jobsOf(file);

  it("runs on no event that gives rights to the code of a pull request", () => {
    const events = Object.keys(mapping(workflow["on"]));
    const known = "pull_request push repository_dispatch schedule workflow_call workflow_dispatch".split(" ");
    expect(known).toEqual(expect.arrayContaining(events));
  });

  it("states whether a newer run cancels it", () => {
    const isCalled = Object.keys(mapping(workflow["on"])).join(" ") === "workflow_call";
    expect(JSON.stringify(workflow["concurrency"] ?? "").includes("cancel-in-progress")).toBe(!isCalled);
  });

  it("has only the permissions that a job requests, each with its reason", () => {
    expect(workflow["permissions"]).toEqual({});
    const allowed = [
      { contents: "read" },
      { contents: "read", actions: "read" },
      { "pull-requests": "write" },
    ];
    expect(jobs.length).toBeGreaterThan(0);
    for (const [, job] of jobs) expect(allowed).toContainEqual(job["permissions"]);
    const granted = readFileSync(file, "utf8").match(/^ {6}[\w-]+: (?:read|write)\b.*$/gm) ?? [];
    for (const line of granted) expect(line).toMatch(/contents: read$| # to \w/);
  });

  it("runs no code of the repository with permission to write", () => {
    for (const [, job] of jobs) {
      if (!Object.values(mapping(job["permissions"])).includes("write")) continue;
      expect(job["uses"]).toBeUndefined();
      for (const step of stepsOf(job)) {
        expect(step["uses"]).toBeUndefined();
        expect(step["run"]).not.toMatch(/\b(?:npm|npx|node|node_modules)\b/);
      }
    }
  });

  it("takes secrets only in a job with an environment", () => {
    const trusted = jobs.filter(([, job]) => JSON.stringify(job).includes("secrets."));
    for (const [, job] of trusted) expect(job["environment"]).toMatch(/^(?:preview|production)$/);
    expect(trusted.length).toBe(file === CHECKS ? 0 : 1);
  });

  it("gives GitHub's token only to steps that run none of the repository's code", () => {
    const given = jobs
      .flatMap(([, job]) => stepsOf(job))
      .filter(({ env }) => JSON.stringify(env ?? {}).includes("github.token"));
    expect(
      given.map(({ run }) => textOf(run)).filter((run) => /\bnpm\b|node_modules|scripts\//.test(run)),
    ).toEqual([]);
  });

  it("has a time limit for every job, and runs on GitHub's own machines", () => {
    for (const [, job] of jobs.filter(([, one]) => one["uses"] === undefined)) {
      expect(Number(job["timeout-minutes"])).toBeGreaterThan(0);
      expect(job["runs-on"]).toBe("ubuntu-24.04");
    }
  });
});

describe("the checks of a change", () => {
  const callers = [PUBLISH, PULL_REQUEST];
  const isDue = "${{ needs.due.outputs.due == 'true' }}";
  const checks = jobsOf(CHECKS);

  it("are the same for a pull request and for the main branch, and are written only once", () => {
    expect([...callers, CHECKS].sort()).toEqual(workflows.toSorted());
    for (const file of callers) {
      const calls = jobsOf(file).filter(([, { uses }]) => uses !== undefined);
      expect(calls.map(([, { uses, if: condition }]) => [uses, condition])).toEqual([
        [`./${CHECKS}`, file === PUBLISH ? isDue : undefined],
      ]);
      for (const [, job] of jobsOf(file))
        for (const { run } of stepsOf(job))
          expect(textOf(run)).not.toMatch(/npm (?:test|run lint)|npm run .*\bcheck\b/);
    }
  });

  it("come before the deployment", () => {
    const deploy = mapping(mapping(read(PUBLISH)["jobs"])["deploy"]);
    expect(deploy["needs"]).toEqual(["due", "checks"]);
    expect(textOf(deploy["if"])).not.toMatch(/always|cancelled|failure/);
  });

  it("are skipped only by a run with nothing to deploy; scheduled runs are never on the hour", () => {
    const { on } = read(PUBLISH);
    const events = mapping(on);
    expect(Object.keys(events).sort().join(" ")).toBe("push repository_dispatch schedule workflow_dispatch");
    expect(events["repository_dispatch"]).toEqual({ types: ["publish"] });
    expect(JSON.stringify(events["schedule"])).not.toMatch(/"(?:0|\*|[^"]*,0,?[^"]*) /);
  });

  it("always include the pages, and include the program if it changed", () => {
    const conditions = checks.flatMap(([, job]) =>
      stepsOf(job)
        .filter(({ run }) => textOf(run).startsWith("npm "))
        .map(({ run, if: condition }) => [textOf(run).split(" -- ")[0], condition]),
    );
    const changed = "${{ steps.compare.outputs.changed == 'true' }}";
    expect(conditions).toEqual([
      ["npm run --silent check", undefined],
      ["npm run --silent check", "${{ !cancelled() }}"],
      ["npm run lint", changed],
      ["npm test", changed],
    ]);
    for (const [, job] of checks) expect(job["if"]).toBeUndefined();
  });
});

describe("the versions of Node", () => {
  const readme = /tested on Node ([\d, and]+)\./.exec(readFileSync("README.md", "utf8"))?.[1] ?? "";
  const listed = readme.split(/, | and /);

  it("are those of the README", () => {
    const tested = ["tested_on", "museum_tested_on", "smoke_tested_on"].flatMap(versions);
    expect(tested.sort()).toEqual(listed);
  });

  it("are, in the workflows, the latest version that runs all tests", () => {
    const used = [...workflows, action].flatMap((file) =>
      Array.from(readFileSync(file, "utf8").matchAll(/node-version: (.*)/g), ([, found]) => found),
    );
    expect(used).toEqual([JSON.stringify(versions("tested_on").at(-1))]);
  });
});
