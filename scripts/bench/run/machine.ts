import { spawnSync } from "node:child_process";
import { readFileSync, statfsSync } from "node:fs";
import { arch, cpus, loadavg, release, totalmem, type } from "node:os";
import { METER_NAMES, type Meter } from "./measure.ts";

/** What the figures depend on, for readers who compare machines. */
export interface Machine {
  processor: string;
  cores: number;
  /** Bytes. */
  memory: number;
  system: string;
  node: string;
  npm: string;
  meter: string;
  /** Processes that wanted a core in the last minute, on average. */
  load: number;
}

export function describeMachine(meter: Meter): Machine {
  const cores = cpus();
  return {
    processor: cores[0]?.model.trim() ?? "unknown processor",
    cores: cores.length,
    memory: totalmem(),
    system: `${type()} ${release()} ${arch()}`,
    node: process.version,
    npm: spawnSync("npm", ["--version"], { encoding: "utf8" }).stdout.trim(),
    meter: METER_NAMES[meter],
    load: loadavg()[0] ?? 0,
  };
}

/** Processor time in the kernel's ticks: what processes wanted, and how much of it a virtual machine's host withheld. */
export interface ProcessorTime {
  wanted: number;
  stolen: number;
}

/** Since the machine was started; known on Linux alone. */
export function processorTime(): ProcessorTime | undefined {
  try {
    return processorTimeIn(readFileSync("/proc/stat", "utf8"));
  } catch {
    return undefined;
  }
}

/** Of the text of /proc/stat (proc(5)). */
export function processorTimeIn(stat: string): ProcessorTime | undefined {
  const ticks = /^cpu +(.*)$/m.exec(stat)?.[1]?.split(" ").map(Number) ?? [];
  const [user, nice, system, , , irq, softirq, stolen] = ticks;
  if (stolen === undefined) return undefined;
  const given = [user, nice, system, irq, softirq].reduce<number>((sum, part) => sum + (part ?? 0), 0);
  return { wanted: given + stolen, stolen };
}

/** The share that was withheld of the processor time wanted between two readings; undefined where none was wanted. */
export function stolenShare(
  before: ProcessorTime | undefined,
  after: ProcessorTime | undefined,
): number | undefined {
  if (before === undefined || after === undefined || after.wanted === before.wanted) return undefined;
  return (after.stolen - before.stolen) / (after.wanted - before.wanted);
}

const FILE_SYSTEMS: Record<number, string> = {
  0x0102_1994: "tmpfs",
  0x8584_58f6: "ramfs",
  0xef53: "ext4",
  0x5846_5342: "xfs",
  0x9123_683e: "btrfs",
  0x2fc1_2fc1: "zfs",
  0x794c_7630: "overlayfs",
  0x6969: "nfs",
  0x0102_1997: "9p",
  0x6573_5546: "fuse",
  0x1a: "apfs",
};

export function fileSystemOf(folder: string): string {
  // Statfs gives a signed number on some machines.
  const magic = statfsSync(folder).type >>> 0;
  return FILE_SYSTEMS[magic] ?? `file system 0x${magic.toString(16)}`;
}
