import { isRootType, rowOf } from "../../page/types.ts";
import type { Outline, PageOutline } from "./outline.ts";
import type { ImportReport } from "./report.ts";
import { shown, withoutSlash } from "./values.ts";

/** A page, and the location of its source. */
export interface Placed {
  page: PageOutline;
  parent: PageOutline | undefined;
  /** The path of its source, relative to the content folder. */
  path: string;
  hasChildren: boolean;
}

/** Maximum number of subpages in one folder. More are divided among grouping folders. */
const MAX_TOGETHER = 500;

/**
 * Number of accession numbers, or ids, per grouping folder. Each number is used once, so no grouping folder has more
 * pages.
 */
const GROUP_SIZE = 500;

const isRoot = ({ type, parent }: PageOutline): boolean =>
  type !== undefined && isRootType(type) && parent === "none";

/** The page tree, derived from the responses. */
export class ResponseTree {
  private readonly outline: Outline;
  private readonly report: ImportReport;
  /** Ids of parents that are not published on the host. */
  private readonly missing: ReadonlySet<number>;
  private readonly children = new Map<PageOutline, PageOutline[]>();
  private readonly parents = new Map<PageOutline, PageOutline>();
  readonly home: PageOutline | undefined;

  constructor(outline: Outline, report: ImportReport, missing: ReadonlySet<number>) {
    this.outline = outline;
    this.report = report;
    this.missing = missing;
    const byAddress = new Map<string, PageOutline>();
    for (const page of outline.pages)
      if (page.address !== undefined && !byAddress.has(withoutSlash(page.address)))
        byAddress.set(withoutSlash(page.address), page);
    for (const page of outline.pages) {
      const { parent } = page;
      if (parent === "none") continue;
      const above = "id" in parent ? outline.byId.get(parent.id) : byAddress.get(parent.address);
      if (above === undefined) continue;
      this.parents.set(page, above);
      const family = this.children.get(above);
      if (family) family.push(page);
      else this.children.set(above, [page]);
    }
    this.home = this.chooseHome();
  }

  /** Of several home pages, the one with the most subpages at any depth, then the one with the lowest id. */
  private chooseHome(): PageOutline | undefined {
    const homes = this.outline.pages.filter(isRoot).map((page) => ({ page, below: this.countBelow(page) }));
    homes.sort((a, b) => b.below - a.below || a.page.id - b.page.id);
    return homes[0]?.page;
  }

  private countBelow(page: PageOutline): number {
    let count = 0;
    const open = [page];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const family = this.children.get(next) ?? [];
      count += family.length;
      for (const child of family) open.push(child);
    }
    return count;
  }

  /**
   * Visits the pages that have a location, parents before subpages. If `write` returns false, skips the subpages of
   * that page. Reports all other pages with their reasons.
   */
  place(write: (placed: Placed) => boolean): void {
    const { home } = this;
    const done = new Set<PageOutline>();
    const folders: { page: PageOutline; folder: string }[] = [];
    const acnos = new Map<number, number>();
    if (home !== undefined) {
      done.add(home);
      const hasChildren = this.children.has(home);
      if (write({ page: home, parent: undefined, path: "index.json", hasChildren }))
        folders.push({ page: home, folder: "" });
    }
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      const { page: parent, folder } = next;
      const family = (this.children.get(parent) ?? []).sort((a, b) => a.id - b.id);
      const isLarge = family.length > MAX_TOGETHER;
      const slugs = new Map<string, number>();
      for (const page of family) {
        done.add(page);
        if (page.type === undefined || this.isTaken(page, parent, slugs, acnos)) continue;
        const below = `${folder}${isLarge ? `${groupOf(page)}/` : ""}${page.slug}`;
        const hasChildren = this.children.has(page);
        // `index.json` is the parent's own source, so a page with the slug “index” needs a folder.
        const isFolder = hasChildren || rowOf(page.type).isFolder === true || page.slug === "index";
        const path = isFolder ? `${below}/index.json` : `${below}.json`;
        if (write({ page, parent, path, hasChildren }) && hasChildren)
          folders.push({ page, folder: `${below}/` });
      }
    }
    const rest = this.outline.pages.filter((page) => !done.has(page) && page.type !== undefined);
    const loops = rest.length === 0 ? new Set<PageOutline>() : this.findLoops();
    for (const page of rest) this.leave(page, loops);
  }

  /** Whether another page has the page's address or accession number; if so, reports the page. */
  private isTaken(
    page: PageOutline,
    parent: PageOutline,
    slugs: Map<string, number>,
    acnos: Map<number, number>,
  ): boolean {
    const slug = page.slug.toLowerCase();
    const bySlug = slugs.get(slug);
    const byAcno = page.acno === 0 ? undefined : acnos.get(page.acno);
    const address = this.addressOf(page, parent);
    if (bySlug !== undefined)
      this.report.leave("slug-taken", page.id, address, `page ${bySlug} has this address already`);
    else if (byAcno !== undefined)
      this.report.leave("acno-taken", page.id, address, `page ${byAcno} has this accession number already`);
    else {
      slugs.set(slug, page.id);
      if (page.acno !== 0) acnos.set(page.acno, page.id);
      return false;
    }
    return true;
  }

  private addressOf(page: PageOutline, parent: PageOutline | undefined): string {
    if (page.address !== undefined || parent?.address === undefined) return page.address ?? page.slug;
    const own = `${withoutSlash(parent.address)}/${page.slug}`;
    return parent.address.endsWith("/") ? `${own}/` : own;
  }

  /** Reports a page that cannot be reached from the home page. */
  private leave(page: PageOutline, loops: ReadonlySet<PageOutline>): void {
    const { report } = this;
    const { id, parent } = page;
    const above = this.parents.get(page);
    const address = this.addressOf(page, above);
    if (above !== undefined) {
      if (loops.has(page))
        report.leave("loop", id, address, `it is below page ${above.id}, which is below it`);
      else report.leave("parent-left", id, address, `its parent page, ${above.id}, is not written`);
    } else if (isRoot(page))
      report.leave("second-home", id, address, `a site has one home page, and that is page ${this.home?.id}`);
    else if (parent === "none") report.leave("orphan", id, address, "it has no parent page");
    else if ("address" in parent)
      report.leave("orphan", id, address, `no page has its parent's address, ${shown(parent.address)}`);
    else if (this.missing.has(parent.id))
      report.leave("unpublished", id, address, `its parent page, ${parent.id}, is not published (404)`);
    else report.leave("orphan", id, address, `its parent page, ${parent.id}, is not among the responses`);
  }

  /** The pages that are below themselves. */
  private findLoops(): Set<PageOutline> {
    const loops = new Set<PageOutline>();
    const walks = new Map<PageOutline, PageOutline>();
    for (const start of this.outline.pages) {
      let at: PageOutline | undefined = start;
      for (; at !== undefined && !walks.has(at); at = this.parents.get(at)) walks.set(at, start);
      if (at === undefined || walks.get(at) !== start) continue;
      for (; at !== undefined && !loops.has(at); at = this.parents.get(at)) loops.add(at);
    }
    return loops;
  }
}

const LETTER_A = 0x61;

/**
 * The grouping folder of a page with many siblings: the range that contains its accession number, or, if it has none,
 * its id. It depends on nothing else, so it stays the same when other pages are added or removed.
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
