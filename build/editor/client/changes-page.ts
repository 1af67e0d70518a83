import type { FileChange } from "../../change/change.ts";
import { h, plural } from "../../browse/dom.js";
import type { View } from "../../browse/view.js";
import { MEDIA, imagePath } from "../../source/image-kinds.ts";
import { encodedPath } from "../../model/media.ts";
import type { GitHubRepository } from "../../model/site.ts";
import type { ShownChange } from "../changes.ts";
import type { ChangesSinceCommit, FolderStore } from "../folder-store.ts";
import { GitHubStore } from "../github/store.ts";
import { StoreFailure } from "../store.ts";
import { changeViews, readChanges } from "./changes-view.ts";
import { failureText } from "./form-parts.ts";
import { keptToken, type EditorHost } from "./host.ts";
import { base64Of } from "./image-picker.ts";
import { button, div, help, labelled } from "./parts.ts";
import { proposalPanel } from "./proposal.ts";

/** The view of all changes: in a preview, those since the last commit; on a published site, the proposal. */
export async function changesPage(host: EditorHost): Promise<View> {
  const { store, folder } = host;
  const box = div("editor changes-page", h("h1", { tabindex: "-1" }, "Changes"));
  if (store instanceof GitHubStore) {
    if (store.changes.length === 0)
      box.append(h("p", {}, "No changes are collected. Open a page, choose “Edit”, then “Add to proposal”."));
    box.append(proposalPanel({ store, host }).element);
  } else if (folder !== undefined) box.append(await changesSinceCommit(host, folder));
  return { title: "Changes", nodes: [box] };
}

