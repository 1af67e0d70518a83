import { lstatSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { statAt, statIfThere } from "../../build/base/file.ts";
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

describe("the stat of a path", () => {
  it("distinguishes files, folders and links, and follows no link", () => {
    const types = PATHS.map((name) => statIfThere(at(name))?.type);
    expect(types).toEqual(["file", "file", "file", "folder", "other", "other", undefined]);
  });

  it.each(["file", "old", "exact"])("has the system's size, times and inode: %s", (name) => {
    const { size, mtimeMs, ctimeMs, ino } = lstatSync(at(name));
    expect(statAt(at(name))).toEqual({ size, mtime: mtimeMs, ctime: ctimeMs, inode: ino, type: "file" });
  });

  it("is undefined if a part of the path is a file", () => {
    expect(statIfThere(at("file/below"))).toBeUndefined();
  });

  it("fails for a missing file if the file is required", () => {
    expect(() => statAt(at("missing"))).toThrow("ENOENT");
  });
});
