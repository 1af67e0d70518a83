import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Obstructed } from "../../build/base/failure.ts";
import { Locked, takeLock, thisProcess, type Holder } from "../../build/base/lock.ts";
import { canMakeDevices, makeSpecial, type Special } from "../site/output/special.ts";
import { runsOf } from "../runs.ts";
import { scratch } from "../scratch.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = scratch("lock");
  path = join(folder, "out", ".building", "lock");
});

/** Sets a clock that moves on by a second with each reading, so that the tests need not wait for timeouts. */
function hurry(): void {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 1000));
  onTestFinished(() => clock.mockRestore());
}

const GONE = 2 ** 22 + 1;

function leave(holder: Partial<Holder>, at = path): void {
  mkdirSync(join(at, ".."), { recursive: true });
  writeFileSync(at, JSON.stringify({ ...thisProcess(), ...holder }));
}

const holderIn = (at = path): Holder => JSON.parse(readFileSync(at, "utf8")) as Holder;

function refusalOf(at: string): unknown {
  try {
    takeLock(at);
  } catch (cause) {
    return cause;
  }
  return undefined;
}

describe("a lock", () => {
  it("is held until it is released, and leaves no file", () => {
    const release = takeLock(path);
    expect(holderIn().pid).toBe(process.pid);
    expect(() => takeLock(path)).toThrow(Locked);
    expect(readdirSync(join(path, ".."))).toEqual(["lock"]);
    release();
    expect(readdirSync(folder)).toEqual([]);
    takeLock(path)();
  });

  it("leaves folders that existed before, or that another program uses by now", () => {
    mkdirSync(join(folder, "out"));
    takeLock(path)();
    expect(readdirSync(folder)).toEqual(["out"]);
    rmSync(join(folder, "out"), { recursive: true });
    const release = takeLock(path);
    writeFileSync(join(folder, "out", "index.html"), "");
    release();
    expect(readdirSync(join(folder, "out"))).toEqual(["index.html"]);
  });

  it("taken over from a holder is not released by that holder", () => {
    const release = takeLock(path);
    rmSync(path);
    const other = takeLock(path);
    const { id } = holderIn();
    release();
    expect(holderIn().id).toBe(id);
    other();
  });

  describe("of another running process", () => {
    let child: ChildProcess;
    beforeEach(() => (child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"])));
    afterEach(() => void child.kill());

    it("is refused, and the message names that process", () => {
      const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
      const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
      leave({ pid: child.pid ?? 0, started });
      const before = readFileSync(path);
      expect(() => takeLock(path)).toThrow(new RegExp(`process ${child.pid}\\b`));
      expect(readFileSync(path)).toEqual(before);
    });
  });

  const gone: [string, Partial<Holder>][] = [
    ["of a process that has ended", { pid: GONE, started: "1" }],
    ["of a process whose number another has now", { started: "1" }],
    ["of no process", { pid: -1 }],
  ];
  it.each(gone)("%s is taken over", (_, holder) => {
    leave(holder);
    takeLock(path)();
    expect(readdirSync(join(folder, "out"))).toEqual([]);
  });

  it.each(["", '{"pid":1}'])("with the content %j is taken over", (text) => {
    hurry();
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
    const release = takeLock(path);
    expect(holderIn().pid).toBe(process.pid);
    release();
  });

  const unknown: [string, Partial<Holder>][] = [
    ["of another host", { host: "elsewhere", pid: GONE }],
    ["of another machine of the same name, or of another container", { machine: "other", pid: GONE }],
  ];
  it.each(unknown)("%s is refused: the message names its path, holder and time", (_, holder) => {
    leave(holder);
    const before = readFileSync(path, "utf8");
    const { host, pid, since } = holderIn();
    const refusal = refusalOf(path);
    expect(refusal).toBeInstanceOf(Locked);
    for (const part of [path, host, String(pid), since]) expect(String(refusal)).toContain(part);
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  const kinds: Special[] = ["fifo", "socket", "link", ...(canMakeDevices() ? ["device" as const] : [])];
  it.each(kinds)("replaces a %s", async (kind) => {
    await makeSpecial(kind, path, join(folder, "elsewhere"));
    const release = takeLock(path);
    expect(holderIn().pid).toBe(process.pid);
    release();
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
  });

  it("does not replace a folder", async () => {
    await makeSpecial("folder", path, "");
    expect(() => takeLock(path)).toThrow(Obstructed);
    expect(readdirSync(path)).toEqual(["note.txt"]);
  });

  it("can be taken after processes were killed while taking it", () => {
    leave({ pid: GONE });
    leave({ pid: GONE }, `${path}.takeover`);
    leave({ pid: GONE }, `${path}.takeover.takeover`);
    const release = takeLock(path);
    expect(readdirSync(join(path, ".."))).toEqual(["lock"]);
    release();
  });

  it("is not taken over while a process of unknown state may be taking it over", () => {
    hurry();
    leave({ pid: GONE });
    leave({ pid: GONE, host: "elsewhere" }, `${path}.takeover`);
    expect(() => takeLock(path)).toThrow(Locked);
    expect(() => takeLock(path)).toThrow(/lock\.takeover/);
  });
});

describe("several processes that find an abandoned lock", () => {
  const ROUNDS = runsOf(150);
  const TAKERS = 4;

  it("take it over one at a time: exactly one in each of many rounds", async () => {
    mkdirSync(join(path, ".."), { recursive: true });
    // [round, processes ready, processes that have tried, current holders, maximum number of holders at any time]
    const shared = new Int32Array(new SharedArrayBuffer(20));
    const winners = new Int32Array(new SharedArrayBuffer(4 * ROUNDS));
    const takers = Array.from(
      { length: TAKERS },
      () => new Worker(new URL("taker.ts", import.meta.url), { workerData: { path, shared, winners } }),
    );
    const ended = takers.map(
      (taker) =>
        new Promise<void>((resolve, reject) => {
          taker.once("error", reject);
          taker.once("exit", () => resolve());
        }),
    );
    for (let round = 1; round <= ROUNDS; round++) {
      await until(shared, 1, TAKERS * round);
      leave({ pid: GONE, id: `left over ${round}` });
      Atomics.store(shared, 0, round);
      Atomics.notify(shared, 0);
    }
    await Promise.all(ended);
    expect(Array.from(winners)).toEqual(Array<number>(ROUNDS).fill(1));
    expect(Atomics.load(shared, 4)).toBe(1);
  });
});

/** Waits until a shared counter reaches a number. */
async function until(shared: Int32Array, at: number, number: number): Promise<void> {
  for (let count = Atomics.load(shared, at); count < number; count = Atomics.load(shared, at))
    await Atomics.waitAsync(shared, at, count).value;
}
