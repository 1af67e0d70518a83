import { realpathSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder, withShortWay } from "../../build/base/paths.ts";
import { scratch } from "../scratch.ts";

const folder = realpathSync(scratch("short-way"));
const other = realpathSync(scratch("short-way-of-another"));
const before = process.cwd();

describe("a short path to a folder", () => {
  it("leads to the folder while it is used", async () => {
    const used = await withShortWay(folder, async (way) => {
      await Promise.resolve();
      return realpathSync(way);
    });
    expect(used).toBe(folder);
    expect(process.cwd()).toBe(before);
  });

  it("restores the working directory, also after an error", async () => {
    const failing = withShortWay(folder, () => Promise.reject(new Error("on the way")));
    await expect(failing).rejects.toThrow("on the way");
    await expect(withShortWay(`${folder}/missing`, () => Promise.resolve())).rejects.toThrow("ENOENT");
    expect(process.cwd()).toBe(before);
    expect(await withShortWay(folder, (way) => Promise.resolve(realpathSync(way)))).toBe(folder);
  });

  it("is the long path for a second call at the same time", async () => {
    const ways = await Promise.all(
      [folder, other].map((one) => withShortWay(one, (way) => Promise.resolve(realpathSync(way)))),
    );
    expect(ways).toEqual([folder, other]);
    expect(process.cwd()).toBe(before);
  });
});

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