/** The changes of the content folder since the last commit, with the ways to send them. */
async function changesSinceCommit(host: EditorHost, actions: FolderStore): Promise<HTMLElement> {
  let files: readonly FileChange[] = [];
  /** The files of changes that are not to be committed. */
  const left = new Set<string>();
  let panel: ReturnType<typeof proposalPanel> | undefined;
  const list = h("ul", { class: "changes", "aria-label": "Changed pages" });
  const summary = h("p", {});
  const message = h("input", { type: "text", id: "commit-message", autocomplete: "off" });
  const status = h("p", { class: "form-status", role: "status", tabindex: "-1" });
  const committing = button("", () => run(commitChosen, "The changes are committed."), { class: "primary" });
  const effect = help("");
  const commit = h(
    "section",
    { class: "edit-form", "aria-label": "Commit" },
    h("h2", {}, "Commit"),
    labelled("Describe the changes", message),
    div("control-line", committing, effect),
  );
  const sending = h("section", { class: "edit-form", "aria-label": "Send" });
  const element = div("editor", summary, list, commit, sending, status);
  const chosen = (): readonly FileChange[] => files.filter(({ file }) => !left.has(file));

  const load = async (): Promise<void> => {
    let found;
    try {
      found = await actions.changes();
    } catch (cause) {
      commit.hidden = sending.hidden = true;
      status.textContent = failureText(cause);
      return;
    }
    const { more, unsent, repository } = found;
    files = found.changes;
    const read = await readChanges(host, files);
    const isEmpty = read.changes.length === 0;
    commit.hidden = isEmpty;
    list.replaceChildren(
      ...changeViews(read.changes, withdrawing, (all, name) =>
        read.changes.length > 1 ? choice(all, name) : undefined,
      ),
    );
    if (more > 0) list.append(h("li", {}, `${plural(more, "more file")} changed: commit all with git.`));
    if (panel === undefined && repository !== null && more === 0) {
      const store = proposing(repository, chosen);
      const addOpenForm = async (): Promise<boolean> => {
        files = await Promise.all(files.map(withBytes));
        return true;
      };
      panel = proposalPanel({ store, host, addOpenForm, hasNoList: true });
      element.append(panel.element);
    }
    void panel?.update();
    summary.textContent = isEmpty ? "There are no changes since the last commit." : read.summary;
    effect.textContent = `Not on the website yet: a commit keeps the changes in this folder’s git, ${
      unsent === null
        ? "and its branch has no remote to send them to."
        : `until they are sent to ${unsent.to} and published from there.`
    }`;
    showChosen();
    showUnsent(unsent);
  };

  /** The box by which changes are committed, or left for a later commit. */
  const choice = (changes: readonly ShownChange[], name: string): HTMLElement => {
    const own = changes.flatMap((one) => one.files.map(({ file }) => file));
    const box = h("input", {
      type: "checkbox",
      checked: !own.some((file) => left.has(file)),
      "aria-label": `Commit ${name}`,
      change: () => {
        for (const file of own) left[box.checked ? "delete" : "add"](file);
        showChosen();
        void panel?.update();
      },
    });
    return box;
  };

  const showChosen = (): void => {
    const [count, all] = [chosen().length, files.length];
    committing.textContent =
      count === all ? "Commit the changes" : `Commit ${count} of ${plural(all, "changed file")}`;
    committing.disabled = count === 0;
  };

  const showUnsent = (unsent: ChangesSinceCommit["unsent"]): void => {
    sending.hidden = unsent === null || unsent.commits.length === 0;
    if (unsent === null) return;
    const { to, commits } = unsent;
    const count = plural(commits.length, "commit");
    const send = (): Promise<void> => run(() => actions.send(), `${count} sent to ${to}.`);
    const subjects = commits.map((subject) => h("li", { dir: "auto" }, subject));
    sending.replaceChildren(
      h("h2", {}, "Send"),
      h("ul", { "aria-label": "Commits that are not sent" }, ...subjects),
      div(
        "control-line",
        button(`Send ${count}`, send, { class: "primary" }),
        help(`To ${to}: from there, others get them, and the website is published.`),
      ),
    );
  };

  /** The button that undoes the change of a page, unless it has moved: a new page is removed. */
  const withdrawing = ({ files: [change, moved], id, title }: ShownChange): HTMLElement | undefined => {
    if (change === undefined || id === undefined || moved !== undefined) return undefined;
    const { file, before, after } = change;
    const [label, of, done] =
      before === null
        ? ["Remove the page", "", "is removed"]
        : ["Restore the committed version", " of", "is again as in the last commit"];
    const withdraw = (): Promise<unknown> =>
      before === null && after !== null
        ? actions.remove(file, after)
        : actions.save({ file, before: after, after: before });
    const onClick = (): Promise<void> => run(withdraw, `“${title}” ${done}. `, true);
    return button(label, onClick, { "aria-label": `${label}${of} ${title}` });
  };

  const commitChosen = async (): Promise<void> => {
    await actions.commit(
      chosen().map(({ file }) => file),
      message.value,
    );
    message.value = "";
    left.clear();
  };

  const run = async (carryOut: () => Promise<unknown>, done: string, isUndone = false): Promise<void> => {
    status.textContent = "";
    try {
      await carryOut();
      const { change } = actions;
      const undo = (): Promise<void> => run(() => actions.undo(change), "The change was undone.");
      status.replaceChildren(done, isUndone ? button("Undo", undo) : "");
      await load();
    } catch (cause) {
      status.textContent = failureText(cause);
    }
    // The button that had the focus is gone.
    if (document.activeElement === document.body) (status.querySelector("button") ?? status).focus();
  };

  const onRebuilt = (): void => {
    if (element.isConnected) void load();
    else document.removeEventListener("rebuilt", onRebuilt);
  };
  await load();
  document.addEventListener("rebuilt", onRebuilt);
  return element;
}

/** A store that proposes changes of the folder, and leaves them there. */
function proposing(repository: GitHubRepository, changes: () => readonly FileChange[]): GitHubStore {
  const published = { fileOf: () => Promise.resolve(undefined), sources: () => Promise.resolve(new Map()) };
  const collection = {
    read: () => [{ files: changes(), pages: [] }],
    write: () => undefined,
    alone: <T>(task: () => Promise<T>) => task(),
  };
  return new GitHubStore({ repository, token: keptToken(), published, collection });
}

/** The change of an image with its bytes, which the preview serves; any other change as it is. */
async function withBytes(change: FileChange): Promise<FileChange> {
  const path = change.encoding === undefined ? undefined : imagePath(change.file);
  if (path === undefined || change.after === null) return change;
  const response = await fetch(`/${MEDIA}/${encodedPath(path)}`);
  if (!response.ok) throw new StoreFailure(`${change.file} cannot be read. Commit the changes instead.`);
  return { ...change, after: await base64Of(await response.blob()) };
}
