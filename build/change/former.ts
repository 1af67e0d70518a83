import { Failure } from "../base/failure.ts";
import { objectIn } from "../source/json/object.ts";
import type { Site } from "../model/site.ts";
import { CheckoutRefused, listTreeSync, openRepository, readObjects, resolveBase } from "../source/git.ts";
import { addressPathOf, homeAddress, sitePath } from "../model/tree.ts";
import type { Readdressed } from "./history.ts";

/**
 * The ids of the pages that were never published at their addresses: the branch from which the site is published does not
 * have them there. Undefined if git gives no information.
 *
 * @throws CheckoutRefused if git refuses to read the checkout: without it, unnecessary addresses would be kept.
 */
export function unpublishedOf(
  content: string,
  site: Site,
  readdressed: readonly Readdressed[],
): Set<number> | undefined {
  const pathOf = (address: string): string => sitePath(address, site) ?? address;
  const home = pathOf(homeAddress(site)).length + 1;
  const pages = readdressed.map(({ id, before }) => ({ id, path: pathOf(before).slice(home) }));
  try {
    const repository = openRepository(content);
    const { commit } = resolveBase(repository, undefined);
    const objects = new Map<string, string>();
    for (const [file, { object, kind }] of listTreeSync(repository, commit)) {
      const path = addressPathOf(file);
      if (kind === "file" && path !== undefined) objects.set(path, object);
    }
    const unpublished = new Set(pages.flatMap(({ id, path }) => (objects.has(path) ? [] : [id])));
    const known = pages.filter(({ id }) => !unpublished.has(id));
    const sources = readObjects(
      repository,
      known.map(({ path }) => objects.get(path) ?? ""),
    );
    for (const page of known) {
      const id = objectIn(sources.next().value?.bytes?.toString("utf8") ?? "")?.["id"];
      if (id !== undefined && id !== page.id) unpublished.add(page.id);
    }
    return unpublished;
  } catch (cause) {
    if (cause instanceof Failure && !(cause instanceof CheckoutRefused)) return undefined;
    throw cause;
  }
}
