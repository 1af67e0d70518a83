// Loaded before a command. At the command's end, it writes the maximum of its memory, in MiB, to the file that PEAK
// names. It reads /proc, because the value of `process.resourceUsage` may include the parent process.
import { readFileSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

if (isMainThread)
  process.on("exit", () => {
    const kibibytes = /^VmHWM:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    writeFileSync(process.env.PEAK, String(Number(kibibytes) / 1024));
  });
