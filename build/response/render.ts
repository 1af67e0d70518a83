import type * as z from "zod";
import { printNode, type Node } from "../json/node.ts";
import { definitionOf } from "../page/field.ts";
import { mediaUrl } from "../page/media.ts";
import { responseSchemaOf, type ArtworkSource, type SourcePage } from "../page/page.ts";
import type { Site } from "../page/site.ts";
import { detailUrl, type Position } from "../sources/tree.ts";

/**
 * The response to a client: the page with everything derived (interface, sections 2.1 and 2.2), as compact JSON with
 * keys in the interface's order. `nodes` has the objects that are passed through as they were written.
 */
export function render(page: SourcePage, at: Position, site: Site, nodes?: WeakMap<object, Node>): string {
  const { type } = page.meta;
  const meta = {
    ...page.meta,
    detail_url: detailUrl(site, page.id),
    html_url: at.address,
    slug: at.slug,
    alias_of: null,
    parent: at.parent ?? null,
  };
  const artwork = isArtwork(page) ? derive(page, at, site) : {};
  return print(responseSchemaOf(type), { ...page, ...artwork, meta }, nodes);
}

const isArtwork = (page: SourcePage): page is ArtworkSource => page.meta.type === "artworks.ArtworkPage";

const derive = (page: ArtworkSource, at: Position, site: Site): Partial<ArtworkSource> => ({
  url: at.address,
  classificationId: page.classification.id,
  subject_tags: page.subjects.map(({ name }) => name),
  resources: page.resources.map((resource) => ({
    ...resource,
    slug_name: slugName(resource.type),
    display_name: resource.display_name ?? displayName(resource.type),
  })),
  master_images: page.master_images.map((image) => ({
    ...image,
    sizes: image.sizes.map(([width, label, url]) => [width, label, mediaUrl(url, site.media_url)]),
    default_url: mediaUrl(image.default_url, site.media_url),
  })),
});

/** `DISPLAY_CAPTION`: `display-caption` */
export const slugName = (type: string): string => type.toLowerCase().replaceAll("_", "-");

/** `DISPLAY_CAPTION`: `Display caption` */
export const displayName = (type: string): string =>
  type.slice(0, 1) + type.slice(1).toLowerCase().replaceAll("_", " ");

function print(schema: z.ZodType, value: unknown, nodes: WeakMap<object, Node> | undefined): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const definition = definitionOf(schema);
  switch (definition.type) {
    case "object": {
      const fields = Object.entries(definition.shape).map(
        ([key, field]) =>
          `${JSON.stringify(key)}:${print(field, (value as Record<string, unknown>)[key], nodes)}`,
      );
      return `{${fields.join(",")}}`;
    }
    case "array":
      return `[${(value as unknown[]).map((item) => print(definition.element, item, nodes)).join(",")}]`;
    case "nullable":
      return print(definition.innerType, value, nodes);
    default: {
      // A tuple, or what the interface leaves unspecified.
      const node = nodes?.get(value);
      return node === undefined || definition.type === "tuple" ? JSON.stringify(value) : printNode(node);
    }
  }
}
