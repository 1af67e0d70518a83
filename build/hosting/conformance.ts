import { finding, type Finding } from "../findings/finding.ts";
import type { Header, HeaderRule } from "./headers.ts";
import { API, API_BLOCK } from "./paths.ts";

/** What the interface says of one header: whether a value keeps it, in words, and a value that does. */
interface Requirement {
  name: string;
  keeps: (value: string) => boolean;
  rule: string;
  expected: string;
}

const exactly = (name: string, expected: string): Requirement => ({
  name,
  keeps: (value) => value === expected,
  rule: `it must be exactly ${expected}`,
  expected,
});

const REQUIREMENTS: Requirement[] = [
  exactly("Allow", "GET, HEAD, OPTIONS"),
  exactly("Cache-Control", "max-age=0, no-cache, no-store, must-revalidate, private"),
  exactly("Content-Type", "application/json"),
  {
    name: "Expires",
    keeps: isPast,
    rule: "it must be a date of HTTP's form before the year 2026, which is past on every clock",
    expected: "Thu, 01 Jan 1970 00:00:00 GMT",
  },
  {
    name: "Vary",
    keeps: (value) => tokens(value).includes("accept"),
    rule: "it must have Accept among its names",
    expected: "Accept",
  },
  exactly("Access-Control-Allow-Origin", "*"),
  exactly("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
  {
    name: "Access-Control-Allow-Headers",
    keeps: (value) => tokens(value).every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)),
    rule: "it must be * or header names with commas between them",
    expected: "*",
  },
  exactly("X-Content-Type-Options", "nosniff"),
];

/** Whether `_headers` says of the pages what the interface says. */
export function conformance(rules: HeaderRule[], file: string): Finding[] {
  const rule = rules.find(({ path }) => path === API_BLOCK);
  if (rule) return REQUIREMENTS.flatMap((requirement) => check(requirement, rule));
  // A path that is meant to be this one has its own finding already.
  if (rules.some(({ path }) => path.includes(API.slice(0, -1)))) return [];
  return [finding("headers-api-block", { path: API_BLOCK }, { file, line: 1, column: 1 })];
}

function check({ name, keeps, rule, expected }: Requirement, block: HeaderRule): Finding[] {
  if (block.unread.includes(name.toLowerCase())) return [];
  const header = block.headers.find((one) => sameName(one, name));
  if (!header) return [finding("headers-missing", { path: block.path, name, expected }, block.place)];
  if (keeps(header.value)) return [];
  return [finding("headers-value", { name, found: header.value, rule, expected }, header.valuePlace)];
}

export const sameName = (header: Header, name: string): boolean =>
  header.name.toLowerCase() === name.toLowerCase();

const tokens = (value: string): string[] => value.split(",").map((token) => token.trim().toLowerCase());

/** Before this day the project did not exist: no clock is needed to know that it is past. */
const FIRST_DAY = Date.UTC(2026, 0, 1);

/** Whether the value is a date as HTTP writes it (RFC 9110, IMF-fixdate), of a day that exists, and past. */
function isPast(value: string): boolean {
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toUTCString() === value && time < FIRST_DAY;
}
