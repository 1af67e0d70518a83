import { Failure } from "../base/failure.ts";

/** The position of the API's own path in a URL's path, if it ends in it: /api, /api/v2, or /api/v2/ and more. */
export const apiPathAt = (path: string): number => path.search(/\/api(?:\/v2(?:\/.*)?)?\/?$/);

/** Validates the URL that all paths are below. A page's own URL, or one with a query, is an easy mistake. */
export function addressOf(url: URL): URL {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new Failure(`${url.href}: expected an address that begins with http:// or https://.`);
  if (url.username !== "" || url.password !== "")
    throw new Failure("Leave the user name or password out of the address.");
  const at = apiPathAt(url.pathname);
  if (at >= 0)
    throw new Failure(
      `${url.href}: give the URL in front of /api/v2/pages/: ${url.origin}${url.pathname.slice(0, at)}`,
    );
  if (url.search !== "" || url.hash !== "")
    throw new Failure(`${url.href}: give the URL without “?” or “#” and the part after it.`);
  return url;
}
