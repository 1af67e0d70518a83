import { finding, type Finding, type Place } from "../findings/finding.ts";
import { conformance } from "./conformance.ts";
import { LIMITS } from "./cloudflare/limits.ts";

export interface Header {
  name: string;
  value: string;
  /** Of the name. */
  place: Place;
  /** Of the value. */
  valuePlace: Place;
}

/** One block: the headers of one address (`/robots.txt`) or of everything below a folder (`/api/v2/pages/*`). */
export interface HeaderRule {
  path: string;
  headers: Header[];
  place: Place;
  /** Names on lines that could not be read, lower case: already found wrong, so not missing as well. */
  unread: string[];
}

const PATH = /^\/(?:[\w.~-]+\/)*(?:\*|[\w.~-]*)$/;
const NAME = /^[A-Za-z][\w-]*/;
const UNPORTABLE = /[^\t\x20-\x7e]|[$\\{}]/;

/** Names that frame the message or name this very answer: no fixed value is ever right. */
const RESERVED = new Set(
  "connection content-encoding content-length content-range date etag keep-alive last-modified location set-cookie te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

/** Reads `_headers`, in the part of the format that every host gives the same meaning; never throws. */
export function parseHeaders(text: string, file: string): { rules: HeaderRule[]; findings: Finding[] } {
  const rules: HeaderRule[] = [];
  const findings: Finding[] = [];
  let rule: HeaderRule | undefined;

  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const [start, end] = extent(line);
    const content = line.slice(start, end);
    const place = placeOn(file, index + 1, start, end);
    if (content === "" || content.startsWith("#")) continue;

    if (line.length > LIMITS.headerLine) {
      findings.push(finding("headers-line-length", { length: line.length, limit: LIMITS.headerLine }, place));
    }
    if (isPath(content)) {
      if (rules.length === LIMITS.headerRules) {
        findings.push(finding("headers-block-count", { limit: LIMITS.headerRules }, place));
        break;
      }
      rule = { path: content, headers: [], place, unread: [] };
      rules.push(rule);
      continue;
    }
    const read = readHeader(content, place);
    if ("problem" in read) {
      findings.push(read.problem);
      rule?.unread.push(nameIn(content));
    } else if (rule) rule.headers.push(read.header);
    else findings.push(finding("headers-no-path", { name: read.header.name }, place));
  }
  const more = [...rules.flatMap(withinRule), ...betweenRules(rules), ...conformance(rules, file)];
  return { rules, findings: [...findings, ...more] };
}

/** As hosts tell a path from a header: it starts with a slash, or is an address with a scheme. */
const isPath = (content: string): boolean => /^(?:\/|[^\s:]+:\/\/)/.test(content);

/** Where the line's content starts and ends, without spaces and tabs around it. */
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

/** The name that a line which could not be read is about, as far as that can be told. */
const nameIn = (content: string): string => (NAME.exec(content.replace(/^! /, ""))?.[0] ?? "").toLowerCase();

const shown = (character: string): string =>
  /[\x21-\x7e]|[\u00a1-\ud7ff]/.test(character)
    ? `the character ${character}`
    : `the invisible character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

function withinRule(rule: HeaderRule): Finding[] {
  const findings: Finding[] = [];
  const { path, place } = rule;
  if (!PATH.test(path)) findings.push(finding("headers-path", { path }, place));
  if (rule.headers.length === 0 && rule.unread.length === 0) {
    findings.push(finding("headers-empty-block", { path }, place));
  }
  const first = new Map<string, Header>();
  for (const header of rule.headers) {
    const { name } = header;
    const earlier = first.get(name.toLowerCase());
    if (RESERVED.has(name.toLowerCase())) findings.push(finding("headers-reserved", { name }, header.place));
    else if (earlier) {
      const line = earlier.place.line;
      findings.push(finding("headers-duplicate", { name, line }, header.place, earlier.place));
    } else first.set(name.toLowerCase(), header);
  }
  return findings;
}

/** Every block against those above it: no two may match the same address. */
const betweenRules = (rules: HeaderRule[]): Finding[] =>
  rules.flatMap((rule, index) => {
    const other = rules.slice(0, index).find((above) => overlap(above.path, rule.path));
    if (!other) return [];
    const args = { path: rule.path, other: other.path, line: other.place.line };
    return [finding("headers-joined", args, rule.place, other.place)];
  });

/** Whether some address matches both, case aside: a host may compare either way. */
function overlap(one: string, two: string): boolean {
  const [a, b] = [one.toLowerCase(), two.toLowerCase()];
  return a === b || covers(a, b) || covers(b, a);
}

const covers = (folder: string, path: string): boolean =>
  folder.endsWith("/*") && path.startsWith(folder.slice(0, -1));
