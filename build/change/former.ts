import { Failure } from "../base/failure.ts";
import { objectIn } from "../source/json/object.ts";
import type { History } from "../model/history.ts";
import type { Site } from "../model/site.ts";
import { CheckoutRefused, listTreeSync, openRepository, readObjects, resolveBase } from "../source/git.ts";
import { addressPathOf, homeAddress, sitePath } from "../model/tree.ts";

/** A page that gets another address. Both addresses are on the website, without its host. */
export interface Readdressed {
  id: number;
  before: string;
  after: string;
}

/** `_history.json` at the two moments of a move, and the old addresses that it does not keep. */
export interface Histories {
  /** The history before the files move, with the entries that visitors still need. */
  first: History;
  /** The history after the files have moved. */
  last: History;
  dropped: string[];
}

export function rememberMove(
  content: string,
  site: Site,
  { retired, moved }: History,
  pages: readonly Readdressed[],
): Histories {
  const pathOf = (address: string): string => sitePath(address, site) ?? address;
  const home = pathOf(homeAddress(site)).length + 1;
  const formers = pages.map((page) => ({ ...page, path: pathOf(page.before).slice(home) }));
  const unpublished = unpublishedOf(content, formers);
  const byId = new Map(formers.map((page) => [page.id, page]));

  const first: History["moved"] = [];
  const last: History["moved"] = [];
  const dropped: string[] = [];
  const returned = new Set<number>();
  for (const entry of moved) {
    const page = byId.get(entry.id);
    const path = pathOf(entry.address);
    if (page !== undefined && path === pathOf(page.before)) continue;
    first.push(entry);
    if (page !== undefined && path === pathOf(page.after)) returned.add(entry.id);
    // Without git, a page that returns to an old address undoes its moves since then.
    else if (unpublished !== undefined || !returned.has(entry.id)) last.push(entry);
    else dropped.push(entry.address);
  }
  const afterOf = new Map<string, string>();
  for (const page of formers) {
    if (unpublished === undefined ? returned.has(page.id) : unpublished.has(page)) dropped.push(page.before);
    else {
      for (const list of [first, last]) list.push({ id: page.id, address: page.before });
      afterOf.set(pathOf(page.before), page.after);
    }
  }
  // If a retired page redirects to a page that moves, it now redirects to the new address.
  const led = retired.map((entry) => {
    const after = entry.to === null ? undefined : afterOf.get(pathOf(entry.address));
    return after === undefined ? entry : { ...entry, to: after };
  });
  return { first: { retired: led, moved: first }, last: { retired: led, moved: last }, dropped };
}

/** The history without moved entries at whose address their page is: an interrupted move leaves such entries. */
export function withoutReturned(
  site: Site,
  { retired, moved }: History,
  addresses: ReadonlyMap<number, string>,
): History {
  const isAt = (id: number, address: string): boolean => {
    const now = addresses.get(id);
    return now !== undefined && sitePath(now, site) === sitePath(address, site);
  };
  return { retired, moved: moved.filter(({ id, address }) => !isAt(id, address)) };
}

interface Former {
  id: number;
  /** Its path below the home page: `visit/access`. */
  path: string;
}

/**
 * The pages that were never published at these addresses: the branch from which the site is published does not have
 * them there. Undefined if git gives no information.
 *
 * @throws CheckoutRefused if git refuses to read the checkout: without it, unnecessary addresses would be kept.
 */
function unpublishedOf(content: string, pages: readonly Former[]): Set<Former> | undefined {
  try {
    const repository = openRepository(content);
    const { commit } = resolveBase(repository, undefined);
    const objects = new Map<string, string>();
    for (const [file, { object, kind }] of listTreeSync(repository, commit)) {
      const path = addressPathOf(file);
      if (kind === "file" && path !== undefined) objects.set(path, object);
    }
    const unpublished = new Set(pages.filter(({ path }) => !objects.has(path)));
    const known = pages.filter((page) => !unpublished.has(page));
    const sources = readObjects(
      repository,
      known.map(({ path }) => objects.get(path) ?? ""),
    );
    for (const page of known) {
      const id = objectIn(sources.next().value?.bytes?.toString("utf8") ?? "")?.["id"];
      if (id !== undefined && id !== page.id) unpublished.add(page);
    }
    return unpublished;
  } catch (cause) {
    if (cause instanceof Failure && !(cause instanceof CheckoutRefused)) return undefined;
    throw cause;
  }
}
