import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  findMeter,
  hasFailed,
  measure,
  reasonOf,
  usageOf,
  type Command,
  type Measurement,
  type Meter,
} from "../../scripts/bench/run/measure.ts";
import { processorTimeIn, stolenShare } from "../../scripts/bench/run/machine.ts";
import { scratch } from "../scratch.ts";

const node = (script: string): Command => ({
  file: process.execPath,
  args: ["-e", script],
  folder: tmpdir(),
});

/** Memory is measured with Linux's /proc or GNU time. */
const knowsMemory = existsSync("/proc/self/status");

const meters: Meter[] = findMeter() === "time" ? ["time", "times"] : ["times"];

async function measured(command: Command, meter: Meter): Promise<Measurement> {
  const outcome = await measure(command, meter, 60);
  if (hasFailed(outcome)) throw new Error(outcome.failure);
  return outcome;
}

describe.each(meters)("measuring with %s", (meter) => {
  const burn = "const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);";

  it("measures the time, CPU time and memory of the process itself", async () => {
    const { wall, cpu, memory } = await measured(node(`const a = Buffer.alloc(2e8, 1); ${burn}`), meter);
    expect(cpu).toBeGreaterThanOrEqual(0.3);
    expect(wall).toBeGreaterThan(0);
    expect(memory ?? (knowsMemory ? 0 : Infinity)).toBeGreaterThan(2e8);
  });

  it("includes child processes", async () => {
    const script = `require("child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(burn)}])`;
    expect((await measured(node(script), meter)).cpu).toBeGreaterThanOrEqual(0.3);
  });

  it("reports why a run failed", async () => {
    const outcome = await measure(node('throw new Error("no such plan")'), meter, 60);
    expect(outcome).toEqual({ failure: "exit status 1: Error: no such plan" });
  });

  it("ends a run at its limit, with all processes that it started", async () => {
    const folder = scratch("measure");
    const late = join(folder, "late");
    const outcome = await measure(
      { file: "sh", args: ["-c", '(sleep 1; touch "$0") & sleep 60', late], folder },
      meter,
      0.5,
    );
    expect(outcome).toEqual({ failure: "not finished within 0.5 s" });
    await wait(1_500);
    expect(existsSync(late)).toBe(false);
  });

  it("reports a missing program", async () => {
    const outcome = await measure({ file: "no-such-program", args: [], folder: "/" }, meter, 60);
    expect(hasFailed(outcome)).toBe(true);
  });
});

it("parses the meters' output", () => {
  expect(usageOf("1.25 0.50 2048\n", "time", undefined)).toEqual({ cpu: 1.75, memory: 2_097_152 });
  expect(usageOf("0m0.000000s 0m0.010000s\n1m2.500000s 0m0.500000s\n", "times", 7)).toEqual({
    cpu: 63,
    memory: 7,
  });
});

it("recognises that the machine or the heap ran out of memory", () => {
  expect(reasonOf(134, "FATAL ERROR: Reached heap limit - JavaScript heap out of memory")).toBe(
    "out of memory",
  );
  expect(reasonOf(137, "")).toContain("out of memory");
  expect(reasonOf(3, "")).toBe("exit status 3");
});

it("reads the processor time that a host withheld from its virtual machine", () => {
  const before = processorTimeIn("cpu  100 1 50 900 10 2 7 40 3 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
  const after = processorTimeIn("cpu  140 1 70 950 10 2 7 60 3 0\n");
  expect(before).toEqual({ wanted: 200, stolen: 40 });
  expect(stolenShare(before, after)).toBe(0.25);
  expect(stolenShare(after, after)).toBeUndefined();
  expect(processorTimeIn("cpu  1 2 3 4\n")).toBeUndefined();
});
