import { dirname, join } from "node:path";
import { Failure } from "../base/failure.ts";
import { plural } from "../base/numbers.ts";
import { statIfThere } from "../base/stat.ts";
import { circleFrom, destinations } from "../check/history.ts";
import type { Place } from "../findings/finding.ts";
import { HISTORY } from "../source/site-files.ts";
import { formats } from "../model/formats.ts";
import type { History } from "../model/history.ts";
import { isPathBelow, linkPath, sitePath } from "../model/tree.ts";
import { historyText, readHistory } from "./history.ts";
import { linksTo, referencesTo } from "./links.ts";
import { sourcesNamed } from "./files.ts";
import {
  addressNamed,
  findPage,
  hasPage,
  publishedOf,
  readPages,
  type AddressedPage,
  type SitePages,
} from "./pages.ts";
import { publishedWithout } from "./redirects.ts";
import { editAlone, type EditOptions } from "./session.ts";

export interface Retired {
  /** The retired pages, beginning with the named one. */
  pages: AddressedPage[];
  /** The links to the retired pages, which are broken now or lead to `to`. */
  links: { place: Place; href: string }[];
}

/**
 * Removes a page and all its subpages, and keeps their ids and addresses in `_history.json`. The history is written
 * first and the named page is removed last, so running the command again completes an interrupted one.
 *
 * @param to the address that replaces them.
 * @throws Failure, before any change, if they cannot be retired.
 */
export const retire = (
  content: string,
  path: string,
  to: string | undefined,
  options: EditOptions = {},
): Retired =>
  editAlone(
    content,
    (session) => {
      const before = readPages(content, session.model);
      const history = readHistory(content);
      const done = retirementDone(before, history, path, to);
      const pages = done ?? namedPages(before, path);
      const paths = new Set(pages.map(({ address }) => linkPath(address)));
      const files = new Set(pages.map(({ file }) => file));
      const links = [...linksTo(before, paths)].flatMap((found) =>
        files.has(found.file) ? [] : found.links,
      );
      if (done === undefined) {
        assertUnreferenced(before, pages, files);
        const retired = withRetired(history, pages, to);
        if (to !== undefined) assertStandIn(before, retired, pages, to);
        session.stage(HISTORY, historyText(content, retired));
        session.commit();
        for (const { file } of pages.toReversed()) session.remove(file);
      }
      const [first] = pages;
      if (first !== undefined && /(?:^|\/)index\.json$/.test(first.file))
        session.removeIfEmpty(dirname(first.file));
      return { pages, links };
    },
    options,
  );

/** The page that an editor named, and its subpages. @throws Failure if they cannot be retired. */
function namedPages(before: SitePages, path: string): AddressedPage[] {
  const { file, folder, isDraft, below } = findPage(before, path);
  if (isDraft)
    throw new Failure(`${file} is a draft: it was never published from here, so simply delete the file.`);
  const drafts = below.filter((one) => !before.addresses.has(one));
  if (drafts.length > 0)
    throw new Failure(
      `There are drafts below ${folder}: ${drafts.slice(0, 5).join(", ")}${drafts.length > 5 ? " …" : ""}. Move or delete them first.`,
    );
  return publishedOf(before, [file, ...below]);
}

const MAX_REFERENCES = 5;

/** @throws Failure if pages that stay refer to the retired ones: they would have errors. */
function assertUnreferenced(
  before: SitePages,
  pages: readonly AddressedPage[],
  files: ReadonlySet<string>,
): void {
  const found = [...referencesTo(before, new Set(pages.map(({ id }) => id)))].filter(
    ({ place }) => !files.has(place.file),
  );
  if (found.length === 0) return;
  const lines = found
    .slice(0, MAX_REFERENCES)
    .map(({ id, place: { file, line, column } }) => `  ${file}:${line}:${column} refers to the page ${id}\n`);
  const rest = found.length - lines.length;
  throw new Failure(
    `Other pages refer to it:\n${lines.join("")}${rest > 0 ? `  and ${plural(rest, "more place")}\n` : ""}Change these references first.`,
  );
}

function withRetired(history: History, pages: AddressedPage[], to: string | undefined): History {
  const retired = new Map(history.retired.map((entry) => [entry.id, entry]));
  for (const { id, address } of pages) retired.set(id, { id, address, to: to ?? null });
  return { retired: [...retired.values()], moved: history.moved };
}

/** The pages of a retirement that was interrupted after removing its sources, as the entries of the history show. */
function retirementDone(
  pages: SitePages,
  { retired }: History,
  name: string,
  to: string | undefined,
): AddressedPage[] | undefined {
  const { site } = pages;
  const path = addressNamed(pages, name);
  if (path === undefined || hasPage(pages, name)) return undefined;
  const pathOf = (address: string): string => sitePath(address, site) ?? address;
  const named = retired.find((entry) => pathOf(entry.address) === path && (entry.to ?? undefined) === to);
  if (named === undefined) return undefined;
  const below = retired.filter((entry) => entry !== named && isPathBelow(pathOf(entry.address), path));
  const sources = sourcesNamed(pages.content, name);
  const index = sources.find((one) => one.endsWith("/index.json")) ?? "";
  const leaf = sources.find((one) => one !== index) ?? index;
  const isSection = statIfThere(join(pages.content, dirname(index)))?.type === "folder";
  // The subpages are listed with the section's file, because the entries do not record their grouping folders.
  const file = isSection ? index : leaf;
  return [named, ...below].map(({ id, address }) => ({ file, id, address }));
}

/** @throws Failure if the redirects would not lead to the address of a page that stays. */
function assertStandIn(before: SitePages, history: History, pages: AddressedPage[], to: string): void {
  const { matches, expected, example } = formats.address;
  if (!matches(to)) throw new Failure(`--to: expected ${expected}, such as ${example}, found ${to}.`);
  const pathOf = (address: string): string | undefined => sitePath(address, before.site);
  const gone = pages.find(({ address }) => pathOf(address) === pathOf(to));
  if (gone !== undefined)
    throw new Failure(`--to ${to}: this is the address of ${gone.file}, which is retired.`);
  const files = new Set(pages.map(({ file }) => file));
  const end = destinations(publishedWithout(before, files, history), history)(to);
  if (end.kind === "loop")
    throw new Failure(
      `--to ${to}: this address redirects back to the retired page (${circleFrom(pages[0]?.address ?? to, end.through, before.site)}). Name the address of a page that stays.`,
    );
  if (end.kind !== "address")
    throw new Failure(`--to ${to}: no page has this address. Name the address of a page that stays.`);
}
