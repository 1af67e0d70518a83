import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EARLIEST, millisecondsOf, type Period } from "../../base/instant.ts";
import { CHANGED_FILE, hasIndex, INDEX_FILE, LISTS_FILE, MAX_LISTED } from "../../base/website.ts";
import { grouped } from "../../base/grouped.ts";
import type { Manifest, WebsiteState } from "../manifest/manifest.ts";
import type { PageTable } from "../manifest/page-table.ts";
import { hasOwnFiles, WEBSITE } from "../output/own-files.ts";
import { completeHead, lastCommits } from "../../source/git.ts";
import type { SourceIndex } from "../../source/source-index.ts";
import { addressesOf, type Parent } from "../../model/tree.ts";
import {
  changeFiles,
  printAll,
  type AddressList,
  type ChangedFiles,
  type LedTo,
} from "../../outputs/website/addresses.ts";
import { childrenFiles, type Subpage } from "../../outputs/website/children.ts";
import {
  fieldsOf,
  listedPage,
  printIds,
  printLists,
  type FilterValue,
  type ListedPage,
} from "../../outputs/website/lists.ts";
import type { Item } from "../../model/item.ts";
import type { PageModel } from "../../model/page.ts";
import type { PageType } from "../../model/page-types.ts";
import { languagesOf } from "../../model/languages.ts";
import type { Site } from "../../model/site.ts";
import type { Discovery } from "../discover.ts";
import { optionalPart, type Part, type PartFiles, type Staging } from "./part.ts";
import { periodsOf, type ReadPages } from "../read.ts";
import type { Plan } from "../plan.ts";
import type { StepContext } from "../step.ts";

/** The pages by address and by parent (“Pages for a website” in docs/reference.md). */
export function websitePart(context: StepContext): Part<WebsiteState | undefined> {
  const { discovery, isNamed, manifest, plan } = context;
  const { layout } = context.folders;
  const known = manifest?.website;
  let state: Omit<WebsiteState, "files"> = { digits: 0, old: [], changed: null, lists: "", listed: "[]" };
  let head: { commit: string | undefined } | undefined;
  const commitNow = (): string | undefined =>
    (head ??= { commit: isNamed && known ? known.commit : completeHead(context.options.content) }).commit;
  const wanted = {
    known,
    isUnchanged: () => known !== undefined && known.commit === commitNow(),
    stage: async ({ pages }: Staging, files: PartFiles) => {
      const read = (path: string): Buffer => readFileSync(join(layout.root, path));
      const now = listedPages(discovery, plan.table);
      const changes = manifest && known && changesSince(manifest, now, plan);
      const isSame = changes?.removed.length === 0 && changes.added.length === 0;
      const old =
        known &&
        isSame &&
        discovery.historyKey === manifest?.historyKey &&
        discovery.siteKey === manifest.siteKey
          ? known.old
          : await oldAddressesIn(discovery, plan.table);
      const all = (): AddressList => everyAddress(now, old);
      const { digits, files: addresses } =
        known && changes ? changeFiles(known, withOld(changes, known.old, old), read, all) : printAll(all());
      const commit = commitNow();
      const isCommitted = known !== undefined && known.commit === commit;
      if (commit !== undefined) await readCommits(context, isCommitted);
      const times =
        isCommitted && isSame
          ? undefined
          : commit === undefined
            ? []
            : timesOf(plan.table, periodsOf(discovery, pages.pageFindings));
      const model = await discovery.model.load();
      const limit = limitOf(discovery);
      const lists = hash("sha256", JSON.stringify([fieldsOf(model), limit]));
      const { listed, files: ofLists } =
        known && isSame && known.lists === lists
          ? { listed: known.listed, files: [] }
          : listsOf(now, model, limit, pages, known);
      state = {
        digits,
        old,
        commit,
        lists,
        listed,
        changed: times === undefined ? (known?.changed ?? null) : (times[0]?.[0] ?? null),
      };
      const index = indexFile(now, state, limit);
      // The index shows that the other files are the build's. Later it follows them, because clients read it first.
      const isFirst = !hasOwnFiles(layout, WEBSITE);
      const changed: ChangedFiles = new Map([
        ...(isFirst ? [index] : []),
        ...childrenFiles(familiesOf(now, changes?.parents, pages), read, files.has),
        ...ofLists,
        ...addresses,
        ...(times === undefined ? [] : [changedFile(times)]),
        ...(isFirst ? [] : [index]),
      ]);
      for (const [path, bytes] of changed) files.put(path, bytes);
      return [];
    },
    state: () => state,
  };
  return optionalPart(layout, WEBSITE, hasIndex(discovery.site) ? wanted : undefined);
}

