/** Where the pages lie below the address of the service, and below the folder that is served. */
export const API = "/api/v2/pages/";

/** The path of the block of `_headers` that pages are answered with. */
export const API_BLOCK = `${API}*`;

/**
 * An id as a regular expression that every host's dialect reads alike: 1 to 2^53-1 has at most 16 digits.
 * Nothing else is looked for on the disk, so no spelling of an id can lead elsewhere.
 */
export const PAGE_ID = "[1-9][0-9]{0,15}";

/** The answer to an id that is not published, as the build writes it for the hosts that take it from a file. */
export const NOT_FOUND_FILE = "api/v2/pages/404.html";
