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
export function render(
  page: SourcePage,
  at: Position,
  site: Site,
  nodes: WeakMap<object, Node> = new WeakMap(),
): Buffer {
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
  const pieces: string[] = [];
  print(responseSchemaOf(type), { ...page, ...artwork, meta }, nodes, pieces);
  return encoded(pieces);
}

/** Longer texts are printed in parts: a page can be one text of many MiB, and a copy of it is dear. */
const LONG = 1 << 16;

function printText(text: string, out: string[]): void {
  if (text.length <= LONG) {
    out.push(JSON.stringify(text));
    return;
  }
  out.push('"');
  for (let at = 0; at < text.length;) {
    let end = at + LONG;
    // The halves of a character belong together.
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? "")) end++;
    out.push(JSON.stringify(text.slice(at, end)).slice(1, -1));
    at = end;
  }
  out.push('"');
}

function encoded(pieces: string[]): Buffer {
  if (pieces.every(({ length }) => length < LONG)) return Buffer.from(pieces.join(""));
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let at = 0;
  for (const piece of pieces) at += bytes.write(piece, at);
  return bytes;
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

function print(schema: z.ZodType, value: unknown, nodes: WeakMap<object, Node>, out: string[]): void {
  if (typeof value === "string") {
    printText(value, out);
    return;
  }
  if (typeof value !== "object" || value === null) {
    out.push(JSON.stringify(value));
    return;
  }
  const definition = definitionOf(schema);
  switch (definition.type) {
    case "object": {
      let before = "{";
      for (const [key, field] of Object.entries(definition.shape)) {
        out.push(`${before}${JSON.stringify(key)}:`);
        print(field, (value as Record<string, unknown>)[key], nodes, out);
        before = ",";
      }
      out.push(before === "{" ? "{}" : "}");
      return;
    }
    case "array":
      out.push("[");
      for (const [i, item] of (value as unknown[]).entries()) {
        if (i > 0) out.push(",");
        print(definition.element, item, nodes, out);
      }
      out.push("]");
      return;
    case "nullable":
      print(definition.innerType, value, nodes, out);
      return;
    default: {
      // A tuple, or what the interface leaves unspecified.
      const node = nodes.get(value);
      out.push(node === undefined || definition.type === "tuple" ? JSON.stringify(value) : printNode(node));
    }
  }
}
