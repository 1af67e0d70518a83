import { Failure } from "../base/failure.ts";
import { objectIn } from "../json/object.ts";
import { CheckoutRefused, listTreeSync, openRepository, readObjects, resolveBase } from "../sources/git.ts";

/** A page and an address that it had. */
export interface Former {
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
export function unpublishedOf(content: string, pages: readonly Former[]): Set<Former> | undefined {
  try {
    const repository = openRepository(content);
    const { commit } = resolveBase(repository, undefined);
    const objects = new Map<string, string>();
    for (const [file, { object, kind }] of listTreeSync(repository, commit)) {
      const path = pathOf(file);
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

/** Undefined for a draft, and for a file that is not a source. */
function pathOf(file: string): string | undefined {
  const parts = file.split("/");
  const name = parts.pop() ?? "";
  if (!name.endsWith(".json") || name.startsWith("_") || name.startsWith(".")) return undefined;
  if (name !== "index.json") parts.push(name.slice(0, -".json".length));
  return parts.filter((part) => !part.startsWith("_")).join("/");
}
