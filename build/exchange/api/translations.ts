import type { PageOutline } from "./outline.ts";

/** Groups the pages of several languages. @param homes of the languages, in their order */
export function openTranslations(
  homes: readonly PageOutline[],
  children: ReadonlyMap<PageOutline | undefined, readonly PageOutline[]>,
) {
  const places = new Map<PageOutline, { language: number; path: string }>();
  const byId = new Map<number, PageOutline>();
  const byPath = new Map<string, PageOutline[]>();
  for (const [language, home] of homes.entries()) {
    const open: [PageOutline, string][] = [[home, ""]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [page, path] = next;
      if (page.type === undefined) continue;
      places.set(page, { language, path });
      byId.set(page.id, page);
      byPath.set(path, [...(byPath.get(path) ?? []), page]);
      for (const child of children.get(page) ?? []) open.push([child, `${path}/${child.slug}`]);
    }
  }
  const languageOf = (page: PageOutline): number => places.get(page)?.language ?? homes.length;
  const pathOf = (page: PageOutline): string => places.get(page)?.path ?? "";

  /** The ids of the pages whose translations neither a response nor their paths show. */
  const unknown = (): number[] =>
    [...places].flatMap(([{ id, translations }, { language, path }]) =>
      language > 0 && translations === undefined && byPath.get(path)?.length === 1 ? [id] : [],
    );

  /** @param said the ids of the translations of pages, by their ids, as far as the host lists them */
  function group(said: ReadonlyMap<number, readonly number[]>) {
    /** The pages that say the page of which they are a translation. */
    const of = new Map<PageOutline, PageOutline>();
    for (const page of places.keys()) {
      const ids = page.translations?.map(({ id }) => id as number) ?? said.get(page.id) ?? [];
      const [original = page] = [page, ...ids.flatMap((id) => byId.get(id) ?? [])].sort(
        (a, b) => languageOf(a) - languageOf(b),
      );
      const isSame = languageOf(original) === languageOf(page) || original.type !== page.type;
      if (!isSame && pathOf(original) !== pathOf(page)) of.set(page, original);
    }
    const groups = new Map<string, PageOutline[]>();
    const add = (page: PageOutline, path: string): boolean => {
      const members = groups.get(path) ?? [];
      if (members.some((one) => languageOf(one) === languageOf(page))) return false;
      groups.set(
        path,
        [...members, page].sort((a, b) => languageOf(a) - languageOf(b)),
      );
      return true;
    };
    for (const page of places.keys()) if (!of.has(page)) add(page, pathOf(page));
    // A page of this language with the same path as the original is its translation, whatever the host says.
    for (const [page, original] of of) if (!add(page, pathOf(original))) of.delete(page);
    /** Pages that would be translations of pages of another type, by their paths. */
    const wrong = new Map<PageOutline, PageOutline>();
    const groupOf = new Map<PageOutline, PageOutline[]>();
    for (const members of groups.values()) {
      const [original] = members;
      for (const page of members) {
        groupOf.set(page, members);
        if (original !== undefined && page.type !== original.type) wrong.set(page, original);
      }
    }

    /** As JSON, with the pages that the host lists and that cannot be written. */
    function printed(page: PageOutline): string {
      const others = (groupOf.get(page) ?? []).filter((one) => one !== page);
      const listed = page.translations ?? [];
      const known = listed.flatMap(({ id }) => byId.get(id as number) ?? []);
      const isSame = known.length === others.length && known.every((one, k) => one === others[k]);
      const shown = isSame
        ? listed.map((one) => summaryOf(byId.get(one["id"] as number)) ?? one)
        : others.map(summaryOf);
      return JSON.stringify(shown);
    }
    return { of, wrong, printed };
  }
  return { unknown, group };
}

function summaryOf(page: PageOutline | undefined): object | undefined {
  if (page?.shown === undefined) return undefined;
  const { type, detail_url, html_url, title } = page.shown;
  return { id: page.id, meta: { type, locale: page.locale, detail_url, html_url }, title };
}
