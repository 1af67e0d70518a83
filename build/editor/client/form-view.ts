import { h, plural } from "../../browse/client/dom.js";
import type { PageType } from "../../page/types.ts";
import { editedText, type FieldEdit } from "../edits.ts";
import { findingsOf, type FieldFinding } from "../findings.ts";
import { FormModel } from "../form/model.ts";
import { isEqual, shownText } from "../form/values.ts";
import { Conflict } from "../store.ts";
import { conflictView, messageIfTaken } from "./conflict.ts";
import { FormContext, type PlacedControl, type ShownFinding } from "./context.ts";
import { backLink, failureText, formHead, keptNotice, notice, saveBar } from "./form-parts.ts";
import { FieldsView } from "./fields-view.ts";
import { FindingSummary } from "./finding-summary.ts";
import type { EditorHost } from "./host.ts";
import { newSource } from "./new-source.ts";
import { idOf, nameOf, type OpenedPage } from "./opened-page.ts";
import { PlaceView, SLUG_PATH } from "./place.ts";
import { newPlacement, publishedPlacement } from "./placement.ts";
import { hasLoadedImages, suggestImages } from "./images.ts";
import { UnsavedEdits, type Unsaved } from "./unsaved.ts";

/** Milliseconds between a keystroke and the findings. */
const FINDINGS_MS = 30;

export interface FormEvents {
  /** Replaces this form by another. */
  reopen: (page: OpenedPage) => void;
  /** Called after the page was saved. */
  onSaved: () => void;
  /** The source file of a page. */
  fileOf: (id: number) => Promise<string | undefined>;
}

const editText = (text: string | null, edits: readonly { path: string; value: unknown }[]): string =>
  editedText(text, edits as readonly FieldEdit[]);

/** The form of one page, with everything around it. */
export class FormView {
  readonly element: HTMLElement;
  readonly title: string;
  private readonly opened: OpenedPage;
  private readonly host: EditorHost;
  private readonly events: FormEvents;
  private readonly context: FormContext;
  private readonly model: FormModel;
  private readonly fields: FieldsView;
  private readonly place: PlaceView | undefined;
  private readonly unsaved: UnsavedEdits;
  private readonly summary: FindingSummary;
  private readonly notices = h("div", { class: "notices" });
  private readonly status = h("p", { class: "form-status", role: "status" });
  private readonly heading = h("h1", { tabindex: "-1", dir: "auto" });
  private readonly back: ReturnType<typeof backLink>;
  private readonly form: HTMLFormElement;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private type: string;
  private isBusy = false;
  private hasLatestImages = false;
  /** Whether a new page was saved, so that its edits are not offered for the next new page. */
  private isSaved = false;
  /** For a new page: whether to show its findings although nothing was entered yet. */
  private isChecked = false;

