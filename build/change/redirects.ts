import type { Instant } from "../base/instant.ts";
import { Failure } from "../base/failure.ts";
import { thousands } from "../base/numbers.ts";
import { LIMITS } from "../hosting/cloudflare/limits.ts";
import { findInDestinations, redirectsIn, type PublishedPages, type Redirect } from "../check/history.ts";
import type { Finding } from "../findings/finding.ts";
import { placeAt } from "../source/json/place.ts";
import type { History } from "../model/history.ts";
import { sitePath } from "../model/tree.ts";
import { filesById } from "./ids.ts";
import { filesNotLive } from "./schedule.ts";
import { readPages, readParsedHistory, type SitePages } from "./pages.ts";
import { modelOf } from "../model/types.ts";

/**
 * The redirects of the addresses in `_history.json`, each directly to its final destination. An address that leads in a
 * circle, or to an address without a page, is left out, and a finding names the entry to correct.
 *
 * @param at the instant for which to decide whether pages are live.
 * @throws HistoryError if the file has errors.
 */
export function redirectsOf(content: string, at: Instant): { redirects: Redirect[]; findings: Finding[] } {
  const pages = readPages(content, modelOf(content));
  const { history, parsed } = readParsedHistory(content);
  if (parsed === undefined) return { redirects: [], findings: [] };
  const hidden = filesNotLive(content, pages.listing, at);
  const redirects = redirectsIn(publishedWithout(pages, hidden, history), history);
  // A page that is not live keeps its address.
  const known = publishedWithout(pages, new Set(), history);
  const findings = findInDestinations(history, known, (path) => placeAt(parsed, path));
  return { redirects, findings };
}

export function publishedWithout(
  { content, listing, site, addresses }: SitePages,
  files: ReadonlySet<string>,
  { moved }: History,
): PublishedPages {
  const left = [...addresses].filter(([file]) => !files.has(file));
  const paths = new Map(left.map(([, address]) => [sitePath(address, site) ?? address, address]));
  const byId = moved.length === 0 ? undefined : filesById(content, listing);
  return {
    site,
    addressAt: (path) => paths.get(path),
    addressOf: (id) => {
      const file = byId?.get(id)?.at(-1);
      return file === undefined || files.has(file) ? undefined : addresses.get(file);
    },
  };
}

/** The address for a configuration, with its special characters percent-encoded. */
const encoded = (address: string, also = ""): string =>
  address
    .replace(/[^A-Za-z0-9\-._~!*'(),;:@&=+/?#%[\]]/gu, (c) => encodeURIComponent(c))
    .replace(/[*:]/g, (c) => (also.includes(c) ? `%${c.charCodeAt(0).toString(16).toUpperCase()}` : c));

/** The path as servers compare it: decoded, without query and fragment. */
function decodedPath(address: string): string {
  const decoded = decode(address.replace(/[?#].*$/s, ""));
  if (/[\p{Cc}"\\]/u.test(decoded))
    throw new Failure(`${address}: an address with such characters cannot be written into a configuration.`);
  return decoded;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A percent sign that encodes no character is literal.
    return path;
  }
}

/** The target of a `RedirectMatch`: Apache encodes its path itself, and treats `$` and `\` as special. */
function apacheTarget(address: string): string {
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(encoded(address)) ?? [];
  if (/%(?:2f|3f|23)/i.test(path))
    throw new Failure(`${address}: Apache cannot redirect to an address with an encoded “/”, “?” or “#”.`);
  const text = (decode(path) + rest).replace(/[$\\]/g, "\\$&");
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

const escapedPattern = (path: string): string => path.replace(/[.*+?^${}()|[\]]/g, "\\$&");

const quotedCsv = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** The other spelling of an old address, with or without a slash at the end: servers compare addresses exactly. */
function otherSpelling({ from, to }: Redirect): Redirect[] {
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(from) ?? [];
  if (path === "/") return [];
  const other = (path.endsWith("/") ? path.slice(0, -1) : `${path}/`) + rest;
  return [to === undefined ? { from: other } : { from: other, to }];
}

/** The redirects of both spellings. The recorded ones are first, because Cloudflare reads only so many. */
const bothSpellings = (redirects: readonly Redirect[]): Redirect[] => [
  ...redirects,
  ...redirects.flatMap(otherSpelling),
];

/** The formats for a website's server, with both spellings of each old address. */
export const REDIRECT_FORMATS = {
  cloudflare: (redirects) => [
    ...redirects.filter(({ to }) => to === undefined).map(({ from }) => `# gone: ${encoded(from)}`),
    ...bothSpellings(redirects).flatMap(({ from, to }) =>
      to === undefined ? [] : [`${encoded(from, "*:")} ${encoded(to)} 301`],
    ),
  ],
  // Two exact locations, because nginx tries patterns one after the other at each request.
  nginx: (redirects) =>
    bothSpellings(redirects).map(({ from, to }) => {
      const directive = to === undefined ? "return 410;" : `return 301 "${encoded(to)}";`;
      return `location = "${decodedPath(from)}" { ${directive} }`;
    }),
  apache: (redirects) =>
    redirects.map(({ from, to }) => {
      const path = decodedPath(from);
      const pattern = path === "/" ? '"^/$"' : `"^${escapedPattern(path.replace(/\/$/, ""))}/?$"`;
      return to === undefined
        ? `RedirectMatch 410 ${pattern}`
        : `RedirectMatch 301 ${pattern} ${apacheTarget(to)}`;
    }),
  csv: (redirects) => [
    "from,to,status",
    ...bothSpellings(redirects).map(({ from, to }) =>
      [quotedCsv(from), quotedCsv(to ?? ""), to === undefined ? 410 : 301].join(","),
    ),
  ],
} satisfies Record<string, (redirects: readonly Redirect[]) => string[]>;

/** A warning if Cloudflare would not read all of these rules. */
export function unreadByCloudflare(lines: readonly string[]): string | undefined {
  const rules = lines.filter((line) => !line.startsWith("#")).length;
  return rules <= LIMITS.staticRedirects
    ? undefined
    : `Cloudflare reads only the first ${thousands(LIMITS.staticRedirects)} of these ${thousands(rules)} rules, one for each spelling of an address. Create Bulk Redirects in its dashboard instead, from the table of --format csv, or delete entries that are no longer needed.`;
}
