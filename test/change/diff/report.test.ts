import { renameSync, rmSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FieldChange } from "../../../build/source/json/changes.ts";
import { programModel } from "../../../build/model/program-model.ts";
import { shownChange } from "../../../build/model/shown-change.ts";
import { runHere } from "../../command.ts";
import { general, SITE, work } from "../../site/site.ts";
import { commit, eachInRepository, printed } from "./repository.ts";
import { refusal } from "../../refusal.ts";

const { here, source, put, compare } = eachInRepository("report");

const reported = async (reporter: string, preview?: string) => printed(reporter, await compare(), preview);

const changeShown = (change: FieldChange) => shownChange(change, [programModel]);

const sentence = (day: string): string =>
  `The sheet that hangs here was begun on a ${day} in June, and never finished. `;

describe("a change of a text", () => {
  it("is shown in full if it is short", async () => {
    expect(changeShown({ field: "title", old: "Pool", new: "The pool" })).toEqual({
      old: '"Pool"',
      new: '"The pool"',
    });
  });

  it("is cut to the part that differs if it is long", () => {
    const [before, after] = ["reed ".repeat(200), "rush ".repeat(200)];
    const { old = "", new: now = "" } = changeShown({
      field: "x",
      old: `${before}one${after}`,
      new: `${before}two${after}`,
    });
    expect(old).toMatch(/^….{20,60}one.{20,60}…$/);
    expect(now).toMatch(/^….{20,60}two.{20,60}…$/);
  });

  it("is shown as text if it is HTML, and with its tags if only tags change", () => {
    const field = "resources[0].content";
    const html = "<p>Ink &amp; wash.</p><p>Made at sea</p>";
    const now = "<p>Ink &amp; <em>grey</em> wash.</p><p>Made at sea</p>";
    expect(changeShown({ field, old: html, new: now })).toEqual({
      old: '"Ink & wash. Made at sea"',
      new: '"Ink & grey wash. Made at sea"',
    });
    const tags = html.replace("wash", "<em>wash</em>");
    expect(changeShown({ field, old: html, new: tags })).toEqual({
      old: JSON.stringify(html),
      new: JSON.stringify(tags),
    });
    expect(changeShown({ field: "medium", old: "", new: html }).new).toBe(JSON.stringify(html));
  });

  it("shows the whole sentence that changes", () => {
    const before = "She draws the river in the morning, when no one is about. ".repeat(5);
    const { old, new: now } = changeShown({
      field: "x",
      old: before + sentence("Monday") + before,
      new: before + sentence("Sunday") + before,
    });
    expect([old, now]).toEqual([`…${sentence("Monday").trim()}…`, `…${sentence("Sunday").trim()}…`]);
  });

  it("has a maximum length, and never splits a character", () => {
    const text = fc.string({ unit: "binary", maxLength: 2000 });
    fc.assert(
      fc.property(text, text, text, (common, a, b) => {
        const { old = "", new: now = "" } = changeShown({
          field: "x",
          old: common + a + common,
          new: common + b + common,
        });
        for (const shown of [old, now]) {
          expect(shown.length).toBeLessThan(2500);
          expect(shown.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it("escapes invisible characters and control characters", () => {
    const { new: shown = "" } = changeShown({ field: "x", new: "a\u202eb\u001b[2Jc\nd\u200be" });
    expect(shown).toBe(String.raw`"a\u202eb\u001b[2Jc\nd\u200be"`);
  });
});

const named = (cy: unknown) => ({ ...SITE, locales: { en: "English", cy } });

it.each(["human", "markdown"])("says in %s that a language and its path change responses", async (format) => {
  put("_site.json", named("Cymraeg"));
  expect(await reported(format)).toContain("meta.html_url of pages");
  commit(here().folder);
  put("_site.json", named({ label: "Cymraeg", path: "/cymraeg/" }));
  expect(await reported(format)).toContain("meta.html_url of pages");
  commit(here().folder);
  put("_site.json", named({ label: "Welsh", path: "/cymraeg/" }));
  expect(await reported(format)).toContain("no response");
});

describe("the Markdown", () => {
  it("never interprets a source's text as Markdown, HTML or a mention", async () => {
    const hostile = "``` @someone <script> [x](http://evil.example) **b** | `";
    put("about.json", general(2, hostile));
    put("works/_a/marsh.json", work(31, "Marsh", { medium: "```\n@someone\n# heading" }));
    const outside = (await reported("markdown"))
      .split("\n")
      // Values are in code blocks, and each line begins with a sign.
      .filter((line) => !/^\s*[-+] "/.test(line))
      .map((line) => line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, ""));
    for (const line of outside) expect(line).not.toMatch(/someone|script|evil|heading|\*\*b/);
  });

  it("lists each page once, with its address if it moves, and marks drafts", async () => {
    rmSync(source("about.json"));
    put("visit/rooms/map.json", general(2, "A map"));
    renameSync(source("visit/cafe.json"), source("cafe.json"));
    renameSync(source("works/_a/marsh.json"), source("works/_a/_marsh.json"));
    for (const name of ["human", "markdown"]) {
      const text = await reported(name);
      for (const no of ["meta.parent", "html_url", "Added", "\nRemoved\n", "#### Removed ("])
        expect(text).not.toContain(no);
      for (const yes of [
        "Pages: 1 becomes a draft, 1 moved.",
        "Becomes a draft",
        "Ids used for another page",
      ])
        expect(text).toContain(yes);
    }
  });

  it("links pages to the preview", async () => {
    put("about.json", general(2, "About us"));
    rmSync(source("visit/cafe.json"));
    const text = await reported("markdown", "https://pr-7.example.org");
    expect(text).toContain("[**2**](https://pr-7.example.org/api/v2/pages/2/)");
    expect(text).not.toContain("pages/11/");
  });

  it("fits into a comment, and counts the omitted pages", async () => {
    for (let id = 1000; id < 2500; id++) put(`added-${id}.json`, general(id, `Page ${"x".repeat(90)}`));
    rmSync(source("about.json"));
    const text = await reported("markdown", "https://pr-7.example.org");
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(62_000);
    expect(text).toContain("Added (1,500)");
    expect(text).toMatch(/… and [\d,]+ more/);
    expect(text).toContain("Removed ids (1)");
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
  });
});

describe("the JSON", () => {
  it("has full values", async () => {
    const long = "x".repeat(5000);
    put("about.json", general(2, long));
    const { changed } = JSON.parse(await reported("json")) as { changed: unknown[] };
    expect(changed).toMatchObject([{ id: 2, fields: [{ field: "title", old: "About", new: long }] }]);
  });
});

const run = (...args: string[]) => runHere("diff", args, { cwd: here().folder });

describe("npx page-api diff", () => {
  it("reports the same as text, JSON and Markdown, and exits with 0", async () => {
    put("about.json", general(2, "About us"));
    const { status, stdout, stderr } = await run();
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Pages: 1 changed.");
    expect(stdout).toContain('        - "About"\n        + "About us"\n');
    expect(stdout).toContain("content/about.json");
    expect((await run("--reporter", "markdown")).stdout).toContain("#### Changed (1)");
    expect(JSON.parse((await run("--reporter", "json")).stdout)).toMatchObject({
      changed: [{ file: "content/about.json" }],
    });
  });

  it("reports that nothing changes", async () => {
    expect((await run()).stdout).toContain("Nothing that is published changes.");
  });

  it("exits with 1 if changed sources have errors, and shows the other changes", async () => {
    writeFileSync(source("about.json"), "{");
    put("new.json", general(90, "New"));
    const { status, stdout, stderr } = await run();
    expect(status).toBe(1);
    expect(stderr).toContain("content/about.json:1:2");
    expect(stdout).toContain("+ 90  New");
  });

  it.each([
    [["--base", "nothing"], "no such revision"],
    [["--reporter", "xml"], "--reporter"],
    [["--content", "none"], "no content folder"],
    [["extra"], "Unexpected argument"],
    [["--reporter", "markdown", "--preview", "here"], "--preview must be a complete address"],
  ])("ends with 2 when called with %j", async (args, message) => {
    expect(await run(...args)).toMatchObject(refusal(message));
  });
});
