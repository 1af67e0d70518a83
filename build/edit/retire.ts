import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../base/failure.ts";
import type { Place } from "../findings/finding.ts";
import { forms } from "../page/forms.ts";
import { linkPath } from "../sources/tree.ts";
import { readHistory, writeHistory } from "./history.ts";
import { linksTo } from "./links.ts";
import { findPage, idOf, readPages } from "./pages.ts";

export interface Retired {
  /** The pages that are gone; the one that was named is the first. */
  pages: { file: string; id: number; address: string }[];
  /** The links that lead nowhere now, or to where `to` leads. */
  links: { place: Place; href: string }[];
}

/**
 * Takes a page out, with all pages below it, and keeps their ids and addresses in `_history.json`.
 *
 * @param to the address that stands in for them.
 * @throws Failure where that cannot be, with nothing changed.
 */
export function retire(content: string, path: string, to: string | undefined): Retired {
  const before = readPages(content);
  const { file, folder, isDraft, below } = findPage(before, path);
  const history = readHistory(content);
  if (isDraft)
    throw new Failure(`${file} is a draft: it was never published from here, so simply delete the file.`);
  const drafts = below.filter((one) => !before.addresses.has(one));
  if (drafts.length > 0)
    throw new Failure(
      `There are drafts below ${folder}: ${drafts.slice(0, 5).join(", ")}${drafts.length > 5 ? " …" : ""}. Move or delete them first.`,
    );
  const pages = [file, ...below].map((one) => ({
    file: one,
    id: idOf(content, one),
    address: before.addresses.get(one) ?? "",
  }));
  if (to !== undefined) assertStandIn(to, pages);

  for (const one of pages) rmSync(join(content, one.file));
  if (folder !== undefined) removeEmpty(join(resolve(content), folder));
  const ids = new Set(pages.map(({ id }) => id));
  writeHistory(content, {
    retired: [
      ...history.retired.filter(({ id }) => !ids.has(id)),
      ...pages.map(({ id, address }) => ({ id, address, to: to ?? null })),
    ],
    moved: history.moved,
  });
  const now = readPages(content);
  const paths = new Set(pages.map(({ address }) => linkPath(address)));
  const links = [...linksTo(content, now.listing, now.site, paths)].flatMap((found) => found.links);
  return { pages, links };
}

function assertStandIn(to: string, pages: Retired["pages"]): void {
  const { holds, wanted, example } = forms.address;
  if (!holds(to)) throw new Failure(`--to: expected ${wanted}, such as ${example}, found ${to}.`);
  const gone = pages.find(({ address }) => linkPath(address) === linkPath(to));
  if (gone !== undefined)
    throw new Failure(`--to ${to}: this is the address of ${gone.file}, which is retired.`);
}

/** Groups and folders in which nothing is left. */
function removeEmpty(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  if (readdirSync(folder).length === 0 && folder !== dirname(folder)) rmdirSync(folder);
}
