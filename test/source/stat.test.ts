import { closeSync, lstatSync, mkdirSync, openSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bare, documented, statAt, statIfThere, statusIfThere } from "../../build/source/stat.ts";
import { scratch } from "../scratch.ts";

const folder = scratch("stat");
const at = (name: string): string => join(folder, name);
writeFileSync(at("file"), "text");
// Before 1970, and with a fraction that is no whole number of milliseconds.
writeFileSync(at("old"), "");
utimesSync(at("old"), -1.5, -86_400.25);
writeFileSync(at("exact"), "");
utimesSync(at("exact"), 1_000_000_000.123457, 1_000_000_000.123457);
mkdirSync(at("folder"));
symlinkSync("file", at("link"));
symlinkSync("nowhere", at("dangling"));

const PATHS = ["file", "old", "exact", "folder", "link", "dangling", "missing"];

describe("the stat of a path", () => {
  it.skipIf(bare() === undefined).each(PATHS)(
    "is the same from Node's own call and from below it: %s",
    (name) => {
      expect(bare()?.lstat(at(name))).toEqual(documented.lstat(at(name)));
    },
  );

  it.skipIf(bare() === undefined)("fails alike from both", () => {
    const codes = [bare(), documented].map((calls) => {
      try {
        return calls?.lstat(at("file/below"));
      } catch (cause) {
        return (cause as NodeJS.ErrnoException).code;
      }
    });
    expect(codes).toEqual(["ENOTDIR", "ENOTDIR"]);
  });

  it.skipIf(bare() === undefined)("is the same behind a handle", () => {
    const handle = openSync(at("exact"), "r");
    try {
      expect(bare()?.fstat(handle)).toEqual(documented.fstat(handle));
    } finally {
      closeSync(handle);
    }
    expect(() => bare()?.fstat(handle)).toThrow("EBADF");
  });

  it("is kept while others are asked for", () => {
    const before = statIfThere(at("file"));
    const copy = { ...before };
    statIfThere(at("folder"));
    expect(before).toEqual(copy);
  });

  it("tells files, folders and links apart, and follows no link", () => {
    const types = PATHS.map((name) => statusIfThere(at(name))?.type);
    expect(types).toEqual(["file", "file", "file", "folder", "other", "other", undefined]);
  });

  it("has size, times and inode of the system", () => {
    const { size, mtimeMs, ctimeMs, ino } = lstatSync(at("file"));
    expect(statAt(at("file"))).toEqual({ size, mtime: mtimeMs, ctime: ctimeMs, inode: ino });
  });

  it("is nothing where a part of the path is a file", () => {
    expect(statIfThere(at("file/below"))).toBeUndefined();
  });

  it("is demanded where something must be there", () => {
    expect(() => statAt(at("missing"))).toThrow("ENOENT");
  });
});
