import { type SourceOperation } from "../source/json/edit.ts";
import { isDraftFile, sectionFolder } from "../source/page-files.ts";
import { parseJson, type ParsedJson } from "../source/json/parse.ts";
import { HISTORY, SITE, SYNC } from "../source/site-files.ts";
import type { Place } from "../findings/finding.ts";
import type { PageModel } from "../model/page.ts";
import type { Site } from "../model/site.ts";
import { linkPath, sitePath, addressPathOf, pageAddress, homeAddress, isOwned } from "../model/tree.ts";
import { Failure } from "../base/failure.ts";
import { plural } from "../base/numbers.ts";
import { checkSiteConfig } from "../check/config.ts";
import { circleFrom, destinations, type PublishedPages } from "../check/history.ts";
import { formatJson } from "../source/json/format.ts";
import { isObject, nodeAt, objectIn, valueAt, type JsonObject } from "../source/json/object.ts";
import { formats } from "../model/formats.ts";
import type { History } from "../model/history.ts";
import {
  renamed,
  renaming,
  type BrokenLink,
  type FileChange,
  type Rename,
  type SiteChange,
  type SourceFile,
} from "./change.ts";
import { historyOf, historyText, rememberMove, type Readdressed } from "./history.ts";
import {
  linksOfSource,
  linkEdits,
  relinked,
  ownedPathEdits,
  updatedReference,
  type LinkTo,
  type ReferenceTo,
} from "./move-edits.ts";

/*
 * What to change in the sources to move, retire, publish or withdraw a page: computed from texts only, so that commands,
 * forms and proposals make the same changes. Runs in the browser and in Node.
 */

/** A page that an operation is about. */
export interface AffectedPage {
  file: string;
  /** Its address on the website, without the host; undefined for a draft. */
  address: string | undefined;
  /** Another address at which links may lead to it: that of before the proposal. */
  former?: string | undefined;
}

/** The part of a site that an operation on a page is about. */
export interface SitePart {
  model: PageModel;
  site: Site;
  /** The page, then its subpages at all levels, drafts too. */
  pages: readonly AffectedPage[];
  /** At least the other sources that link to the paths, or refer to the ids. */
  others: (paths: ReadonlySet<string>, ids: ReadonlySet<number>) => Iterable<SourceFile>;
  /** The exact text of a file; null if there is none, or if it is no text. */
  read: (file: string) => string | null;
  /** The `$schema` of a source; undefined to keep the schema that the source names. */
  schemaOf: (file: string) => string | undefined;
}

/** A page and its address on the website, without its host. */
export interface AddressedPage {
  file: string;
  id: number;
  address: string;
}

export interface MovedPages {
  /** The pages that have another address now, on the website. */
  addresses: { file: string; before: string; after: string }[];
  /** Old addresses that `_history.json` drops: never published or, without git, left by a page that returned. */
  dropped: string[];
  links: { place: Place; href: string; to: string }[];
  /** The entries of `owned_paths` that changed. */
  owned: { before: string; after: string }[];
  /** Whether the pages were below `owned_paths` and no longer are. */
  isDisowned: boolean;
}

export interface Retired {
  /** The retired pages, beginning with the named one, and the addresses that replace them. */
  pages: (AddressedPage & { to?: string | undefined })[];
  /** The links to the retired pages, which are broken now or lead to `to`. */
  links: BrokenLink[];
}

const parsed = (file: string, text: string): ParsedJson => parseJson(file, new TextEncoder().encode(text));

function validId(file: string, text: string | null): number | undefined {
  const { root } = text === null ? {} : parsed(file, text);
  const { node, found } = root === undefined ? { found: false } : nodeAt(root, ["id"]);
  return found && node?.type === "number" && Number.isSafeInteger(node.value) && node.value > 0
    ? node.value
    : undefined;
}

/** @throws Failure if the source has no valid id. */
export function idIn(file: string, text: string | null): number {
  const id = validId(file, text);
  if (id === undefined) throw new Failure(`${file} has no valid id: fix it first (npm run check).`);
  return id;
}

/** The address of a source's page on the website, without its host; undefined for a draft. */
export function addressOfSource(file: string, site: Site): string | undefined {
  const origin = new URL(homeAddress(site)).origin.length;
  return addressPathOf(file) === undefined ? undefined : pageAddress(file, site).slice(origin);
}

