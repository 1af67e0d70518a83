import { describe, expect, it } from "vitest";
import {
  CHANGELOG,
  DOCUMENTS,
  GENERATED,
  proseOf,
  sentencesOf,
  TEXTS,
  WRITTEN,
  wordsIn,
} from "./documents.ts";
import { REMOVED } from "./terms.ts";

const MAX_WORDS_OF_README = 900;
const MAX_WORDS_OF_SENTENCE = 40;

/** Texts of the program in which a removed term is the name of an HTML element, an exhibition, a class or a method. */
const NAMES = new Set([
  "article aside blockquote caption dd details dl dt figcaption figure h2 h3 h4 h5 h6 li ol pre section summary table tbody td tfoot th thead tr ul",
  "Whether the exhibition was part of the Artist Rooms tour.",
  "address article aside div dl figure p pre section ul",
  "aside file-name",
  "img, .request, .said, .fields > :not(summary)",
]);

describe("removed terms", () => {
  it.each([...WRITTEN, CHANGELOG])("do not occur in $path", ({ path, text }) => {
    // The glossary lists the removed terms in a table.
    const prose = proseOf(text)
      .replace(path === "docs/glossary.md" ? /^## Removed terms$[^]*/m : "", "")
      .replace(/`[^`]*`/g, "code")
      .replace(/\]\([^)]*\)/g, "]")
      .split("\n");
    const found = prose.flatMap((line) =>
      REMOVED.flatMap(([term, instead]) => {
        const match = term.exec(line);
        return match === null ? [] : [`“${match[0]}” (${instead}): ${line.trim()}`];
      }),
    );
    expect(found).toEqual([]);
  });

  it("do not occur in messages, hints, help and the browse UI", () => {
    const found = TEXTS.filter(({ text }) => !NAMES.has(text)).flatMap(({ path, text }) =>
      REMOVED.flatMap(([term, instead]) => {
        const match = term.exec(text);
        return match === null ? [] : [`${path}: “${match[0]}” (${instead}): ${text}`];
      }),
    );
    expect(found).toEqual([]);
    expect(TEXTS.length).toBeGreaterThan(1000);
  });

  it("may occur in generated pages, which are all listed", () => {
    const generated = DOCUMENTS.filter(({ text }) =>
      /Written by npm run|^Measured on .* by `npm run/m.test(text),
    );
    expect(generated.map(({ path }) => path).sort()).toEqual([...GENERATED].sort());
  });
});

describe("sentences", () => {
  it.each([...WRITTEN, CHANGELOG])("of $path have at most 40 words", ({ text }) => {
    expect(sentencesOf(text).filter((sentence) => wordsIn(sentence) > MAX_WORDS_OF_SENTENCE)).toEqual([]);
  });

  it("are found in paragraphs, lists and tables", () => {
    expect(
      sentencesOf("# No\nOne two. Three\nfour!\n\n- five\n- `npm x`: six\n\n| a | b. C |\n|---|---|\n"),
    ).toEqual(["One two.", "Three four!", "five", "code: six", "a", "b.", "C"]);
  });
});

describe("the README", () => {
  const readme = DOCUMENTS.find(({ path }) => path === "README.md")?.text ?? "";

  it("has at most 900 words, not counting code", () => {
    expect(wordsIn(proseOf(readme))).toBeLessThanOrEqual(MAX_WORDS_OF_README);
  });

  it("mentions Wagtail in its first sentence", () => {
    expect(sentencesOf(readme)[0]).toContain("Wagtail");
  });

  it("has the figures of the benchmarks", () => {
    const bench = DOCUMENTS.find(({ path }) => path === "docs/bench.md")?.text ?? "";
    const seconds = (row: RegExp): string => {
      const [, wall = ""] =
        new RegExp(String.raw`^\| ${row.source} \|.*\| ([\d.]+) s, [^|]*\|$`, "m").exec(bench) ?? [];
      return Number(wall).toFixed(1);
    };
    expect(
      /build in ([\d.]+) s, or ([\d.]+) s with the browse UI; after one edit, a build takes ([\d.]+) s/
        .exec(readme.replace(/\s+/g, " "))
        ?.slice(1),
    ).toEqual([
      seconds(/build, as a process of its own/),
      seconds(/the same, with the browse UI/),
      seconds(/`npm run build`, one page edited/),
    ]);
  });
});
