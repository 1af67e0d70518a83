import { API } from "../base/api.ts";

/**
 * What an address may look like, in whatever field it stands. One that reads as if it led elsewhere than it does is
 * refused: a text is reviewed by its letters, and a browser goes where its own reading of them leads.
 */

/** No white space, control characters, double quotes, angle brackets or backslashes: none stands in an address as is. */
export const ADDRESS_REST = String.raw`[^\s\u0000-\u0020\u007f-\u009f"<>\\]*`;

/** What nobody sees, or what turns the letters around it; a JSON Schema has no portable words for these. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
const UNFIT = /[\s"<>\\]/u;

export const hasUnseenCharacters = (text: string): boolean => UNSEEN.test(text);
export const hasUnfitCharacters = (text: string): boolean => UNFIT.test(text) || UNSEEN.test(text);

/**
 * The letters of a host: ASCII, and those with accents that European languages write (ü, é, ø, ł), which are not taken
 * for others and which browsers keep as they are. Not here, and to be written as browsers look them up (xn--…), are all
 * other alphabets, as some of their letters look like Latin ones (Cyrillic “а”, Greek “ο”), what browsers turn into
 * other characters (“ｍ”, “。”, “ſ”, “ŀ”, percent signs), and what looks like a plain letter (“ı”, “ĸ”). A host that is
 * written as xn--… shows by that alone that it is none of the familiar ones.
 */
const HOST_LETTERS = String.raw`A-Za-z0-9._~\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u012f\u0134-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u017e-`;

/** An IPv6 address in brackets, or a name; and a port. No user name (“…@”) can stand before it. */
const HOST = String.raw`(?:[${HOST_LETTERS}]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?`;

export const ABSOLUTE_URL_PATTERN = String.raw`^[Hh][Tt][Tt][Pp][Ss]?://${HOST}(?:[/?#]${ADDRESS_REST})?$`;
const ABSOLUTE_URL = new RegExp(ABSOLUTE_URL_PATTERN, "u");

/** A page's part of its address. */
export const SLUG_PATTERN = "[A-Za-z0-9][A-Za-z0-9_-]*";

const SLUG_AT_END = String.raw`${SLUG_PATTERN}/?`;
const RESPONSE_PATH = String.raw`${API}[1-9]\d{0,15}/`;

const pattern = (start: string | undefined, path: string): string =>
  start === undefined
    ? `^(?=[^?#]*${path}$)${ABSOLUTE_URL_PATTERN.slice(1)}`
    : `^${start.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}${path}$`;

/** The patterns of the addresses that the build derives. With the addresses of a site, those of that site only. */
export function placementPatterns(site?: { base_url: string; site_url: string }) {
  const below = site === undefined ? `/${SLUG_AT_END}` : `(?:/${SLUG_PATTERN})+/?`;
  return {
    "response-address": pattern(site?.base_url, RESPONSE_PATH),
    "home-address": pattern(site?.site_url, "/"),
    "subpage-address": pattern(site?.site_url, below),
    "page-address": pattern(site?.site_url, `(?:/|${below})`),
  };
}

/**
 * Hosts that only the own computer or network knows: names without a dot, names that are reserved for it, and the
 * addresses of IPv4 and IPv6 that no route leads to from outside.
 */
const LOCAL_HOST =
  /^(?:[^.[\]]+|(?:.+\.)?(?:localhost|local|internal)|(?:127|10)(?:\.\d+){3}|0\.0\.0\.0|192\.168(?:\.\d+){2}|169\.254(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[(?:::1?|::ffff:.*|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\])\.?$/i;

/** The host of a complete address, if visitors of the website cannot reach it. */
export function localHost(address: string): string | undefined {
  const host = /^https?:\/\/(\[[^\]]*\]|[^/?#:]*)/i.exec(address)?.[1];
  return host !== undefined && LOCAL_HOST.test(host) ? host : undefined;
}

export type AddressProblem =
  | { problem: "incomplete" | "characters" }
  /** `host` is the one that a browser would go to. */
  | { problem: "user" | "spelling"; host: string };

/** What is wrong with a text as a complete address. */
export function addressProblem(text: string): AddressProblem | undefined {
  const host = hostOf(text);
  if (host === undefined) return { problem: "incomplete" };
  if (UNSEEN.test(text)) return { problem: "characters" };
  if (ABSOLUTE_URL.test(text) && isSpelledOut(text, host)) return undefined;
  const [start, authority = ""] = /^https?:\/\/([^/?#\\]+)/i.exec(text) ?? [];
  if (start === undefined) return { problem: "incomplete" };
  if (authority.includes("@")) return { problem: "user", host };
  return ABSOLUTE_URL.test(start) && isSpelledOut(start, host)
    ? { problem: "characters" }
    : { problem: "spelling", host };
}

function hostOf(text: string): string | undefined {
  try {
    return new URL(text).hostname || undefined;
  } catch {
    return undefined;
  }
}

/** Whether a host is the one that a browser reads, which takes `0x7f.1` for 127.0.0.1; accents are looked up as xn--…. */
const isSpelledOut = (text: string, host: string): boolean => {
  const start = text.indexOf("//") + 2;
  return text.slice(start, start + host.length).toLowerCase() === host || host.includes("xn--");
};
