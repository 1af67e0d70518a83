import type { FileChange } from "../../change/change.ts";
import { h, plural } from "../../browse/dom.js";
import type { View } from "../../browse/view.js";
import { MEDIA, imagePath } from "../../source/image-kinds.ts";
import { encodedPath } from "../../model/media.ts";
import type { ShownChange } from "../changes.ts";
import type { FolderStore } from "../folder-store.ts";
import { GitHubStore } from "../github/store.ts";
import { StoreFailure } from "../store.ts";
import { changeViews, readChanges } from "./changes-view.ts";
import { failureText } from "./form-parts.ts";
import { keptToken, type EditorHost } from "./host.ts";
import { base64Of } from "./image-picker.ts";
import { button, div, labelled } from "./parts.ts";
import { ProposalPanel } from "./proposal.ts";

/** The view of all changes: in a preview, those since the last commit; on a published site, the proposal. */
export async function changesPage(host: EditorHost): Promise<View> {
  const { store, folder } = host;
  const box = div("editor changes-page", h("h1", { tabindex: "-1" }, "Changes"));
  if (store instanceof GitHubStore) {
    if (store.changes.length === 0)
      box.append(h("p", {}, "No changes are collected. Open a page, choose “Edit”, then “Add to proposal”."));
    box.append(new ProposalPanel({ store, host }).element);
  } else if (folder !== undefined) {
    const changes = new SinceCommit(host, folder);
    box.append(changes.element);
    await changes.load();
  }
  return { title: "Changes", nodes: [box] };
}

/** The changes of the content folder since the last commit, with the ways to send them. */
class SinceCommit {
  readonly element = div("editor");
  private readonly host: EditorHost;
  private readonly actions: FolderStore;
  private files: readonly FileChange[] = [];
  private readonly list = h("ul", { class: "changes", "aria-label": "Changed pages" });
  private readonly summary = h("p", {});
  private readonly message = h("input", { type: "text", id: "commit-message", autocomplete: "off" });
  private readonly status = h("p", { class: "form-status", role: "status" });
  private readonly commit = h(
    "section",
    { class: "edit-form", "aria-label": "Commit" },
    h("h2", {}, "Commit"),
    labelled("Describe the changes", this.message),
    button("Commit the changes", () => this.onCommit(), { class: "primary" }),
  );
  private panel: ProposalPanel | undefined;

  constructor(host: EditorHost, actions: FolderStore) {
    this.host = host;
    this.actions = actions;
    this.element.append(this.summary, this.list, this.commit, this.status);
    document.addEventListener("rebuilt", this.onRebuilt);
  }

  private readonly onRebuilt = (): void => {
    if (this.element.isConnected) void this.load();
    else document.removeEventListener("rebuilt", this.onRebuilt);
  };

  async load(): Promise<void> {
    let found;
    try {
      found = await this.actions.changes();
    } catch (cause) {
      this.commit.hidden = true;
      this.status.textContent = failureText(cause);
      return;
    }
    const { changes: files, more, repository } = found;
    this.files = files;
    const { changes, summary } = await readChanges(this.host, files);
    const isEmpty = changes.length === 0;
    this.commit.hidden = isEmpty;
    this.list.replaceChildren(...changeViews(changes, (one) => this.restoring(one)));
    if (more > 0) this.list.append(h("li", {}, `${plural(more, "more file")} changed: commit all with git.`));
    if (this.panel === undefined && repository !== null && more === 0) {
      const store = this.proposing(repository);
      const addOpenForm = async (): Promise<boolean> => {
        this.files = await Promise.all(this.files.map(withBytes));
        return true;
      };
      this.panel = new ProposalPanel({ store, host: this.host, addOpenForm, hasNoList: true });
      this.element.append(this.panel.element);
    }
    void this.panel?.update();
    this.summary.textContent = isEmpty ? "There are no changes since the last commit." : summary;
  }

  /** The button that undoes the change of a page, unless it is new or has moved. */
  private restoring({ files, id, kind, title }: ShownChange): HTMLElement | undefined {
    const [change] = files;
    if (change === undefined || change.before === null || id === undefined || kind === "moved")
      return undefined;
    const { file, before, after } = change;
    const restore = (): Promise<void> =>
      this.run(
        () => this.actions.save({ file, before: after, after: before }),
        `“${title}” is again as in the last commit.`,
      );
    return button("Restore the committed version", restore, {
      "aria-label": `Restore the committed version of ${title}`,
    });
  }

  private onCommit(): Promise<void> {
    const files = this.files.map(({ file }) => file);
    return this.run(() => this.actions.commit(files, this.message.value), "The changes are committed.");
  }

  private async run(carryOut: () => Promise<void>, done: string): Promise<void> {
    try {
      await carryOut();
      this.status.textContent = done;
      await this.load();
    } catch (cause) {
      this.status.textContent = failureText(cause);
    }
  }

  /** A store that proposes these changes, and leaves them in the folder. */
  private proposing(repository: GitHubStore["repository"]): GitHubStore {
    const published = { fileOf: () => Promise.resolve(undefined), sources: () => Promise.resolve(new Map()) };
    const collection = {
      read: () => [{ files: this.files, pages: [] }],
      write: () => undefined,
      alone: <T>(task: () => Promise<T>) => task(),
    };
    return new GitHubStore({ repository, token: keptToken(), published, collection });
  }
}

/** The change of an image with its bytes, which the preview serves; any other change as it is. */
async function withBytes(change: FileChange): Promise<FileChange> {
  const path = change.encoding === undefined ? undefined : imagePath(change.file);
  if (path === undefined || change.after === null) return change;
  const response = await fetch(`/${MEDIA}/${encodedPath(path)}`);
  if (!response.ok) throw new StoreFailure(`${change.file} cannot be read. Commit the changes instead.`);
  return { ...change, after: await base64Of(await response.blob()) };
}
