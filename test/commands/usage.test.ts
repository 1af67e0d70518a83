import { describe, expect, it } from "vitest";
import { explain } from "../../scripts/command.ts";
import { runHere } from "../command.ts";
import { FIXTURE_SITE } from "../fixtures.ts";
import { general, workplace, write, writeSite } from "../site/site.ts";

/** Runs a command with npm's environment: the command's name, and the options that npm kept for itself. */
const byNpm = (name: string, taken: Record<string, string>, ...args: string[]) =>
  runHere(name, args, {
    env: {
      npm_lifecycle_event: name,
      ...Object.fromEntries(Object.entries(taken).map(([key, value]) => [`npm_config_${key}`, value])),
    },
  });

describe("options that npm keeps for itself", () => {
  it.each([
    ["check", { strict: "true" }, [], "npm run check -- --strict"],
    [
      "check",
      { strict: "true", content: "site" },
      ["a.json"],
      "npm run check -- a.json --content=site --strict",
    ],
    ["new", { title: "true" }, ["general", "visit/cafe", "Café"], "npm run new -- … --title TEXT"],
    ["retire", { to: "true" }, ["visit/cafe", "/visit/"], "npm run retire -- … --to ADDRESS"],
    ["build", { base_url: "https://a.example" }, [], "npm run build -- --base-url=https://a.example"],
    ["deploy", { worker: "" }, [], "npm run deploy -- --no-worker"],
    ["start", { content: "x" }, [], "npm start -- --content=x"],
  ])("%s is refused, with the correct command line", async (name, taken, args, line) => {
    const { status, stdout, stderr } = await byNpm(name, taken, ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr.split("\n")).toContain(`  ${line}`);
  });

  it("stop a command that has no dry run if npm took --dry-run", async () => {
    const { status, stderr } = await byNpm("redirects", { dry_run: "true" });
    expect(status).toBe(2);
    expect(stderr).toContain("--dry-run");
  });

  it("are ignored under another npm script, and if they are also given after --", async () => {
    const given = await byNpm("check", { strict: "true" }, "--strict", "--content", FIXTURE_SITE);
    expect(given.status).toBe(0);
    const env = { npm_lifecycle_event: "test", npm_config_strict: "true" };
    const { status } = await runHere("check", ["--content", FIXTURE_SITE], { env });
    expect(status).toBe(0);
  });
});

describe("an option without an effect is refused", () => {
  it.each([
    ["diff", ["--preview", "https://a.example"], "--preview"],
    ["verify", ["--list", "--all"], "--all"],
    ["releases", ["--bucket", "s3://a", "--prune", "1", "--concurrency", "2"], "--concurrency"],
    ["import", [".", "--content", "new", "--concurrency", "2"], "--concurrency"],
  ])("%s %j", async (name, args, option) => {
    const { status, stderr } = await runHere(name, args);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining(`${option} has no effect`) as string,
    });
  });
});

describe("a wrong call", () => {
  it.each([
    [["--strct"], "There is no option --strct. Did you mean --strict?"],
    [["-x"], "There is no option -x."],
    [["--strict=yes"], "--strict takes no value"],
    [["--content"], "--content: expected a value"],
    [["--content", "--strict"], "--content: expected a value after it, found --strict"],
    // As from unset variables.
    [["--content=", "--reporter", ""], "--content and --reporter: expected a value, found an empty one."],
    [["a.json", ""], "an argument: expected a value, found an empty one."],
    [["nowhere.json", "--content", FIXTURE_SITE], "There is no source nowhere.json"],
  ])("%j has a clear message", async (args, words) => {
    const { status, stdout, stderr } = await runHere("check", args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr.split("\n")[0]).toContain(words);
  });
});

it("an empty value of an option with several is refused", async () => {
  const { status, stderr } = await runHere("verify", ["--id", "1", "--id", "", "--out", ""]);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/^--.*--id.*: expected a value, found an empty one/) as string,
  });
});

describe("an unexpected argument", () => {
  it.each("bench contract deploy generate:hosts releases generate:screenshots serve:bucket types".split(" "))(
    "is refused by %s, with what may be typed",
    async (name) => {
      const { status, stdout, stderr } = await runHere(name, ["more"]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      const [first, usage] = stderr.split("\n");
      expect(first).toContain("“more”");
      expect(usage).toContain(`npm run ${name}`);
    },
  );
});

describe("a number", () => {
  it.each([
    ["releases", [], "--prune", ["1000", "-1", "07", "1.5", "1e2", "x"]],
    ["deploy", ["--bucket", "s3://b"], "--concurrency", ["0", "65", "0x2"]],
    ["verify", ["http://127.0.0.1:1"], "--concurrency", ["0", "65"]],
  ])("of %s %j %s is a whole one in its range", async (name, args, option, wrong) => {
    for (const written of wrong) {
      const { status, stdout, stderr } = await runHere(name, [...args, `${option}=${written}`]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toMatch(new RegExp(`^${option}: .*“${written}”`));
    }
  });
});

it("check with a file reports only that file, but reads the whole site", async () => {
  const { content } = workplace("check-file");
  writeSite(content);
  write(content, "wrong.json", { id: "x" });
  write(content, "copy.json", general(11, "With the id of the café"));
  const found = async (...args: string[]) => {
    const { status, stdout } = await runHere("check", ["--content", content, "--reporter", "json", ...args]);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
    return { status, codes: diagnostics.map(({ code }) => code) };
  };
  expect(await found("copy.json")).toEqual({ status: 1, codes: ["id-clash"] });
  expect(await found("about.json")).toEqual({ status: 0, codes: [] });
  expect(await found("visit")).toEqual({ status: 1, codes: ["id-clash"] });
});

it.each([
  ["EACCES", "a.json"],
  ["EBUSY", "a.json"],
  ["ENOSPC", "full/a.json"],
  ["EPERM", "a.json"],
])("a failure of the system has no stack, but the path of the cause: %s", (code, path) => {
  const cause = Object.assign(new Error(code), { code, path: "a.json", dest: "full/a.json" });
  expect(explain(cause)).toMatch(new RegExp(`^${path}: [a-z ]+ \\(${code}\\)$`));
});
