// Loaded before a command: when it ends, it leaves the most memory that it took, in MiB, in the file that PEAK names.
// The system's own record begins anew with a program, which `process.resourceUsage` does not: it may be the parent's.
import { readFileSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

if (isMainThread)
  process.on("exit", () => {
    const kibibytes = /^VmHWM:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    writeFileSync(process.env.PEAK, String(Number(kibibytes) / 1024));
  });
