import { h } from "../../browse/dom.js";
import { isDraftFile } from "../../source/page-files.ts";
import { StoreFailure } from "../store.ts";
import { openDialog } from "./parts.ts";
import type { EditorHost } from "./host.ts";

export const notice = (text: string, ...more: (Node | string)[]): HTMLElement =>
  h("p", { class: "form-notice", role: "status" }, text, " ", ...more);

/** Asks before an action. @returns whether the editor agrees to it */
export function isConfirmed(question: string, label: string, ...more: Node[]): Promise<boolean> {
  const dialog = openDialog(
    "Confirm",
    "page-actions",
    [h("p", {}, question), ...more],
    h("button", { value: "yes", class: "primary" }, label),
    h("button", { value: "", autofocus: true }, "Cancel"),
  );
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"));
  });
}

export function savedText({ store, keepsChanges }: EditorHost): string {
  if (store.kind === "folder") return "Saved.";
  return `Added to the proposal${keepsChanges?.() === false ? ", but this browser cannot keep it" : ""}.`;
}

export const failureText = (
  cause: unknown,
  other = "Not saved: the store does not respond. Your changes are kept; try again.",
): string => (cause instanceof StoreFailure ? cause.message : other);

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
