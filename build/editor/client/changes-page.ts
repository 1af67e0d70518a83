import type { FileChange } from "../../change/change.ts";
import { h, plural } from "../../browse/dom.js";
import type { View } from "../../browse/view.js";
import { MEDIA, imagePath } from "../../source/image-kinds.ts";
import { encodedPath } from "../../model/media.ts";
import type { ShownChange } from "../changes.ts";
import type { ChangesSinceCommit, FolderStore } from "../folder-store.ts";
import { GitHubStore } from "../github/store.ts";
import { StoreFailure } from "../store.ts";
import { changeViews, readChanges } from "./changes-view.ts";
import { failureText } from "./form-parts.ts";
import { keptToken, type EditorHost } from "./host.ts";
import { base64Of } from "./image-picker.ts";
import { button, div, help, labelled } from "./parts.ts";
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
  /** The files of changes that are not to be committed. */
  private readonly left = new Set<string>();
  private readonly list = h("ul", { class: "changes", "aria-label": "Changed pages" });
  private readonly summary = h("p", {});
  private readonly message = h("input", { type: "text", id: "commit-message", autocomplete: "off" });
  private readonly status = h("p", { class: "form-status", role: "status", tabindex: "-1" });
  private readonly committing = button("", () => this.onCommit(), { class: "primary" });
  private readonly effect = help("");
  private readonly commit = h(
    "section",
    { class: "edit-form", "aria-label": "Commit" },
    h("h2", {}, "Commit"),
    labelled("Describe the changes", this.message),
    div("control-line", this.committing, this.effect),
  );
  private readonly sending = h("section", { class: "edit-form", "aria-label": "Send" });
  private panel: ProposalPanel | undefined;

  constructor(host: EditorHost, actions: FolderStore) {
    this.host = host;
    this.actions = actions;
    this.element.append(this.summary, this.list, this.commit, this.sending, this.status);
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
      this.commit.hidden = this.sending.hidden = true;
      this.status.textContent = failureText(cause);
      return;
    }
    const { changes: files, more, unsent, repository } = found;
    this.files = files;
    const { changes, summary } = await readChanges(this.host, files);
    const isEmpty = changes.length === 0;
    this.commit.hidden = isEmpty;
    this.list.replaceChildren(
      ...changeViews(
        changes,
        (one) => this.withdrawing(one),
        (all, name) => (changes.length > 1 ? this.choice(all, name) : undefined),
      ),
    );
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
    this.effect.textContent = `Not on the website yet: a commit keeps the changes in this folder’s git, ${
      unsent === null
        ? "and its branch has no remote to send them to."
        : `until they are sent to ${unsent.to} and published from there.`
    }`;
    this.showChosen();
    this.showUnsent(unsent);
  }

  private get chosen(): readonly FileChange[] {
    return this.files.filter(({ file }) => !this.left.has(file));
  }

  /** The box by which changes are committed, or left for a later commit. */
  private choice(changes: readonly ShownChange[], name: string): HTMLElement {
    const files = changes.flatMap((one) => one.files.map(({ file }) => file));
    const box = h("input", {
      type: "checkbox",
      checked: !files.some((file) => this.left.has(file)),
      "aria-label": `Commit ${name}`,
      change: () => {
        for (const file of files) this.left[box.checked ? "delete" : "add"](file);
        this.showChosen();
        void this.panel?.update();
      },
    });
    return box;
  }

  private showChosen(): void {
    const [count, all] = [this.chosen.length, this.files.length];
    this.committing.textContent =
      count === all ? "Commit the changes" : `Commit ${count} of ${plural(all, "changed file")}`;
    this.committing.disabled = count === 0;
  }

  private showUnsent(unsent: ChangesSinceCommit["unsent"]): void {
    this.sending.hidden = unsent === null || unsent.commits.length === 0;
    if (unsent === null) return;
    const { to, commits } = unsent;
    const send = (): Promise<void> =>
      this.run(() => this.actions.send(), `${plural(commits.length, "commit")} sent to ${to}.`);
    this.sending.replaceChildren(
      h("h2", {}, "Send"),
      h(
        "ul",
        { "aria-label": "Commits that are not sent" },
        ...commits.map((subject) => h("li", { dir: "auto" }, subject)),
      ),
      div(
        "control-line",
        button(`Send ${plural(commits.length, "commit")}`, send, { class: "primary" }),
        help(`To ${to}: from there, others get them, and the website is published.`),
      ),
    );
  }

  /** The button that undoes the change of a page, unless it has moved: a new page is removed. */
  private withdrawing({ files, id, kind, title }: ShownChange): HTMLElement | undefined {
    const [change] = files;
    if (change === undefined || id === undefined || kind === "moved") return undefined;
    const { file, before, after } = change;
    const [label, of, done] =
      before === null
        ? ["Remove the page", "", "is removed"]
        : ["Restore the committed version", " of", "is again as in the last commit"];
    const withdraw = (): Promise<unknown> =>
      before === null && after !== null
        ? this.actions.remove(file, after)
        : this.actions.save({ file, before: after, after: before });
    const onClick = (): Promise<void> => this.run(withdraw, `“${title}” ${done}. `, true);
    return button(label, onClick, { "aria-label": `${label}${of} ${title}` });
  }

  private onCommit(): Promise<void> {
    const files = this.chosen.map(({ file }) => file);
    const carryOut = async (): Promise<void> => {
      await this.actions.commit(files, this.message.value);
      this.message.value = "";
      this.left.clear();
    };
    return this.run(carryOut, "The changes are committed.");
  }

  private async run(carryOut: () => Promise<unknown>, done: string, isUndone = false): Promise<void> {
    this.status.textContent = "";
    try {
      await carryOut();
      const { change } = this.actions;
      const undo = (): Promise<void> => this.run(() => this.actions.undo(change), "The change was undone.");
      this.status.replaceChildren(done, isUndone ? button("Undo", undo) : "");
      await this.load();
    } catch (cause) {
      this.status.textContent = failureText(cause);
    }
    // The button that had the focus is gone.
    if (document.activeElement === document.body)
      (this.status.querySelector("button") ?? this.status).focus();
  }

  /** A store that proposes these changes, and leaves them in the folder. */
  private proposing(repository: GitHubStore["repository"]): GitHubStore {
    const published = { fileOf: () => Promise.resolve(undefined), sources: () => Promise.resolve(new Map()) };
    const collection = {
      read: () => [{ files: this.chosen, pages: [] }],
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
