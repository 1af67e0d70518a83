import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Failure } from "../../build/base/failure.ts";
import { SourceWriter } from "../../build/exchange/writer.ts";
import { interrupt } from "../faults.ts";
import { filesBelow, treeOf } from "../files.ts";
import { workplace, write } from "../site/site.ts";

vi.mock("node:fs", async (load) => (await import("../faults.ts")).withFaults(await load()));

/* Ends an import before each of its calls that change a file. The same import then writes the same sources. */

let content: string;
beforeEach(() => {
  ({ content } = workplace("import"));
});

const PATHS = ["a.json", "b/index.json", "b/c.json", "index.json", "_site.json"];

function importAll(): void {
  const writer = new SourceWriter(content);
  try {
    for (const path of PATHS) writer.write(path, { path });
    writer.commit();
  } catch (cause) {
    writer.abandon();
    throw cause;
  }
}

function stop(call: number, isKill: boolean): void {
  interrupt(importAll, call, isKill);
  const path = join(content, ".importing/lock");
  // The lock of a killed process. Here the process still runs, so the test changes the lock's process id.
  // A lock that is empty was not written completely: another process takes it over after a while.
  const lock = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (lock !== "") writeFileSync(path, JSON.stringify({ ...(JSON.parse(lock) as object), pid: 999_999_999 }));
}

const sources = (): string[] => filesBelow(content).filter((path) => !path.startsWith("."));

const callsOf = (name: string): number[] => {
  const { content: other } = workplace("import");
  const own = content;
  content = other;
  const calls = interrupt(importAll, Number.MAX_SAFE_INTEGER, false);
  content = own;
  return [...calls.keys()].filter((call) => calls[call]?.startsWith(name));
};

describe("an interrupted import", () => {
  it.each([
    ["killed", true],
    ["stopped by an error", false],
  ])("%s before any of its sources is in place, or after some are, is repeated", (_, isKill) => {
    const last = callsOf("renameSync").at(-1) ?? 0;
    expect(callsOf("renameSync")).toHaveLength(4);
    for (let call = 0; call <= last; call++) {
      ({ content } = workplace("import"));
      stop(call, isKill);
      // Some calls are optional, such as the link of a lock; a kill may leave some sources.
      const isDone = !isKill && existsSync(join(content, "_site.json"));
      const left = isKill || isDone ? [] : sources();
      if (!isDone) importAll();
      expect({ call, left, sources: sources() }).toEqual({ call, left: [], sources: PATHS.toSorted() });
    }
  });

  it("does not replace a file that was changed or added since", () => {
    const [, second = 0] = callsOf("renameSync");
    stop(second + 1, true);
    const [placed = ""] = sources();
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(content, placed), later, later);
    const before = treeOf(content);
    expect(importAll).toThrow(Failure);
    write(content, "mine.json", {});
    utimesSync(join(content, placed), new Date(0), new Date(0));
    expect(importAll).toThrow(Failure);
    expect(treeOf(content)).toEqual({ ...before, "mine.json": "{}\n" });
  });
});
