import { grouped } from "../../base/grouped.ts";
import { nameOfSlug, slugKey } from "../../source/address.ts";
import { positionsFor } from "../../model/position.ts";
import type { outlineOf, PageOutline } from "./outline.ts";
import type { ImportReport } from "./report.ts";
import { languagesAmong, type HostLanguages } from "./languages.ts";
import { shown, shownValue, withoutSlash } from "./values.ts";

/** A page, and the location of its source. */
export interface Placed {
  page: PageOutline;
  parent: PageOutline | undefined;
  /** The path of its source, relative to the content folder. */
  path: string;
  hasChildren: boolean;
  /** Its `meta.order`; undefined if it needs none. */
  order?: number | undefined;
}

/** Maximum number of subpages in one folder. More are divided among grouping folders. */
const MAX_TOGETHER = 500;

/** Accession numbers, or ids, per grouping folder, which has no more pages: each number is used once. */
const GROUP_SIZE = 500;

/** Pages with their subpages, by the ids or the addresses of their parents. */
export function familiesOf<P extends Pick<PageOutline, "id" | "parent" | "address">>(pages: readonly P[]) {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const byAddress = new Map<string, P>();
  // Reversed, so that the first page with an address counts.
  for (const page of pages.toReversed())
    if (page.address !== undefined) byAddress.set(withoutSlash(page.address), page);
  const parents = new Map<P, P>();
  for (const page of pages) {
    const { parent } = page;
    if (parent === "none") continue;
    const above = "id" in parent ? byId.get(parent.id) : byAddress.get(parent.address);
    if (above !== undefined) parents.set(page, above);
  }
  const children = grouped(parents.keys(), (page) => parents.get(page));

  function countBelow(page: P): number {
    let count = 0;
    const open = [page];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const family = children.get(next) ?? [];
      count += family.length;
      for (const child of family) open.push(child);
    }
    return count;
  }

  /** Pages without parents: those with the most subpages at any depth first, then those with the lowest ids. */
  const largestFirst = (tops: readonly P[]): P[] =>
    tops
      .map((page) => ({ page, below: countBelow(page) }))
      .sort((a, b) => b.below - a.below || a.page.id - b.page.id)
      .map(({ page }) => page);
  return { parents, children, largestFirst };
}

