import { API, PAGES } from "../base/api.ts";

/** The path of the block of `_headers` that pages are answered with. */
export const API_BLOCK = `${API}*`;

/**
 * An id as a regular expression that every host's dialect reads alike: 1 to 2^53-1 has at most 16 digits.
 * Nothing else is looked for on the disk, so no spelling of an id can lead elsewhere.
 */
export const PAGE_ID = "[1-9][0-9]{0,15}";

/**
 * The path and the query of a request's target. A proxy's request names the host as well (`http://HOST/PATH`), and
 * every server must understand it (RFC 9112, section 3.2.2).
 */
export function originForm(target: string): string {
  const rest = ABSOLUTE.exec(target)?.[1];
  return rest === undefined ? target : rest.startsWith("/") ? rest : `/${rest}`;
}

const ABSOLUTE = /^https?:\/\/[^/?#]*(.*)$/is;

/** The answer to an id that is not published, as the build writes it for the hosts that take it from a file. */
export const NOT_FOUND_FILE = `${PAGES}/404.html`;
