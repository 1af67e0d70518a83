import type { BrokenLink } from "../../change/change.ts";
import { linkEdits, linksOfSource, ownedPathEdits, relinked } from "../../change/move-edits.ts";
import { editedText, type SourceOperation } from "../../source/json/edit.ts";
import { formatJson } from "../../source/json/format.ts";
import { parseJson } from "../../source/json/parse.ts";
import { draftNameProblem, HISTORY, SITE } from "../../source/site-files.ts";
import type { PageModel } from "../../model/page.ts";
import type { Site } from "../../model/site.ts";
import { addressPathOf, folderAddress, sitePath } from "../../model/tree.ts";
import { pageOf } from "../form/model.ts";
import { fileWithFolder, hasFolder } from "../form/place.ts";
import { isEqual } from "../form/values.ts";
import { StoreFailure, type LinkingPages, type PageActions } from "../store.ts";
import { MAX_LINKING, TOO_MANY_LINKING } from "./files.ts";
import type { GitHubStore } from "./store.ts";

/** Maximum number of pages that are moved or retired at once, because each is requested from GitHub. */
const MAX_PAGES = 50;

/** A page that moves or is retired. */
interface LeavingPage {
  file: string;
  text: string | null;
  /** Its entry in `_history.json`; undefined if it was never published. */
  entry: { id: number; address: string } | undefined;
}

interface ProposalSite {
  /** The published address of a page; undefined if it was never published. */
  addressOf: (id: number) => Promise<string | undefined>;
  site: Site;
  pages: () => PageModel;
}

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf("/") + 1);

/** Moves, retires, publishes and withdraws pages with their subpages in the proposal. */
export class ProposedMoves implements PageActions {
  private readonly store: GitHubStore;
  private readonly options: ProposalSite;

  constructor(store: GitHubStore, options: ProposalSite) {
    this.store = store;
    this.options = options;
  }

  async subpages(file: string): Promise<number> {
    return (await this.store.filesBelow(file)).length;
  }

  /** Changed live pages are found by their links when the site was published. The check of the pull request finds all. */
  async linking(file: string): Promise<LinkingPages> {
    const files = [file, ...(await this.store.filesBelow(file))];
    // A section of any size can become a draft.
    return files.length > MAX_PAGES
      ? this.linksTo(files.map((one) => ({ file: one, text: null, entry: undefined })))
      : this.linksTo(await this.pagesFrom(file));
  }

  async move(file: string, to: string, linking?: LinkingPages): Promise<string> {
    const { site } = this.options;
    const pages = await this.pagesFrom(file);
    const { sources } = linking ?? (await this.linksTo(pages));
    const target = (one: string): string =>
      one === file ? to : folderOf(to) + one.slice(folderOf(file).length);
    const parent = `${folderOf(hasFolder(to) ? folderOf(to).slice(0, -1) : to).slice(0, -1)}.json`;
    const addresses = new Map<string, string>();
    for (const one of pages) {
      const after = this.addressOfSource(target(one.file));
      if (after !== undefined) for (const path of this.pathsOf(one)) addresses.set(path, after);
    }
    const files = pages.flatMap((one) => [one.file, target(one.file)]);
    const linkingFiles = sources.map((one) => one.file);
    return this.store.together(
      [...files, ...linkingFiles, parent, fileWithFolder(parent), HISTORY, SITE],
      async () => {
        for (const { file: linkingFile, text, links } of sources) {
          const edits = linkEdits(links, addresses, site).map(({ edit }) => edit);
          const after = relinked(parseJson(linkingFile, new TextEncoder().encode(text)), edits);
          await this.store.save({ file: linkingFile, before: text, after });
        }
        if (parent !== ".json" && (await this.store.read(parent)) !== null)
          await this.store.giveFolder(parent);
        for (const one of pages) await this.store.rename(one.file, target(one.file));
        for (const { file: one, entry } of pages) {
          const isBack = this.addressOfSource(target(one)) === entry?.address;
          if (entry !== undefined) await this.remember("moved", entry, isBack);
        }
        await this.moveOwnedPath(file, to);
        return to;
      },
    );
  }

  async retire(file: string, to: string | undefined, linking?: LinkingPages): Promise<BrokenLink[]> {
    const pages = await this.pagesFrom(file);
    const drafts = pages.filter((one) => one.entry === undefined && one.file !== file);
    if (drafts.length > 0) {
      const names = drafts.map((one) => one.file).join(", ");
      throw new StoreFailure(`Below the page are drafts or new pages: ${names}. Move or delete them first.`);
    }
    const { sources } = linking ?? (await this.linksTo(pages));
    return this.store.together([...pages.map((one) => one.file), HISTORY], async () => {
      for (const { file: one, text, entry } of pages) {
        await this.store.save({ file: one, before: text, after: null });
        if (entry !== undefined) await this.remember("retired", to === undefined ? entry : { ...entry, to });
      }
      const retired = new Set(pages.map((one) => one.file));
      return sources.flatMap((one) => (retired.has(one.file) ? [] : one.links));
    });
  }

