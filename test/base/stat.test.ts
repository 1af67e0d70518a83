import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bareCalls } from "../../build/base/node20/stat.ts";
import { statAt, statIfThere } from "../../build/base/stat.ts";
import { statOf, type Stat } from "../../build/base/stat-calls.ts";
import { scratch } from "../scratch.ts";

const folder = scratch("stat");
const at = (name: string): string => join(folder, name);
writeFileSync(at("file"), "text");
// Before 1970, and with a fraction of a millisecond.
writeFileSync(at("old"), "");
utimesSync(at("old"), -1.5, -86_400.25);
writeFileSync(at("exact"), "");
utimesSync(at("exact"), 1_000_000_000.123457, 1_000_000_000.123457);
mkdirSync(at("folder"));
symlinkSync("file", at("link"));
symlinkSync("nowhere", at("dangling"));

const PATHS = ["file", "old", "exact", "folder", "link", "dangling", "missing"];

const told = (stats: Stats | undefined): Stat | undefined =>
  stats && statOf(stats.mode, stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino);

const bare = bareCalls();

// Only Node 20 needs the internal calls.
describe.skipIf(bare === undefined)("the internal calls of Node 20", () => {
  it.each(PATHS)("have the same stat of a path: %s", (name) => {
    expect(bare?.lstat(at(name))).toEqual(told(lstatSync(at(name), { throwIfNoEntry: false })));
  });

  it("fail in the same way", () => {
    expect(() => bare?.lstat(at("file/below"))).toThrow("ENOTDIR");
    expect(() => lstatSync(at("file/below"), { throwIfNoEntry: false })).toThrow("ENOTDIR");
  });

  it("have the same stat of an open file", () => {
    const handle = openSync(at("exact"), "r");
    try {
      expect(bare?.fstat(handle)).toEqual(told(fstatSync(handle)));
    } finally {
      closeSync(handle);
    }
    expect(() => bare?.fstat(handle)).toThrow("EBADF");
  });
});

describe("the stat of a path", () => {
  it("uses internal calls only on Node 20", () => {
    expect(bare !== undefined).toBe(process.versions.node.startsWith("20."));
  });

  it("does not change with later calls", () => {
    const before = statIfThere(at("file"));
    const copy = { ...before };
    statIfThere(at("folder"));
    expect(before).toEqual(copy);
  });

  it("distinguishes files, folders and links, and follows no link", () => {
    const types = PATHS.map((name) => statIfThere(at(name))?.type);
    expect(types).toEqual(["file", "file", "file", "folder", "other", "other", undefined]);
  });

  it("has the system's size, times and inode", () => {
    const { size, mtimeMs, ctimeMs, ino } = lstatSync(at("file"));
    expect(statAt(at("file"))).toEqual({ size, mtime: mtimeMs, ctime: ctimeMs, inode: ino, type: "file" });
  });

  it("is undefined if a part of the path is a file", () => {
    expect(statIfThere(at("file/below"))).toBeUndefined();
  });

  it("fails for a missing file if the file is required", () => {
    expect(() => statAt(at("missing"))).toThrow("ENOENT");
  });
});
