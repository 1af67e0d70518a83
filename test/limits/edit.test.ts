import { expect, it } from "vitest";
import { historyText } from "../../build/edit/history.ts";
import { unreadByCloudflare } from "../../build/edit/redirects.ts";
import { parseJson } from "../../build/json/parse.ts";

it("a command writes as many entries of _history.json as can be read again", () => {
  const moved = Array.from({ length: 333_333 }, (_, k) => ({ id: k + 1, address: "/a/" }));
  const text = historyText("content", { retired: [], moved: moved.slice(1) });
  expect(parseJson("_history.json", Buffer.from(text)).findings).toEqual([]);
  expect(() => historyText("content", { retired: [], moved })).toThrow("1,000,000");
});

it("redirects for Cloudflare have a warning from 2,001 rules on", () => {
  const lines = ["# gone: /x/", ...Array.from({ length: 2000 }, (_, k) => `/${k}/ / 301`)];
  expect(unreadByCloudflare(lines)).toBeUndefined();
  expect(unreadByCloudflare([...lines, "/x / 301"])).toMatch(/2,000 of these 2,001/);
});
