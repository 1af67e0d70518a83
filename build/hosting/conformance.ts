import { readFileSync } from "node:fs";
import { API } from "../base/api.ts";
import { PROGRAM_HEADERS } from "../base/folders.ts";
import { finding, type Finding } from "../findings/finding.ts";
import { parseHeaders, type Header, type HeaderRule } from "./headers.ts";
import { API_BLOCK } from "./paths.ts";

const PATH = /^\/(?:[\w.~-]+\/)*(?:\*|[\w.~-]*)$/;

/** Headers that describe a single message or response, so that no fixed value is right. */
const RESERVED = new Set(
  "connection content-encoding content-length content-range date etag keep-alive last-modified location set-cookie te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

/** The API contract's rule for one header, in code and in words, and a value that fulfils it. */
interface Requirement {
  name: string;
  fulfils: (value: string) => boolean;
  rule: string;
  expected: string;
}

const exactly = (name: string, expected: string): Requirement => ({
  name,
  fulfils: (value) => value === expected,
  rule: `it must be exactly ${expected}`,
  expected,
});

const REQUIREMENTS: Requirement[] = [
  exactly("Allow", "GET, HEAD, OPTIONS"),
  exactly("Cache-Control", "max-age=0, no-cache, no-store, must-revalidate, private"),
  exactly("Content-Type", "application/json"),
  {
    name: "Expires",
    fulfils: isPast,
    rule: "it must be an HTTP date before 2026, which is past by any clock",
    expected: "Thu, 01 Jan 1970 00:00:00 GMT",
  },
  {
    name: "Vary",
    fulfils: (value) => tokens(value).includes("accept"),
    rule: "it must list Accept",
    expected: "Accept",
  },
  exactly("Access-Control-Allow-Origin", "*"),
  exactly("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
  {
    name: "Access-Control-Allow-Headers",
    fulfils: (value) => tokens(value).every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)),
    rule: "it must be * or a list of header names, separated by commas",
    expected: "*",
  },
  exactly("X-Content-Type-Options", "nosniff"),
];

export function headersIn(text: string, file: string): { rules: HeaderRule[]; findings: Finding[] } {
  const { rules, invalid } = parseHeaders(text, file);
  const checked = [...rules.flatMap(withinRule), ...betweenRules(rules), ...conformance(rules, file)];
  return { rules, findings: [...invalid, ...checked] };
}

export const readHeaders = (file = PROGRAM_HEADERS) => headersIn(readFileSync(file, "utf8"), file);

function conformance(rules: HeaderRule[], file: string): Finding[] {
  const rule = rules.find(({ path }) => path === API_BLOCK);
  if (rule) return REQUIREMENTS.flatMap((requirement) => check(requirement, rule));
  // A misspelt path of this block already has its own finding.
  if (rules.some(({ path }) => path.includes(API.slice(0, -1)))) return [];
  return [finding("headers-api-block", { path: API_BLOCK }, { file, line: 1, column: 1 })];
}

function check({ name, fulfils, rule, expected }: Requirement, block: HeaderRule): Finding[] {
  if (block.unread.includes(name.toLowerCase())) return [];
  const header = block.headers.find((one) => sameName(one, name));
  if (!header) return [finding("headers-missing", { path: block.path, name, expected }, block.place)];
  if (fulfils(header.value)) return [];
  return [finding("headers-value", { name, found: header.value, rule, expected }, header.valuePlace)];
}

const sameName = (header: Header, name: string): boolean => header.name.toLowerCase() === name.toLowerCase();

const tokens = (value: string): string[] => value.split(",").map((token) => token.trim().toLowerCase());

/** Dates before this day are in the past by any clock, so the check needs no clock. */
const FIRST_DAY = Date.UTC(2026, 0, 1);

function isPast(value: string): boolean {
  const time = httpDate(value);
  return time !== undefined && time < FIRST_DAY;
}

/** The time of an IMF-fixdate (RFC 9110), the only format that a server may send, with the right day of the week. */
export function httpDate(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) || new Date(time).toUTCString() !== text ? undefined : time;
}

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

/** Compares each block with the blocks above it: no two may match the same address. */
const betweenRules = (rules: HeaderRule[]): Finding[] =>
  rules.flatMap((rule, index) => {
    const other = rules.slice(0, index).find((above) => overlap(above.path, rule.path));
    if (!other) return [];
    const args = { path: rule.path, other: other.path, line: other.place.line };
    return [finding("headers-joined", args, rule.place, other.place)];
  });

/** Whether an address can match both paths. Case is ignored, because some hosts ignore it. */
function overlap(one: string, two: string): boolean {
  const [a, b] = [one.toLowerCase(), two.toLowerCase()];
  return a === b || covers(a, b) || covers(b, a);
}

const covers = (folder: string, path: string): boolean =>
  folder.endsWith("/*") && path.startsWith(folder.slice(0, -1));
