import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchFolder, type Watching } from "../../build/dev/watch.ts";
import type { Changed } from "../../build/pipeline/live.ts";
import { scratch } from "../scratch.ts";

type Tell = (cause: Error | null, events: { path: string }[]) => void;

const system = vi.hoisted(() => ({ tell: undefined as Tell | undefined, refusal: undefined as unknown }));
vi.mock("@parcel/watcher", () => ({
  default: {
    subscribe: (_: string, tell: Tell) => {
      if (system.refusal !== undefined) return Promise.reject(system.refusal);
      system.tell = tell;
      return Promise.resolve({ unsubscribe: () => Promise.resolve() });
    },
  },
}));

let folder: string;
let headers: string;
let changes: Changed[];
let troubles: string[];
let watching: Watching | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  const place = scratch("watch");
  folder = join(place, "content");
  headers = join(place, "_headers");
  mkdirSync(folder);
  writeFileSync(headers, "/\n");
  changes = [];
  troubles = [];
  system.refusal = undefined;
});
afterEach(async () => {
  await watching?.close();
  vi.useRealTimers();
});

const onChange = (changed: Changed): void => void changes.push(changed);
const start = async (): Promise<void> => {
  watching = await watchFolder(folder, [headers], onChange, (trouble) => void troubles.push(trouble));
};
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe("a watched folder", () => {
  it("is told of by the paths that the system names", async () => {
    await start();
    system.tell?.(null, [{ path: "a" }, { path: "b" }, { path: "a" }]);
    await pass(5000);
    expect(changes).toEqual([new Set(["a", "b"])]);
  });

  it("may have changed anywhere where the system lost events", async () => {
    await start();
    system.tell?.(new Error("Events were dropped"), []);
    expect(changes).toEqual(["anything"]);
  });

  it("may have changed anywhere while the machine slept, or its clock was set", async () => {
    await start();
    await pass(2000);
    expect(changes).toEqual([]);
    vi.setSystemTime(Date.now() + 3_600_000);
    await pass(500);
    expect(changes).toEqual(["anything"]);
    await pass(2000);
    expect(changes).toHaveLength(1);
  });

  it("may have changed anywhere where another folder took its place", async () => {
    await start();
    renameSync(folder, `${folder}-away`);
    mkdirSync(folder);
    await pass(500);
    expect(changes).toEqual(["anything"]);
  });

  it("is compared every other second where the system cannot watch it, and that is said once", async () => {
    system.refusal = new Error("no more watches");
    await start();
    await pass(4000);
    expect(changes).toEqual(["anything", "anything"]);
    expect(troubles).toHaveLength(1);
  });

  it("is told of beside single files elsewhere", async () => {
    await start();
    writeFileSync(headers, "/other\n");
    await pass(500);
    expect(changes).toEqual([new Set([headers])]);
  });
});
