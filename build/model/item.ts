import type { PageType } from "./page-types.ts";

/** What a type names in `shown`. */
export type Card = Partial<Record<"line" | "date" | "image", string>>;

/** A page in lists for websites: the fields that the lists of Wagtail's API show, in their order. */
export interface Item {
  id: number;
  title: string;
  meta: {
    type: PageType;
    detail_url: string;
    html_url: string;
    slug: string;
    show_in_menus: boolean;
    first_published_at: string | null;
    /** Only if the site declares it. */
    locale?: string | undefined;
  };
  shown?: Card;
}

/** @param response a whole response. */
export const itemOf = ({ id, title, meta }: Item, shown?: Card): Item => {
  const { type, detail_url, html_url, slug, show_in_menus, first_published_at, locale } = meta;
  const all = { type, detail_url, html_url, slug, show_in_menus, first_published_at };
  return { id, title, meta: locale === undefined ? all : { ...all, locale }, ...(shown && { shown }) };
};

/** The values by which lists order and find a page. The date is in UTC; null if it is not known, which comes first. */
export const listedFacts = ({ title, meta: { slug, first_published_at, locale } }: Item) => ({
  slug,
  title,
  first_published_at: first_published_at === null ? null : new Date(first_published_at).toISOString(),
  locale,
});

/** The same as JSON, of a valid page as it is written. @param place JSON too @param locale JSON too, or empty, as `shown` */
export function printItem(
  { id, title, meta }: { id: number; title: string; meta: object },
  type: PageType,
  place: { response: string; address: string; slug: string },
  locale: string,
  shown: string,
): string {
  const { show_in_menus = false, first_published_at, go_live_at = null } = meta as SourceMeta;
  const slug = slugIn(meta);
  const published = first_published_at === undefined ? go_live_at : first_published_at;
  return (
    `{"id":${id},"title":${JSON.stringify(title)},"meta":{"type":"${type}","detail_url":${place.response},` +
    `"html_url":${place.address},"slug":${slug === undefined ? place.slug : JSON.stringify(slug)},"show_in_menus":${show_in_menus},` +
    `"first_published_at":${JSON.stringify(published)}${locale === "" ? "" : `,"locale":${locale}`}}${shown === "" ? "" : `,"shown":${shown}`}}`
  );
}

/** The slug in a source; only home pages may have one. */
export const slugIn = (meta: object): string | undefined => (meta as SourceMeta).slug;

interface SourceMeta {
  slug?: string;
  show_in_menus?: boolean;
  first_published_at?: string | null;
  go_live_at?: string | null;
}
