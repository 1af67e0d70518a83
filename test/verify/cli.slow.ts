import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HostReport } from "../../build/verify/verify.ts";
import { runHere } from "../command.ts";
import { SITE } from "../site/site.ts";
import { scratch } from "../scratch.ts";
import { builtFor, hosted, runHost, type Running } from "./good-host.ts";

/** In a folder without a site. */
const cwd = scratch("cwd");
const verify = (...args: string[]) => runHere("verify", args, { cwd });

let good: Running;
let lax: Running;
let out: string;

beforeAll(async () => {
  good = await runHost();
  lax = await runHost((draft, { method }) => {
    if (method === "POST") draft.status = 200;
  });
  ({ out } = await builtFor(good.url));
});

afterAll(async () => {
  await good.close();
  await lax.close();
});

describe("npx page-api verify", () => {
  it("prints a table, and exits with 0 if a host keeps the contract", async () => {
    const { status, stdout, stderr } = await verify(good.url.href, "--out", out, "--all");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^check +expected +got\n/);
    expect(stdout).toMatch(/^page-bytes +its body, .* +as expected \(6\)$/m);
    expect(stdout).toMatch(/checks passed, 0 failed/);
  });

  it("exits with 1 if a check fails, and shows the response", async () => {
    const { status, stdout } = await verify(lax.url.href, "--id", "2");
    expect(status).toBe(1);
    expect(stdout).toMatch(/^method-not-allowed +.*FAILED: POST \/api\/v2\/pages\/2\/: 200/m);
  });

  it("exits with 0 if the failure is accepted by name", async () => {
    const { status, stdout } = await verify(lax.url.href, "--id", "2", "--accept", "method-not-allowed");
    expect(status).toBe(0);
    expect(stdout).toContain("accepted: POST /api/v2/pages/2/: 200");
    expect(stdout).toContain("1 failed as accepted");
  });

  it("reports an accepted check that passes", async () => {
    const { status, stderr } = await verify(good.url.href, "--id", "2", "--accept", "method-not-allowed");
    expect(status).toBe(0);
    expect(stderr).toBe("method-not-allowed passes: --accept method-not-allowed is no longer needed.\n");
  });

  it("reports as JSON and as Markdown", async () => {
    const json = await verify(lax.url.href, "--id", "2", "--reporter", "json");
    const markdown = await verify(lax.url.href, "--id", "2", "--reporter", "markdown");
    const report = JSON.parse(json.stdout) as HostReport;
    expect(report.checks.filter(({ status }) => status === "failed").map(({ name }) => name)).toEqual([
      "method-not-allowed",
    ]);
    expect(markdown.stdout).toMatch(
      /^\| check \| expected \| got \|\n\| --- \| --- \| --- \|\n\| `answers` \|/,
    );
    expect([json.status, markdown.status]).toEqual([1, 1]);
  });

  it("repeats the checks until they pass, for at most the given time", async () => {
    let posts = 0;
    const url = await hosted((draft, { method }) => {
      // All methods are sent once in each repetition.
      if (method === "POST" && ++posts <= 1) draft.status = 200;
    });
    expect((await verify(url.href, "--id", "2")).status).toBe(1);
    posts = 0;
    const { status, stdout } = await verify(url.href, "--id", "2", "--wait", "60");
    expect(status).toBe(0);
    expect(stdout.match(/checks passed/g)).toHaveLength(1);
    expect((await verify(lax.url.href, "--id", "2", "--wait", "0.1")).status).toBe(1);
  });

  it("checks the host at base_url in _site.json", async () => {
    const content = scratch("live");
    writeFileSync(join(content, "_site.json"), JSON.stringify({ ...SITE, base_url: good.url.origin }));
    const { status, stdout } = await verify("--live", "--content", content, "--id", "2");
    expect(status).toBe(0);
    expect(stdout).toContain(`${good.url.origin}: `);
  });

  it("lists its checks", async () => {
    const { status, stdout } = await verify("--list");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^method-not-allowed: POST, PUT/m);
  });

  it.each([[], ["--wait", "0.1"], ["--against", "http://127.0.0.1:9"]])(
    "exits with 2 and one clear line if no server responds: %j",
    async (...more) => {
      const gone = await runHost();
      await gone.close();
      const { status, stdout, stderr } = await verify(gone.url.href, "--id", "2", ...more);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toBe(`${gone.url.origin}: nothing listens at this address (connection refused)\n`);
    },
  );

  it.each([
    [[], "Give the URL of a host"],
    [["http://127.0.0.1:1"], "Give the pages to request"],
    [["http://user:secret@127.0.0.1/", "--id", "2"], "user name or password"],
    [["http://127.0.0.1:1/site/api/v2/pages/2/", "--id", "2"], "pages/: http://127.0.0.1:1/site"],
    [["http://127.0.0.1:1/?format=api", "--id", "2"], "without “?” or “#”"],
    [["127.0.0.1:3000"], "127.0.0.1:3000: expected an address that begins with http:// or https://"],
    [["http://127.0.0.1:1", "http://127.0.0.1:2"], "Unexpected argument"],
    [["http://127.0.0.1:1", "--accept", "method-not-alowed"], "did you mean method-not-allowed?"],
    [["http://127.0.0.1:1", "--live"], "Give either a URL or --live."],
    [["--live", "--content", "no-such-folder"], "_site.json is missing or has errors"],
    [["http://127.0.0.1:1", "--wait", "soon"], "--wait: expected a number of seconds"],
    [["http://127.0.0.1:1", "--against", "http://127.0.0.1:2", "--wait", "1"], "--wait has no effect"],
    [["http://127.0.0.1:1", "--timeout", "soon"], "--timeout: expected a number of seconds"],
    [["http://127.0.0.1:1", "--id", "007"], "--id: expected a whole number"],
    [["http://127.0.0.1:1", "--reporter", "xml"], "--reporter: expected human, markdown, json, found “xml”."],
    [
      ["http://127.0.0.1:1", "--out", "no-such-folder"],
      "no-such-folder/api/v2/pages: there is no such folder",
    ],
    [["http://127.0.0.1:1", "--content", "no-such-folder"], "no-such-folder: there is no such folder"],
    [["http://127.0.0.1:1", "--al"], "There is no option --al"],
  ])("ends with 2 for the arguments %j", async (args, words) => {
    const { status, stdout, stderr } = await verify(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/^ +at |secret/m);
  });
});
