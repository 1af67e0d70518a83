import { editedText } from "../../json/edit.ts";
import { formatJson } from "../../json/format.ts";
import { parseJson } from "../../json/parse.ts";
import { HISTORY } from "../../page/files.ts";
import { pageOf } from "../form/model.ts";
import { fileWithFolder, hasFolder } from "../form/place.ts";
import { StoreFailure, type BrokenLink, type PageActions } from "../store.ts";
import type { GitHubStore } from "./store.ts";

/** Maximum number of pages that are moved or retired at once, because each is requested from GitHub. */
const MAX_PAGES = 50;

/** A page that moves or is retired, with its entry in `_history.json`; undefined if it was never published. */
interface LeavingPage {
  file: string;
  entry: { id: number; address: string } | undefined;
}

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf("/") + 1);

/**
 * Moves, retires, publishes and withdraws pages with their subpages in the proposal. Links to a page stay as they are,
 * because that needs all sources: the check of the pull request lists them.
 */
export class ProposedMoves implements PageActions {
  private readonly store: GitHubStore;
  private readonly addressOf: (id: number) => Promise<string | undefined>;
  private readonly maxPages: number;

  /** @param addressOf the published address of a page; undefined if it was never published. */
  constructor(
    store: GitHubStore,
    addressOf: (id: number) => Promise<string | undefined>,
    maxPages = MAX_PAGES,
  ) {
    this.store = store;
    this.addressOf = addressOf;
    this.maxPages = maxPages;
  }

  async subpages(file: string): Promise<number> {
    return (await this.store.filesBelow(file)).length;
  }

  async move(file: string, to: string): Promise<string> {
    const pages = await this.pagesFrom(file);
    const target = (one: string): string =>
      one === file ? to : folderOf(to) + one.slice(folderOf(file).length);
    const parent = `${folderOf(hasFolder(to) ? folderOf(to).slice(0, -1) : to).slice(0, -1)}.json`;
    const files = pages.flatMap((one) => [one.file, target(one.file)]);
    return this.store.together([...files, parent, fileWithFolder(parent), HISTORY], async () => {
      if (parent !== ".json" && (await this.store.read(parent)) !== null) await this.store.giveFolder(parent);
      for (const one of pages) await this.store.rename(one.file, target(one.file));
      for (const { entry } of pages) if (entry !== undefined) await this.remember("moved", entry);
      return to;
    });
  }

  async retire(file: string, to: string | undefined): Promise<BrokenLink[]> {
    const pages = await this.pagesFrom(file);
    const drafts = pages.filter((one) => one.entry === undefined && one.file !== file);
    if (drafts.length > 0) {
      const names = drafts.map((one) => one.file).join(", ");
      throw new StoreFailure(`Below the page are drafts or new pages: ${names}. Move or delete them first.`);
    }
    return this.store.together([...pages.map((one) => one.file), HISTORY], async () => {
      for (const { file: one, entry } of pages) {
        await this.store.save({ file: one, before: await this.store.read(one), after: null });
        if (entry !== undefined) await this.remember("retired", to === undefined ? entry : { ...entry, to });
      }
      return [];
    });
  }

  publish(file: string): Promise<string> {
    return this.store.rename(file, file.replace(/_([^/]*)$/, "$1"));
  }

  async withdraw(file: string): Promise<{ file: string; links: BrokenLink[] }> {
    return { file: await this.store.rename(file, file.replace(/([^/]*)$/, "_$1")), links: [] };
  }

  /** A page and its subpages. */
  private async pagesFrom(file: string): Promise<LeavingPage[]> {
    const files = [file, ...(await this.store.filesBelow(file))];
    if (files.length > this.maxPages)
      throw new StoreFailure(
        `The page has ${files.length - 1} subpages, and at most ${this.maxPages} pages can be changed at once here. Use npm run dev, or npx page-api move and retire.`,
      );
    return Promise.all(
      files.map(async (one) => {
        const id = Number(pageOf(await this.store.read(one))?.["id"]);
        const address = await this.addressOf(id);
        return {
          file: one,
          entry: address === undefined ? undefined : { id, address: new URL(address).pathname },
        };
      }),
    );
  }

  private async remember(list: "moved" | "retired", entry: object): Promise<void> {
    const before = await this.store.read(HISTORY);
    const { source, root } = parseJson(HISTORY, new TextEncoder().encode(before ?? ""));
    const entries = pageOf(before)?.[list];
    const after =
      root === undefined || !Array.isArray(entries)
        ? formatJson({ retired: [], moved: [], ...pageOf(before), [list]: [entry] })
        : editedText(source.text, root, [{ kind: "insert", path: [list, entries.length], value: entry }]);
    await this.store.save({ file: HISTORY, before, after });
  }
}
