import { h, pageHref } from "../../browse/client/dom.js";
import { rowOf, type PageType } from "../../page/types.ts";
import { isDraftFile } from "../form/place.ts";
import type { Store } from "../store.ts";

/** A message about the whole form. */
export const notice = (text: string): HTMLElement => h("p", { class: "form-notice", role: "status" }, text);

/** What is edited: the type, the title and the file. */
export const formHead = (file: string, isNew: boolean, type: PageType, heading: HTMLElement): HTMLElement =>
  h(
    "header",
    { class: "edit-head" },
    h(
      "p",
      { class: "kind" },
      `${isNew ? "New page" : "Edit page"} · ${rowOf(type).label}`,
      isDraftFile(file) && h("span", { class: "draft" }, "Draft"),
    ),
    heading,
    file !== "" && h("p", { class: "aside file-name" }, file),
  );

interface BarOptions {
  store: Store["kind"];
  /** The page to go back to. */
  page: number;
  onDiscard: () => void;
  status: HTMLElement;
}

export const saveBar = ({ store, page, onDiscard, status }: BarOptions): HTMLElement =>
  h(
    "div",
    { class: "save-bar" },
    h("button", { type: "submit", class: "primary" }, store === "folder" ? "Save" : "Add to proposal"),
    h("button", { type: "button", click: onDiscard }, "Discard changes"),
    h("a", { class: "back", href: pageHref(page) }, "Back to the page"),
    status,
  );
