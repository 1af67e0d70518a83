import { spawnSync } from "node:child_process";
import { readFileSync, statfsSync } from "node:fs";
import { arch, cpus, loadavg, release, totalmem, type } from "node:os";
import { METER_NAMES, type Meter } from "./measure.ts";

/** The machine, for readers who compare figures of several machines. */
export interface Machine {
  processor: string;
  cores: number;
  /** Bytes. */
  memory: number;
  system: string;
  node: string;
  npm: string;
  meter: string;
  /** The average number of processes that wanted a core in the last minute. */
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

/**
 * Processor time in the kernel's ticks: the time that processes wanted, and the part of it that the host of a virtual
 * machine withheld.
 */
export interface ProcessorTime {
  wanted: number;
  stolen: number;
}

/** The processor time since the start of the machine; known only on Linux. */
export function processorTime(): ProcessorTime | undefined {
  try {
    return processorTimeIn(readFileSync("/proc/stat", "utf8"));
  } catch {
    return undefined;
  }
}

/** The processor time in the text of /proc/stat (proc(5)). */
export function processorTimeIn(stat: string): ProcessorTime | undefined {
  const ticks = /^cpu +(.*)$/m.exec(stat)?.[1]?.split(" ").map(Number) ?? [];
  const [user, nice, system, , , irq, softirq, stolen] = ticks;
  if (stolen === undefined) return undefined;
  const given = [user, nice, system, irq, softirq].reduce<number>((sum, part) => sum + (part ?? 0), 0);
  return { wanted: given + stolen, stolen };
}

/** The share of the processor time wanted between two readings that was withheld; undefined if none was wanted. */
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
  // On some machines, `statfs` returns a signed number.
  const magic = statfsSync(folder).type >>> 0;
  return FILE_SYSTEMS[magic] ?? `file system 0x${magic.toString(16)}`;
}
