import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import {
  GROUP,
  isPageName,
  isReservedName,
  ownerAbove,
  RESERVED_NAME,
  slugKey,
  slugOfName,
} from "../source/address.ts";
import { draftNameProblem } from "../source/site-files.ts";
import { MEDIA_FOLDER } from "../source/image-kinds.ts";
import { languagesOf, type Language } from "../model/languages.ts";
import type { PageType, PageTypes } from "../model/page-types.ts";
import type { Site } from "../model/site.ts";
import { childAddress, folderAddress, homeAddressIn } from "../model/tree.ts";
import type { SourceIndex } from "../source/source-index.ts";
import { obstacleIn, partsOf } from "./files.ts";
import { typeIn } from "./pages.ts";

/** The site in which a new page gets its position. */
interface TargetSite {
  content: string;
  model: PageTypes;
  listing: SourceIndex;
  site: Site | undefined;
}

/** The position of a new page. Paths are relative to the content folder. */
export interface Target {
  file: string;
  /** For a draft: the name of the file once it is published. */
  published?: string;
  slug: string;
  /** The folder of the parent page; absent for the home page. */
  parent?: string;
}

/**
 * The position that an editor named: `visit/cafe`, `visit/cafe.json` or `content/visit/cafe.json` for a page in one file,
 * `visit/food/` or `visit/food/index.json` for a page that can have subpages.
 *
 * @param moving the current source of a page that moves: its slug does not count as taken.
 * @param leaves gets the source of a parent page in one file, which is refused without it.
 * @throws Failure if no page of this type can be created there, with a remedy.
 */
export function findTarget(
  whole: TargetSite,
  path: string,
  type: PageType,
  draft: boolean,
  moving?: string,
  leaves?: Set<string>,
): Target {
  const { content, model: types, listing, site } = whole;
  const parts = partsOf(content, path);
  const last = parts.pop() ?? "";
  const isIndex = last === "index";
  const name = last.replace(/^_/, "");
  const isDraft = draft || name !== last;
  const own = isIndex ? (parts.at(-1) ?? "home") : name;
  const slug = slugOfName(own);
  for (const part of isIndex ? parts : [...parts, own]) {
    if (part.startsWith("_") ? !GROUP.test(part) : !isPageName(part))
      throw new Failure(`“${part}” cannot be a part of an address: write letters, digits, “-” and “_” only.`);
    if (isReservedName(part)) throw new Failure(`“${part}” cannot be a name: ${RESERVED_NAME}`);
  }
  if (isIndex && own.startsWith("_"))
    throw new Failure(
      `${parts.join("/")} only groups files, because its name begins with “_”, so it cannot be a page.`,
    );
  if (isIndex && isDraft)
    throw new Failure(`A draft is one file: leave out the slash, and give it a folder when it is published.`);
  if (parts[0] === MEDIA_FOLDER)
    throw new Failure(`${MEDIA_FOLDER}/ contains only images. Choose another folder for the page.`);
  const folder = parts.join("/");
  const file = (base: string): string => (folder === "" ? base : `${folder}/${base}`) + ".json";
  const target: Target = isDraft
    ? { file: file(`_${name}`), published: file(name), slug }
    : { file: file(last), slug };
  const problem = draftNameProblem(target.file);
  if (problem !== undefined) throw new Failure(problem);
  const obstacle = obstacleIn(content, parts);
  if (obstacle !== undefined) throw new Failure(`${obstacle.path} is not a folder.`);
  if (lstatSync(join(content, target.file), { throwIfNoEntry: false }))
    throw new Failure(`${target.file} is there already.`);
  const home = languagesOf(site ?? {}).find((one) => one.folder === folder);
  if (isIndex && (folder === "" || home !== undefined)) {
    if (!types.isRoot(type))
      throw new Failure(
        `The first page of ${home === undefined ? "the site" : home.label} is a ${types.root}, not a ${type}.`,
      );
    return target;
  }
  target.parent = ownerAbove(isIndex ? parts.slice(0, -1) : parts);
  assertParent(whole, target.parent, type, leaves);
  assertFree(listing, target, moving);
  const taken = site && homeAt(target, site);
  if (taken !== undefined)
    throw new Failure(
      `“${slug}” is the address of the home page of ${taken.label} (${taken.code}): choose another name.`,
    );
  return target;
}

