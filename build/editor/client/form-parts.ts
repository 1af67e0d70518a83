import { record } from "../../browse/data.js";
import { h, onKey, pageHref } from "../../browse/dom.js";
import { isDraftFile } from "../form/place.ts";
import type { FileChange } from "../../change/change.ts";
import { StoreFailure } from "../store.ts";
import { button, div, openDialog } from "./parts.ts";
import type { EditorHost } from "./host.ts";
import { nameOf, UnsavedEdits, type OpenedPage, type Unsaved } from "./unsaved.ts";

export const notice = (text: string, ...more: (Node | string)[]): HTMLElement =>
  h("p", { class: "form-notice", role: "status" }, text, " ", ...more);

/** Asks before an action. @returns whether the editor agrees to it */
export function isConfirmed(question: string, label: string, ...more: Node[]): Promise<boolean> {
  const dialog = openDialog(
    { class: "confirmation page-actions", "aria-label": "Confirm" },
    h(
      "form",
      { method: "dialog" },
      h("p", {}, question),
      ...more,
      div(
        "element-buttons",
        h("button", { value: "yes", class: "primary" }, label),
        h("button", { value: "", autofocus: true }, "Cancel"),
      ),
    ),
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

/** A form of one page: its edits stay in the browser until they are saved by its button, or by Ctrl+S. */
export abstract class EditorForm {
  abstract readonly element: HTMLElement;
  protected readonly opened: OpenedPage;
  protected readonly host: EditorHost;
  protected readonly unsaved: UnsavedEdits;
  protected readonly status = h("p", { class: "form-status", role: "status" });
  protected readonly notices = h("div", { class: "notices" });
  /** A link back to the page; hidden until the page is built, which its errors may prevent. */
  private readonly back: HTMLElement;
  private readonly backTo: number;
  /** The time of the last edit, in milliseconds since 1970. */
  protected time = Date.now();

  constructor(opened: OpenedPage, host: EditorHost) {
    this.opened = opened;
    this.host = host;
    this.backTo = opened.place?.parent ?? opened.id;
    this.back = h("a", { class: "back", href: pageHref(this.backTo), hidden: true }, "Back to the page");
    if (opened.notice !== undefined) this.notices.append(opened.notice);
    this.unsaved = new UnsavedEdits(
      host.site?.site_url ?? "",
      nameOf(opened),
      () => this.edits,
      () => this.say("Unsaved changes. This browser does not keep them: save before you close the page."),
    );
  }

  abstract get isEdited(): boolean;
  /** The edits that the browser keeps; undefined if there are none. */
  protected abstract get edits(): Unsaved | undefined;
  /** Saves the edits, if there are any. @returns whether all edits are saved */
  abstract save(): Promise<boolean>;
  protected abstract discard(): void;
  protected abstract get change(): FileChange;

  close(): void {
    this.unsaved.stop();
  }

  say(text: string, ...more: Node[]): void {
    this.status.replaceChildren(text, ...more);
  }

  protected sayKept(time: number, isChanged: boolean): void {
    this.time = time;
    const when = new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
    const also = isChanged ? " The file has changed since: you can compare both versions when you save." : "";
    this.notices.append(notice(`Your unsaved changes of ${when} were restored.${also}`));
    this.say("Unsaved changes");
  }

  protected async updateBack(): Promise<void> {
    // Two requests may overlap: the later response may be the older one.
    if ((await record(this.backTo).catch(() => undefined)) !== undefined) this.back.hidden = false;
  }

  protected frame(name: string, ...children: (Node | undefined)[]): HTMLFormElement {
    const onSave = (): void => void this.save();
    const label = this.host.store.kind === "folder" ? "Save" : "Add to proposal";
    const bar = h(
      "div",
      // The field keeps the focus until the click: what appears below it then would move the button away.
      { class: "save-bar", mousedown: (event: Event) => event.preventDefault() },
      button(label, onSave, { class: "primary", title: "Ctrl+S or ⌘S" }),
      button("Review changes", async () => {
        const { review } = await import("./changes-view.ts");
        await review(this.host, this.change, label, onSave);
      }),
      button("Discard changes", () => this.discard()),
      this.back,
      this.status,
    );
    bar.addEventListener("click", ({ target }) => (target as HTMLElement).focus(), true);
    const form = h(
      "form",
      { class: "edit-form", "aria-label": name, autocomplete: "off" },
      this.notices,
      ...children,
      bar,
    );
    onKey(form, (event) => {
      if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      onSave();
    });
    void this.updateBack();
    return form;
  }
}
