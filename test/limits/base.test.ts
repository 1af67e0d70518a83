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
    expect([0, 24, 25].map((age) => seen(file(5000.5), 5000.5 + age).racy)).toEqual([true, true, false]);
  });

  it("for two seconds by a clock of whole seconds", () => {
    expect([0, 1999, 2000].map((age) => seen(file(5000), 5000 + age).racy)).toEqual([true, true, false]);
  });
});
