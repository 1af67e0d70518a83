import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Locked, takeLock, thisProcess } from "../../build/base/lock.ts";

// Fails as exFAT does.
vi.mock("node:fs", async (original) => ({
  ...(await original<typeof import("node:fs")>()),
  linkSync: () => {
    throw Object.assign(new Error("no links"), { code: "EPERM" });
  },
}));

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-"));
  path = join(folder, ".building", "lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("on a disk without links, a lock", () => {
  it("is held until it is released, and leaves no file", () => {
    const release = takeLock(path);
    expect(() => takeLock(path)).toThrow(Locked);
    expect(readdirSync(dirname(path))).toEqual(["lock"]);
    release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("of a process that has ended is taken over", () => {
    mkdirSync(dirname(path));
    writeFileSync(path, JSON.stringify({ ...thisProcess(), pid: 2 ** 22 + 1 }));
    const release = takeLock(path);
    expect(() => takeLock(path)).toThrow(Locked);
    expect(readdirSync(dirname(path))).toEqual(["lock"]);
    release();
  });
});
