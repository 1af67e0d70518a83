import { h } from "../../browse/client/dom.js";
import { MEDIA } from "../../page/images.ts";
import { encodedPath, hasImages, mediaUrl, ownImage, ownImagesOf, writtenAs } from "../../page/media.ts";
import type { FormContext } from "./context.ts";
import type { EditorHost } from "./host.ts";

/** Maximum number of images that are suggested at a time. */
const MAX_SUGGESTED = 200;

/** The image beside its address. The address has the images in `_media/` as suggestions. */
export function imageBeside(context: FormContext, control: HTMLInputElement): HTMLElement {
  const image = h("img", { alt: "", class: "image-beside" });
  const show = (): void => {
    const address = publishedUrl(context, control.value);
    if (address === undefined) image.removeAttribute("src");
    else if (image.getAttribute("src") !== address) image.src = address;
    image.hidden = address === undefined;
  };
  image.addEventListener("error", () => {
    image.hidden = true;
  });
  control.addEventListener("input", show);
  show();
  control.setAttribute("list", context.imageOptions.id);
  // All images are suggested at first, so that another one can be chosen.
  control.addEventListener("focus", () => suggestImages(context));
  control.addEventListener("input", () => suggestImages(context, control.value));
  return image;
}

/** Loads the list of the images into the host's site. From then on, findings report addresses of other images. */
export async function hasLoadedImages(host: EditorHost, list: EditorHost["images"]): Promise<boolean> {
  const { site } = host;
  if (site === undefined || ownImagesOf(site, []) === undefined) return false;
  try {
    host.site = {
      ...site,
      images: ownImagesOf(
        site,
        (await list()).map((path) => [path, undefined]),
      ),
    };
    return true;
  } catch {
    return false;
  }
}

/** Suggests the images whose address contains a text. */
export function suggestImages({ imageOptions, host: { site } }: FormContext, typed = ""): void {
  if (site === undefined || !hasImages(site)) return;
  const options: HTMLElement[] = [];
  for (const path of site.images.paths.keys()) {
    const value = writtenAs(path, "/", site);
    if (value.includes(typed) && options.push(h("option", { value })) === MAX_SUGGESTED) break;
  }
  imageOptions.replaceChildren(...options);
}

/** The URL of an image for the browser; an image that is stored with the pages is loaded from this page's host. */
function publishedUrl({ host: { site } }: FormContext, written: string): string | undefined {
  if (site === undefined || written === "") return undefined;
  const images = ownImagesOf(site, []);
  const own = images && ownImage(written, { ...site, images });
  if (own !== undefined) return `/${MEDIA}/${encodedPath(own)}`;
  const url = mediaUrl(written, site);
  return /^https?:\/\//i.test(url) ? url : undefined;
}

/** The bytes of a file as base64. */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
