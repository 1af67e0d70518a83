import { finding, type Finding, type Place } from "../findings/finding.ts";
import { LIMITS } from "./cloudflare/limits.ts";

export interface Header {
  name: string;
  value: string;
  /** The location of the name. */
  place: Place;
  valuePlace: Place;
}

/** The headers of one address (`/robots.txt`) or of everything below a folder (`/api/v2/pages/*`). */
export interface HeaderRule {
  path: string;
  headers: Header[];
  place: Place;
  /** Lowercase names on lines with findings, so that they are not reported as missing too. */
  unread: string[];
}

const NAME = /^[A-Za-z][\w-]*/;
const UNPORTABLE = /[^\t\x20-\x7e]|[$\\{}]/;

/** Parses `_headers`, limited to the syntax that every host reads alike; never throws. */
export function parseHeaders(text: string, file: string) {
  const rules: HeaderRule[] = [];
  /** Findings about single lines. */
  const invalid: Finding[] = [];
  let rule: HeaderRule | undefined;

  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const [start, end] = extent(line);
    const content = line.slice(start, end);
    const place = placeOn(file, index + 1, start, end);
    if (content === "" || content.startsWith("#")) continue;

    if (line.length > LIMITS.headerLine) {
      invalid.push(finding("headers-line-length", { length: line.length, limit: LIMITS.headerLine }, place));
    }
    if (isPath(content)) {
      if (rules.length === LIMITS.headerRules) {
        invalid.push(finding("headers-block-count", { limit: LIMITS.headerRules }, place));
        break;
      }
      rule = { path: content, headers: [], place, unread: [] };
      rules.push(rule);
      continue;
    }
    const read = readHeader(content, place);
    if ("problem" in read) {
      invalid.push(read.problem);
      rule?.unread.push(nameIn(content));
    } else if (rule) rule.headers.push(read.header);
    else invalid.push(finding("headers-no-path", { name: read.header.name }, place));
  }
  return { rules, invalid };
}

/** Hosts recognise a path by its slash at the start, or its scheme. */
const isPath = (content: string): boolean => /^(?:\/|[^\s:]+:\/\/)/.test(content);

/** The start and end of the line's content, without spaces and tabs around it. */
function extent(line: string): [start: number, end: number] {
  let [start, end] = [0, line.length];
  while (start < end && isBlank(line[start])) start++;
  while (end > start && isBlank(line[end - 1])) end--;
  return [start, end];
}

const isBlank = (character: string | undefined): boolean => character === " " || character === "\t";

const placeOn = (file: string, line: number, start: number, end: number): Place => ({
  file,
  line,
  column: start + 1,
  endLine: line,
  endColumn: end + 1,
});

function readHeader(found: string, place: Place): { header: Header } | { problem: Finding } {
  if (found.startsWith("! ")) return { problem: finding("headers-unset", { found }, place) };

  const name = NAME.exec(found)?.[0] ?? "";
  const rest = found.slice(name.length);
  const value = rest.slice(1 + extent(rest.slice(1))[0]);
  if (name === "" || !rest.startsWith(":") || value === "") {
    return { problem: finding("headers-syntax", { found }, place) };
  }
  const at = place.column + found.length - value.length;
  const unportable = UNPORTABLE.exec(value);
  if (!unportable) return { header: { name, value, place, valuePlace: { ...place, column: at } } };
  const character = placeOn(place.file, place.line, at - 1 + unportable.index, at + unportable.index);
  return { problem: finding("headers-character", { name, found: shown(unportable[0]) }, character) };
}

/** The header name on an invalid line; empty if there is none. */
const nameIn = (content: string): string => (NAME.exec(content.replace(/^! /, ""))?.[0] ?? "").toLowerCase();

const shown = (character: string): string =>
  /[\x21-\x7e]|[\u00a1-\ud7ff]/.test(character)
    ? `the character ${character}`
    : `the invisible character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
