import { MEDIA, type ImageSize } from "../source/image-kinds.ts";

/** The members of an object that belong to the picture at one of its addresses. */
export type PictureMembers = Readonly<Partial<Record<"width" | "height" | "alt" | "ratio", string>>>;

/** The settings from which the addresses of images are made. */
export interface MediaSite {
  /** Empty if it is not known. */
  media_url: string;
  /** `media_url` as `_site.json` has it, if another address replaces a part of it. */
  written_media_url?: string | undefined;
  /** The images that are kept with the pages, if the media host is the API's own: addresses must lead to one of them. */
  images?: OwnImages | undefined;
}

export interface OwnImages {
  /** The address that they are published below; it ends in a slash. */
  base: string;
  /** By path relative to it, not encoded: the size of each image, if it is known. */
  paths: ReadonlyMap<string, ImageSize | undefined>;
}

/** Undefined if the media host is not the API's own. @param images their paths below `_media/`, and sizes */
export const ownImagesOf = (
  { base_url, media_url }: { base_url: string; media_url: string },
  images: Iterable<readonly [path: string, size: ImageSize | undefined]>,
): OwnImages | undefined =>
  beginsWith(media_url, base_url) ? { base: `${base_url}/${MEDIA}/`, paths: new Map(images) } : undefined;

export const encodedPath = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** The path of an image of `_media/` on the API's host. */
export const mediaPath = (path: string): string => `/${MEDIA}/${encodedPath(path)}`;

export const NO_MEDIA: MediaSite = { media_url: "" };

/** A media address as it is published: one that begins with a slash is on the media host. */
export function mediaUrl(written: string, { media_url, written_media_url: before }: MediaSite): string {
  if (written.startsWith("/")) return media_url + written;
  return before !== undefined && written.startsWith(`${before}/`)
    ? media_url + written.slice(before.length)
    : written;
}

/** Whether an address is another one, or begins with it and a slash. */
export const beginsWith = (url: string, start: string): boolean =>
  url === start || url.startsWith(`${start}/`);

/** The path of an image that is kept with the pages; undefined if the address is not of such an image. */
export function ownImage(written: string, site: MediaSite & { images: OwnImages }): string | undefined {
  const whole = mediaUrl(written, site);
  if (!URL.canParse(whole)) return undefined;
  const [url, base] = [new URL(whole), new URL(site.images.base).href];
  // Hosts do not agree on what an encoded slash is.
  if (!url.href.startsWith(base) || /%2f/i.test(url.href)) return undefined;
  try {
    return decodeURIComponent(
      url.href.slice(base.length, url.href.length - url.search.length - url.hash.length),
    );
  } catch {
    return undefined;
  }
}

/** The address of such an image, as it is written beside another one. */
export function writtenAs(path: string, beside: string, site: MediaSite & { images: OwnImages }): string {
  const address = site.images.base + encodedPath(path);
  const isShort = beside.startsWith("/") && beginsWith(address, site.media_url);
  return isShort ? address.slice(site.media_url.length) : address;
}

export const hasImages = (site: MediaSite): site is MediaSite & { images: OwnImages } =>
  site.images !== undefined;

/** Encoded dots and slashes, encoded any number of times. `URL` does not resolve them, but a server may. */
const HIDDEN = /%(?:25)*(?:(2e)|2f|5c)/gi;

/**
 * `outside`: not below the media host's URL. `missing`: none of the images that are kept with the pages.
 * `detour`: below the media host's URL, but with “.” or “..”.
 */
type MediaProblem = "outside" | "missing" | "detour";

/** Both must be well-formed. Any program may resolve the dots. `/media-old` is not below `/media`. */
export function mediaProblem(written: string, site: MediaSite): MediaProblem | undefined {
  // The fast case: most addresses have neither dots nor percent signs that could lead upwards.
  if (written.startsWith("/") && !written.includes("/.") && !written.includes("%"))
    return isMissing(written, site) ? "missing" : undefined;
  const whole = mediaUrl(written, site);
  const [address, host] = [new URL(whole), new URL(site.media_url)];
  const root = host.pathname.endsWith("/") ? host.pathname : `${host.pathname}/`;
  if (address.origin !== host.origin || !address.pathname.startsWith(root)) return "outside";
  if (decodedSegments(address.pathname).includes("..")) return "outside";
  const segments = decodedSegments(whole.replace(/^https?:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, ""));
  // `URL` stops at the root if more segments lead up than down.
  if (leavesHost(segments)) return "outside";
  if (isMissing(written, site)) return "missing";
  return segments.includes(".") || segments.includes("..") ? "detour" : undefined;
}

/** Undefined if the address is not of an image that is kept with the pages. */
export const ownSize = (written: string, site: MediaSite): ImageSize | undefined =>
  hasImages(site) ? site.images.paths.get(ownImage(written, site) ?? "") : undefined;

const isMissing = (written: string, site: MediaSite): boolean =>
  hasImages(site) && !site.images.paths.has(ownImage(written, site) ?? "");

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

/** Undefined if the detour is encoded in another way than %2e. */
export function withoutDots(written: string, site: MediaSite): string | undefined {
  let path = written.replace(/%2e/gi, ".");
  for (let before = ""; before !== path;)
    path = (before = path).replace(/\/\.(?=\/)/, "").replace(/\/(?!\.\.\/)[^/?#]+\/\.\.(?=\/)/, "");
  return mediaProblem(path, site) === undefined ? path : undefined;
}
