import { API, PAGES } from "../base/api.ts";
import { MEDIA } from "../page/images.ts";

/** The path of the block of `_headers` for the pages. */
export const API_BLOCK = `${API}*`;

/** The path of the block of `_headers` for the images of `_media/`. */
export const MEDIA_BLOCK = `/${MEDIA}/*`;

/**
 * An id as a regular expression that means the same in every host's dialect: 2^53-1 has 16 digits. Hosts look for no other
 * path on the disk, so no spelling of an id can lead elsewhere.
 */
export const PAGE_ID = "[1-9][0-9]{0,15}";

/**
 * The path and query of a request's target. A proxy's request also names the host (`http://HOST/PATH`), which every
 * server must accept (RFC 9112, section 3.2.2).
 */
export function originForm(target: string): string {
  const rest = ABSOLUTE.exec(target)?.[1];
  return rest === undefined ? target : rest.startsWith("/") ? rest : `/${rest}`;
}

const ABSOLUTE = /^https?:\/\/[^/?#]*(.*)$/is;

/** The file with the response for an unpublished id, for hosts that read it from a file. */
export const NOT_FOUND_FILE = `${PAGES}/404.html`;
