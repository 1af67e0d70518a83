import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { commandLine, runSync } from "../command.ts";
import { FIXTURES, FIXTURE_SITE } from "../fixtures.ts";
import { general, workplace, write, writeSite } from "../pipeline/site.ts";

/** What a command is given by npm: its name, and the options that npm took for its own. */
const byNpm = (name: string, taken: Record<string, string>, ...args: string[]) =>
  spawnSync(process.execPath, commandLine(name, ...args), {
    cwd: FIXTURES,
    encoding: "utf8",
    env: {
      ...process.env,
      npm_lifecycle_event: name,
      ...Object.fromEntries(Object.entries(taken).map(([key, value]) => [`npm_config_${key}`, value])),
    },
  });

describe("options that npm takes for its own", () => {
  it.each([
    ["check", { strict: "true" }, [], "npm run check -- --strict"],
    [
      "check",
      { strict: "true", content: "site" },
      ["a.json"],
      "npm run check -- a.json --content=site --strict",
    ],
    ["new", { title: "true" }, ["general", "visit/cafe", "Café"], "npm run new -- … --title TEXT"],
    ["build", { base_url: "https://a.example" }, [], "npm run build -- --base-url=https://a.example"],
    ["deploy", { worker: "" }, [], "npm run deploy -- --no-worker"],
    ["start", { content: "x" }, [], "npm start -- --content=x"],
  ])("%s is refused, and says what to type", (name, taken, args, line) => {
    const { status, stdout, stderr } = byNpm(name, taken, ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr.split("\n")).toContain(`  ${line}`);
  });

  it("nothing is done where a dry run was asked of a command that has none", () => {
    const { status, stderr } = byNpm("redirects", { dry_run: "true" });
    expect(status).toBe(2);
    expect(stderr).toContain("--dry-run");
  });

  it("are none of a command that another one runs, nor those that are given", () => {
    expect(byNpm("check", { strict: "true" }, "--strict", "--content", FIXTURE_SITE).status).toBe(0);
    const { status } = spawnSync(process.execPath, commandLine("check", "--content", FIXTURE_SITE), {
      cwd: FIXTURES,
      env: { ...process.env, npm_lifecycle_event: "test", npm_config_strict: "true" },
    });
    expect(status).toBe(0);
  });
});

describe("a wrong call", () => {
  it.each([
    [["--strct"], "There is no option --strct. Did you mean --strict?"],
    [["-x"], "There is no option -x."],
    [["--strict=yes"], "--strict takes no value"],
    [["--content"], "--content: expected a value"],
    [["--content", "--strict"], "--content: expected a value after it, found --strict"],
    [["nowhere.json", "--content", FIXTURE_SITE], "There is no source nowhere.json"],
  ])("%j is told in plain words", (args, words) => {
    const { status, stdout, stderr } = runSync("check", args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr.split("\n")[0]).toContain(words);
  });
});

describe("an argument that has no place", () => {
  it.each([
    "bench",
    "contract",
    "deploy",
    "generate:hosts",
    "releases",
    "generate:screenshots",
    "serve:bucket",
    "types",
  ])("is refused by %s, with what may be typed", (name) => {
    const { status, stdout, stderr } = runSync(name, ["more"]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    const [first, usage] = stderr.split("\n");
    expect(first).toContain("“more”");
    expect(usage).toContain(`npm run ${name}`);
  });
});

describe("a number", () => {
  it.each([
    ["releases", [], "--prune", ["1000", "-1", "07", "1.5", "1e2", "x"]],
    ["deploy", ["--bucket", "s3://b"], "--concurrency", ["0", "65", "0x2"]],
    ["verify", ["http://127.0.0.1:1"], "--concurrency", ["0", "65"]],
  ])("of %s %j %s is a whole one in its range", (name, args, option, wrong) => {
    for (const written of wrong) {
      const { status, stdout, stderr } = runSync(name, [...args, `${option}=${written}`]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toMatch(new RegExp(`^${option}: .*“${written}”`));
    }
  });
});

it("check with a file tells of that file alone, and knows the whole site", () => {
  const { content } = workplace("check-file");
  writeSite(content);
  write(content, "wrong.json", { id: "x" });
  write(content, "copy.json", general(11, "With the id of the café"));
  const found = (...args: string[]) => {
    const { status, stdout } = runSync("check", ["--content", content, "--reporter", "json", ...args]);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
    return { status, codes: diagnostics.map(({ code }) => code) };
  };
  expect(found("copy.json")).toEqual({ status: 1, codes: ["id-clash"] });
  expect(found("about.json")).toEqual({ status: 0, codes: [] });
  expect(found("visit")).toEqual({ status: 1, codes: ["id-clash"] });
});
