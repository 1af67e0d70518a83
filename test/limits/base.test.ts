import { describe, expect, it } from "vitest";
import { seen } from "../../build/base/stat.ts";

const file = (time: number) => ({
  mode: 0,
  type: "file" as const,
  size: 1,
  mtime: time,
  ctime: time,
  inode: 1,
});

describe("a file is racy", () => {
  it("for 25 milliseconds by a clock with fractions of a second", () => {
    const at = (age: number): boolean => seen(file(5000.5), 5000.5 + age).racy;
    expect([at(0), at(24), at(25)]).toEqual([true, true, false]);
  });

  it("for two seconds by a clock of whole seconds", () => {
    const at = (age: number): boolean => seen(file(5000), 5000 + age).racy;
    expect([at(0), at(1999), at(2000)]).toEqual([true, true, false]);
  });
});
