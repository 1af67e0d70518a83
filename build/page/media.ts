/** A media address as it is published: one that begins with a slash is on the media host. */
export const mediaUrl = (written: string, media: string): string =>
  written.startsWith("/") ? media + written : written;

/** What a URL's parser does not resolve, but a server behind it may: dots between slashes, encoded any number of times. */
const HIDDEN = /%(?:25)*(?:(2e)|2f|5c)/gi;

/** `outside`: it leads out of the media host's address. `detour`: it stays below it, but by way of “.” or “..”. */
export type MediaProblem = "outside" | "detour";

/**
 * Whether an address stays below the media host's, compared up to a slash, whichever program resolves its dots. Both
 * are well-formed.
 */
export function mediaProblem(written: string, media: string): MediaProblem | undefined {
  // Most addresses are of this kind, and cannot lead upwards.
  if (written.startsWith("/") && !written.includes("/.") && !written.includes("%")) return undefined;
  const whole = mediaUrl(written, media);
  const [address, host] = [new URL(whole), new URL(media)];
  const root = host.pathname.endsWith("/") ? host.pathname : `${host.pathname}/`;
  if (address.origin !== host.origin || !address.pathname.startsWith(root)) return "outside";
  if (decodedSegments(address.pathname).includes("..")) return "outside";
  const segments = decodedSegments(whole.replace(/^https?:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, ""));
  // The URL's parser ends at the host's own path if more segments lead up than down.
  if (leavesHost(segments)) return "outside";
  return segments.includes(".") || segments.includes("..") ? "detour" : undefined;
}

const decodedSegments = (path: string): string[] =>
  path.replace(HIDDEN, (_, dot) => (dot === undefined ? "/" : ".")).split("/");

function leavesHost(segments: readonly string[]): boolean {
  let depth = 0;
  for (const segment of segments) {
    if (segment === "..") depth--;
    else if (segment !== "" && segment !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}

/** A detour without its dots, if they are written as dots. */
export function withoutDots(written: string, media: string): string | undefined {
  let path = written.replace(/%2e/gi, ".");
  for (let before = ""; before !== path;)
    path = (before = path).replace(/\/\.(?=\/)/, "").replace(/\/(?!\.\.\/)[^/?#]+\/\.\.(?=\/)/, "");
  return mediaProblem(path, media) === undefined ? path : undefined;
}
