import { record } from "../../browse/client/data.js";
import { h, pageHref } from "../../browse/client/dom.js";
import type { View } from "../../browse/client/view.js";
import type { PageType } from "../../page/page-types.ts";
import { newPage, NotAPage } from "../form/model.ts";
import { GitHubStore } from "../github/store.ts";
import { StoreFailure } from "../store.ts";
import { failureText } from "./form-parts.ts";
import { FormView } from "./form-view.ts";
import type { OpenedPage } from "./unsaved.ts";
import type { BrokenLink } from "../store.ts";
import { changesPage } from "./changes-page.ts";
import { activeHost, readTypes, type EditorHost } from "./host.ts";
import { button, div } from "./parts.ts";
import { pageActions } from "./page-actions.ts";
import { ProposalPanel } from "./proposal.ts";
import { SourceForm } from "./source-form.ts";

/* The entry of the editor's bundle, which the browse UI loads when Edit is pressed. */

/** The open form, if any. */
let current: FormView | SourceForm | undefined;

/** Closes the open form; the browser keeps its edits. */
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

/** Loads the styles; the form waits for them. */
const loadStyles = (): Promise<unknown> =>
  (styles ??= new Promise((resolve) => {
    const link = h("link", { rel: "stylesheet", href: "/browse/edit.css", load: resolve, error: resolve });
    document.head.append(link);
  }));

/** The view for an address of the editor: `?edit=ID`, `?edit=ID&field=PATH`, `?new=TYPE&below=ID` or `?changes`. */
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
    if (parameters.has("changes")) return await changesPage(host);
    return await (parameters.has("edit")
      ? editView(parameters.get("edit") ?? "", host, parameters.get("field") ?? undefined)
      : newView(parameters, host));
  } catch (cause) {
    if (cause instanceof StoreFailure) return failedView(cause, parameters, host);
    throw cause;
  }
}

/** The view if the store cannot be read, which may succeed with an access token. */
function failedView(cause: StoreFailure, parameters: URLSearchParams, host: EditorHost): View {
  const { title, nodes } = message("The page cannot be edited now", cause.message);
  const box = div("editor");
  const again = async (): Promise<void> => {
    const view = await editorView(parameters);
    box.replaceChildren(...view.nodes);
  };
  const { store } = host;
  const panel =
    store instanceof GitHubStore
      ? new ProposalPanel({ store, host, onToken: () => void again() })
      : undefined;
  box.append(...nodes, button("Try again", again), ...(panel === undefined ? [] : [panel.element]));
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
  return new Editor(host).open({ id, file: source.file, text: source.text }, field);
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
  return { ...new Editor(host).open(opened, "title"), title: `New page: ${host.pages.of(type).label}` };
}

/** Shows one form after another in the same element. */
class Editor {
  private readonly host: EditorHost;
  private readonly box = div("editor");
  private readonly panel: ProposalPanel | undefined;
  private title = "";

  constructor(host: EditorHost) {
    this.host = host;
    const { store } = host;
    if (store instanceof GitHubStore)
      this.panel = new ProposalPanel({
        store,
        host,
        addOpenForm: async () => current?.isEdited !== true || current.save(),
      });
  }

  /** @param field the path of the field to begin with */
  open(opened: OpenedPage, field: string | undefined): View {
    this.show(opened);
    const form = current instanceof FormView ? current : undefined;
    const isAt = field !== undefined && form !== undefined;
    return { title: this.title, nodes: [this.box], ...(isAt ? { begin: () => form.goTo(field) } : {}) };
  }

  private show(opened: OpenedPage): void {
    closeForm();
    void this.panel?.update();
    try {
      const form = new FormView(opened, this.host, {
        reopen: (next) => {
          this.show(next);
          scrollTo(0, 0);
        },
        onSaved: () => void this.panel?.update(),
        fileOf: this.fileOf,
        undo: this.undo,
      });
      current = form;
      this.title = `Edit: ${form.title}`;
      this.box.replaceChildren(form.element, ...this.below(opened, form.pageType));
    } catch (cause) {
      if (!(cause instanceof NotAPage)) throw cause;
      const form = new SourceForm(opened, this.host, {
        onSame: (text, said) => {
          if (current === form) this.show({ ...opened, text, notice: said });
        },
        onSaved: () => {
          void this.panel?.update();
          return this.undo(opened.id);
        },
      });
      current = form;
      this.title = `Edit: ${opened.file}`;
      const heading = h("h1", { tabindex: "-1" }, opened.file);
      this.box.replaceChildren(
        div("edit-view", heading, form.element),
        ...this.below(opened, this.host.pages.usual),
      );
    }
  }

  private readonly fileOf = async (id: number): Promise<string | undefined> =>
    (await this.host.store.open(id))?.file;

  /** The elements below a form: the proposal, or the actions on the whole page. */
  private below(opened: OpenedPage, type: PageType): Node[] {
    const panel = this.panel === undefined ? [] : [this.panel.element];
    if (opened.place !== undefined) return panel;
    const { id, file } = opened;
    const element = pageActions({
      id,
      file,
      type,
      host: this.host,
      actions: this.host.actions,
      isEdited: () => current?.isEdited === true,
      onDone: (text, links) => void this.reopen(id, text, this.undo(id), brokenLinks(links)),
      fileOf: this.fileOf,
    });
    return element === undefined ? panel : [element, ...panel];
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
      await this.reopen(id, "The change was undone.", [], []);
    };
    return [button("Undo this change", run), said];
  };

  private async reopen(
    id: number,
    text: string,
    undo: readonly Node[],
    links: readonly Node[],
  ): Promise<void> {
    const notice = h(
      "div",
      { class: "form-notice", role: "status" },
      h("p", {}, text, " ", ...undo),
      ...links,
    );
    const source = await this.host.store.open(id);
    if (source !== undefined) {
      this.show({ id, file: source.file, text: source.text, notice });
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
      div("edit-view", h("h1", { tabindex: "-1" }, text), notice, back),
      ...(this.panel === undefined ? [] : [this.panel.element]),
    );
    this.box.querySelector("h1")?.focus();
  }
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