/** The address of a page: of a draft, once it is published. */
export function addressAt({ file, parent, slug }: Target, site: Site): string {
  return parent === undefined
    ? homeAddressIn(file.replace(/\/?index\.json$/, ""), site)
    : childAddress(folderAddress(parent, site), slug, site);
}

/** The language whose home page is where another page would be. */
const homeAt = (target: Target, site: Site): Language | undefined =>
  languagesOf(site).find(({ folder }) => homeAddressIn(folder, site) === addressAt(target, site));

/** Page types by their labels, as editors know them. */
const named = (types: PageTypes, names: readonly PageType[]): string =>
  names.map((one) => `“${types.of(one).label}”`).join(" or ");

function assertParent(
  { content, model: types, listing }: TargetSite,
  parent: string,
  type: PageType,
  leaves: Set<string> | undefined,
): void {
  const { index = -1 } = listing.folders.find(({ path }) => path === parent) ?? {};
  const leaf = index === -1 && leaves !== undefined ? leafAt(listing, parent) : undefined;
  if (index === -1 && leaf === undefined) throw new Failure(missingParent(types, listing, parent));
  if (leaf !== undefined) leaves?.add(leaf);
  const file = leaf ?? listing.path(index);
  const parentType = typeIn(content, types, file);
  if (parentType === undefined)
    throw new Failure(`The parent page, ${file}, has no known type: fix it first (npm run check).`);
  const allowed = types.of(type).parents;
  if (allowed.includes(parentType)) return;
  const where =
    allowed.length === 0
      ? "must be the first page of the site"
      : `must be below a page of the type ${named(types, allowed)}`;
  const advice = allowed.length === 0 ? "" : " Choose a path below such a page.";
  throw new Failure(
    `A page of the type ${named(types, [type])} ${where}, but the parent page, ${file}, is of the type ${named(types, [parentType])}.${advice}`,
  );
}

/** What to do with a parent page in one file. */
export const withoutFolder = (file: string): string => {
  const path = file.replace(/\.json$/, "");
  return (
    `The parent page, ${file}, has no folder for subpages. Give it one first; its address stays:\n` +
    `  npx page-api move ${path} ${path}/`
  );
};

function missingParent(types: PageTypes, listing: SourceIndex, parent: string): string {
  if (parent === "")
    return `There is no home page yet. Write it first: npx page-api new ${types.of(types.root).shortName} index`;
  const draft = `${parent}/_index.json`;
  for (let i = 0; i < listing.count; i++)
    if (listing.path(i) === draft) return `The parent page, ${draft}, is a draft. Publish it first.`;
  const leaf = leafAt(listing, parent);
  if (leaf !== undefined) return withoutFolder(leaf);
  return `The parent page is missing: there is no ${parent}/index.json. Write it first: npx page-api new TYPE ${parent}/`;
}

function leafAt(listing: SourceIndex, path: string): string | undefined {
  for (let i = 0; i < listing.count; i++)
    if (listing.kind(i) === "leaf" && listing.path(i) === `${path}.json`) return listing.path(i);
  return undefined;
}

/** Drafts count too, because they may be published later. */
function assertFree(
  listing: SourceIndex,
  { slug, parent }: Pick<Target, "slug" | "parent">,
  moving: string | undefined,
): void {
  for (let i = 0; i < listing.count; i++) {
    const owner = listing.parentOf(i);
    if (owner === -1 || listing.folders[owner]?.path !== parent) continue;
    if (slugKey(listing.slug(i)) !== slugKey(slug) || listing.path(i) === moving) continue;
    const isDraft = listing.kind(i) === "draft";
    const advice = isDraft ? "publish that draft by taking the “_” off its name, or choose" : "choose";
    throw new Failure(
      `${listing.path(i)} has the address “${slug}” below the same page already: ${advice} another name.`,
    );
  }
}