/** The pages of a build. */
interface PagesOfBuild {
  site: Site | undefined;
  listing: SourceIndex;
  /** By folder. */
  parents: readonly (Parent | undefined)[];
  table: PageTable;
  /** The address of a file's page, without `site_url`. */
  addressOf: (file: number) => string;
}

const listedPages = (
  { listing, parents, site }: Pick<Discovery, "listing" | "parents" | "site">,
  table: PageTable,
): PagesOfBuild => ({
  site,
  listing,
  parents,
  table,
  addressOf: addressesOf(listing, {
    site_url: "",
    append_slash: site?.append_slash ?? true,
    locales: site?.locales,
  }),
});

/** The id of a page's parent; 0 for the home page. */
const parentIdOf = ({ listing, parents }: PagesOfBuild, file: number): number =>
  parents[listing.parentOf(file)]?.summary?.id ?? 0;

const rootOf = ({ parents }: PagesOfBuild): number => parents[0]?.summary?.id ?? 0;

const limitOf = ({ site }: Pick<Discovery, "site">): number | undefined =>
  typeof site?.index === "object" ? site.index.limit : undefined;

/** Whether a page is listed with the same facts at the same position. */
const isListedAlike = (then: PagesOfBuild, old: number, now: PagesOfBuild, file: number): boolean =>
  now.table.listed[file] === then.table.listed[old] &&
  now.table.position[file] === then.table.position[old] &&
  parentIdOf(now, file) === parentIdOf(then, old);

const isListed = ({ table }: PagesOfBuild, file: number): boolean => (table.listed[file] ?? 0) !== 0;

function* everyAddress(now: PagesOfBuild, old: Old): AddressList {
  for (const file of now.table.listed.keys())
    if (isListed(now, file)) yield [now.addressOf(file), now.table.id[file] ?? 0];
  yield* redirects(old);
}

/** The changes of addresses, and the ids of the pages whose subpages change. */
interface ListedChanges {
  parents: Set<number>;
  removed: string[];
  added: [address: string, id: number][];
}

function changesSince(manifest: Manifest, now: PagesOfBuild, plan: Plan): ListedChanges {
  const parents = manifest.folders.map(({ parent }) => parent);
  const then = listedPages({ ...manifest, parents }, manifest.table);
  const matchOf = (file: number): number => plan.matches[file] ?? -1;
  const changed = Array.from(plan.toRead).filter(
    (file) => matchOf(file) === -1 || !isListedAlike(then, matchOf(file), now, file),
  );
  const before = [...changed.map(matchOf), ...plan.removed].filter((old) => isListed(then, old));
  const after = changed.filter((file) => isListed(now, file));
  const above = new Set([
    ...before.map((old) => parentIdOf(then, old)),
    ...after.map((file) => parentIdOf(now, file)),
  ]);
  return {
    parents: above,
    removed: before.map(then.addressOf),
    added: after.map((file) => [now.addressOf(file), now.table.id[file] ?? 0]),
  };
}

