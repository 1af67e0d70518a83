import type { Finding, Place } from "../findings/finding.ts";
import type { Code } from "../findings/catalogue/index.ts";
import { locate, type ValueSpot } from "./json/locate.ts";
import { fieldName, type Path } from "./json/object.ts";
import { placeInString, placeOf, type SourceText } from "./json/place.ts";

/** A mistake in a page with its path: lines and columns are looked up when all mistakes of the page are known. */
export interface Report {
  code: Code;
  args: unknown;
  /** The path of the field, which may be missing. */
  path: Path;
  /** The wrong part: name, opening bracket, or a range of a text in UTF-16 units; by default, the value. */
  on?: "name" | "start" | readonly [start: number, end: number] | undefined;
  /** The other field of a conflict. */
  other?: Path | undefined;
}

/**
 * The findings of a source whose text is valid JSON.
 *
 * @param parsed the findings of the parser. A number that cannot be stored exactly has no other finding.
 * @param isUnique no key is repeated
 */
export function located(
  source: SourceText,
  all: readonly Report[],
  parsed: readonly Finding[] = [],
  isUnique = false,
): Finding[] {
  const inexact = new Set(
    parsed.flatMap(({ code, path = [] }) => (code === "inexact-number" ? [fieldName(path)] : [])),
  );
  const reports = all.filter(
    ({ code, path }) => inexact.size === 0 || !OF_NUMBERS.has(code) || !inexact.has(fieldName(path)),
  );
  if (reports.length === 0) return [];
  const paths = reports.map(({ path }) => path);
  const others = reports.flatMap(({ other }) => (other === undefined ? [] : [other]));
  const spots = locate(source.text, [...paths, ...others], isUnique);
  let next = reports.length;
  return reports.map(({ code, args, path, on, other }, k): Finding => {
    const place = placeAt(source, spots[k] as ValueSpot, on);
    const found: Finding = { code, args, place, path };
    if (other !== undefined) found.other = placeAt(source, spots[next++] as ValueSpot);
    return found;
  });
}

const OF_NUMBERS: ReadonlySet<Code> = new Set(["bad-id", "wrong-type"]);

function placeAt(source: SourceText, { start, end, key, isFound }: ValueSpot, on?: Report["on"]): Place {
  if (!isFound || on === "start") return placeOf(source, start, start + 1);
  if (on === "name" && key !== undefined) return placeOf(source, ...key);
  return typeof on === "object" ? placeInString(source, { start }, ...on) : placeOf(source, start, end);
}
