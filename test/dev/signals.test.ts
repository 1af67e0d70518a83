import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const WAITING = join(import.meta.dirname, "waiting.ts");

describe("a command that waits for its end", () => {
  it("ends where npm was ended while it was busy with something else", async () => {
    // As npm starts it: in a shell, and whoever ends npm ends that alone.
    const shell = spawn("sh", ["-c", '"$0" "$@"; exit $?', process.execPath, "--import", "tsx", WAITING], {
      env: { ...process.env, npm_lifecycle_event: "start" },
    });
    const closed = once(shell, "close");
    await once(shell.stdout, "data");
    shell.kill("SIGKILL");
    // The command itself holds the other end of the output.
    await closed;
    expect(shell.signalCode).toBe("SIGKILL");
  });
});