/** The pages below each of some parents, or of all. */
function* familiesOf(
  now: PagesOfBuild,
  parents: ReadonlySet<number> | undefined,
  { items }: ReadPages,
): Iterable<[parent: number, children: Subpage[]]> {
  if (parents?.size === 0) return;
  const { id: ids, position, listed } = now.table;
  const families = new Map(Array.from(parents ?? [], (id): [number, number[]] => [id, []]));
  for (const file of listed.keys()) {
    const parent = parentIdOf(now, file);
    if (!isListed(now, file) || parent === 0) continue;
    const family = families.get(parent);
    if (family !== undefined) family.push(file);
    else if (parents === undefined) families.set(parent, [file]);
  }
  for (const [parent, files] of families)
    yield [
      parent,
      files.map((file) => ({
        id: ids[file] ?? 0,
        position: position[file] ?? 0,
        item: items.itemOf(file),
      })),
    ];
}

const jsonOf = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString());

/** The files of lists, and their pages as JSON. Former files that are not among them are removed. */
function listsOf(
  now: PagesOfBuild,
  model: PageModel,
  limit: number | undefined,
  { items, responseOf }: ReadPages,
  known: WebsiteState | undefined,
): { listed: string; files: ChangedFiles } {
  const { id: ids, type: typeOf, position } = now.table;
  const all = Array.from(ids.keys()).filter((file) => isListed(now, file));
  const typeIn = (file: number): PageType => model.names[(typeOf[file] ?? 0) - 1] ?? "";
  const fields = fieldsOf(model);
  // The smaller types first, as long as all their pages fit.
  const large = new Map<PageType, number[]>();
  let count = 0;
  for (const [type, files] of [...grouped(all, typeIn)].sort(
    ([a, some], [b, more]) => some.length - more.length || (a < b ? -1 : 1),
  ))
    if ((count += files.length) > MAX_LISTED) large.set(type, files);
  const isLeftOut = (file: number): boolean => large.has(typeIn(file));
  let former: Map<number, ListedPage> | undefined;
  const pages = all
    .filter((file) => !isLeftOut(file))
    .sort((a, b) => (ids[a] ?? 0) - (ids[b] ?? 0))
    .map((file): ListedPage => {
      const place = { parent: parentIdOf(now, file), position: position[file] ?? 0 };
      const names = Object.keys(fields[typeIn(file)]?.filters ?? {});
      const [item, filters] = [items.itemOf(file), items.filtersOf(file)];
      if (item !== undefined && filters !== undefined) {
        const values = names.length === 0 ? [] : (jsonOf(filters) as FilterValue[]);
        const own = Object.fromEntries(names.map((name, k) => [name, values[k] ?? null]));
        return listedPage(jsonOf(item) as Item, place, own);
      }
      former ??= new Map((JSON.parse(known?.listed ?? "[]") as ListedPage[]).map((page) => [page.id, page]));
      const page = former.get(ids[file] ?? 0);
      if (page !== undefined) return Object.assign(page, place);
      return listedPage(jsonOf(responseOf(file)) as Item, place, names);
    });
  const parents = new Set(all.map((file) => parentIdOf(now, file)));
  const above = all.filter((file) => isLeftOut(file) && parents.has(ids[file] ?? 0));
  const idsOf = (some: readonly number[]) => Float64Array.from(some, (file) => ids[file] ?? 0).sort();
  const files: ChangedFiles = new Map([
    ...printLists({
      root: rootOf(now),
      limit,
      fields,
      pages,
      large: Object.fromEntries(Array.from(large, ([type, some]) => [type, some.length])),
      above:
        above.length > MAX_LISTED
          ? null
          : Object.fromEntries(above.map((file) => [ids[file] ?? 0, parentIdOf(now, file)])),
    }),
    ...(large.size === 0 ? [] : printIds(idsOf(all))),
  ]);
  for (const [type, some] of large)
    for (const [path, bytes] of printIds(idsOf(some), type)) files.set(path, bytes);
  const folder = dirname(LISTS_FILE);
  for (const [path] of known?.files ?? [])
    if (dirname(path) === folder && !files.has(path)) files.set(path, undefined);
  return { listed: JSON.stringify(pages), files };
}