  publish(file: string): Promise<string> {
    return this.store.rename(file, file.replace(/_([^/]*)$/, "$1"));
  }

  async withdraw(file: string, linking?: LinkingPages): Promise<{ file: string; links: BrokenLink[] }> {
    const draft = file.replace(/([^/]*)$/, "_$1");
    const problem = draftNameProblem(draft);
    if (problem !== undefined) throw new StoreFailure(problem);
    const { sources } = linking ?? (await this.linking(file));
    const to = await this.store.rename(file, draft);
    const links = sources.flatMap((one) => one.links);
    return {
      file: to,
      links: links.map(({ href, place }) => ({
        href,
        place: place.file === file ? Object.assign({}, place, { file: to }) : place,
      })),
    };
  }

  private async pagesFrom(file: string): Promise<LeavingPage[]> {
    const files = [file, ...(await this.store.filesBelow(file))];
    if (files.length > MAX_PAGES)
      throw new StoreFailure(
        `The page has ${files.length - 1} subpages, and at most ${MAX_PAGES} pages can be changed at once here. Use npm run dev, or npx page-api move and retire.`,
      );
    return Promise.all(
      files.map(async (one) => {
        const text = await this.store.read(one);
        const id = Number(pageOf(text)?.["id"]);
        const address = await this.options.addressOf(id);
        return {
          file: one,
          text,
          entry: address === undefined ? undefined : { id, address: new URL(address).pathname },
        };
      }),
    );
  }

  /** The address of a source's page on the website, without its host; undefined for a draft. */
  private addressOfSource(file: string): string | undefined {
    const { site } = this.options;
    const path = addressPathOf(file);
    return path === undefined ? undefined : new URL(folderAddress(path, site)).pathname;
  }

  /** The paths of a page: in the proposal, and published. */
  private pathsOf({ file, entry }: LeavingPage): string[] {
    const addresses = [this.addressOfSource(file), entry?.address];
    return addresses.flatMap((one) => (one === undefined ? [] : (sitePath(one, this.options.site) ?? [])));
  }

  private async linksTo(pages: readonly LeavingPage[]): Promise<LinkingPages> {
    const { site, pages: model } = this.options;
    const paths = new Set(pages.flatMap((one) => this.pathsOf(one)));
    if (paths.size === 0) return { sources: [], unread: [] };
    const known = pages.flatMap(({ file, text }) => (text === null ? [] : [file]));
    const { sources, unread } = await this.store.linking(paths, new Set(known));
    const linksIn = ({ file, text }: { file: string; text: string | null }): LinkingPages["sources"] => {
      if (text === null) return [];
      const parsed = parseJson(file, new TextEncoder().encode(text));
      const { links } = linksOfSource(parsed, paths, new Set(), { model: model(), site });
      return links.length === 0 ? [] : [{ file, text, links }];
    };
    const others = sources.flatMap(linksIn).sort((a, b) => (a.file < b.file ? -1 : 1));
    const left = others.splice(MAX_LINKING).map(({ file }) => ({ file, reason: TOO_MANY_LINKING }));
    return { sources: [...pages.flatMap(linksIn), ...others], unread: [...unread, ...left] };
  }

  /** Changes the entries of `owned_paths` that a section takes along. */
  private async moveOwnedPath(file: string, to: string): Promise<void> {
    const [before, after] = [file, to].map((one) => this.addressOfSource(one)?.replace(/\/$/, ""));
    const text = await this.store.read(SITE);
    if (before === undefined || after === undefined || text === null) return;
    const parsed = parseJson(SITE, new TextEncoder().encode(text));
    const edited = ownedPathEdits(parsed, this.options.site, { before, after });
    if (edited.text !== undefined) await this.store.save({ file: SITE, before: text, after: edited.text });
  }

  /** @param isBack whether the page returns to the address. */
  private async remember(
    list: "moved" | "retired",
    entry: { id: number; address: string; to?: string },
    isBack = false,
  ): Promise<void> {
    const before = await this.store.read(HISTORY);
    const { source, root } = parseJson(HISTORY, new TextEncoder().encode(before ?? ""));
    const found = pageOf(before)?.[list];
    const entries: unknown[] = Array.isArray(found) ? found : [];
    // The proposal has moved the page before.
    const known = entries.findIndex((one) => isEqual(one, entry));
    if ((known === -1) === isBack) return;
    const operation: SourceOperation = isBack
      ? { kind: "remove", path: [list, known] }
      : { kind: "insert", path: [list, entries.length], value: entry };
    const after =
      root === undefined || !Array.isArray(found)
        ? formatJson({ retired: [], moved: [], ...pageOf(before), [list]: [entry] })
        : editedText(source.text, root, [operation]);
    await this.store.save({ file: HISTORY, before, after });
  }
}
