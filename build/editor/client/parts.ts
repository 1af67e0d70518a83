import { h, icon } from "../../browse/dom.js";

/* The elements that the editor's views are made of. */

type Attributes = Parameters<typeof h>[1];
type ElementChild = Node | string | undefined | false;

/** A button. None submits its form, because Enter in a text field would press that button. */
export const button = (label: string, click: () => unknown, more: Attributes = {}): HTMLButtonElement =>
  h("button", { type: "button", click, ...more }, label);

/** A button with an icon instead of its label, which screen readers read. */
export function iconButton(label: string, path: string, click: () => unknown, more: Attributes = {}) {
  const made = button("", click, { title: label, ...more });
  made.classList.add("is-icon");
  made.append(icon(path), h("span", { class: "unseen" }, label));
  return made;
}

/** The name of a field that no label belongs to. */
export const named = (text: string, more: Attributes = {}) => h("span", { class: "label", ...more }, text);

export const help = (text: string, id?: string): HTMLElement => h("p", { class: "help", id }, text);

export const div = (className: string, ...children: ElementChild[]): HTMLElement =>
  h("div", { class: className }, ...children);

/** Opens a dialog, which each of its buttons without a type closes. A closed dialog is removed. */
export function openDialog(
  label: string,
  className: string,
  content: ElementChild[],
  ...buttons: ElementChild[]
) {
  const dialog: HTMLDialogElement = h(
    "dialog",
    { class: `confirmation ${className}`, "aria-label": label, close: () => dialog.remove() },
    ...content,
    h("form", { method: "dialog", class: "element-buttons" }, ...buttons),
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A list that shows at most some of its items, and the number of the others. */
export const listOf = (attributes: Attributes, items: readonly HTMLElement[], max: number): HTMLElement =>
  h(
    "ul",
    attributes,
    ...items.slice(0, max),
    items.length > max && h("li", {}, `and ${(items.length - max).toLocaleString("en")} more`),
  );

export const fieldOf = (...children: ElementChild[]): HTMLElement => div("field", ...children);

export const labelled = (label: string, control: HTMLElement, ...more: ElementChild[]): HTMLElement =>
  fieldOf(h("label", { for: control.id }, label), control, ...more);

export const checkboxOf = (control: HTMLElement, label: string): HTMLElement =>
  div("field is-checkbox", control, h("label", { for: control.id }, label));
