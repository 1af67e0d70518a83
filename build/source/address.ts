import { API } from "../base/api.ts";

/**
 * The format of addresses, for all fields. An address that seems to lead to another host than it does is refused:
 * reviewers read its letters, but a browser parses it by its own rules.
 */

/** After the host. Other characters must be percent-encoded, such as white space, quotes and backslashes. */
export const ADDRESS_REST = `${inAddress()}*`;

/** A character of an address but not one of these. RE2 has no `\u` and looks neither ahead nor behind. */
export function inAddress(except = ""): string {
  return String.raw`[^${except}\s\x00-\x20\x7f-\x9f"<>\\]`;
}

/** Characters that are invisible or change the direction of text. JSON Schema has no portable pattern for them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
const UNFIT = /[\s"<>\\]/u;

export const hasUnseenCharacters = (text: string): boolean => UNSEEN.test(text);
export const hasUnfitCharacters = (text: string): boolean => UNFIT.test(text) || UNSEEN.test(text);

/**
 * The letters of a host: ASCII, and the accented letters of European languages (ü, é, ø, ł), which look like no other
 * letter and which browsers do not change. Every other character must be written in Punycode (xn--…), which shows that
 * the host is not a familiar one:
 * - other alphabets, because some of their letters look like Latin ones (Cyrillic “а”, Greek “ο”);
 * - characters that browsers replace (“ｍ”, “。”, “ſ”, “ŀ”, percent signs);
 * - letters that look like ASCII letters (“ı”, “ĸ”).
 */
const HOST_LETTERS = "A-Za-z0-9._~À-ÖØ-öø-įĴ-ķĹ-ľŁ-ňŊ-ž-";

/** An IPv6 address in brackets or a hostname, then an optional port. A user name (“…@”) is not allowed. */
const HOST = String.raw`(?:[${HOST_LETTERS}]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]*)?`;

/** A complete address up to its host. */
const URL_START = `[Hh][Tt][Tt][Pp][Ss]?://${HOST}`;
export const ABSOLUTE_URL_PATTERN = `^${URL_START}(?:[/?#]${ADDRESS_REST})?$`;
const ABSOLUTE_URL = new RegExp(ABSOLUTE_URL_PATTERN, "u");

/** Letters and digits of any script, hyphens and underscores, as in Wagtail; and marks, which some scripts need. */
const SLUG = /^[\p{L}\p{N}_-][\p{L}\p{M}\p{N}_-]*$/u;

export const isSlug = (text: string): boolean => SLUG.test(text.normalize("NFC"));

/**
 * How a slug that begins with “_” is written in the name of a file or folder, where “_” makes a draft or a group. No slug
 * has a percent sign, so names and slugs have each other exactly.
 */
const UNDERSCORE = "%5F";

export const nameOfSlug = (slug: string): string => slug.replace(/^_/, UNDERSCORE);

/** @param name of a file or folder that is a page, without `.json` and the “_” of a draft */
export const slugOfName = (name: string): string =>
  (name.startsWith(UNDERSCORE) ? `_${name.slice(UNDERSCORE.length)}` : name).normalize("NFC");

export const isPageName = (name: string): boolean => !name.startsWith("_") && isSlug(slugOfName(name));

/** The name of a grouping folder. It is no part of an address, so it may have any characters. */
export const GROUP = /^_[^/\\\0\ufffd]*$/;

/** The folder of the parent page of a page in these folders: grouping folders are skipped. */
export const ownerAbove = (folders: readonly string[]): string =>
  folders.slice(0, folders.findLastIndex((name) => !name.startsWith("_")) + 1).join("/");

/** Slugs with the same key are one on some system. */
export const slugKey = (slug: string): string => slug.normalize("NFC").toLowerCase();

/** The part of the rule that JSON Schema can express without classes of Unicode. */
export const SLUG_PATTERN = String.raw`[^\x00-,./:-@\[-\^\x60{-\x7f]+`;

/** A slug as a part of an address, encoded as Django does it. Another character than those of slugs stays one, too. */
export const encodedSlug = (slug: string): string =>
  /^[!-~]*$/.test(slug)
    ? slug
    : slug
        .normalize("NFC")
        .replaceAll(/\p{Cs}/gu, "\ufffd")
        .replaceAll(/[^!-~]+/g, encodeURIComponent);

const ENCODED_SLUG = "(?:[A-Za-z0-9_-]|%[0-9A-F]{2})+";

/** Names of devices on Windows: a file with such a name, with any extension, breaks every checkout there. */
const RESERVED = /^(?:con|prn|aux|nul|(?:com|lpt)[1-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;

export const isReservedName = (name: string): boolean => RESERVED.test(name);

export const RESERVED_NAME = "Windows reserves this name for a device, so that no file there can have it.";

const SLUG_AT_END = `${ENCODED_SLUG}/?`;
const RESPONSE_PATH = String.raw`${API}[1-9]\d{0,15}/`;

const pattern = (start: string | undefined, path: string): string =>
  start === undefined
    ? `^${URL_START}(?:/${inAddress("?#")}*)?${path}$`
    : `^${start.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}${path}$`;

/** Patterns of derived addresses; of the site's own addresses only, if there is a site. */
export function placementPatterns(site?: { base_url: string; site_url: string; append_slash: boolean }) {
  const below =
    site === undefined ? `/${SLUG_AT_END}` : `(?:/${ENCODED_SLUG})+${site.append_slash ? "/" : ""}`;
  return {
    "response-address": pattern(site?.base_url, RESPONSE_PATH),
    "home-address": pattern(site?.site_url, "/"),
    "subpage-address": pattern(site?.site_url, below),
    "page-address": pattern(site?.site_url, `(?:/|${below})`),
  };
}

/**
 * Hosts that only the same computer or network can reach: names without a dot, reserved names, and private or local
 * IPv4 and IPv6 addresses.
 */
const LOCAL_HOST =
  /^(?:[^.[\]]+|(?:.+\.)?(?:localhost|local|internal)|(?:127|10)(?:\.\d+){3}|0\.0\.0\.0|192\.168(?:\.\d+){2}|169\.254(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[(?:::1?|::ffff:.*|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\])\.?$/i;

/** Undefined if visitors of the website can reach the host. */
export function localHost(address: string): string | undefined {
  const host = /^https?:\/\/(\[[^\]]*\]|[^/?#:]*)/i.exec(address)?.[1];
  return host !== undefined && LOCAL_HOST.test(host) ? host : undefined;
}

type AddressProblem =
  | { problem: "incomplete" | "characters" }
  /** `host` is the host that a browser connects to. */
  | { problem: "user" | "spelling"; host: string };

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

/**
 * Whether the host is written as a browser parses it (`0x7f.1` is 127.0.0.1). A host with accented letters
 * always passes, because it is parsed to xn--….
 */
const isSpelledOut = (text: string, host: string): boolean => {
  const start = text.indexOf("//") + 2;
  return text.slice(start, start + host.length).toLowerCase() === host || host.includes("xn--");
};
