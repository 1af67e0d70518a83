import { record } from "../../browse/client/data.js";
import { h, onKey, pageHref } from "../../browse/client/dom.js";
import { isDraftFile } from "../form/place.ts";
import { StoreFailure, type Store } from "../store.ts";
import type { EditorHost } from "./host.ts";

/** A message about the whole form. */
export const notice = (text: string, ...more: (Node | string)[]): HTMLElement =>
  h("p", { class: "form-notice", role: "status" }, text, " ", ...more);

/** Asks before an action. @returns whether the editor agrees to it */
export function isConfirmed(question: string, label: string): Promise<boolean> {
  const dialog = h(
    "dialog",
    { class: "confirmation", "aria-label": "Confirm" },
    h(
      "form",
      { method: "dialog" },
      h("p", {}, question),
      h(
        "div",
        { class: "element-buttons" },
        h("button", { value: "yes", class: "primary" }, label),
        h("button", { value: "", autofocus: true }, "Cancel"),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}

/** The message about edits for which the browser's storage has no room. */
export const NOT_KEPT = "Unsaved changes. This browser does not keep them: save before you close the page.";

/** The form of a page. It is saved by its button, or by Ctrl+S. */
export function formElement(
  name: string,
  onSave: () => void,
  ...children: (Node | undefined)[]
): HTMLFormElement {
  const form = h("form", { class: "edit-form", "aria-label": name, autocomplete: "off" }, ...children);
  onKey(form, (event) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSave();
  });
  return form;
}

/** The message about a save. */
export function savedText({ store, keepsChanges }: EditorHost): string {
  if (store.kind === "folder") return "Saved.";
  return `Added to the proposal${keepsChanges?.() === false ? ", but this browser cannot keep it" : ""}.`;
}

/** The message about a save that failed. */
export const failureText = (cause: unknown): string =>
  cause instanceof StoreFailure
    ? cause.message
    : "Not saved: the store does not respond. Your changes are kept; try again.";

/** The message about unsaved changes that a form begins with. */
export function keptNotice(time: number, isChanged: boolean): HTMLElement {
  const when = new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const also = isChanged ? " The file has changed since: you can compare both versions when you save." : "";
  return notice(`Your unsaved changes of ${when} were restored.${also}`);
}

/** The head of a form: the page's type, title and file. */
export const formHead = (file: string, isNew: boolean, label: string, heading: HTMLElement): HTMLElement =>
  h(
    "header",
    { class: "edit-head" },
    h(
      "p",
      { class: "kind" },
      `${isNew ? "New page" : "Edit page"} · ${label}`,
      isDraftFile(file) && h("span", { class: "draft" }, "Draft"),
    ),
    heading,
    file !== "" && h("p", { class: "aside file-name" }, file),
  );

interface BarOptions {
  store: Store["kind"];
  back: HTMLElement;
  onSave: () => void;
  onDiscard: () => void;
  status: HTMLElement;
}

/** A link back to a page; hidden until the page is built, which its errors may prevent. */
export function backLink(page: number): { link: HTMLElement; update: () => Promise<void> } {
  const link = h("a", { class: "back", href: pageHref(page), hidden: true }, "Back to the page");
  const update = async (): Promise<void> => {
    link.hidden = (await record(page).catch(() => undefined)) === undefined;
  };
  void update();
  return { link, update };
}

/** The buttons of a form. None of them submits it, because Enter in a text field would press that button. */
export const saveBar = ({ store, back, onSave, onDiscard, status }: BarOptions): HTMLElement =>
  h(
    "div",
    { class: "save-bar" },
    h(
      "button",
      { type: "button", class: "primary", click: onSave },
      store === "folder" ? "Save" : "Add to proposal",
    ),
    h("button", { type: "button", click: onDiscard }, "Discard changes"),
    back,
    status,
  );
