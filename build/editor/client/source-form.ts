import { h } from "../../browse/client/dom.js";
import { findingsOf } from "../findings.ts";
import { Conflict } from "../store.ts";
import { findingItem } from "./context.ts";
import {
  backLink,
  failureText,
  formElement,
  keptNotice,
  NOT_KEPT,
  notice,
  saveBar,
  savedText,
} from "./form-parts.ts";
import { nameOf, type OpenedPage } from "./opened-page.ts";
import type { EditorHost } from "./host.ts";
import { UnsavedEdits } from "./unsaved.ts";

interface SourceFormEvents {
  /** Called when the text in the form is the text of the file, with a message about the form. */
  onSame: (text: string, message?: Node) => void;
  /** Called after the text was saved. @returns elements that undo this, if it can be undone */
  onSaved: () => HTMLElement[];
}

/** The form of a source that is not a JSON object: its text, with its findings. */
export class SourceForm {
  readonly element: HTMLElement;
  private readonly opened: OpenedPage;
  private readonly host: EditorHost;
  private readonly events: SourceFormEvents;
  private readonly unsaved: UnsavedEdits;
  /** The text of the file. */
  private before: string;
  private time = Date.now();
  private readonly status = h("p", { class: "form-status", role: "status" });
  private readonly notices = h("div", { class: "notices" });
  private readonly box = h("div", { class: "field-findings", id: "edit-source-findings" });
  private readonly control = h("textarea", {
    id: "edit-source",
    class: "is-source",
    rows: "24",
    spellcheck: "false",
    dir: "ltr",
    "aria-describedby": "edit-source-findings",
    input: () => {
      this.time = Date.now();
      this.check();
      this.unsaved.schedule();
      this.status.textContent = this.isEdited ? "Unsaved changes" : "";
    },
  });

  constructor(opened: OpenedPage, host: EditorHost, events: SourceFormEvents) {
    this.opened = opened;
    this.host = host;
    this.events = events;
    this.unsaved = new UnsavedEdits(
      host.pages,
      host.site?.site_url ?? "",
      nameOf(opened),
      () =>
        this.isEdited
          ? {
              file: opened.file,
              opened: this.before,
              operations: [],
              unfinished: {},
              text: this.control.value,
              time: this.time,
            }
          : undefined,
      () => (this.status.textContent = NOT_KEPT),
    );
    const kept = this.unsaved.read();
    this.before = kept?.opened ?? opened.text ?? "";
    this.control.value = kept?.text ?? this.before;
    if (opened.notice !== undefined) this.notices.append(opened.notice);
    if (kept !== undefined) {
      this.time = kept.time;
      this.notices.append(keptNotice(kept.time, kept.opened !== opened.text));
      this.status.textContent = "Unsaved changes";
    }
    this.check();
    this.element = formElement(
      "Edit page",
      () => void this.save(),
      this.notices,
      h("p", { class: "form-notice" }, "This file is not valid JSON, so it has no fields. Correct its text."),
      h("label", { for: "edit-source" }, "Source text"),
      this.control,
      this.box,
      saveBar({
        store: host.store.kind,
        back: backLink(opened.id).link,
        onSave: () => void this.save(),
        onDiscard: () => this.discard(),
        status: this.status,
      }),
    );
    this.unsaved.start();
  }

  /** Closes the form; the browser keeps its edits. */
  close(): void {
    this.unsaved.stop();
  }

  get isEdited(): boolean {
    return this.control.value !== this.before;
  }

  private check(): void {
    const findings = findingsOf(this.host.pages, this.opened.file, this.control.value, this.host.site);
    this.box.replaceChildren(...findings.map((finding) => findingItem(finding)));
    if (findings.length === 0) this.control.removeAttribute("aria-invalid");
    else this.control.setAttribute("aria-invalid", "true");
  }

  private discard(): void {
    this.control.value = this.before;
    this.unsaved.remove();
    this.events.onSame(this.before);
  }

  /** Saves the text, if it was edited. @returns whether it is saved */
  async save(): Promise<boolean> {
    const { value } = this.control;
    if (!this.isEdited) {
      this.status.textContent = "There are no changes to save.";
      return true;
    }
    try {
      await this.host.store.save({ file: this.opened.file, before: this.before, after: value });
      this.before = value;
      this.unsaved.keep();
      const undo = this.events.onSaved();
      this.status.replaceChildren(`${savedText(this.host)} `, ...undo);
      if (!this.isEdited) this.events.onSame(value, notice(savedText(this.host), ...undo));
      return true;
    } catch (cause) {
      this.status.textContent = cause instanceof Conflict ? "Not saved." : failureText(cause);
      if (cause instanceof Conflict) this.showConflict(cause);
      return false;
    }
  }

  /** Shows the text of the file, which the next save replaces. */
  private showConflict({ message, current }: Conflict): void {
    this.before = current ?? "";
    this.notices.replaceChildren(
      h("p", { class: "form-notice" }, `${message} Compare its text, then save again to replace it.`),
      h("pre", {}, current ?? "(no file)"),
    );
  }
}
