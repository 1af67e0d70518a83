/** A media address as it is published: one that begins with a slash is on the media host. */
export const mediaUrl = (written: string, media: string): string =>
  written.startsWith("/") ? media + written : written;

/** Whether an address is below the media host's, compared up to a slash. Both are well-formed. */
export function isBelowMedia(written: string, media: string): boolean {
  if (written.startsWith("/")) return true;
  const [address, host] = [new URL(written), new URL(media)];
  const root = host.pathname === "/" ? "/" : `${host.pathname}/`;
  return address.origin === host.origin && address.pathname.startsWith(root);
}
