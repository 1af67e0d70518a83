import { describe, expect, it } from "vitest";
import { makeFolder } from "../../build/base/paths.ts";
import { scratch } from "../scratch.ts";

const folder = scratch("new-folder");

describe("a new folder", () => {
  it("is made with its parents; the topmost made folder is returned", () => {
    const top = `${folder}/new`;
    expect(makeFolder(`${top}/a/b`)).toBe(top);
    expect(makeFolder(`${top}/a/b`)).toBeUndefined();
  });

  it.runIf(process.platform === "linux")("is an error if the system reports the parent as missing", () => {
    expect(() => makeFolder("/proc/missing/below")).toThrow("ENOENT");
  });
});