export function responseTree({ types, pages }: Pick<ReturnType<typeof outlineOf>, "types" | "pages">) {
  const families = familiesOf(pages);
  const { parents, children } = families;

  function isRoot({ type, parent }: PageOutline): boolean {
    return type !== undefined && types.isRoot(type) && parent === "none";
  }

  const languagesWith = (hints: Parameters<typeof languagesAmong>[2]): HostLanguages<PageOutline> =>
    languagesAmong(pages.filter(isRoot), families, hints);

  /**
   * Visits the pages that have a location, parents before subpages. If `write` returns false, skips the
   * subpages of that page. Reports all other pages with their reasons.
   * `homes`: the home page of each language, the main one first. `missing`: ids of parents that are not published on the
   * host. `siblings`: the places of pages among their siblings, by id, if they are known.
   */
  function place(
    report: ImportReport,
    homes: readonly PageOutline[],
    missing: ReadonlySet<number>,
    write: (placed: Placed) => boolean,
    siblings: ReadonlyMap<number, number> = new Map(),
  ) {
    const done = new Set<PageOutline>();
    const folders: { page: PageOutline; folder: string }[] = [];
    const languages = new Set(homes.slice(1).map(folderOfLanguage));
    const visit = (placed: Placed, folder: string): void => {
      done.add(placed.page);
      if (write(placed) && placed.hasChildren) folders.push({ page: placed.page, folder });
    };
    for (const home of homes) {
      // A work can have a page in each language.
      const acnos = new Map<number, number>();
      const top = home === homes[0] ? "" : `${folderOfLanguage(home)}/`;
      visit(
        { page: home, parent: undefined, path: `${top}index.json`, hasChildren: children.has(home) },
        top,
      );
      for (let next = folders.pop(); next !== undefined; next = folders.pop()) placeBelow(next, top, acnos);
    }
    reportOthers(report, homes[0], missing, done);

    function placeBelow(above: (typeof folders)[number], top: string, acnos: Map<number, number>): void {
      const { page: parent, folder } = above;
      const family = (children.get(parent) ?? []).sort((a, b) => a.id - b.id);
      const orders = ordersOf(family, siblings);
      const isLarge = family.length > MAX_TOGETHER;
      const slugs = new Map<string, number>();
      for (const page of family) {
        done.add(page);
        if (page.type === undefined) continue;
        const slug = slugKey(page.slug);
        const [bySlug, byAcno] = [slugs.get(slug), acnos.get(page.acno)];
        if (bySlug !== undefined || byAcno !== undefined) {
          const [code, reason] =
            bySlug === undefined
              ? (["acno-taken", `page ${byAcno} has this accession number already`] as const)
              : (["slug-taken", `page ${bySlug} has this address already`] as const);
          report.leave(code, page.id, addressOf(page), reason);
          continue;
        }
        slugs.set(slug, page.id);
        if (page.acno !== 0) acnos.set(page.acno, page.id);
        // The name of a language's folder would make the page one of that language.
        const isGrouped = isLarge || (folder === top && languages.has(slug));
        const below = `${folder}${isGrouped ? `${groupOf(page)}/` : ""}${nameOfSlug(page.slug)}`;
        const hasChildren = children.has(page);
        // `index.json` is the parent's own source, so a page with the slug “index” needs a folder.
        const isFolder = hasChildren || types.of(page.type).isFolder === true || page.slug === "index";
        const path = isFolder ? `${below}/index.json` : `${below}.json`;
        visit({ page, parent, path, hasChildren, order: orders.get(page.id) }, `${below}/`);
      }
    }
  }

  /** The ids of pages with several subpages, which have an order. */
  const parentsOfSeveral = (): Set<number> =>
    new Set([...children].flatMap(([page, family]) => (page && family.length > 1 ? [page.id] : [])));

  function addressOf(page: PageOutline): string {
    const above = parents.get(page)?.address;
    if (page.address !== undefined || above === undefined) return page.address ?? page.slug;
    return `${withoutSlash(above)}/${page.slug}${above.endsWith("/") ? "/" : ""}`;
  }

  function reportOthers(
    report: ImportReport,
    home: PageOutline | undefined,
    missing: ReadonlySet<number>,
    done: ReadonlySet<PageOutline>,
  ) {
    const others = pages.filter((page) => !done.has(page) && page.type !== undefined);
    const loops = others.length === 0 ? undefined : findLoops();
    /** Pages that could be written, if the page above them were. */
    const ready = new Set(others.filter((page) => parents.has(page) && loops?.has(page) !== true));
    const below = new Map<number, number>();
    for (const page of ready) {
      let top: PageOutline | undefined = page;
      while (top !== undefined && ready.has(top)) top = parents.get(top);
      if (top !== undefined) below.set(top.id, (below.get(top.id) ?? 0) + 1);
    }
    for (const page of others) {
      const { id, parent } = page;
      const above = parents.get(page);
      const leave = (code: Parameters<ImportReport["leave"]>[0], reason: string): void =>
        report.leave(code, id, addressOf(page), reason);
      if (above !== undefined && !ready.has(page))
        leave("loop", `it is below page ${above.id}, which is below it`);
      else if (above !== undefined) leave("parent-left", `its parent page, ${above.id}, is not written`);
      else if (isRoot(page))
        leave(
          "second-home",
          page.locale === home?.locale
            ? `a site has one home page, and that is page ${home?.id}`
            : `its language is ${shownValue(page.locale)}, whose address or code is not that of a language of this site`,
        );
      else if (parent === "none") leave("orphan", "it has no parent page");
      else if ("address" in parent)
        leave("orphan", `no page has its parent's address, ${shown(parent.address)}`);
      else if (missing.has(parent.id))
        leave("unpublished", `its parent page, ${parent.id}, is not published (404)`);
      else leave("orphan", `its parent page, ${parent.id}, is not among the responses`);
    }
    report.addBelow(below);
  }

  function findLoops(): Set<PageOutline> {
    const loops = new Set<PageOutline>();
    const walks = new Map<PageOutline, PageOutline>();
    for (const start of pages) {
      let at: PageOutline | undefined = start;
      for (; at !== undefined && !walks.has(at); at = parents.get(at)) walks.set(at, start);
      if (at === undefined || walks.get(at) !== start) continue;
      for (; at !== undefined && !loops.has(at); at = parents.get(at)) loops.add(at);
    }
    return loops;
  }

  return { children, languagesWith, place, parentsOfSeveral };
}

const folderOfLanguage = ({ locale = "" }: PageOutline): string => locale.toLowerCase();

/** The values of `meta.order`, by id. Pages without a place follow the others, by id. */
function ordersOf(
  family: readonly PageOutline[],
  siblings: ReadonlyMap<number, number>,
): Map<number, number> {
  const placeOf = ({ id }: PageOutline): number => siblings.get(id) ?? Infinity;
  const wanted = family.toSorted((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
  return positionsFor(wanted.map(({ id }) => ({ id, position: 0 })));
}

const LETTER_A = 0x61;

/**
 * The grouping folder of a page with many siblings: the range that contains its accession number, or, if it
 * has none, its id. It depends on nothing else, so it stays the same when other pages are added or removed.
 */
export function groupOf({ acno, id }: Pick<PageOutline, "acno" | "id">): string {
  const number = acno === 0 ? id : acno % 100_000;
  const from = Math.floor(number / GROUP_SIZE) * GROUP_SIZE;
  const to = from + GROUP_SIZE - 1;
  if (acno === 0) return `_${from}-${to}`;
  const letter = String.fromCharCode(LETTER_A + Math.floor(acno / 100_000) - 1);
  const digits = (n: number): string => letter + String(n).padStart(5, "0");
  return `_${digits(from)}-${digits(to)}`;
}
