import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hintOf } from "../../../build/findings/finding.ts";
import { isExact, parseJson } from "../../../build/source/json/parse.ts";
import { printNode, valueOf } from "../../../build/source/json/object.ts";

const exact = (written: string): boolean => isExact(written, Number(written));

describe("a number is exact if a double has the written decimal value", () => {
  it.each("0 0.0 0e99 1 -1 1.0 1e2 100 1E+2 0.1 0.10 12.5e-1 1e21 1e-7 5e-324".split(" "))(
    "%s",
    (written) => {
      expect(exact(written)).toBe(true);
    },
  );

  it.each(
    "-0 -0.0 -0e5 1e400 -1e400 1e-400 9007199254740993 12345678901234567890 0.10000000000000000555".split(
      " ",
    ),
  )("not %s", (written) => {
    expect(exact(written)).toBe(false);
  });

  it("every number that JavaScript prints is exact", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(exact(JSON.stringify(value))).toBe(true);
      }),
    );
  });

  it("zeros around a number and the position of its point make no difference", () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(30), (value, zeros) => {
        if (Object.is(value, -0)) return;
        expect(exact(`${value}.${"0".repeat(zeros + 1)}`)).toBe(true);
        expect(exact(`${value}${"0".repeat(zeros)}e-${zeros}`)).toBe(true);
        expect(exact(`${value}e0`)).toBe(true);
      }),
    );
  });

  it("a large integer is exact if it is printed as it was written", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }), (value) => {
        expect(exact(String(value))).toBe(printed(Number(value)) === value);
      }),
    );
  });
});

/** The integer that JavaScript prints for a double above 2^53. It need not be the exact value of the double. */
function printed(value: number): bigint {
  const [mantissa = "", power = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return BigInt(whole + fraction) * 10n ** BigInt(Number(power) - fraction.length);
}

describe("the parser", () => {
  it("reads the output of JSON.stringify as the same value, and prints it as the same text", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const { root, findings } = parseJson("x", Buffer.from(text));
        // Random text may contain unpaired surrogates and negative zero.
        const own = findings.filter(({ code }) => code !== "lone-surrogate" && code !== "inexact-number");
        expect(own).toEqual([]);
        const plain: unknown = JSON.parse(text);
        const isClean = findings.length === 0 && root !== undefined;
        expect(isClean ? valueOf(root) : plain).toEqual(plain);
        expect(isClean ? JSON.parse(printNode(root)) : plain).toEqual(plain);
      }),
    );
  });

  it("accepts only what JSON.parse accepts, and locates each error inside the text", () => {
    const pieces = String.raw`{ } [ ] , : "a" "\u00" 1 - 01 1e5 true nul ' é 😀`.split(" ");
    const piece = fc.constantFrom(" ", "\n", ...pieces);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (some) => {
        const text = some.join("");
        const { root, findings } = parseJson("x", Buffer.from(text));
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(root !== undefined).toBe(isJson);
        expect(isJson || findings.length > 0).toBe(true);
        const lines = text.split("\n");
        for (const { place } of findings) {
          expect(place.line).toBeLessThanOrEqual(lines.length);
          expect(place.column).toBeLessThanOrEqual((lines[place.line - 1] ?? "").length + 1);
        }
      }),
      { numRuns: 500 },
    );
  });
});

it("a hint shows the two ends of a long text", () => {
  const text = `{"text": "${"word ".repeat(400)}a "quoted" word"\n}`;
  const [found] = parseJson("a.json", Buffer.from(text)).findings;
  const hint = found === undefined ? "" : hintOf(found);
  expect(hint).toContain('"word word');
  expect(hint).toContain('quoted\\" word"');
  expect(hint.length).toBeLessThan(600);
});
