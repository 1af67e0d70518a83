import type { BrokenLink } from "../../change/change.ts";
import { record } from "../../browse/data.js";
import { h, onKey, pageHref } from "../../browse/dom.js";
import type { View } from "../../browse/view.js";
import { findingsOf } from "../findings.ts";
import { newPage, NotAPage } from "../form/model.ts";
import { openOnGitHub } from "../github/client.ts";
import { GitHubStore } from "../github/store.ts";
import { StoreFailure } from "../store.ts";
import { findingItem } from "./context.ts";
import { failureText } from "./form-parts.ts";
import { FormView } from "./form-view.ts";
import type { OpenedPage } from "./unsaved.ts";
import { activeHost, readSync, readTypes, type EditorHost } from "./host.ts";
import { button, div } from "./parts.ts";
import type { ProposalPanel } from "./proposal.ts";

/* The entry of the editor's bundle, which the browse UI loads when Edit is pressed. */

let current: FormView | undefined;

onKey(document, (event) => current?.undoByKey(event));

export function closeForm(): void {
  current?.close();
  current = undefined;
}

const ID = /^[1-9]\d{0,15}$/;

const idIn = (text: string): number => (ID.test(text) ? Number(text) : Number.NaN);

const message = (title: string, text: string): View => ({
  title,
  nodes: [h("section", { class: "notice" }, h("h1", { tabindex: "-1" }, title), h("p", {}, text))],
  isMissing: true,
});

let styles: Promise<unknown> | undefined;

const loadStyles = (): Promise<unknown> =>
  (styles ??= new Promise((resolve) => {
    const link = h("link", { rel: "stylesheet", href: "/browse/edit.css", load: resolve, error: resolve });
    document.head.append(link);
  }));

/** The view for an address of the editor: `?edit=ID`, `?edit=ID&field=PATH`, `?new=TYPE&below=ID`, `?changes` or `?images`. */
export async function editorView(parameters: URLSearchParams): Promise<View> {
  closeForm();
  const [host] = await Promise.all([activeHost(), loadStyles()]);
  if (host === undefined)
    return message(
      "Pages cannot be edited here",
      "Edit them in the preview (npm run dev), or in the repository.",
    );
  try {
    await readTypes(host);
    if (parameters.has("changes")) return await (await import("./changes-page.ts")).changesPage(host);
    if (parameters.has("translate")) return await translateView(parameters, host);
    if (parameters.has("images")) return await (await import("./image-picker.ts")).imagesPage(host);
    return await (parameters.has("edit")
      ? editView(parameters.get("edit") ?? "", host, parameters.get("field") ?? undefined)
      : newView(parameters, host));
  } catch (cause) {
    if (cause instanceof StoreFailure) return await failedView(cause, parameters, host);
    throw cause;
  }
}

/** The view if the store cannot be read, which may succeed with an access token. */
async function failedView(cause: StoreFailure, parameters: URLSearchParams, host: EditorHost): Promise<View> {
  const { title, nodes } = message("The page cannot be edited now", cause.message);
  const box = div("editor");
  const again = async (): Promise<void> => {
    const view = await editorView(parameters);
    box.replaceChildren(...view.nodes);
  };
  const { store } = host;
  const panel =
    store instanceof GitHubStore
      ? new (await import("./proposal.ts")).ProposalPanel({ store, host, onToken: () => void again() })
      : undefined;
  box.append(...nodes, button("Try again", again), panel?.element ?? "");
  return { title, nodes: [box] };
}

async function editView(text: string, host: EditorHost, field: string | undefined): Promise<View> {
  const id = idIn(text);
  const source = Number.isSafeInteger(id) ? await host.store.open(id) : undefined;
  if (source === undefined)
    return message(
      `No page has the id ${text}`,
      `It may have been removed${host.store.kind === "github" ? ", or be new in a pull request that is not merged yet" : ""}. Search for its title above, or begin at the home page.`,
    );
  await readSync(host, source.text);
  return (await Editor.at(host)).open({ id, file: source.file, text: source.text }, field);
}

async function newView(parameters: URLSearchParams, host: EditorHost): Promise<View> {
  const name = parameters.get("new") ?? "";
  const type = host.pages.names.find((one) => one === name || host.pages.of(one).shortName === name);
  const below = parameters.get("below") ?? "";
  if (type === undefined)
    return message("There is no such page type", "Open a page, and choose “New page” there.");
  const id = await host.newId();
  const place = { parent: ID.test(below) ? Number(below) : 0, slug: "", isSuggested: true, isDraft: false };
  const opened = { id, file: "", text: null, initial: newPage(host.pages, type, id), place };
  return {
    ...(await Editor.at(host)).open(opened, "title"),
    title: `New page: ${host.pages.of(type).label}`,
  };
}

/** The form of a new page, with the values of the page that it translates. */
async function translateView(parameters: URLSearchParams, host: EditorHost): Promise<View> {
  const id = idIn(parameters.get("translate") ?? "");
  const { beginTranslation } = await import("./translations.ts");
  const editor = await Editor.at(host);
  return beginTranslation(host, id, parameters.get("into") ?? "", {
    open: (opened) => editor.open(opened, "title"),
    edit: (other) => editView(String(other), host, undefined),
    message,
  });
}

/** @returns false after a failure */
const saveOpenForm = async (): Promise<boolean> => current?.isEdited !== true || current.save();

/** Shows one form after another in the same element. */
class Editor {
  private readonly host: EditorHost;
  private readonly box = div("editor");
  private readonly panel: ProposalPanel | undefined;
  private title = "";