/** The text of a source after a move: at its new path, and with links that lead to the new addresses of their paths. */
export function movedText(
  { file, text }: SourceFile,
  renames: readonly Rename[] | ((file: string) => string),
  afterOf: ReadonlyMap<string, string>,
  part: Pick<SitePart, "model" | "site" | "schemaOf">,
): SourceFile & Pick<MovedPages, "links"> {
  const to = typeof renames === "function" ? renames(file) : renamed(file, renames);
  const source = parsed(file, text);
  const found = afterOf.size === 0 ? [] : linksOfSource(source, new Set(afterOf.keys()), NO_IDS, part).links;
  const links = linkEdits(found, afterOf, part.site);
  const edits = links.map(({ edit }) => edit);
  const operations = to === file ? [] : schemaChanges(part, source, file, to);
  return {
    file: to,
    text: edits.length + operations.length === 0 ? text : relinked(source, edits, operations),
    links: links.map(({ place, href, to: now }) => ({ place: { ...place, file: to }, href, to: now })),
  };
}

/** The text of a source at a new path. */
export function relocatedText(
  { file, text }: SourceFile,
  to: string,
  schemaOf: SitePart["schemaOf"],
): string {
  const source = parsed(file, text);
  const operations = schemaChanges({ schemaOf }, source, file, to);
  return operations.length === 0 ? text : relinked(source, [], operations);
}

const NO_IDS: ReadonlySet<number> = new Set();

/** A move of pages, with `_history.json`, `$schema`, the links in HTML and `owned_paths`. */
export function planMove(
  part: SitePart,
  renames: readonly Rename[],
  unpublishedOf: (pages: readonly Readdressed[]) => ReadonlySet<number> | undefined,
): readonly [SiteChange, MovedPages] {
  const { site, pages, read } = part;
  const pathOf = (address: string): string => sitePath(address, site) ?? address;
  const files: FileChange[] = [];
  const readdressed: (Readdressed & { file: string })[] = [];
  const afterOf = new Map<string, string>();
  const pathAfter = renaming(renames);
  for (const { file, address, former } of pages) {
    const to = pathAfter(file);
    const after = addressOfSource(to, site);
    if (address === undefined || after === undefined || after === address) continue;
    readdressed.push({ id: idIn(file, read(file)), file: to, before: address, after });
    for (const one of [address, former]) if (one !== undefined) afterOf.set(pathOf(one), after);
  }

  let dropped: string[] = [];
  if (readdressed.length > 0) {
    const before = read(HISTORY);
    const remembered = rememberMove(site, historyOf(before), readdressed, unpublishedOf(readdressed));
    ({ dropped } = remembered);
    files.push(...historyChange(part, before, remembered.history));
  }

  const links: MovedPages["links"] = [];
  const follow = (source: SourceFile): void => {
    const { file, text, links: found } = movedText(source, pathAfter, afterOf, part);
    links.push(...found);
    if (text !== source.text) files.push({ file, before: source.text, after: text });
  };
  if (afterOf.size > 0) for (const source of part.others(new Set(afterOf.keys()), NO_IDS)) follow(source);
  for (const { file } of pages) {
    const text = read(file);
    if (text !== null) follow({ file, text });
  }

  const byFile = new Map(readdressed.map((page) => [page.file, page]));
  const tops = renames.flatMap(({ to }) => {
    const top = byFile.get(to) ?? readdressed.find(({ file }) => file.startsWith(`${to}/`));
    return top === undefined ? [] : [{ before: pathOf(top.before), after: pathOf(top.after) }];
  });
  const [moved] = tops;
  const settings = moved && read(SITE);
  const { owned, change } = settings ? movedOwned(settings, tops, site) : { owned: [], change: [] };
  files.push(...change);
  const wasOwned = isOwned(site);
  const owns = isOwned({ ...site, owned_paths: [...site.owned_paths, ...owned.map(({ after }) => after)] });
  return [
    { renames, files },
    {
      addresses: readdressed.map(({ file, before, after }) => ({ file, before, after })),
      dropped,
      links,
      owned,
      isDisowned: moved !== undefined && wasOwned(moved.before) && !owns(moved.after),
    },
  ];
}

/** The change of `owned_paths` if sections move from paths to others. @param site if the text has errors */
export function movedOwned(
  text: string,
  moved: readonly { before: string; after: string }[],
  site: Site,
): Pick<MovedPages, "owned"> & { change: FileChange[] } {
  const source = parsed(SITE, text);
  const { owned, text: after } = ownedPathEdits(source, checkSiteConfig(source).site ?? site, moved);
  return { owned, change: after === undefined ? [] : [{ file: SITE, before: text, after }] };
}

