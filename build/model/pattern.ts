import type { Format } from "./formats.ts";

/*
 * The patterns that a site declares in `_types.json`: regular expressions of a simple kind, whose time is bounded. Regular
 * expressions try every way to match a text, so a pattern with too many ways is refused.
 */

/** Maximum length of a pattern, in UTF-16 units. */
const MAX_PATTERN = 300;
/** Maximum length of a text with a pattern. */
const MAX_TEXT = 128;
/** Maximum number of ways to divide a text among the repetitions of a pattern: about a tenth of a second. */
const MAX_WAYS = 2 ** 25;

interface PatternPart {
  /** The number of ways in which the part can match texts of the maximum length. */
  ways: number;
  isUnlimited: boolean;
  hasChoice: boolean;
}

/** Completes “The pattern …”; undefined if it can be used. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return `has ${pattern.length} characters; ${MAX_PATTERN} is the maximum`;
  if (!isExpression(pattern)) return "is not a regular expression";
  if (/\(\?<?[=!]/.test(withoutSets(pattern))) return "looks ahead or behind";
  if (/\\(?:[1-9]|k<)/.test(withoutSets(pattern))) return "refers to a group";
  const { parts, problem } = partsOf(withoutSets(pattern));
  if (problem !== undefined) return problem;
  return waysOf(parts) > MAX_WAYS
    ? "has too many repetitions of different lengths, which can take very long"
    : undefined;
}

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

/** The pattern with one letter for each set and each escaped character, but not for references to groups. */
const withoutSets = (pattern: string): string =>
  pattern
    .replaceAll(/\\(?:[pPu]\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[^1-9k])/g, "a")
    .replaceAll(/\[(?:\\.|[^\]\\])*\]/g, "a");

/** The ends of unlimited repetitions are in their order, so one set of ends counts once. */
function waysOf(parts: readonly PatternPart[]): number {
  let unlimited = 0;
  return parts.reduce((ways, part) => (ways * part.ways) / (part.isUnlimited ? ++unlimited : 1), 1);
}

const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/;

/** Reads the parts of a pattern of the kind that `withoutSets` returns. */
function partsOf(pattern: string): { parts: PatternPart[]; problem?: string } {
  const open: PatternPart[][] = [[]];
  let rest = pattern;
  while (rest !== "") {
    const parts = open.at(-1) as PatternPart[];
    const group = /^\((?:\?(?::|<[^>]*>))?/.exec(rest)?.[0];
    if (group !== undefined) {
      open.push([]);
      rest = rest.slice(group.length);
      continue;
    }
    const isClosed = rest.startsWith(")") && open.length > 1;
    let part: PatternPart = { ways: 1, isUnlimited: false, hasChoice: rest.startsWith("|") };
    if (isClosed) {
      open.pop();
      part = {
        ways: waysOf(parts),
        isUnlimited: parts.some((one) => one.isUnlimited),
        hasChoice: parts.some((one) => one.hasChoice),
      };
    }
    rest = rest.slice(1);
    const found = QUANTIFIER.exec(rest);
    if (found !== null) {
      const [quantifier, least = "", comma, most = ""] = found;
      const isUnlimited = /^[*+]/.test(quantifier) || (comma === "," && most === "");
      const times = isUnlimited ? MAX_TEXT : Number(most || least || 1);
      if (isClosed && times > 1 && (part.isUnlimited || part.hasChoice))
        return {
          parts: [],
          problem: `repeats a group that contains ${part.hasChoice ? "a choice" : "an unlimited repetition"}, which can take very long`,
        };
      const lengths = isUnlimited
        ? MAX_TEXT
        : quantifier.startsWith("?")
          ? 2
          : comma === ","
            ? times - Number(least) + 1
            : 1;
      part = {
        ...part,
        ways: part.ways ** (part.ways > 1 ? times : 1) * lengths,
        isUnlimited: part.isUnlimited || isUnlimited,
      };
      rest = rest.slice(quantifier.length);
    }
    (open.at(-1) as PatternPart[]).push(part);
  }
  return { parts: open[0] as PatternPart[] };
}

export function patternFormat(pattern: string, example: string): Format {
  const whole = `^(?:${pattern})$`;
  const expression = new RegExp(whole, "u");
  return {
    expected: `a text of the same form as ${example}`,
    example,
    pattern: whole,
    matches: (text) => text.length <= MAX_TEXT && expression.test(text),
  };
}
