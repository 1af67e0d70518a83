import { lstatSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import { schemaReference } from "../contract/location.ts";
import type { Place } from "../findings/finding.ts";
import { parseJson } from "../json/parse.ts";
import type { History } from "../page/history.ts";
import { Reader } from "../sources/read.ts";
import { linkPath } from "../sources/tree.ts";
import { replaceFile } from "./files.ts";
import { updateReference } from "./fixes.ts";
import { readHistory, writeHistory } from "./history.ts";
import { rewriteLinks } from "./links.ts";
import { findPage, idOf, readPages, type NamedPage, type Pages } from "./pages.ts";
import { findTarget } from "./target.ts";
import { applyEdits } from "./text.ts";

export interface Moved {
  /** The sources, relative to the content folder. */
  from: string;
  to: string;
  isDraft: boolean;
  /** The pages that have another address now, on the website. */
  addresses: { file: string; before: string; after: string }[];
  /** The links that lead to the new addresses now. */
  links: { place: Place; href: string; to: string }[];
}

/**
 * Moves a page, with all pages below it: the files, `$schema` in them, `_history.json`, and links in the HTML of pages.
 *
 * @throws Failure where it cannot lie there, with nothing changed.
 */
export function move(content: string, from: string, to: string): Moved {
  const before = readPages(content);
  const page = findPage(before, from);
  const history = readHistory(content);
  const target = targetOf(before, page, to);
  const after = (file: string): string => target.source(file);
  const ids = new Map<string, number>();
  for (const file of [page.file, ...page.below])
    if (before.addresses.has(file)) ids.set(file, idOf(content, file));

  mkdirSync(dirname(join(resolve(content), target.to)), { recursive: true });
  renameSync(join(content, target.from), join(content, target.to));
  for (const file of [page.file, ...page.below]) updateSchema(content, after(file));

  const now = readPages(content);
  const addresses: Moved["addresses"] = [];
  const moved = { retired: history.retired, moved: [...history.moved] };
  for (const [file, id] of ids) {
    const [old, fresh] = [before.addresses.get(file), now.addresses.get(after(file))];
    if (old === undefined || fresh === undefined || old === fresh) continue;
    addresses.push({ file: after(file), before: old, after: fresh });
    remember(moved, id, old, fresh);
  }
  if (addresses.length > 0) writeHistory(content, moved);
  const byPath = new Map(addresses.map((one) => [linkPath(one.before), one.after]));
  const links = byPath.size === 0 ? [] : rewriteLinks(content, now.listing, now.site, byPath);
  return { from: page.file, to: after(page.file), isDraft: page.isDraft, addresses, links };
}

const same = (address: string, other: string): boolean => linkPath(address) === linkPath(other);

/** A page that came back to an address has not moved from there. */
function remember({ moved }: History, id: number, before: string, after: string): void {
  for (let k = moved.length - 1; k >= 0; k--) {
    const entry = moved[k];
    if (entry?.id === id && (same(entry.address, after) || same(entry.address, before))) moved.splice(k, 1);
  }
  moved.push({ id, address: before });
}

/** What is renamed to what, and where each source lies then. */
function targetOf(
  { content, listing }: Pages,
  page: NamedPage,
  to: string,
): { from: string; to: string; source: (file: string) => string } {
  const { file, folder } = page;
  const path =
    folder === undefined || /[/\\]$|(?:^|[/\\])index\.json$/.test(to) ? to : `${to.replace(/\.json$/, "")}/`;
  const target = findTarget(content, listing, path, page.type, page.isDraft, file);
  if (target.published !== undefined && !page.isDraft)
    throw new Failure(
      `${target.file} would be a draft: to take the page off the website, rename the file yourself, or use npm run retire.`,
    );
  if (folder !== undefined && (target.file === file || `${target.file}/`.startsWith(`${folder}/`)))
    throw new Failure(`${target.file} lies in ${folder}/ itself: a page cannot be below itself.`);
  if (folder === undefined) return { from: file, to: target.file, source: () => target.file };
  const into = target.file.slice(0, -"/index.json".length);
  if (lstatSync(join(content, into), { throwIfNoEntry: false }) !== undefined)
    throw new Failure(`The folder ${into} is there already: choose another name.`);
  const source = (one: string): string => into + one.slice(folder.length);
  return { from: folder, to: into, source };
}

/** The way to the schema begins at the file. */
function updateSchema(content: string, file: string): void {
  const path = join(resolve(content), file);
  const bytes = new Reader().readBytes(path, file).bytes;
  if (bytes === undefined) return;
  const parsed = parseJson(file, Buffer.from(bytes));
  if (parsed.root?.type !== "object") return;
  const { edits } = updateReference(parsed, parsed.root, schemaReference(path, file));
  if (edits.length > 0) replaceFile(path, applyEdits(parsed.source.text, edits));
}
