import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { takePreviewFolder } from "../../build/dev/folder.ts";
import { write } from "../site/site.ts";
import { scratch } from "../scratch.ts";

it("gives a second preview a folder of its own, which is removed with it, and keeps the first one's", () => {
  const project = scratch("previews");
  const one = takePreviewFolder(project, 3000);
  const two = takePreviewFolder(project, 3001);
  write(one.path, "page", "x");
  write(two.path, "page", "x");
  expect(two.path).toBe(join(project, ".preview/3001"));
  two.release();
  expect(existsSync(two.path)).toBe(false);
  one.release();
  expect(existsSync(join(one.path, "page"))).toBe(true);
});

it("removes the folder of a second preview that was killed, and not the folder of a running one", () => {
  const project = scratch("previews");
  const one = takePreviewFolder(project, 3000);
  const two = takePreviewFolder(project, 3001);
  write(one.path, "3002/page", "x");
  mkdirSync(join(one.path, "api"));
  const three = takePreviewFolder(project, 3003);
  expect(existsSync(join(one.path, "3002"))).toBe(false);
  expect(existsSync(join(one.path, "api"))).toBe(true);
  expect(existsSync(two.path)).toBe(true);
  for (const { release } of [three, two, one]) release();
});
