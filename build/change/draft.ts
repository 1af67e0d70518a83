import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import { draftNameProblem } from "../source/site-files.ts";
import { linkPath } from "../model/tree.ts";
import type { Retired } from "./retire.ts";
import { linksTo } from "./links.ts";
import { findPage, publishedOf, readPages } from "./pages.ts";
import { editAlone, type EditOptions, type EditSession } from "./session.ts";
import { findTarget } from "./target.ts";

/** A renamed source: a draft that became a page, or a page that became a draft. */
export interface Redrafted {
  /** The sources, relative to the content folder. */
  from: string;
  to: string;
}

/** @throws Failure, before any change, if the draft, or draft section, cannot be a page at its address. */
export const publishDraft = (content: string, file: string, options: EditOptions = {}): Redrafted =>
  editAlone(
    content,
    (session) => {
      const { model } = session;
      const pages = readPages(content, model);
      const page = findPage(pages, join(content, file));
      const { folders, name } = nameOf(page.file);
      if (!name.startsWith("_")) throw new Failure(`${page.file} is not a draft.`);
      const to = [...folders, name.slice(1)].join("/");
      findTarget(content, model, pages.listing, join(content, to), page.type, false, page.file);
      return rename(session, content, page.file, to);
    },
    options,
  );

/** A page that became a draft, and the pages that the website loses by it. */
export interface Withdrawn extends Redrafted, Retired {}

/**
 * Makes a draft of a page and all its subpages. `_history.json` gets no entries: the pages keep their ids, so publishing
 * the draft again restores the same pages at the same addresses.
 *
 * @returns also the links that are broken now.
 * @throws Failure, before any change, if the page cannot be a draft.
 */
export const withdraw = (content: string, file: string, options: EditOptions = {}): Withdrawn =>
  editAlone(
    content,
    (session) => {
      const { model } = session;
      const before = readPages(content, model);
      const page = findPage(before, join(content, file));
      const { folders, name } = nameOf(page.file);
      if (name.startsWith("_")) throw new Failure(`${page.file} is a draft already.`);
      const draft = [...folders, `_${name}`].join("/");
      const problem = draftNameProblem(draft);
      if (problem !== undefined) throw new Failure(problem);
      const pages = publishedOf(before, [page.file, ...page.below]);
      const renamed = rename(session, content, page.file, draft);
      const now = readPages(content, model);
      const paths = new Set(pages.map(({ address }) => linkPath(address)));
      const links = [...linksTo(now, paths)].flatMap((found) => found.links);
      return { ...renamed, pages, links };
    },
    options,
  );

function nameOf(file: string): { folders: string[]; name: string } {
  const folders = file.split("/");
  return { name: folders.pop() ?? "", folders };
}

function rename(session: EditSession, content: string, from: string, to: string): Redrafted {
  if (existsSync(join(content, to))) throw new Failure(`${to} is there already.`);
  session.rename(from, to);
  return { from, to };
}
