import { createHash } from "node:crypto";
import { childrenPath } from "../base/website.ts";
import { itemOf, type Item } from "../page/item.ts";
import { byPosition } from "../page/position.ts";

/** A draft's response, of which only the place among the pages is needed. */
export type PlacedDraft = Item & { meta: { parent: { id: number } | null } };

const ADDRESSES = /^index\/addresses\/([\da-f]+)\.json$/;

interface Drafts {
  drafts: readonly PlacedDraft[];
  /** The beginning of the addresses of all pages. */
  siteUrl: string;
  /** By id: the positions among siblings, of pages and drafts that have one. */
  positions: ReadonlyMap<number, number>;
}

/**
 * A file of the index with the drafts of a preview.
 *
 * @param text of the published file; undefined if there is none.
 */
export function withDrafts(
  path: string,
  text: string | undefined,
  { drafts, siteUrl, positions }: Drafts,
): string | undefined {
  const [, name] = ADDRESSES.exec(path) ?? [];
  if (name !== undefined) {
    const own = drafts.flatMap(({ id, meta }): [string, number][] => {
      const address = meta.html_url.slice(siteUrl.length);
      return createHash("sha256").update(address).digest("hex").startsWith(name) ? [[address, id]] : [];
    });
    return text && JSON.stringify({ ...(JSON.parse(text) as object), ...Object.fromEntries(own) });
  }
  const own = drafts.filter(({ meta }) => childrenPath(meta.parent?.id ?? 0) === path);
  const [{ meta } = { meta: { parent: null } }] = own;
  if (meta.parent === null) return text;
  const { children } = JSON.parse(text ?? '{"children": []}') as { children: Item[] };
  const all = [...children, ...own.map(itemOf)].map((item) => ({
    item,
    id: item.id,
    position: positions.get(item.id) ?? 0,
  }));
  return JSON.stringify({ id: meta.parent.id, children: all.sort(byPosition).map(({ item }) => item) });
}