function historyChange(part: SitePart, before: string | null, history: History): FileChange[] {
  if (JSON.stringify(historyOf(before)) === JSON.stringify(history)) return [];
  const after = historyText(part.schemaOf(HISTORY) ?? schemaIn(before), history);
  return [{ file: HISTORY, before, after }];
}

/** The text of `_sync.json`, which has a member for each collection system. */
export const syncText = (systems: JsonObject): string =>
  formatJson(Object.fromEntries(Object.entries(systems).sort(([a], [b]) => (a < b ? -1 : 1))));

/** Notes in `_sync.json` that records have lost their pages: a later run must not make these again. */
function recordsChange(
  { read }: SitePart,
  texts: readonly { file: string; text: string | null }[],
  retired: readonly AddressedPage[],
): FileChange[] {
  const before = texts.some(({ text }) => text?.includes('"external_id"')) ? read(SYNC) : null;
  const systems = before === null ? undefined : objectIn(before);
  if (before === null || systems === undefined) return [];
  const idOf = new Map(retired.map(({ file, id }) => [file, id]));
  for (const { file, text } of texts) {
    const [, name = "", key = ""] =
      /^([^:]*):(.*)$/s.exec(String(valueAt(objectIn(text ?? ""), ["meta", "external_id"]))) ?? [];
    const own = valueAt(systems, [name]);
    if (isObject(own) && idOf.has(file))
      systems[name] = {
        ...own,
        retired: { ...(isObject(own["retired"]) ? own["retired"] : {}), [key]: idOf.get(file) },
      };
  }
  const after = syncText(systems);
  return after === before ? [] : [{ file: SYNC, before, after }];
}

/** The `$schema` of `_history.json`, if it has one. */
export function schemaIn(text: string | null): string | undefined {
  const { root } = text === null ? {} : parsed(HISTORY, text);
  const { node, found } = root === undefined ? { found: false } : nodeAt(root, ["$schema"]);
  return found && node?.type === "string" ? node.value : undefined;
}

/** The changes that make a relative `$schema` fit another path. */
function schemaChanges(
  { schemaOf }: Pick<SitePart, "schemaOf">,
  { root }: ParsedJson,
  file: string,
  to: string,
): SourceOperation[] {
  if (root?.type !== "object") return [];
  let reference = schemaOf(to);
  if (reference === undefined) {
    const { node, found } = nodeAt(root, ["$schema"]);
    const up = upFrom(file);
    if (!found || node.type !== "string" || !node.value.startsWith(up)) return [];
    reference = upFrom(to) + node.value.slice(up.length);
  }
  const update = updatedReference(root, reference);
  return update === undefined ? [] : [update.operation];
}

/** The relative path from a source to the content folder. */
const upFrom = (file: string): string => "../".repeat(file.split("/").length - 1);

interface Naming {
  links: LinkTo[];
  references: ReferenceTo[];
}

/** The links and references to pages in all other sources, drafts too. */
export function namings(part: SitePart, pages: readonly AffectedPage[], ids: ReadonlySet<number>): Naming {
  const found: Naming = { links: [], references: [] };
  const paths = pathsOf(pages);
  for (const { file, text } of part.others(paths, ids)) {
    const { links, references } = linksOfSource(parsed(file, text), paths, ids, part);
    found.links.push(...links);
    found.references.push(...references);
  }
  return found;
}

const pathsOf = (pages: readonly AffectedPage[]): Set<string> =>
  new Set(
    pages.flatMap(({ address, former }) =>
      [address, former].flatMap((one) => (one === undefined ? [] : [linkPath(one)])),
    ),
  );

/**
 * Removes pages, and keeps their ids and addresses in `_history.json`. The first page may have no address.
 *
 * @param standIn the addresses that replace the pages, and the pages that stay.
 * @throws Failure if they cannot be retired.
 */
