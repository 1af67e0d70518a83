import type { FileChange } from "../../change/change.ts";
import { h } from "../../browse/dom.js";
import { findingsOf } from "../findings.ts";
import { Conflict } from "../store.ts";
import { findingItem } from "./context.ts";
import { EditorForm, failureText, notice, savedText } from "./form-parts.ts";
import type { EditorHost } from "./host.ts";
import type { OpenedPage, Unsaved } from "./unsaved.ts";

interface SourceFormEvents {
  /** Called when the text in the form is the text of the file, with a message about the form. */
  onSame: (text: string, message?: Node) => void;
  /** Called after the text was saved. @returns elements that undo this, if it can be undone */
  onSaved: () => HTMLElement[];
}

/** The form of a source that is not a JSON object: its text, with its findings. */
export class SourceForm extends EditorForm {
  readonly element: HTMLElement;
  private readonly events: SourceFormEvents;
  /** The text of the file; null if it was removed. */
  private before: string | null;
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
      this.say(this.isEdited ? "Unsaved changes" : "");
    },
  });

  constructor(opened: OpenedPage, host: EditorHost, events: SourceFormEvents) {
    super(opened, host);
    this.events = events;
    const kept = this.unsaved.read();
    this.before = kept?.opened ?? opened.text;
    this.control.value = kept?.text ?? this.before ?? "";
    if (kept !== undefined) this.sayKept(kept.time, kept.opened !== opened.text);
    this.check();
    this.element = this.frame(
      "Edit page",
      h("p", { class: "form-notice" }, "This file is not valid JSON, so it has no fields. Correct its text."),
      h("label", { for: "edit-source" }, "Source text"),
      this.control,
      this.box,
    );
    this.unsaved.start();
  }

  get isEdited(): boolean {
    return this.control.value !== this.before;
  }

  protected get change(): FileChange {
    return { file: this.opened.file, before: this.before, after: this.control.value };
  }

  protected get edits(): Unsaved | undefined {
    const { before: opened, time, control } = this;
    if (!this.isEdited) return undefined;
    return { file: this.opened.file, opened, operations: [], unfinished: {}, text: control.value, time };
  }

  private check(): void {
    const findings = findingsOf(this.host.pages, this.opened.file, this.control.value, this.host.site);
    this.box.replaceChildren(...findings.map((finding) => findingItem(finding)));
    this.control.ariaInvalid = findings.length === 0 ? null : "true";
  }

  protected discard(): void {
    this.control.value = this.before ?? "";
    this.unsaved.remove();
    this.events.onSame(this.control.value);
  }

  async save(): Promise<boolean> {
    const { value } = this.control;
    if (!this.isEdited) {
      this.say("There are no changes to save.");
      return true;
    }
    try {
      await this.host.store.save({ file: this.opened.file, before: this.before, after: value });
      this.before = value;
      this.unsaved.keep();
      const undo = this.events.onSaved();
      this.say(`${savedText(this.host)} `, ...undo);
      if (!this.isEdited) this.events.onSame(value, notice(savedText(this.host), ...undo));
      return true;
    } catch (cause) {
      this.say(cause instanceof Conflict ? "Not saved." : failureText(cause));
      if (cause instanceof Conflict) await this.showConflict(cause);
      return false;
    }
  }

  /** Shows both versions; the next save replaces the text of the file. */
  private async showConflict(conflict: Conflict): Promise<void> {
    const { textVersions } = await import("./conflict.ts");
    this.before = conflict.current;
    this.notices.replaceChildren(
      textVersions(conflict, this.control.value, (text) => {
        this.control.value = text;
        this.unsaved.keep();
        this.check();
        this.notices.replaceChildren();
        this.events.onSame(text);
      }),
    );
  }
}
