import { Failure } from "../../base/failure.ts";
import { withoutFolder } from "../../change/target.ts";
import { finding, startOf, type Finding } from "../../findings/finding.ts";
import type { Site } from "../../model/site.ts";
import { addressesOf, linkPath, pathsOf, sitePath } from "../../model/tree.ts";
import { GROUP, isReservedName, isSlug, nameOfSlug, slugKey, slugOfName } from "../../source/address.ts";
import { draftNameProblem } from "../../source/site-files.ts";
import type { SourceIndex } from "../../source/source-index.ts";
import type { SyncPage } from "./values.ts";

export const isSection = (file: string): boolean => /(?:^|\/)index\.json$/.test(file);

export const isDraft = (file: string): boolean => /(?:^|\/)_[^/]*$/.test(file);

/** The folder of the parent page of a file: grouping folders are skipped. */
export const ownerAbove = (path: string): string => {
  const parts = path.split("/").slice(0, -1);
  return parts.slice(0, parts.findLastIndex((part) => !part.startsWith("_")) + 1).join("/");
};

interface PagePlace {
  /** The folder of the parent page. */
  parent: string;
  slug: string;
}

export function placeOf(file: string): PagePlace {
  const parts = file.split("/");
  let name = (parts.pop() ?? "").replace(/\.json$/, "");
  if (name === "index" || name === "_index") name = parts.pop() ?? "";
  return { parent: ownerAbove([...parts, ""].join("/")), slug: slugOfName(name.replace(/^_/, "")) };
}

/** The addresses of all pages, also of those that a sync makes. */
export class PagePlaces {
  /** Folders of parent pages by their paths on the website. */
  private readonly parents = new Map<string, string>();
  /** Files by slug, by the folder of the parent page. */
  private readonly slugs = new Map<string, Map<string, string>>();

  /** Made for the first parent without a folder. */
  private paths: Map<string, number> | undefined;
  private readonly listing: SourceIndex;
  private readonly site: Site;

  private last: { address: string; folder: string | undefined } | undefined;

  constructor(listing: SourceIndex, site: Site) {
    this.listing = listing;
    this.site = site;
    const addressOf = addressesOf(listing, site);
    for (let i = 0; i < listing.count; i++) {
      this.below(listing.folders[listing.parentOf(i)]?.path ?? "").set(
        slugKey(listing.slug(i)),
        listing.path(i),
      );
      if (listing.kind(i) === "index")
        this.parents.set(sitePath(addressOf(i), site) ?? "", listing.folder(i).path);
    }
  }

  /** The file of a new page, and the mistakes in its place. @throws Failure if its parent cannot have subpages yet */
  ofNew({
    parent: address,
    folder,
    slug,
    draft = false,
  }: SyncPage): PagePlace & { file: string; findings: Finding[] } {
    const parent = this.folderOf(address);
    const parts = [parent, folder, `${draft ? "_" : ""}${nameOfSlug(slug)}.json`];
    const file = parts.filter((part) => part !== "" && part !== undefined).join("/");
    const at = startOf(file);
    const findings: Finding[] = [];
    if (parent === undefined) {
      this.paths ??= pathsOf(this.listing, this.site);
      const page = this.paths.get(linkPath(address));
      if (page !== undefined) throw new Failure(withoutFolder(this.listing.path(page)));
      findings.push(finding("index-missing", { folder: address.replace(/^\/|\/$/g, "") }, at));
    }
    if (folder !== undefined && !GROUP.test(folder))
      findings.push(finding("bad-slug", { slug: folder, isFolder: true }, at));
    if (!isSlug(slug) || slug === "index" || draftNameProblem(file) !== undefined)
      findings.push(finding("bad-slug", { slug, isFolder: false }, at));
    if (isReservedName(slug)) findings.push(finding("reserved-name", { name: slug }, at));
    return { file, parent: parent ?? "", slug, findings };
  }

  /** The page that has an address. */
  at({ parent, slug }: PagePlace): string | undefined {
    return this.below(parent).get(slugKey(slug));
  }

  add(file: string, { parent, slug } = placeOf(file)): void {
    this.below(parent).set(slugKey(slug), file);
  }

  isAt(file: string, { parent, slug }: SyncPage): boolean {
    const folder = this.folderOf(parent);
    if (folder === undefined || this.at({ parent: folder, slug }) !== file) return false;
    // Case counts, too.
    return file.endsWith(`/${slug}.json`) || placeOf(file).slug === slug.normalize("NFC");
  }

  /** The folder of the page with an address. */
  private folderOf(address: string): string | undefined {
    // Most pages have the parent page of the one before.
    if (this.last?.address !== address) this.last = { address, folder: this.parents.get(linkPath(address)) };
    return this.last.folder;
  }

  /** Those of the pages whose new addresses are free. */
  movable<Page extends { file: string; to: string }>(pages: readonly Page[]): Page[] {
    const taken = new Set<string>();
    return pages.filter(({ file, to }) => {
      const place = placeOf(to);
      const owner = this.at(place);
      const address = `${place.parent}/${slugKey(place.slug)}`;
      const isFree = (owner === undefined || owner === file) && !taken.has(address);
      taken.add(address);
      return isFree;
    });
  }

  move({ file, to }: { file: string; to: string }): void {
    const { parent, slug } = placeOf(file);
    this.below(parent).delete(slugKey(slug));
    this.add(to);
  }

  private below(parent: string): Map<string, string> {
    let slugs = this.slugs.get(parent);
    if (slugs === undefined) this.slugs.set(parent, (slugs = new Map()));
    return slugs;
  }
}
