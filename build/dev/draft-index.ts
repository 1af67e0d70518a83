import { createHash } from "node:crypto";
import { childrenPath } from "../base/website.ts";
import { itemOf, type Item } from "../page/item.ts";

/** A draft's response, of which only the place among the pages is needed. */
export type PlacedDraft = Item & { meta: { parent: { id: number } | null } };

const ADDRESSES = /^index\/addresses\/([\da-f]+)\.json$/;

/**
 * A file of the index with the drafts of a preview, which are behind the published pages below the same page.
 *
 * @param text of the published file; undefined if there is none.
 * @param siteUrl the beginning of the addresses of all pages.
 */
export function withDrafts(
  path: string,
  text: string | undefined,
  drafts: readonly PlacedDraft[],
  siteUrl: string,
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
  return JSON.stringify({ id: meta.parent.id, children: [...children, ...own.map(itemOf)] });
}
