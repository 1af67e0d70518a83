import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RUNS_TYPESCRIPT } from "../guard/options.ts";

const WAITING = join(import.meta.dirname, "waiting.ts");

describe("a command that waits for its end", () => {
  it("ends if npm ended while the command was busy", async () => {
    // As npm starts it: in a shell. The signal ends only the shell.
    const shell = spawn("sh", ["-c", '"$0" "$@"; exit $?', process.execPath, ...RUNS_TYPESCRIPT, WAITING], {
      env: { ...process.env, npm_lifecycle_event: "start" },
    });
    const closed = once(shell, "close");
    await once(shell.stdout, "data");
    shell.kill("SIGKILL");
    // The command has inherited the output, so `close` means that the command has ended.
    await closed;
    expect(shell.signalCode).toBe("SIGKILL");
  });
});
