/** The published form of a media address. An address that begins with a slash is on the media host. */
export const mediaUrl = (written: string, media: string): string =>
  written.startsWith("/") ? media + written : written;

/** Encoded dots and slashes, encoded any number of times. `URL` does not resolve them, but a server may. */
const HIDDEN = /%(?:25)*(?:(2e)|2f|5c)/gi;

/** `outside`: the address is not below the media host's URL. `detour`: it is, but contains “.” or “..”. */
export type MediaProblem = "outside" | "detour";

/**
 * Whether an address is below the media host's URL, whichever program resolves its dots. Both must be well-formed. A
 * path is below another only from a slash on, so `/media-old` is not below `/media`.
 */
export function mediaProblem(written: string, media: string): MediaProblem | undefined {
  // The fast case: most addresses have neither dots nor percent signs that could lead upwards.
  if (written.startsWith("/") && !written.includes("/.") && !written.includes("%")) return undefined;
  const whole = mediaUrl(written, media);
  const [address, host] = [new URL(whole), new URL(media)];
  const root = host.pathname.endsWith("/") ? host.pathname : `${host.pathname}/`;
  if (address.origin !== host.origin || !address.pathname.startsWith(root)) return "outside";
  if (decodedSegments(address.pathname).includes("..")) return "outside";
  const segments = decodedSegments(whole.replace(/^https?:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, ""));
  // `URL` stops at the root if more segments lead up than down.
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

/** The address without its “.” and “..”; undefined if the detour is encoded in another way than %2e. */
export function withoutDots(written: string, media: string): string | undefined {
  let path = written.replace(/%2e/gi, ".");
  for (let before = ""; before !== path;)
    path = (before = path).replace(/\/\.(?=\/)/, "").replace(/\/(?!\.\.\/)[^/?#]+\/\.\.(?=\/)/, "");
  return mediaProblem(path, media) === undefined ? path : undefined;
}
