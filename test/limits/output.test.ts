import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { Locked, takeLock, thisProcess } from "../../build/base/lock.ts";
import { scratch } from "../scratch.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** A clock that advances only by waiting. */
function clock(): () => number {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.spyOn(Atomics, "wait").mockImplementation((...args: unknown[]) => {
    now += args[3] as number;
    return "timed-out";
  });
  return () => now;
}

function lockWith(text: string): string {
  const path = join(scratch("lock"), "folder", "lock");
  mkdirSync(dirname(path));
  writeFileSync(path, text);
  return path;
}

it("an incomplete lock is given two seconds, in steps of 10 milliseconds", () => {
  const now = clock();
  const path = lockWith("{");
  takeLock(path)();
  expect(now()).toBe(2000);
  expect(vi.mocked(Atomics.wait).mock.calls.map((call) => call[3])).toEqual(Array(200).fill(10));
  expect(existsSync(path)).toBe(false);
});

it("a process that replaces a lock has two seconds", () => {
  const now = clock();
  const path = lockWith("{");
  writeFileSync(`${path}.takeover`, JSON.stringify({ ...thisProcess(), id: "another" }));
  expect(() => takeLock(path)).toThrow(Locked);
  // After the two seconds of the lock itself.
  expect(now()).toBe(4010);
});

it("a lock of 4,096 bytes is read in full", () => {
  clock();
  const text = JSON.stringify({ ...thisProcess(), id: "another" });
  const padded = (bytes: number): string => `${" ".repeat(bytes - Buffer.byteLength(text))}${text}`;
  expect(() => takeLock(lockWith(padded(4096)))).toThrow(Locked);
  const path = lockWith(padded(4097));
  takeLock(path);
  expect(JSON.parse(readFileSync(path, "utf8"))).not.toMatchObject({ id: "another" });
});
