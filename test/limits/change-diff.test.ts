import { join } from "node:path";
import { expect, it } from "vitest";
import { unrecorded, diff } from "../../build/change/diff/diff.ts";
import { commit, git, repository } from "../change/diff/repository.ts";
import { general, write } from "../site/site.ts";

const removed = (count: number) =>
  Array.from({ length: count }, (_, k) => ({
    id: k + 1,
    address: `https://www.example.org/${k}/`,
    type: "standardpages.GeneralPage",
    title: "A",
    file: `${k}.json`,
  })) as unknown as Parameters<typeof unrecorded>[0]["removed"];

it("20 addresses without an entry in _history.json are listed", () => {
  expect(unrecorded({ moved: [], removed: removed(20) }, undefined)).toHaveLength(20);
  expect(unrecorded({ moved: [], removed: removed(21) }, undefined)).toHaveLength(20);
});

const name = (k: number): string => `page-${String(k).padStart(2, "0")}`;

it("10 files without effect and 50 new pages are listed", async () => {
  const { folder, content } = repository("limits");
  for (let k = 0; k < 11; k++) write(content, `idle/${name(k)}.json`, general(100 + k, "Idle"));
  write(content, "idle/index.json", general(99, "Idle"));
  commit(folder);
  for (let k = 0; k < 11; k++)
    write(content, `idle/${name(k)}.json`, `${JSON.stringify(general(100 + k, "Idle"))}\n\n`);
  for (let k = 0; k < 51; k++)
    write(content, `idle/new-${name(k)}.json`, {
      id: 200 + k,
      meta: { type: "standardpages.GeneralPage", seo_title: "A title" },
      title: "New",
    });
  commit(folder);
  const { withoutEffect, unaffectedFiles, added } = await diff({
    content,
    base: git(folder, "rev-parse", "HEAD~1").trim(),
  });
  expect(withoutEffect).toBe(11);
  expect(unaffectedFiles.map(({ file }) => file)).toEqual(
    Array.from({ length: 10 }, (_, k) => `idle/${name(k)}.json`),
  );
  expect(added).toHaveLength(51);
  expect(added.filter((page) => page.fields !== undefined)).toHaveLength(50);
});

it("100 findings in pages that were not edited are listed if _types.json changes", async () => {
  const { content } = repository("limits");
  for (let k = 0; k < 101; k++) write(content, `${name(k)}.json`, general(200 + k, "A"));
  const fields = { price: "number!" };
  commit(join(content, ".."));
  write(content, "_types.json", { types: { "standardpages.GeneralPage": { fields } } });
  const { findings, broken } = await diff({ content });
  expect(findings.filter(({ code }) => code === "missing-field")).toHaveLength(100);
  expect(broken.length).toBeGreaterThan(100);
});
