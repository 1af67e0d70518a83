import { editedText } from "../../json/edit.ts";
import { formatJson } from "../../json/format.ts";
import { parseJson } from "../../json/parse.ts";
import { HISTORY } from "../../page/files.ts";
import { pageOf } from "../form/model.ts";
import { hasFolder } from "../form/place.ts";
import { StoreFailure, type BrokenLink, type PageActions } from "../store.ts";
import type { GitHubStore } from "./store.ts";

/**
 * Moves, retires, publishes and withdraws single pages in the proposal. Links to a page stay as they are, because that needs
 * all sources: the check of the pull request lists them. For the same reason, a page with subpages is refused.
 */
export class ProposedMoves implements PageActions {
  private readonly store: GitHubStore;
  private readonly addressOf: (id: number) => Promise<string | undefined>;

  /** @param addressOf the published address of a page; undefined if it was never published. */
  constructor(store: GitHubStore, addressOf: (id: number) => Promise<string | undefined>) {
    this.store = store;
    this.addressOf = addressOf;
  }

  subpages(file: string): Promise<number> {
    return this.store.countBelow(file);
  }

  async move(file: string, to: string): Promise<string> {
    const entry = await this.entryOf(file);
    const folder = to.slice(
      0,
      Math.max(0, to.lastIndexOf("/", hasFolder(to) ? to.lastIndexOf("/") - 1 : undefined)),
    );
    const parent = `${folder}.json`;
    if (folder !== "" && (await this.store.read(parent)) !== null) await this.store.giveFolder(parent);
    await this.store.rename(file, to);
    if (entry !== undefined) await this.remember("moved", entry);
    return to;
  }

  async retire(file: string, to: string | undefined): Promise<BrokenLink[]> {
    const entry = await this.entryOf(file);
    await this.store.save({ file, before: await this.store.read(file), after: null });
    if (entry !== undefined) await this.remember("retired", to === undefined ? entry : { ...entry, to });
    return [];
  }

  publish(file: string): Promise<string> {
    return this.store.rename(file, file.replace(/_([^/]*)$/, "$1"));
  }

  async withdraw(file: string): Promise<{ file: string; links: BrokenLink[] }> {
    await this.assertSingle(file);
    return { file: await this.store.rename(file, file.replace(/([^/]*)$/, "_$1")), links: [] };
  }

  private async assertSingle(file: string): Promise<void> {
    if ((await this.subpages(file)) > 0)
      throw new StoreFailure("The page has subpages. Use npm run dev, or npx page-api move and retire.");
  }

  /** The page in `_history.json`; undefined if it was never published. */
  private async entryOf(file: string): Promise<{ id: number; address: string } | undefined> {
    await this.assertSingle(file);
    const id = Number(pageOf(await this.store.read(file))?.["id"]);
    const address = await this.addressOf(id);
    return address === undefined ? undefined : { id, address: new URL(address).pathname };
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
