import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { measure, runRounds, type Measurement, type Row } from "../../scripts/bench/measure.ts";
import { SERIES } from "../../scripts/bench/series.ts";
import { generatedSite, siteIn, writeSources } from "../../scripts/bench/site.ts";
import { run } from "../command.ts";
import { treeOf } from "../files.ts";
import { scratch } from "../scratch.ts";

const measured = (file: string, args: string[], limit = 60): Promise<Measurement | string> =>
  measure([file, ...args], join(scratch("measure"), "notes"), limit);

const BURN = "const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);";

it.each([
  ["the process itself", `const a = Buffer.alloc(2e8, 1); ${BURN}`],
  [
    "child processes",
    `require("child_process").execFileSync(process.execPath, ["-e", "Buffer.alloc(2e8, 1); ${BURN}"])`,
  ],
])("measures the processor time and memory of %s", async (_, script) => {
  const { cpu, memory } = (await measured(process.execPath, ["-e", script])) as Measurement;
  expect(cpu).toBeGreaterThanOrEqual(0.3);
  expect(memory).toBeGreaterThan(2e8);
});

it("reports why a command failed", async () => {
  expect(await measured(process.execPath, ["-e", 'throw new Error("no such plan")'])).toBe(
    "exit status 1: Error: no such plan",
  );
  expect(await measured("no-such-program", [])).toContain("no-such-program");
  expect(await measured("sh", ["-c", "kill -9 $$"])).toBe("out of memory");
});

it("ends a command at its limit, with all processes that it started", async () => {
  const diary = join(scratch("measure"), "diary");
  writeFileSync(diary, "");
  const outcome = await measured(
    "sh",
    ["-c", '(while sleep 0.1; do echo >>"$0"; done) & sleep 60', diary],
    0.5,
  );
  expect(outcome).toBe("not finished within 0.5 s");
  const before = readFileSync(diary, "utf8");
  await wait(1_000);
  expect(readFileSync(diary, "utf8")).toBe(before);
});

it("runs the rows in turn, drops those that fail, and restores the sources", async () => {
  const folder = scratch("bench");
  const diary = join(folder, "diary");
  const row = (name: string, script = ""): Row => ({
    name,
    command: () => ["sh", "-c", `echo ${name} >>"${diary}"; ${script}`],
  });
  writeSources(join(folder, "content"), generatedSite(20));
  const site = siteIn(join(folder, "content"));
  const before = treeOf(site.content);
  const series = [[row("a")], [row("b", "exit 3")]];
  const results = await runRounds(site, [...series, ...SERIES.slice(-2)], 1, 60, () => {});
  expect(readFileSync(diary, "utf8").split("\n").sort()).toEqual(["", "a", "a", "b"]);
  expect(
    results.flatMap(({ row: { name }, failure }) => (failure === undefined ? [] : [[name, failure]])),
  ).toEqual([["b", "exit status 3: "]]);
  for (const result of results) expect(result.samples).toHaveLength(result.failure === undefined ? 1 : 0);
  expect(treeOf(site.content)).toEqual({ ...before, ".git": expect.anything() as string });
});

it("prints a table, writes it, and leaves nothing else behind", async () => {
  const folder = scratch("bench");
  const options = ["--sizes", "20", "--rounds", "1", "--no-competitors", "--fs", folder, "--report", folder];
  const { status, stdout } = await run("bench", options);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^\| one page edited \| [\d.]+ s \(× [\d.]+\), [\d.]+ s, \d+ MiB \|$/m);
  expect(readdirSync(folder)).toEqual(["bench.md"]);
  expect(readFileSync(join(folder, "bench.md"), "utf8")).toBe(stdout);
});
