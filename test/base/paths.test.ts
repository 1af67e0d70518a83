import { expect, it } from "vitest";
import { makeFolder } from "../../build/base/paths.ts";

it.runIf(process.platform === "linux")(
  "a new folder is an error if the system reports the parent as missing",
  () => {
    expect(() => makeFolder("/proc/missing/below")).toThrow("ENOENT");
  },
);