type Old = WebsiteState["old"];

async function oldAddressesIn({ listing, site, history }: Discovery, { id: ids }: PageTable): Promise<Old> {
  if (site === undefined || history === undefined) return [];
  // Loaded here, because most sites do not need it.
  const { oldAddresses } = await import("../../outputs/website/old-addresses.ts");
  return oldAddresses(listing, ids, site, history());
}

const redirects = (old: Old): [string, LedTo][] => old.map(([address, to]) => [address, { to }]);

function notIn(others: Old, some: Old): Old {
  const known = new Map(others);
  return some.filter(([address, to]) => known.get(address) !== to);
}

/** The changes of addresses, with those of old addresses. */
const withOld = ({ removed, added }: ListedChanges, before: Old, after: Old) => ({
  removed: [...removed, ...notIn(after, before).map(([address]) => address)],
  added: [...added, ...redirects(notIn(before, after))],
});

function indexFile(
  now: PagesOfBuild,
  { digits, changed }: Pick<WebsiteState, "digits" | "changed">,
  limit: number | undefined,
): [string, Buffer] {
  const pages = now.table.listed.reduce((count, listed) => count + (listed === 0 ? 0 : 1), 0);
  const { listing, site } = now;
  const languages = site === undefined ? [] : languagesOf(site);
  const roots = languages.flatMap(({ code, folder }) => {
    const home = now.parents[listing.folders.findIndex(({ path }) => path === folder)]?.summary?.id;
    return home === undefined ? [] : [[code, home] as const];
  });
  const index = {
    format: 1,
    pages,
    digits,
    root: rootOf(now),
    ...(roots.length > 0 && { roots: Object.fromEntries(roots) }),
    changed,
    limit,
  };
  return [INDEX_FILE, Buffer.from(`${JSON.stringify(index)}\n`)];
}

/** Maximum number of new files whose history is read alone. */
const MAX_NEW_FILES = 100;

/** Records the times at which sources were last committed. @param isSame whether the known times are of the same commit */
async function readCommits(
  { options: { content }, discovery: { listing }, plan: { table, toRead, matches } }: StepContext,
  isSame: boolean,
): Promise<void> {
  const added = isSame ? Array.from(toRead).filter((file) => matches[file] === -1) : undefined;
  if (added?.length === 0) return;
  const some = added && added.length <= MAX_NEW_FILES ? added.map((file) => listing.path(file)) : undefined;
  const times = await lastCommits(content, some);
  for (let file = 0; file < listing.count; file++) {
    const time = times.get(listing.path(file));
    if (time !== undefined || some === undefined) table.committed[file] = time ?? 0;
  }
}

type ChangeTimes = [time: string, ids: number[]][];

/** The ids of the pages that last changed at each time, by a commit or by their date, the latest time first. */
function timesOf(
  { id: ids, listed, committed }: PageTable,
  periodOf: (file: number) => Period | undefined,
): ChangeTimes {
  const isKnown = (file: number): boolean => committed[file] !== 0 && listed[file] !== 0;
  const times = grouped(Array.from(ids.keys()).filter(isKnown), (file) => {
    const { from = EARLIEST } = periodOf(file) ?? {};
    const commit = committed[file] ?? 0;
    return from === EARLIEST ? commit : Math.max(commit, Math.ceil(millisecondsOf(from) / 1000));
  });
  return [...times]
    .sort(([a], [b]) => b - a)
    .map(([time, some]) => [
      new Date(1000 * time).toISOString().replace(".000Z", "Z"),
      some.map((file) => ids[file] ?? 0).sort((a, b) => a - b),
    ]);
}

const changedFile = (times: ChangeTimes): [string, Buffer | undefined] => [
  CHANGED_FILE,
  times.length === 0
    ? undefined
    : Buffer.from(`{"changed":[\n${times.map((one) => JSON.stringify(one)).join(",\n")}\n]}\n`),
];
