import { join } from "node:path";
import { Failure } from "../../base/failure.ts";
import { memoized } from "../../base/memoized.ts";
import { moveAll, type MoveOptions } from "../../change/page-actions.ts";
import { withoutFolder } from "../../change/target.ts";
import { finding, startOf, type Finding } from "../../findings/finding.ts";
import type { Site } from "../../model/site.ts";
import { addressesOf, linkPath, pathsOf, sitePath } from "../../model/tree.ts";
import { slugOfFile } from "../../source/page-files.ts";
import { GROUP, isReservedName, isSlug, nameOfSlug, ownerAbove, slugKey } from "../../source/address.ts";
import { draftNameProblem } from "../../source/site-files.ts";
import type { SourceIndex } from "../../source/source-index.ts";
import type { SyncPage } from "./values.ts";

interface PagePlace {
  /** The folder of the parent page. */
  parent: string;
  slug: string;
}

export function placeOf(file: string): PagePlace {
  const folders = file
    .replace(/\/_?index\.json$/, "")
    .split("/")
    .slice(0, -1);
  return { parent: ownerAbove(folders), slug: slugOfFile(file) };
}

/** The path of a parent page on the website. Its address may lack the first slash. */
const pathOfParent = (address: string): string => linkPath(address.replace(/^\/?/, "/"));

/** The addresses of all pages, also of those that a sync makes. */
export function openPlaces(listing: SourceIndex, site: Site) {
  /** Folders of parent pages by their paths on the website. */
  const parents = new Map<string, string>();
  /** Files by slug, by the folder of the parent page. */
  const below = memoized((_parent: string) => new Map<string, string>());
  const addressOf = addressesOf(listing, site);
  for (let i = 0; i < listing.count; i++) {
    below(listing.folders[listing.parentOf(i)]?.path ?? "").set(slugKey(listing.slug(i)), listing.path(i));
    if (listing.kind(i) === "index") parents.set(sitePath(addressOf(i), site) ?? "", listing.folder(i).path);
  }
  const folderOf = memoized((address: string) => parents.get(pathOfParent(address)));
  /** Made for the first parent without a folder. */
  let paths: Map<string, number> | undefined;

  /** The file of a new page, and the mistakes in its place. @throws Failure if its parent cannot have subpages yet */
  function ofNew({
    parent: address,
    folder,
    slug,
    draft = false,
  }: SyncPage): PagePlace & { file: string; findings: Finding[] } {
    const parent = folderOf(address);
    const parts = [parent, folder, `${draft ? "_" : ""}${nameOfSlug(slug)}.json`];
    const file = parts.filter((part) => part !== "" && part !== undefined).join("/");
    const at = startOf(file);
    const findings: Finding[] = [];
    if (parent === undefined) {
      paths ??= pathsOf(listing, site);
      const page = paths.get(pathOfParent(address));
      if (page !== undefined) throw new Failure(withoutFolder(listing.path(page)));
      findings.push(finding("index-missing", { folder: address.replace(/^\/|\/$/g, "") }, at));
    }
    if (folder !== undefined && !GROUP.test(folder))
      findings.push(finding("bad-slug", { slug: folder, isGroup: true }, at));
    if (!isSlug(slug) || slug === "index" || draftNameProblem(file) !== undefined)
      findings.push(finding("bad-slug", { slug, isFolder: false }, at));
    if (isReservedName(slug)) findings.push(finding("reserved-name", { name: slug }, at));
    return { file, parent: parent ?? "", slug, findings };
  }

  /** The page that has an address. */
  const at = ({ parent, slug }: PagePlace): string | undefined => below(parent).get(slugKey(slug));

  const add = (file: string, { parent, slug } = placeOf(file)): void =>
    void below(parent).set(slugKey(slug), file);

  function isAt(file: string, { parent, slug }: SyncPage): boolean {
    const folder = folderOf(parent);
    if (folder === undefined || at({ parent: folder, slug }) !== file) return false;
    // Case counts, too.
    return file.endsWith(`/${slug}.json`) || placeOf(file).slug === slug.normalize("NFC");
  }

  /** Those of the pages whose new addresses are free. */
  function movable<Page extends { file: string; to: string }>(pages: readonly Page[]): Page[] {
    const taken = new Set<string>();
    return pages.filter(({ file, to }) => {
      const place = placeOf(to);
      const owner = at(place);
      const address = `${place.parent}/${slugKey(place.slug)}`;
      const isFree = (owner === undefined || owner === file) && !taken.has(address);
      taken.add(address);
      return isFree;
    });
  }

  function move({ file, to }: { file: string; to: string }): void {
    const { parent, slug } = placeOf(file);
    below(parent).delete(slugKey(slug));
    add(to);
  }

  /**
   * Moves pages together, all or nothing; then those whose new addresses are free only now.
   *
   * @returns the pages whose new addresses other pages have; in a dry run, also those that others make free.
   * @throws Failure, before any change, if pages cannot be moved.
   */
  function movePages<Page extends { file: string; to: string }>(
    content: string,
    pages: readonly Page[],
    options: MoveOptions,
  ): Page[] {
    let left = [...pages];
    for (let next = movable(left); next.length > 0; next = movable(left)) {
      const moves = next.map(({ file, to }) => ({ from: join(content, file), to: join(content, to) }));
      moveAll(content, moves, options);
      // The others depend on these.
      if (options.isDry === true) return [];
      for (const one of next) move(one);
      const moved = new Set(next);
      left = left.filter((one) => !moved.has(one));
    }
    return left;
  }

  return { ofNew, at, add, isAt, movePages };
}
