import type { PageType } from "./page-types.ts";

/*
 * A reference to a page by its id, as a text among the targets of the links of a page: both are looked up when all pages
 * are known. No address that HTML may have begins like it.
 */

const REFERENCE = /^page:(\d+)(?::(.+))?$/;

/** `page:10`, or `page:10:artists.ArtistPage,artists.GroupPage` if only pages of these types are meant. */
export const referenceTo = (id: number, types?: readonly PageType[]): string =>
  types === undefined ? `page:${id}` : `page:${id}:${types.join(",")}`;

export interface ShownPage {
  type: PageType;
  detail_url: string;
  html_url: string;
  title: string;
}

/** What references can show of a page, in the order of the response. */
export const SHOWABLE = ["type", "detail_url", "html_url", "title"] as const;

/** A page as the response of another one shows it. @param page undefined if it is not known: then only its id is shown */
export function shownPage(id: number, page: ShownPage | undefined, shows: readonly string[]): object {
  if (page === undefined) return { id };
  const meta = SHOWABLE.filter((name) => name !== "title" && shows.includes(name));
  return {
    id,
    ...(meta.length === 0 ? {} : { meta: Object.fromEntries(meta.map((name) => [name, page[name]])) }),
    ...(shows.includes("title") ? { title: page.title } : {}),
  };
}

/** Undefined if the target is the address of a link. */
export function referenceIn(target: string): { id: number; types: PageType[] | undefined } | undefined {
  const [, id, types] = REFERENCE.exec(target) ?? [];
  return id === undefined ? undefined : { id: Number(id), types: types?.split(",") };
}
