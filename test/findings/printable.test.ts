import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printable, printableJson, printableLines } from "../../build/findings/printable.ts";
import { HIDDEN, isCommand } from "./hostile.ts";

/** Text with characters that hide, reverse or command, between harmless ones. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 3 }),
      fc.constantFrom(
        "\\u{",
        "\\u{5c}",
        "\\",
        "##[",
        "##vso[",
        "#",
        "::",
        ":",
        "\n",
        " \u00a0",
        "\t",
        "\ud800",
        "\u{e0041}",
      ),
    ),
  )
  .map((parts) => parts.join(""));

const decoded = (shown: string): string =>
  shown.replace(/\\u\{([0-9a-f]+)\}/g, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 16)),
  );

describe("third-party text on one line", () => {
  it.each([
    ["plain “text”, 日本 é\u0301 😀", "plain “text”, 日本 é\u0301 😀"],
    ["\u001b[2J", "\\u{1b}[2J"],
    ["\u009b31m\u007f\r", "\\u{9b}31m\\u{7f}\\u{d}"],
    ["a\nb\tc\u2028d", "a\\u{a}b\\u{9}c\\u{2028}d"],
    ["\u202ejpg.exe\u2066\u200f\u061c", "\\u{202e}jpg.exe\\u{2066}\\u{200f}\\u{61c}"],
    ["\u200b\u00ad\ufeff\ufe0f\u3164\u{e0041}", "\\u{200b}\\u{ad}\\u{feff}\\u{fe0f}\\u{3164}\\u{e0041}"],
    ["\ud83d!\udc00", "\\u{d83d}!\\u{dc00}"],
    ["\\u{202e}", "\\u{5c}u{202e}"],
    ["x ##[error]y ##vso[z", "x #\\u{23}[error]y #\\u{23}vso[z"],
    [" \u00a0::error::x ::y", " \u00a0\\u{3a}:error::x ::y"],
  ])("%j is shown as %s", (given, shown) => {
    expect(printable(given)).toBe(shown);
  });

  it("has no control characters and no commands, stays on its line, and differs from every other text", () => {
    fc.assert(
      fc.property(text, (given) => {
        const shown = printable(given);
        expect(shown).not.toMatch(HIDDEN);
        expect(shown).not.toMatch(/[\n\t]/);
        expect(isCommand(shown)).toBe(false);
        expect(decoded(shown)).toBe(given);
      }),
    );
  });
});

describe("a command's output", () => {
  it("has no control characters and no commands, whichever parts were escaped before", () => {
    fc.assert(
      fc.property(text, text, (own, given) => {
        const shown = printableLines(`${own}\n${printable(given)}`);
        expect(shown).not.toMatch(HIDDEN);
        for (const line of shown.split("\n")) expect(isCommand(line)).toBe(false);
        expect(shown.endsWith(`\n${printable(given)}`)).toBe(true);
        expect(printableLines(shown)).toBe(shown);
      }),
    );
  });
});

describe("a value as JSON", () => {
  it("is equally safe, and has the same value", () => {
    fc.assert(
      fc.property(fc.dictionary(text, text), fc.constantFrom(undefined, 2), (given, indent) => {
        const shown = printableJson(given, indent);
        expect(JSON.parse(shown)).toEqual(given);
        expect(printableLines(shown)).toBe(shown);
      }),
    );
  });
});
