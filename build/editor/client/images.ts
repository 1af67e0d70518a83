import { h } from "../../browse/dom.js";
import { hasImages, mediaPath, mediaUrl, ownImage, ownImagesOf, writtenAs } from "../../model/media.ts";
import { isObject } from "../../source/json/object.ts";
import type { FormContext } from "./context.ts";
import type { EditorHost } from "./host.ts";
import { button, div } from "./parts.ts";

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
  image.addEventListener("error", () => image.toggleAttribute("hidden", true));
  show();
  control.setAttribute("list", context.imageOptions.id);
  // All images are suggested at first, so that another one can be chosen.
  control.addEventListener("focus", () => suggestImages(context));
  control.addEventListener("input", () => {
    show();
    suggestImages(context, control.value);
  });
  const { site } = context.host;
  const canPick = site !== undefined && ownImagesOf(site, []) !== undefined && !control.readOnly;
  return div("image-choice", canPick && button("Choose an image", () => choose(context, control)), image);
}

/** Writes the address of an image that the editor chooses; in the list of the page's images, also its other fields. */
async function choose(context: FormContext, control: HTMLInputElement): Promise<void> {
  const { host, model } = context;
  const { pictures } = host.pages.of(model.type);
  const [list = "", index] = (control.dataset["path"] ?? "").split(".");
  const isListed = list === pictures?.list && index !== undefined;
  const { pickImage } = await import("./image-picker.ts");
  const picked = await pickImage(host, isListed);
  if (picked === undefined || !(await hasLoadedImages(host, host.images))) return;
  const { site } = host;
  if (site === undefined || !hasImages(site)) return;
  const { path, size, alt } = picked;
  const address = writtenAs(path, "/", site);
  if (!isListed || size === undefined) {
    control.value = address;
    control.dispatchEvent(new Event("input"));
    control.focus();
    return;
  }
  const at = [list, Number(index)];
  const former = model.value(at);
  const fields = pictures.fieldsOf({ address, ...size, alt });
  context.set(at, { ...(isObject(former) ? former : {}), ...fields });
  context.renderAgain([list]);
  context.placed.get(control.dataset["path"] ?? "")?.focus();
}

/** Loads the list of the images into the host's site. From then on, findings report addresses of other images. */
export async function hasLoadedImages(host: EditorHost, list: EditorHost["images"]): Promise<boolean> {
  const { site } = host;
  if (site === undefined || ownImagesOf(site, []) === undefined) return false;
  try {
    const paths = (await list()).map((path) => [path, undefined] as const);
    host.site = { ...site, images: ownImagesOf(site, paths) };
    return true;
  } catch {
    return false;
  }
}

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
  if (own !== undefined) return mediaPath(own);
  const url = mediaUrl(written, site);
  return /^https?:\/\//i.test(url) ? url : undefined;
}
