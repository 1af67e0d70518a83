import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { hasFailed, measure, reasonOf, type Command, type Measurement } from "../../scripts/bench/measure.ts";
import { scratch } from "../scratch.ts";

const node = (script: string): Command => ({
  file: process.execPath,
  args: ["-e", script],
  folder: tmpdir(),
});

async function measured(command: Command): Promise<Measurement> {
  const outcome = await measure(command, 60);
  if (hasFailed(outcome)) throw new Error(outcome.failure);
  return outcome;
}

const burn = "const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);";

it("measures the time, processor time and memory of the process itself", async () => {
  const { wall, cpu, memory } = await measured(node(`const a = Buffer.alloc(2e8, 1); ${burn}`));
  expect(cpu).toBeGreaterThanOrEqual(0.3);
  expect(wall).toBeGreaterThan(0);
  expect(memory).toBeGreaterThan(2e8);
});

it("includes child processes", async () => {
  const script = `require("child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(burn)}])`;
  expect((await measured(node(script))).cpu).toBeGreaterThanOrEqual(0.3);
});

it("reports why a run failed", async () => {
  expect(await measure(node('throw new Error("no such plan")'), 60)).toEqual({
    failure: "exit status 1: Error: no such plan",
  });
  expect(hasFailed(await measure({ file: "no-such-program", args: [], folder: "/" }, 60))).toBe(true);
  expect(reasonOf(134, "FATAL ERROR: Reached heap limit - JavaScript heap out of memory")).toBe(
    "out of memory",
  );
  expect(reasonOf(137, "")).toContain("out of memory");
});

it("ends a run at its limit, with all processes that it started", async () => {
  const folder = scratch("measure");
  const late = join(folder, "late");
  const args = ["-c", '(sleep 1; touch "$0") & sleep 60', late];
  expect(await measure({ file: "sh", args, folder }, 0.5)).toEqual({ failure: "not finished within 0.5 s" });
  await wait(1_500);
  expect(existsSync(late)).toBe(false);
});
