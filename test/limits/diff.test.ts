/* oxlint-disable no-shadow, unicorn/consistent-function-scoping, typescript/no-unnecessary-condition -- each helper is beside its only test */
import { describe, expect, it } from "vitest";
import { unrecorded } from "../../build/diff/history.ts";
import { diff } from "../../build/diff/diff.ts";
import { shownChange } from "../../build/page/shown-change.ts";
import { commit, git, repository } from "../diff/repository.ts";
import { general, write } from "../pipeline/site.ts";

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

describe("a changed text is shown", () => {
  const shown = (before: string, after: string): string | undefined =>
    shownChange({
      field: "title",
      old: `${before}X${after}`,
      new: `${before}Y${after}`,
    }).old;
  /** So many letters, with the quotation mark of JSON. */
  const letters = (count: number): string => "a".repeat(count - 1);

  it("whole up to 120 characters", () => {
    const sentences = (length: number): string | undefined => shown("", `. ${"b".repeat(length - 5)}`);
    expect(sentences(120)).toBe(`"X. ${"b".repeat(115)}"`);
    expect(sentences(121)).toBe('"X.…');
  });

  it("from its beginning if the difference is within 40 characters, and to its end in the same way", () => {
    expect(shown(`A. ${letters(37)}`, letters(100))).toMatch(/^"A\. a/);
    expect(shown(`A. ${letters(38)}`, letters(100))).toMatch(/^…aaa/);
    expect(shown(letters(100), `${letters(37)}. B`)).toMatch(/a\. B"$/);
    expect(shown(letters(100), `${letters(38)}. B`)).toMatch(/a\.…$/);
  });

  it("with a sentence that ends within 200 characters, or else with 40 characters", () => {
    expect(shown(letters(200), "")).toBe(`"${letters(200)}X"`);
    expect(shown(letters(201), "")).toBe(`…${"a".repeat(40)}X"`);
    expect(shown("", letters(200))).toBe(`"X${letters(200)}"`);
    expect(shown("", letters(201))).toBe(`"X${"a".repeat(40)}…`);
  });

  it("with 240 characters at each end of a difference of more than 480", () => {
    const different = (length: number): string | undefined =>
      shownChange({ field: "title", old: "a".repeat(length - 2), new: "b".repeat(length - 2) }).old;
    expect(different(480)).toBe(`"${"a".repeat(478)}"`);
    expect(different(481)).toBe(`"${"a".repeat(239)}…${"a".repeat(239)}"`);
  });
});
