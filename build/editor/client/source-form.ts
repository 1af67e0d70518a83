import { h } from "../../browse/client/dom.js";
import { findingsOf } from "../findings.ts";
import { Conflict, StoreFailure } from "../store.ts";
import { findingItem } from "./context.ts";
import { backLink, saveBar } from "./form-parts.ts";
import type { OpenedPage } from "./opened-page.ts";
import type { EditorHost } from "./host.ts";

/** The form of a source that is not a JSON object: its text, with its findings. */
export function sourceForm(
  opened: OpenedPage,
  host: EditorHost,
  onSaved: (text: string) => void,
): HTMLElement {
  const control = h("textarea", {
    id: "edit-source",
    class: "is-source",
    rows: "24",
    spellcheck: "false",
    dir: "ltr",
    "aria-describedby": "edit-source-findings",
  });
  const before = opened.text ?? "";
  let opens = before;
  control.value = before;
  const box = h("div", { class: "field-findings", id: "edit-source-findings" });
  const status = h("p", { class: "form-status", role: "status" });
  const check = (): void => {
    const findings = findingsOf(opened.file, control.value, host.site);
    box.replaceChildren(...findings.map((finding) => findingItem(finding)));
    if (findings.length === 0) control.removeAttribute("aria-invalid");
    else control.setAttribute("aria-invalid", "true");
  };
  control.addEventListener("input", check);
  check();
  const save = async (): Promise<void> => {
    if (control.value === opens) {
      status.textContent = "There are no changes to save.";
      return;
    }
    try {
      await host.store.save({ file: opened.file, before: opens, after: control.value });
      opens = control.value;
      onSaved(opens);
      status.textContent = "Saved.";
    } catch (cause) {
      status.textContent =
        cause instanceof Conflict || cause instanceof StoreFailure ? cause.message : "Not saved. Try again.";
    }
  };
  return h(
    "form",
    {
      class: "edit-form",
      "aria-label": "Edit page",
      novalidate: true,
      submit: (event) => {
        event.preventDefault();
        void save();
      },
    },
    h("p", { class: "form-notice" }, "This file is not valid JSON, so it has no fields. Correct its text."),
    h("label", { for: "edit-source" }, "Source text"),
    control,
    box,
    saveBar({
      store: host.store.kind,
      back: backLink(opened.id).link,
      onDiscard: () => {
        control.value = opens;
        check();
      },
      status,
    }),
  );
}
