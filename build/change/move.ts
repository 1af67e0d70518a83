import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { schemaReference } from "../outputs/contract/location.ts";
import type { Place } from "../findings/finding.ts";
import { applyEdits, editsOf, type Edit } from "../source/json/edit.ts";
import { parseJson } from "../source/json/parse.ts";
import { HISTORY, SITE } from "../source/site-files.ts";
import type { History } from "../model/history.ts";
import { SourceReader } from "../source/read.ts";
import { childAddress, folderAddress, isOwned, isPathBelow, sitePath } from "../model/tree.ts";
import { schemaFirst, updatedReference } from "./fixes.ts";
import { sourcesNamed } from "./files.ts";
import { rememberMove, withoutReturned, type Histories, type Readdressed } from "./former.ts";
import { historyText, readHistory } from "./history.ts";
import { linksTo } from "./links.ts";
import { linkEdits, ownedPathEdits } from "./move-edits.ts";
import {
  addressNamed,
  findPage,
  folderNamed,
  hasPage,
  idOf,
  readPages,
  type NamedPage,
  type SitePages,
} from "./pages.ts";
import { editAlone, type EditOptions, type EditSession } from "./session.ts";
import { findTarget } from "./target.ts";

export interface Moved {
  /** The sources, relative to the content folder. */
  from: string;
  to: string;
  isDraft: boolean;
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

/**
 * Moves a page and all its subpages. It updates `_history.json`, `$schema`, links in HTML and `owned_paths`, and then
 * moves the files in one step. So running the command again completes an interrupted move.
 *
 * @throws Failure, before any change, if the page cannot be moved there.
 */
export const move = (content: string, from: string, to: string, options: EditOptions = {}): Moved =>
  editAlone(content, (session) => movePage(session, content, from, to), options);

function movePage(session: EditSession, content: string, from: string, to: string): Moved {
  session.removeCopied(folderNamed(content, from), folderNamed(content, to));
  const pages = readPages(content, session.model);
  const history = readHistory(content);
  const done = moveDone(session, pages, history, from, to);
  if (done !== undefined) return done;
  const page = findPage(pages, from);
  const target = targetOf(pages, page, to);
  const addresses = newAddresses(pages, page, target);
  const histories =
    addresses.length === 0 ? undefined : rememberMove(content, pages.site, history, addresses);
  session.makeFolder(dirname(target.to));
  const changed = stageMove(session, pages, page, target, addresses, histories);
  session.commit();
  session.rename(target.from, target.to);
  if (histories !== undefined && histories.last.moved.length !== histories.first.moved.length) {
    session.stage(HISTORY, historyText(content, histories.last));
    session.commit();
  }
  return {
    from: page.file,
    to: target.source(page.file),
    isDraft: page.isDraft,
    addresses: addresses.map(({ file, before, after }) => ({ file, before, after })),
    dropped: histories?.dropped ?? [],
    ...changed,
  };
}

/** The old and new path of the renamed file or folder. */
interface MoveTarget {
  from: string;
  to: string;
  address: string;
  /** The new path of a source. */
  source: (file: string) => string;
}

type NewAddress = Readdressed & { file: string };

/** The pages that get another address. @throws Failure if one has no id to be remembered by. */
function newAddresses({ content, addresses }: SitePages, page: NamedPage, target: MoveTarget): NewAddress[] {
  const base = addresses.get(page.file);
  if (base === undefined) return [];
  const { origin } = new URL(target.address);
  const [old, fresh] = [base, target.address.slice(origin.length)].map((one) => one.replace(/\/$/, "")) as [
    string,
    string,
  ];
  return [page.file, ...page.below].flatMap((file) => {
    const before = addresses.get(file);
    if (before === undefined) return [];
    const after = fresh + before.slice(old.length);
    return after === before ? [] : [{ id: idOf(content, file), file: target.source(file), before, after }];
  });
}

/** Stages the changed files. The history is first, because no other file records the old addresses. */
function stageMove(
  session: EditSession,
  pages: SitePages,
  page: NamedPage,
  target: MoveTarget,
  addresses: readonly NewAddress[],
  histories: Histories | undefined,
): Pick<Moved, "links" | "owned" | "isDisowned"> {
  const { content, site } = pages;
  if (histories !== undefined) session.stage(HISTORY, historyText(content, histories.first));
  const pathOf = (address: string): string => sitePath(address, site) ?? address;
  const afterOf = new Map(addresses.map(({ before, after }) => [pathOf(before), after]));

  const sources = new Map([page.file, ...page.below].map((file) => [file, target.source(file)]));
  const links: Moved["links"] = [];
  const ownLinks = new Map<string, Edit[]>();
  if (afterOf.size > 0)
    for (const { file, text, links: linking } of linksTo(pages, new Set(afterOf.keys()))) {
      const found = linkEdits(linking, afterOf, site);
      const edits = found.map(({ edit }) => edit);
      for (const { place, href, to } of found)
        links.push({ place: { ...place, file: sources.get(file) ?? file }, href, to });
      if (sources.has(file)) ownLinks.set(file, edits);
      else session.stage(file, applyEdits(text, edits));
    }
  for (const [file, after] of sources) {
    const edited = withReference(content, file, after, ownLinks.get(file) ?? []);
    if (edited !== undefined) session.stage(file, edited);
  }

  const [first] = addresses;
  const moved = first && { before: pathOf(first.before), after: pathOf(first.after) };
  const { owned, text } =
    moved === undefined
      ? { owned: [] }
      : ownedPathEdits(new SourceReader().read(content, SITE).parsed(), site, moved);
  if (text !== undefined) session.stage(SITE, text);
  const wasOwned = isOwned(site);
  const owns = isOwned({ ...site, owned_paths: [...site.owned_paths, ...owned.map(({ after }) => after)] });
  return { links, owned, isDisowned: moved !== undefined && wasOwned(moved.before) && !owns(moved.after) };
}

/** The text of a source with its edits and with `$schema` relative to its new path; undefined if it does not change. */
function withReference(content: string, file: string, after: string, edits: Edit[]): string | undefined {
  const path = join(resolve(content), after);
  // Throws if the path is too long.
  lstatSync(path, { throwIfNoEntry: false });
  const bytes = new SourceReader().readBytes(join(resolve(content), file), file).bytes;
  const parsed = bytes && parseJson(file, Buffer.from(bytes));
  if (parsed?.root?.type !== "object") return undefined;
  const { root, source } = parsed;
  const reference = updatedReference(root, schemaReference(content, after));
  if (edits.length === 0 && reference === undefined) return undefined;
  const operations = reference === undefined ? [] : [reference.operation];
  return applyEdits(source.text, [...edits, ...editsOf(source.text, root, operations, schemaFirst(root))]);
}

/** Completes a move that was interrupted after its files had moved, as the entries of the history show. */
function moveDone(
  session: EditSession,
  pages: SitePages,
  history: History,
  from: string,
  to: string,
): Moved | undefined {
  const { content, site } = pages;
  const former = addressNamed(pages, from);
  if (former === undefined) return undefined;
  if (hasPage(pages, from) || !hasPage(pages, to)) return undefined;
  const page = findPage(pages, to);
  const ids = new Map<number, { file: string; address: string }>();
  for (const file of [page.file, ...page.below]) {
    const address = pages.addresses.get(file);
    if (address !== undefined) ids.set(idOf(content, file), { file, address });
  }
  const addresses = history.moved.flatMap(({ id, address }) => {
    const at = ids.get(id);
    return at !== undefined && isPathBelow(sitePath(address, site) ?? address, former)
      ? [{ file: at.file, before: address, after: at.address }]
      : [];
  });
  const clean = withoutReturned(site, history, new Map([...ids].map(([id, { address }]) => [id, address])));
  const isLeft = clean.moved.length !== history.moved.length;
  if (addresses.length === 0 && !isLeft) return undefined;
  if (isLeft) {
    session.stage(HISTORY, historyText(content, clean));
    session.commit();
  }
  const nothing = { dropped: [], links: [], owned: [], isDisowned: false };
  return {
    from: sourcesNamed(content, from)[0] ?? from,
    to: page.file,
    isDraft: false,
    addresses,
    ...nothing,
  };
}

function targetOf({ content, model, listing, site }: SitePages, page: NamedPage, to: string): MoveTarget {
  const { file, folder } = page;
  const path =
    folder === undefined || /[/\\]$|(?:^|[/\\])index\.json$/.test(to) ? to : `${to.replace(/\.json$/, "")}/`;
  const target = findTarget(content, model, listing, path, page.type, page.isDraft, file);
  if (target.published !== undefined && !page.isDraft)
    throw new Failure(
      `${target.file} would be a draft: to take the page off the website, rename the file yourself, or use npx page-api retire.`,
    );
  if (folder !== undefined && (target.file === file || `${target.file}/`.startsWith(`${folder}/`)))
    throw new Failure(`${target.file} is inside ${folder}/ itself: a page cannot be its own subpage.`);
  const address = childAddress(folderAddress(target.parent ?? "", site), target.slug, site);
  if (folder === undefined) return { from: file, to: target.file, address, source: () => target.file };
  const into = target.file.slice(0, -"/index.json".length);
  if (lstatSync(join(content, into), { throwIfNoEntry: false }) !== undefined)
    throw new Failure(`The folder ${into} is there already: choose another name.`);
  return { from: folder, to: into, address, source: (one) => into + one.slice(folder.length) };
}