export function planRetire(
  part: SitePart,
  standIn:
    | {
        to: (file: string) => string;
        published: (history: History, retired: ReadonlySet<string>) => PublishedPages;
      }
    | undefined,
): readonly [SiteChange, Retired] {
  const { pages, read } = part;
  const [named, ...below] = pages;
  const drafts = below.flatMap(({ file, address }) => (address === undefined ? [file] : []));
  if (named === undefined || drafts.length > 0)
    throw new Failure(
      `There are drafts below ${named?.file}: ${drafts.slice(0, 5).join(", ")}${drafts.length > 5 ? " …" : ""}. Move or delete them first.`,
    );
  const texts = pages.map(({ file, address }) => ({ file, address, text: read(file) }));
  const retired = texts.flatMap(({ file, address, text }) =>
    address === undefined ? [] : [{ file, id: idIn(file, text), address, to: standIn?.to(file) }],
  );
  const { links, references } = namings(part, pages, new Set(retired.map(({ id }) => id)));
  assertUnreferenced(references);
  const before = read(HISTORY);
  const history = historyOf(before);
  const entries = new Map(history.retired.map((entry) => [entry.id, entry]));
  for (const { id, address, to = null } of retired) entries.set(id, { id, address, to });
  const after = { ...history, retired: [...entries.values()] };
  if (standIn !== undefined) {
    const files = new Set(pages.map(({ file }) => file));
    const published = standIn.published(after, files);
    for (const to of new Set(pages.map(({ file }) => standIn.to(file))))
      assertStandIn(published, after, retired, to);
  }
  const removed = texts
    .toReversed()
    .flatMap(({ file, text }): FileChange[] => (text === null ? [] : [{ file, before: text, after: null }]));
  const folders = pages.flatMap(({ file }) => sectionFolder(file) ?? []);
  const files = [
    ...(retired.length === 0 ? [] : historyChange(part, before, after)),
    ...recordsChange(part, texts, retired),
    ...removed,
  ];
  return [
    { files, emptied: folders.filter((one) => !folders.some((above) => one.startsWith(`${above}/`))) },
    { pages: retired, links },
  ];
}

const MAX_REFERENCES = 5;

/** @throws Failure if pages that stay refer to those that leave: they would have errors. */
function assertUnreferenced(found: readonly ReferenceTo[]): void {
  if (found.length === 0) return;
  const lines = found
    .slice(0, MAX_REFERENCES)
    .map(({ id, place: { file, line, column } }) => `  ${file}:${line}:${column} refers to the page ${id}\n`);
  const rest = found.length - lines.length;
  throw new Failure(
    `Other pages refer to it:\n${lines.join("")}${rest > 0 ? `  and ${plural(rest, "more place")}\n` : ""}Change these references first.`,
  );
}

/** @throws Failure if the redirects would not lead to the address of a page that stays. */
function assertStandIn(
  published: PublishedPages,
  history: History,
  pages: readonly AddressedPage[],
  to: string,
): void {
  const { site } = published;
  const { matches, expected, example } = formats.address;
  if (!matches(to)) throw new Failure(`--to: expected ${expected}, such as ${example}, found ${to}.`);
  const gone = pages.find(({ address }) => sitePath(address, site) === sitePath(to, site));
  if (gone !== undefined)
    throw new Failure(`--to ${to}: this is the address of ${gone.file}, which is retired.`);
  const end = destinations(published, history)(to);
  if (end.kind === "loop")
    throw new Failure(
      `--to ${to}: this address redirects back to the retired page (${circleFrom(pages[0]?.address ?? to, end.through, site)}). Name the address of a page that stays.`,
    );
  if (end.kind !== "address")
    throw new Failure(`--to ${to}: no page has this address. Name the address of a page that stays.`);
}

/**
 * A draft that becomes a page, or a page that becomes a draft, with the links that are then broken.
 *
 * @throws Failure if published pages refer to the page: they would have errors.
 */
export function planRedraft(part: SitePart, rename: Rename): readonly [SiteChange, BrokenLink[]] {
  const { pages, read } = part;
  const renames = [rename];
  if (!isDraftFile(rename.to)) return [{ renames, files: [] }, []];
  const own = pages.flatMap(({ file }) => {
    const text = read(file);
    return text === null ? [] : linksOfSource(parsed(file, text), pathsOf(pages), NO_IDS, part).links;
  });
  const ids = pages.flatMap(({ file }) => validId(file, read(file)) ?? []);
  const found = namings(part, pages, new Set(ids));
  assertUnreferenced(found.references.filter(({ place }) => !isDraftFile(place.file)));
  const links = [...found.links, ...own];
  const placed = links.map(({ href, place }) => ({
    href,
    place: { ...place, file: renamed(place.file, renames) },
  }));
  return [{ renames, files: [] }, placed];
}
