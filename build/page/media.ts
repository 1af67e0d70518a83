/** A media address as it is published: one that begins with a slash is on the media host. */
export const mediaUrl = (written: string, media: string): string =>
  written.startsWith("/") ? media + written : written;

/** What a URL's parser does not resolve, but a server behind it may: dots between slashes, encoded any number of times. */
const HIDDEN = /%(?:25)*(?:(2e)|2f|5c)/gi;
const UPWARDS = /(?:^|\/)\.\.(?:\/|$)/;

/**
 * Whether an address stays below the media host's, compared up to a slash, by whomever its dots are resolved. Both are
 * well-formed.
 */
export function isBelowMedia(written: string, media: string): boolean {
  // Most addresses are of this kind, and cannot lead upwards.
  if (written.startsWith("/") && !written.includes("..") && !written.includes("%")) return true;
  const [address, host] = [new URL(mediaUrl(written, media)), new URL(media)];
  const root = host.pathname.endsWith("/") ? host.pathname : `${host.pathname}/`;
  return (
    address.origin === host.origin &&
    address.pathname.startsWith(root) &&
    !UPWARDS.test(address.pathname.replace(HIDDEN, (_, dot) => (dot === undefined ? "/" : ".")))
  );
}