  private constructor(host: EditorHost, panel: ProposalPanel | undefined) {
    this.host = host;
    this.panel = panel;
  }

  static async at(host: EditorHost): Promise<Editor> {
    const { store } = host;
    if (!(store instanceof GitHubStore)) return new Editor(host, undefined);
    const { ProposalPanel } = await import("./proposal.ts");
    return new Editor(host, new ProposalPanel({ store, host, addOpenForm: saveOpenForm }));
  }

  /** @param field the path of the field to begin with */
  open(opened: OpenedPage, field: string | undefined): View {
    this.show(opened);
    const form = current;
    const isAt = field !== undefined && form !== undefined;
    return { title: this.title, nodes: [this.box], ...(isAt ? { begin: () => form.goTo(field) } : {}) };
  }

  /** Shows a form from its beginning, because what had the focus is gone. */
  private showAgain(opened: OpenedPage): void {
    this.show(opened);
    scrollTo(0, 0);
    this.box.querySelector("h1")?.focus();
  }

  private show(opened: OpenedPage): void {
    closeForm();
    void this.panel?.update();
    try {
      const form = new FormView(opened, this.host, {
        reopen: (next) => this.showAgain(next),
        onSaved: () => void this.panel?.update(),
        undo: this.undo,
      });
      current = form;
      this.title = `Edit: ${form.title}`;
      this.addActions(opened, form);
      this.box.replaceChildren(form.element, this.panel?.element ?? "");
    } catch (cause) {
      if (!(cause instanceof NotAPage)) throw cause;
      this.title = `Edit: ${opened.file}`;
      this.box.replaceChildren(brokenSource(opened, this.host), this.panel?.element ?? "");
    }
  }

  /** Adds the menu of actions on the whole page to the bar of its form. */
  private addActions({ id, file, place }: OpenedPage, form: FormView): void {
    if (place !== undefined) return;
    const open = async (): Promise<void> => {
      const { openActions } = await import("./page-actions.ts");
      await openActions(actions, {
        id,
        file,
        text: form.savedText,
        type: form.pageType,
        host: this.host,
        isEdited: () => current?.isEdited === true,
        say: (said) => form.say(said),
        onDone: (said, links) => void this.reopen(id, said, links),
        onCopied: (copy) => {
          history.pushState(null, "", `/?edit=${copy}`);
          void this.reopen(copy, "This is the copy, a draft. Write what differs, then publish it.", []);
        },
      });
    };
    const actions = button("Actions", open, { "aria-haspopup": "menu" });
    form.element.querySelector(".save-bar > .back")?.before(actions);
  }

  private readonly undo = (id: number): HTMLElement[] => {
    const { folder } = this.host;
    if (folder === undefined) return [];
    const { change } = folder;
    const said = h("span", {});
    const run = async (): Promise<void> => {
      if (current?.isEdited === true) {
        said.textContent = " Save or discard your changes first.";
        return;
      }
      try {
        await folder.undo(change);
      } catch (cause) {
        said.textContent = ` ${failureText(cause)}`;
        return;
      }
      await this.reopen(id, "The change was undone.");
    };
    return [button("Undo this change", run), said];
  };

  /** @param links those that are now broken; undefined if there is nothing to undo */
  private async reopen(id: number, text: string, links?: readonly BrokenLink[]): Promise<void> {
    const undo = links === undefined ? [] : this.undo(id);
    const said = h("p", {}, text, " ", ...undo);
    const done = h("div", { class: "form-notice", role: "status" }, said, ...brokenLinks(links ?? []));
    const source = await this.host.store.open(id);
    if (source !== undefined) {
      this.showAgain({ id, file: source.file, text: source.text, notice: done });
      return;
    }
    closeForm();
    const parent = (await record(id))?.parent;
    void this.panel?.update();
    const back = h(
      "a",
      { href: parent === undefined || parent === 0 ? "/" : pageHref(parent) },
      "Back to the parent page",
    );
    this.box.replaceChildren(
      div("edit-view", h("h1", { tabindex: "-1" }, text), done, back),
      this.panel?.element ?? "",
    );
    this.box.querySelector("h1")?.focus();
  }
}

/** The mistakes of a source that is not a JSON object: it has no fields, so that no form can correct it. */
function brokenSource({ file, text }: OpenedPage, { pages, site, store }: EditorHost): HTMLElement {
  const findings = findingsOf(pages, file, text ?? "", site);
  const items = findings.map((one) =>
    h("li", {}, `Line ${one.line}, column ${one.column}`, findingItem(one)),
  );
  const link =
    store instanceof GitHubStore &&
    h(
      "a",
      { href: openOnGitHub(store.repository, { file, before: text, after: "" }).url, target: "_blank" },
      "Open on GitHub",
    );
  return div(
    "edit-view",
    h("h1", { tabindex: "-1" }, file),
    h("p", {}, "This file is not valid JSON, so it has no fields. Correct it in a text editor."),
    h("ul", {}, ...items),
    link,
  );
}

function brokenLinks(links: readonly BrokenLink[]): Node[] {
  if (links.length === 0) return [];
  return [
    h("p", {}, "These links are now broken:"),
    h(
      "ul",
      {},
      ...links.map(({ href, place: { file, line, column } }) =>
        h("li", {}, href, " ", h("span", { class: "aside" }, `${file}:${line}:${column}`)),
      ),
    ),
  ];
}
