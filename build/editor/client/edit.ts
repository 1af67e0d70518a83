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
import type { PanelOptions } from "./proposal.ts";

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

/** The panel of the proposal; undefined in a preview. */
async function panelOf(host: EditorHost, own: Omit<PanelOptions, "store" | "host">) {
  const { store } = host;
  if (!(store instanceof GitHubStore)) return undefined;
  const { proposalPanel } = await import("./proposal.ts");
  return proposalPanel({ store, host, ...own });
}

/** The view if the store cannot be read, which may succeed with an access token. */
async function failedView(cause: StoreFailure, parameters: URLSearchParams, host: EditorHost): Promise<View> {
  const { title, nodes } = message("The page cannot be edited now", cause.message);
  const again = async (): Promise<void> => {
    const view = await editorView(parameters);
    box.replaceChildren(...view.nodes);
  };
  const panel = await panelOf(host, { onToken: () => void again() });
  const box = h("div", { class: "editor" }, ...nodes, button("Try again", again), panel?.element);
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
  return (await openEditor(host))({ id, file: source.file, text: source.text }, field);
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
  const view = (await openEditor(host))(opened, "title");
  return { ...view, title: `New page: ${host.pages.of(type).label}` };
}

/** The form of a new page, with the values of the page that it translates. */
async function translateView(parameters: URLSearchParams, host: EditorHost): Promise<View> {
  const id = idIn(parameters.get("translate") ?? "");
  const { beginTranslation } = await import("./translations.ts");
  const open = await openEditor(host);
  return beginTranslation(host, id, parameters.get("into") ?? "", {
    open: (opened) => open(opened, "title"),
    edit: (other) => editView(String(other), host, undefined),
    message,
  });
}

/** @returns false after a failure */
const saveOpenForm = async (): Promise<boolean> => current?.isEdited !== true || current.save();

/** Shows one form after another in the same element. @returns opens a form, at a field if its path is given */
async function openEditor(host: EditorHost): Promise<(opened: OpenedPage, field?: string) => View> {
  const box = div("editor");
  const panel = await panelOf(host, { addOpenForm: saveOpenForm });
  let title = "";
  const fill = (element: HTMLElement): void => box.replaceChildren(element, panel?.element ?? "");

  const show = (opened: OpenedPage): void => {
    closeForm();
    void panel?.update();
    try {
      const form = new FormView(opened, host, {
        reopen: showAgain,
        onSaved: () => void panel?.update(),
        undo,
      });
      current = form;
      title = `Edit: ${form.title}`;
      addActions(opened, form);
      fill(form.element);
    } catch (cause) {
      if (!(cause instanceof NotAPage)) throw cause;
      title = `Edit: ${opened.file}`;
      fill(brokenSource(opened, host));
    }
  };

  /** Shows a form from its beginning, because what had the focus is gone. */
  const showAgain = (opened: OpenedPage): void => {
    show(opened);
    scrollTo(0, 0);
    box.querySelector("h1")?.focus();
  };

  /** Adds the menu of actions on the whole page to the bar of its form. */
  const addActions = ({ id, file, place }: OpenedPage, form: FormView): void => {
    if (place !== undefined) return;
    const open = async (): Promise<void> => {
      const { openActions } = await import("./page-actions.ts");
      await openActions(actions, {
        id,
        file,
        text: form.savedText,
        type: form.pageType,
        host,
        isEdited: () => current?.isEdited === true,
        say: (said) => form.say(said),
        onDone: (said, links) => void reopen(id, said, links),
        onCopied: (copy) => {
          history.pushState(null, "", `/?edit=${copy}`);
          void reopen(copy, "This is the copy, a draft. Write what differs, then publish it.", []);
        },
      });
    };
    const actions = button("Actions", open, { "aria-haspopup": "menu" });
    form.element.querySelector(".save-bar > .back")?.before(actions);
  };

  const undo = (id: number): HTMLElement[] => {
    const { folder } = host;
    if (folder === undefined) return [];
    const { change } = folder;
    const said = h("span", {});
    const run = async (): Promise<void> => {
      try {
        if (current?.isEdited === true) throw new StoreFailure("Save or discard your changes first.");
        await folder.undo(change);
      } catch (cause) {
        said.textContent = ` ${failureText(cause)}`;
        return;
      }
      await reopen(id, "The change was undone.");
    };
    return [button("Undo this change", run), said];
  };

  /** @param links those that are now broken; undefined if there is nothing to undo */
  const reopen = async (id: number, text: string, links?: readonly BrokenLink[]): Promise<void> => {
    const said = h("p", {}, text, " ", ...(links === undefined ? [] : undo(id)));
    const notice = h("div", { class: "form-notice", role: "status" }, said, ...brokenLinks(links ?? []));
    const source = await host.store.open(id);
    if (source !== undefined) {
      showAgain({ id, file: source.file, text: source.text, notice });
      return;
    }
    closeForm();
    const parent = (await record(id))?.parent ?? 0;
    void panel?.update();
    const back = h("a", { href: parent === 0 ? "/" : pageHref(parent) }, "Back to the parent page");
    fill(div("edit-view", h("h1", { tabindex: "-1" }, text), notice, back));
    box.querySelector("h1")?.focus();
  };

  return (opened, field) => {
    show(opened);
    const form = current;
    if (field === undefined || form === undefined) return { title, nodes: [box] };
    return { title, nodes: [box], begin: () => form.goTo(field) };
  };
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
