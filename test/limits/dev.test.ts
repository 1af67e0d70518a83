import { join } from "node:path";
import { expect, it } from "vitest";
import { addressesOf } from "../../build/dev/develop.ts";
import { general, workplace, write } from "../site/site.ts";

it("the addresses of five saved files are shown", () => {
  const { content } = workplace("addresses");
  const saved = (count: number) => {
    const paths = Array.from({ length: count }, (_, k) => `page-${k}.json`);
    for (const [k, path] of paths.entries()) write(content, path, general(k + 1, "A"));
    return addressesOf(content, new Set(paths.map((path) => join(content, path))), "http://localhost").length;
  };
  expect([saved(5), saved(6)]).toEqual([5, 0]);
});
