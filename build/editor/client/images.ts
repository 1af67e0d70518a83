import { h } from "../../browse/dom.js";
import { hasImages, ownImagesOf, writtenAs } from "../../model/media.ts";
import type { Field, FieldPath } from "../form/fields.ts";
import type { FormContext } from "./context.ts";
import type { EditorHost } from "./host.ts";

const MAX_SUGGESTED = 200;

/** The path of the address in an object that describes a picture: as it is declared, or in the form of Wagtail's images. */
export function addressIn({ fields }: Field): FieldPath | undefined {
  const own = fields.find(({ picture }) => picture !== undefined);
  if (own !== undefined) return [own.name];
  const members = fields.find(({ name }) => name === "meta")?.fields ?? [];
  return members.some(({ name, format }) => name === "download_url" && format === "media-url")
    ? ["meta", "download_url"]
    : undefined;
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
