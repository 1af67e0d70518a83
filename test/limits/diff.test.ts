import { describe, expect, it } from "vitest";
import { unrecorded } from "../../build/diff/history.ts";
import { diff } from "../../build/diff/diff.ts";
import { shownChange } from "../../build/page/shown-change.ts";
import { commit, git, repository } from "../diff/repository.ts";
import { general, write } from "../pipeline/site.ts";
import { programModel } from "../../build/page/program-model.ts";

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

/** The old text as a comparison shows it. */
const shownOf = (old: string, now: string): string | undefined =>
  shownChange({ field: "title", old, new: now }, programModel).old;
/** The old one of two texts that differ in one character. */
const around = (before: string, after: string): string | undefined =>
  shownOf(`${before}X${after}`, `${before}Y${after}`);
/** A text that is one character longer with a quotation mark of JSON. */
const quoted = (length: number): string => "a".repeat(length - 1);

describe("a changed text is shown", () => {
  it("whole up to 120 characters", () => {
    expect(around("", `. ${"b".repeat(115)}`)).toBe(`"X. ${"b".repeat(115)}"`);
    expect(around("", `. ${"b".repeat(116)}`)).toBe('"X.…');
  });

  it("from its beginning if the difference is within 40 characters, and to its end in the same way", () => {
    expect(around(`A. ${quoted(37)}`, quoted(100))).toMatch(/^"A\. a/);
    expect(around(`A. ${quoted(38)}`, quoted(100))).toMatch(/^…aaa/);
    expect(around(quoted(100), `${quoted(37)}. B`)).toMatch(/a\. B"$/);
    expect(around(quoted(100), `${quoted(38)}. B`)).toMatch(/a\.…$/);
  });

  it("with a sentence that ends within 200 characters, or else with 40 characters", () => {
    expect(around(quoted(200), "")).toBe(`"${quoted(200)}X"`);
    expect(around(quoted(201), "")).toBe(`…${"a".repeat(40)}X"`);
    expect(around("", quoted(200))).toBe(`"X${quoted(200)}"`);
    expect(around("", quoted(201))).toBe(`"X${"a".repeat(40)}…`);
  });

  it("with 240 characters at each end of a difference of more than 480", () => {
    expect(shownOf("a".repeat(478), "b".repeat(478))).toBe(`"${"a".repeat(478)}"`);
    expect(shownOf("a".repeat(479), "b".repeat(479))).toBe(`"${"a".repeat(239)}…${"a".repeat(239)}"`);
  });
});
