import { API, PAGES } from "../base/api.ts";
import { MEDIA } from "../source/image-kinds.ts";

/** The path of the block of `_headers` for the pages. */
export const API_BLOCK = `${API}*`;

/** The path of the block of `_headers` for the images of `_media/`. */
export const MEDIA_BLOCK = `/${MEDIA}/*`;

/**
 * An id as a regular expression that means the same in every host's dialect: 2^53-1 has 16 digits. Hosts look
 * for no other path on the disk, so no spelling of an id can lead elsewhere.
 */
export const PAGE_ID = "[1-9][0-9]{0,15}";

/**
 * The path and query of a request's target. A proxy's request also names the host (`http://HOST/PATH`), which
 * every server must accept (RFC 9112, section 3.2.2).
 */
export function originForm(target: string): string {
  const rest = ABSOLUTE.exec(target)?.[1];
  return rest === undefined ? target : rest.startsWith("/") ? rest : `/${rest}`;
}

const ABSOLUTE = /^https?:\/\/[^/?#]*(.*)$/is;

export const pathIn = (target: string): string => target.split("?", 1)[0] ?? "";

/** The file with the response for an unpublished id, for hosts that read it from a file. */
export const NOT_FOUND_FILE = `${PAGES}/404.html`;

/** The bodies of error responses, byte for byte as in Wagtail's API, because clients read them. */
export const NOT_FOUND = '{"message": "No Page matches the given query."}';
export const METHOD_NOT_ALLOWED = '{"detail": "Method not allowed."}';

/**
 * The content of `_redirects`. Cloudflare does not serve `index.json` for a folder, so a page's address is
 * rewritten to its file. The first matching rule counts. Cloudflare Pages ignores `.assetsignore`: the last
 * rule, which leads to no file, prevents it from serving dotfiles.
 */
export const redirects = (): string =>
  [
    "/ /index.html 200",
    `${API}:id/ ${API}:id/index.json 200`,
    `${API}:id ${API}:id/ 301`,
    `/.* ${API}none/index.json 200`,
    "",
  ].join("\n");
