import { h } from "../../browse/client/dom.js";
import { MEDIA } from "../../page/images.ts";
import { encodedPath, mediaUrl, ownImage, ownImagesOf } from "../../page/media.ts";
import type { FieldPath } from "../form/fields.ts";
import { elementId, type FormContext } from "./context.ts";

/** Elements beside an image's address: the image and, if the store can list images, suggestions. */
export function imageBeside(context: FormContext, path: FieldPath, control: HTMLInputElement): Node[] {
  const image = h("img", { alt: "", class: "image-beside", loading: "lazy" });
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
  const { images } = context.host;
  if (images !== undefined) {
    const id = elementId(path, "images");
    const options = h("datalist", { id });
    control.setAttribute("list", id);
    control.addEventListener(
      "focus",
      () =>
        void images().then(
          (found) => options.replaceChildren(...found.map((value) => h("option", { value }))),
          () => undefined,
        ),
      { once: true },
    );
    return [options, image];
  }
  return [image];
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
