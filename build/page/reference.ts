import type { PageType } from "./page-types.ts";

/*
 * A reference to a page by its id, as a text among the targets of the links of a page: both are looked up when all pages
 * are known. No address that HTML may have begins like it.
 */

const REFERENCE = /^page:(\d+)(?::(.+))?$/;

/** `page:10`, or `page:10:artists.ArtistPage,artists.GroupPage` if only pages of these types are meant. */
export const referenceTo = (id: number, types?: readonly PageType[]): string =>
  types === undefined ? `page:${id}` : `page:${id}:${types.join(",")}`;

/** Undefined if the target is the address of a link. */
export function referenceIn(target: string): { id: number; types: PageType[] | undefined } | undefined {
  const [, id, types] = REFERENCE.exec(target) ?? [];
  return id === undefined ? undefined : { id: Number(id), types: types?.split(",") };
}