  constructor(opened: OpenedPage, host: EditorHost, events: FormEvents) {
    this.opened = opened;
    this.host = host;
    this.events = events;
    const isNew = opened.place !== undefined;
    this.unsaved = new UnsavedEdits(
      host.site?.site_url ?? "",
      nameOf(opened),
      () => this.edits,
      () => this.say("Unsaved changes. This browser does not keep them: save before you close the page."),
    );
    const kept = this.unsaved.read();
    const isKept = kept !== undefined && kept.file === opened.file && opened.page === undefined;
    const begin = isKept ? kept : undefined;
    this.model = new FormModel(
      begin === undefined ? opened.text : begin.opened,
      editText,
      begin?.page ?? opened.page ?? opened.initial,
    );
    this.type = this.model.type;
    this.context = new FormContext(this.model, host);
    for (const [path, text] of Object.entries(begin?.unfinished ?? {}))
      this.context.unfinished.set(path, { text, message: "This is not JSON." });
    this.summary = new FindingSummary((finding) => this.goTo(finding));
    if (opened.place !== undefined) {
      this.place = new PlaceView(
        { ...(begin?.place ?? opened.chosenPlace ?? opened.place) },
        host,
        () => this.model.type,
        () => this.onEdit(),
        { hasDraft: true, onFinding: () => this.showFindings() },
      );
    }
    const place = this.place;
    this.fields = new FieldsView(
      this.context,
      ({ field, path }) =>
        place === undefined || field.derivation?.kind !== "place" || path.join(".") === "meta.detail_url",
    );
    if (isNew) this.context.placed.get("title")?.control.setAttribute("autofocus", "");
    this.context.onEdit = () => this.onEdit();
    this.title = this.titleNow();
    this.heading.textContent = this.title;
    this.back = backLink(opened.place?.parent ?? opened.id);
    this.form = h(
      "form",
      {
        class: "edit-form",
        "aria-label": isNew ? "New page" : "Edit page",
        novalidate: true,
        autocomplete: "off",
        submit: (event) => {
          event.preventDefault();
          void this.save();
        },
      },
      this.notices,
      this.place?.element,
      this.fields.element,
      this.context.imageOptions,
      saveBar({
        store: host.store.kind,
        back: this.back.link,
        onDiscard: () => this.discard(),
        status: this.status,
      }),
    );
    this.form.addEventListener("keydown", (event) => {
      if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        void this.save();
      }
      // Enter in a text input must not submit the form.
      if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
    });
    this.element = h(
      "div",
      { class: "edit-view" },
      formHead(opened.file, isNew, this.model.type, this.heading),
      h("div", { class: "edit-grid" }, this.form, this.summary.element),
    );
    if (opened.notice !== undefined) this.notices.append(opened.notice);
    if (begin !== undefined && this.model.isEdited) this.sayKept(begin.time, begin.opened !== opened.text);
    void this.loadPlacement();
    void this.loadImages(host.images);
    this.showFindings();
    this.unsaved.start();
    document.addEventListener("rebuilt", this.onRebuilt);
  }

  /** Closes the form; the browser keeps its edits. */
  close(): void {
    this.unsaved.stop();
    document.removeEventListener("rebuilt", this.onRebuilt);
    clearTimeout(this.timer);
    this.context.forget();
  }

  /** After the preview has rebuilt the site, a saved new page is known. */
  private readonly onRebuilt = (): void => {
    void this.loadPlacement();
    void this.loadImages(this.host.images);
    void this.back.update();
  };

  get pageType(): PageType {
    return this.model.type;
  }

  get isEdited(): boolean {
    if (this.isSaved) return false;
    return this.opened.place === undefined
      ? this.model.isEdited || this.context.unfinished.size > 0
      : this.context.unfinished.size > 0 || this.hasWritten;
  }

  /** For a new page: whether it differs from its initial state. */
  private get hasWritten(): boolean {
    const { initial = {}, place } = this.opened;
    return !isEqual(this.model.page, initial) || !isEqual(this.place?.state, place);
  }

  private titleNow(): string {
    return (
      shownText(this.model.value(["title"])) || (this.opened.place === undefined ? "Untitled" : "New page")
    );
  }

  private get file(): string {
    return this.opened.file === "" ? `${this.place?.state.slug ?? "new"}.json` : this.opened.file;
  }

  private onEdit(): void {
    if (this.model.type !== this.type) {
      this.type = this.model.type;
      this.fields.render();
    }
    this.heading.textContent = this.titleNow();
    this.place?.titleIs(shownText(this.model.value(["title"])));
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.showFindings();
      this.updatePlacement();
    }, FINDINGS_MS);
    this.unsaved.schedule();
    if (!this.isBusy) this.say(this.isEdited ? "Unsaved changes" : "");
  }

  private showFindings(): readonly ShownFinding[] {
    const findings: ShownFinding[] = [...this.context.unfinished].map(([path, { message }]) => ({
      path,
      severity: "error",
      message,
      hint: "Write JSON here, or empty the field.",
    }));
    const isDraft = this.place?.state.isDraft;
    const isUntouched = this.place !== undefined && !this.isChecked && !this.isEdited;
    // An untouched form shows no mistakes yet.
    if (!isUntouched) findings.push(...this.pageFindings(isDraft));
    const rest = this.context.showFindings(findings);
    // The position's view shows its own finding.
    const all = [...(this.place?.findings ?? []), ...findings];
    this.summary.show(all, rest, (path) => this.placeFor(path), isUntouched);
    this.context.updateDerived();
    return all;
  }

  /** The findings of the rules of one page. If an image seems to be missing, it may be newer than the list. */
  private pageFindings(isDraft: boolean | undefined): readonly FieldFinding[] {
    const { host } = this;
    const found = findingsOf(this.file, this.model.text, host.site, isDraft);
    if (!this.hasLatestImages && found.some(({ code }) => code === "media-missing")) {
      this.hasLatestImages = true;
      void this.loadImages(host.latestImages);
    }
    return found;
  }

  private async loadImages(list: EditorHost["images"]): Promise<void> {
    if (!(await hasLoadedImages(this.host, list))) return;
    suggestImages(this.context);
    this.showFindings();
  }

  private placeFor(path: string): PlacedControl | undefined {
    return path === SLUG_PATH ? this.place?.placed : this.context.placeFor(path);
  }

  private goTo({ path }: ShownFinding): void {
    const placed = this.placeFor(path);
    if (placed === undefined) return;
    this.fields.reveal(placed.control);
    placed.focus();
    placed.control.scrollIntoView({ block: "center" });
  }

  private async loadPlacement(): Promise<void> {
    if (this.place !== undefined) await this.place.load();
    else this.context.placement = (await publishedPlacement(this.opened.id)) ?? this.context.placement;
    this.updatePlacement();
  }

  private updatePlacement(): void {
    if (this.place !== undefined)
      this.context.placement = newPlacement(this.place, this.model.value(["id"]), this.host.site);
    this.context.updateDerived();
  }

  /** The edits that the browser keeps; undefined if there are none. */
  private get edits(): Unsaved | undefined {
    if (!this.isEdited) return undefined;
    return {
      file: this.opened.file,
      opened: this.model.opened,
      page: this.model.page,
      unfinished: Object.fromEntries([...this.context.unfinished].map(([path, { text }]) => [path, text])),
      ...(this.place === undefined ? {} : { place: this.place.state }),
      time: Date.now(),
    };
  }

  private say(text: string, ...more: Node[]): void {
    this.status.replaceChildren(text, ...more);
  }

  private sayKept(time: number, isChanged: boolean): void {
    this.notices.append(keptNotice(time, isChanged));
    this.say("Unsaved changes");
  }

  private discard(): void {
    const { page, opened: text } = this.model;
    const chosenPlace = this.place && { ...this.place.state };
    const wasEdited = this.isEdited;
    this.unsaved.remove();
    this.isChecked = false;
    this.context.unfinished.clear();
    if (this.opened.place === undefined) this.model.page = this.model.before;
    else {
      this.model.page = this.opened.initial ?? {};
      this.place?.reset(this.opened.place);
    }
    const bringBack = (): void => this.events.reopen({ ...this.opened, text, page, chosenPlace });
    this.fields.render();
    this.heading.textContent = this.titleNow();
    this.showFindings();
    this.notices.replaceChildren();
    if (wasEdited)
      this.say("Changes discarded. ", h("button", { type: "button", click: bringBack }, "Bring them back"));
    else this.say("There were no changes.");
  }

  /** Saves the edits, if there are any. @returns whether all edits are saved */
  async save(): Promise<boolean> {
    if (this.isBusy) return false;
    this.isChecked = true;
    const findings = this.showFindings();
    const [unfinished] = this.context.unfinished.keys();
    if (unfinished !== undefined) {
      this.say("Not saved: a field has text that is not JSON.");
      this.goTo({ path: unfinished, severity: "error", message: "", hint: "" });
      return false;
    }
    if (this.place !== undefined && !this.place.isValid) {
      this.say("Not saved: the page needs a slug.");
      this.place.focus();
      return false;
    }
    if (this.place === undefined && !this.model.isEdited) this.say("There are no changes to save.");
    else {
      const written = await this.write(findings);
      if (written !== "here") return written === "elsewhere";
    }
    const [first] = findings.filter(({ severity }) => severity === "error").concat(findings);
    if (first !== undefined) this.goTo(first);
    return true;
  }

  /** @returns whether editing continues in this form; a new page gets another form after it was saved */
  private async write(findings: readonly ShownFinding[]): Promise<"here" | "elsewhere" | undefined> {
    this.isBusy = true;
    this.say("Saving…");
    try {
      const { file, text } = await this.sourceToWrite();
      await this.host.store.save({ file, before: this.model.opened, after: text });
      this.unsaved.remove();
      const errors = findings.filter(({ severity }) => severity === "error").length;
      const done = this.host.store.kind === "folder" ? "Saved." : "Added to the proposal.";
      const message = errors === 0 ? done : `${done} The page has ${plural(errors, "error")}.`;
      if (this.place !== undefined) {
        this.isSaved = true;
        const id = idOf(this.model.page) ?? this.opened.id;
        history.replaceState(null, "", `/?edit=${id}`);
        this.events.reopen({ id, file, text, notice: notice(message) });
        return "elsewhere";
      }
      this.model.saved(text);
      this.notices.replaceChildren();
      this.say(message);
      this.events.onSaved();
      return "here";
    } catch (cause) {
      if (cause instanceof Conflict) this.showConflict(cause);
      else this.say(failureText(cause));
      return undefined;
    } finally {
      this.isBusy = false;
    }
  }

  private async sourceToWrite(): Promise<{ file: string; text: string }> {
    const { text, type } = this.model;
    if (this.place === undefined) return { file: this.opened.file, text };
    const parentFile = await this.events.fileOf(this.place.state.parent);
    return newSource(this.host.store, { ...this.place.state, parentFile, type }, text);
  }

  private showConflict(cause: Conflict): void {
    const taken = this.place && messageIfTaken(cause, this.model.page);
    this.say(taken ?? "Not saved: the file has changed in the meantime.");
    if (taken !== undefined) {
      this.place?.focus();
      return;
    }
    const view = conflictView(cause, this.model, (text, page) => {
      this.unsaved.remove();
      this.events.reopen({
        ...this.opened,
        text,
        page,
        chosenPlace: this.place?.state,
        notice: notice("Check the chosen versions, then save."),
      });
    });
    this.notices.replaceChildren(view);
    view.focus();
  }
}
