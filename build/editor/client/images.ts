import { h } from "../../browse/dom.js";
import { mediaPath, mediaUrl, ownImage, ownImagesOf } from "../../model/media.ts";
import type { Field, FieldPath } from "../form/fields.ts";
import { addressIn, pathText, shownText } from "../form/values.ts";
import type { FormContext } from "./context.ts";
import { button, div, help } from "./parts.ts";

/* The pictures of a form. */

/** The path of the address in an object of the form or in one of its members; the object may be one of the page's images. */
export function addressAt(context: FormContext, field: Field, path: FieldPath): FieldPath | undefined {
  const { pictures } = context.host.pages.of(context.model.type);
  if (path.length === 2 && path[0] === pictures?.list) return [...path, "default_url"];
  const inside = addressIn(field);
  if (inside !== undefined) return [...path, ...inside];
  return field.fields.map((one) => addressAt(context, one, [...path, one.name])).find(Boolean);
}

const canPick = ({ host: { site } }: FormContext): boolean =>
  site !== undefined && ownImagesOf(site, []) !== undefined;

/** Shows a picture, which another one replaces that is chosen, or dropped on it. @param control of its address, if there is one */
export function pictureChoice(context: FormContext, path: FieldPath, control?: HTMLInputElement) {
  const image = pictureAt(context, path, "image-beside");
  control?.addEventListener("input", () => showPicture(context, image, control.value));
  if (!canPick(context) || control?.readOnly === true) return div("image-choice", image);
  const said = h("output", { class: "form-status", "data-said": pathText(path) });
  const choose = button("Choose an image", () => take(context, path));
  const zone = div("image-choice", image, div("image-buttons", choose, help("or drop one here")), said);
  acceptImages(zone, context, path);
  return zone;
}

/** The picture at an address of the form; hidden if there is none. */
export function pictureAt(context: FormContext, path: FieldPath, className: string): HTMLImageElement {
  const image = h("img", { alt: "", class: className });
  const show = (): void => showPicture(context, image, shownText(context.model.value(path)));
  image.addEventListener("error", () => {
    image.hidden = true;
    // A new image is there after the next build.
    document.addEventListener("rebuilt", () => setTimeout(show), { once: true });
  });
  show();
  return image;
}

function showPicture(context: FormContext, image: HTMLImageElement, written: string): void {
  const address = publishedUrl(context, written);
  image.hidden = address === undefined;
  if (address === undefined) image.removeAttribute("src");
  else image.src = address;
}

/** Lets an image that is dropped on an element replace the one at an address. */
export function acceptImages(element: HTMLElement, context: FormContext, path: FieldPath): void {
  if (!canPick(context)) return;
  const mark = (isOver: boolean) => (event: DragEvent) => {
    if (event.dataTransfer?.types.includes("Files") !== true) return;
    element.classList.toggle("is-over", isOver);
    event.preventDefault();
    event.stopPropagation();
  };
  element.addEventListener("dragover", mark(true));
  element.addEventListener("dragleave", mark(false));
  element.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    mark(false)(event);
    if (file !== undefined) void take(context, path, file);
  });
}

const take = async (context: FormContext, path: FieldPath, file?: File): Promise<void> =>
  (await import("./image-picker.ts")).takePicture(context, path, file);

/** The URL of an image for the browser; an image that is stored with the pages is loaded from this page's host. */
function publishedUrl({ host: { site } }: FormContext, written: string): string | undefined {
  if (site === undefined || written === "") return undefined;
  const images = ownImagesOf(site, []);
  const own = images && ownImage(written, { ...site, images });
  if (own !== undefined) return mediaPath(own);
  const url = mediaUrl(written, site);
  return /^https?:\/\//i.test(url) ? url : undefined;
}
