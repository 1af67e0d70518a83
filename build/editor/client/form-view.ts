import type { FileChange, SourceFile } from "../../change/change.ts";
import { positionsBelow, record } from "../../browse/data.js";
import { typesBelow } from "../../browse/editing.js";
import { h, onKey, pageHref, plural } from "../../browse/dom.js";
import type { PageType } from "../../model/page-types.ts";
import type { SourceOperation } from "../../source/json/edit.ts";
import { beginning, FormModel, pageOf } from "../form/model.ts";
import { fieldsOf } from "../form/fields.ts";
import { isEqual, shownText } from "../form/values.ts";
import { idIn } from "../changes.ts";
import { responseOf } from "../findings.ts";
import { Conflict } from "../store.ts";
import type { JsonObject } from "../../source/json/object.ts";
import { FormContext, type ShownFinding } from "./context.ts";
import { failureText, formHead, notice, savedText } from "./form-parts.ts";
import { FieldsView, SUBPAGES } from "./fields-view.ts";
import { readSync, readTypes, type EditorHost } from "./host.ts";
import { button, div } from "./parts.ts";
import { pagePreview } from "./page-preview.ts";
import type { subpagesOf } from "./subpages.ts";
import { newPlacement, newSource, PlaceView, publishedPlacement } from "./place.ts";
import { nameOf, ontoText, unsavedEdits, type OpenedPage, type Unsaved } from "./unsaved.ts";

/** Milliseconds between a keystroke and the findings. */
const FINDINGS_MS = 30;

export interface FormEvents {
  reopen: (page: OpenedPage) => void;
  onSaved: () => void;
  undo: (id: number) => HTMLElement[];
}

/** A form of one page: its edits stay in the browser until they are saved by its button, or by Ctrl+S. */
export class FormView {
  readonly element: HTMLElement;
  private readonly opened: OpenedPage;
  private readonly host: EditorHost;
  private readonly events: FormEvents;
  private readonly unsaved: ReturnType<typeof unsavedEdits>;
  private readonly status = h("p", { class: "form-status", role: "status" });
  private readonly notices = h("div", { class: "notices" });
  /** A link back to the page; hidden until the page is built, which its errors may prevent. */
  private readonly back: HTMLElement;
  private readonly backTo: number;
  /** The time of the last edit, in milliseconds since 1970. */
  private time = Date.now();
  private readonly context: FormContext;
  private readonly model: FormModel;
  private readonly fields: FieldsView;
  private readonly place: PlaceView | undefined;
  private subpages: ReturnType<typeof subpagesOf> | undefined;
  private readonly preview: ReturnType<typeof pagePreview>;
  private readonly head: HTMLElement;
  private readonly heading = h("h1", { tabindex: "-1", dir: "auto" });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private type: string;
  /** The types that an existing page may have at its place. */
  private allowed: readonly string[] | undefined;
  private isBusy = false;
  private isClosed = false;
  /** Whether the address is known, which the page contains. */
  private isPlaced = false;
  /** Whether another form continues with the edits, so that they are not offered again. */
  private isReplaced = false;

  constructor(opened: OpenedPage, host: EditorHost, events: FormEvents) {
    this.opened = opened;
    this.host = host;
    this.events = events;
    this.backTo = opened.place?.parent ?? opened.id;
    this.back = h("a", { class: "back", href: pageHref(this.backTo), hidden: true }, "Back to the page");
    if (opened.notice !== undefined) this.notices.append(opened.notice);
    this.unsaved = unsavedEdits(
      host.site?.site_url ?? "",
      nameOf(opened),
      () => this.edits,
      () => this.say("Unsaved changes. This browser does not keep them: save before you close the page."),
    );
    const isNew = opened.place !== undefined;
    const kept = opened.edits === undefined ? this.unsaved.read() : undefined;
    const begin = opened.edits ?? (kept && ontoText(host.pages, kept, opened.text));
    this.model = new FormModel(
      host.pages,
      begin === undefined ? opened.text : begin.opened,
      begin?.operations ?? this.beginning,
      host.sync,
    );
    this.sayRefused();
    this.type = this.model.type;
    this.context = new FormContext(this.model, host);
    for (const [path, text] of Object.entries(begin?.unfinished ?? {}))
      this.context.unfinished.set(path, { text, message: "This is not JSON." });
    if (opened.place !== undefined) {
      this.place = new PlaceView(
        { ...(begin?.place ?? opened.place) },
        {
          host,
          type: () => this.model.type,
          onChange: () => this.onEdit(),
          onFinding: () => this.fields.showFindings(),
          onChosen: () => void this.showLanguages(),
        },
      );
    }
    this.fields = new FieldsView({
      context: this.context,
      place: this.place,
      file: () => this.file,
      isEdited: () => this.isEdited,
    });
    this.context.onEdit = () => this.onEdit();
    this.heading.textContent = this.title;
    const form = this.frame(isNew ? "New page" : "Edit page", this.fields.element);
    this.fields.follow(form);
    const response = () =>
      host.site &&
      responseOf(host.pages, this.model.text, host.site, this.context.placement, location.origin);
    const fields = (type: PageType) => fieldsOf(host.pages, type).map(({ field }) => field);
    this.preview = pagePreview(response, fields, () => this.isPlaced);
    this.head = formHead(opened.file, isNew, host.pages.of(this.model.type).label, this.heading);
    this.element = div(
      "edit-view",
      this.head,
      this.preview.choice,
      div("edit-grid", form, this.preview.element),
    );
    if (this.isEdited) this.say("Unsaved changes");
    if (kept !== undefined && this.isEdited) this.sayKept(kept.time);
    void this.showLanguages();
    void this.loadPlacement();
    void this.fields.loadImages(host.images);
    void this.loadSubpages();
    this.fields.showFindings();
    this.unsaved.start();
    if (opened.edits !== undefined) this.unsaved.keep();
    document.addEventListener("rebuilt", this.onRebuilt);
  }

  private frame(name: string, ...children: Node[]): HTMLFormElement {
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

  private async updateBack(): Promise<void> {
    // Two requests may overlap: the later response may be the older one.
    if ((await record(this.backTo).catch(() => undefined)) !== undefined) this.back.hidden = false;
  }

  /** Outside of a text, which has its own, Ctrl+Z brings back what was removed. */
  undoByKey(event: KeyboardEvent): void {
    const isUndo = event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    const text = "input:not([type=checkbox]), textarea, [contenteditable], dialog";
    if (!isUndo || (event.target as Element).closest(text) !== null) return;
    if (this.context.undoRemoval()) event.preventDefault();
  }

  private async showLanguages(): Promise<void> {
    const { host, opened, place, head, context } = this;
    if (host.site?.locales === undefined) return;
    const { showLanguages } = await import("./translations.ts");
    await showLanguages({ ...opened, parent: place?.state.parent, head, context });
  }

  /** Moves the focus to a field, and opens what is closed around it. */
  goTo(path: string): void {
    if (path === SUBPAGES) void this.loadSubpages().then(() => this.fields.goToSection(SUBPAGES));
    else this.fields.goTo({ path });
  }

  /** Shows edits of fields that belong to a collection system since they were made. */
  private sayRefused(): void {
    const { refused, owner } = this.model;
    const edits = refused.map(
      (one) => `${one.path.map(String).join(".")}: ${"value" in one ? shownText(one.value) : ""}`,
    );
    if (owner !== undefined && edits.length > 0)
      this.notices.append(
        notice(
          `These edits were not kept, because the fields follow ${owner.label} now. ${edits.join("; ")}`,
        ),
      );
  }

  say(text: string, ...more: Node[]): void {
    this.status.replaceChildren(text, ...more);
  }

  private sayKept(time: number): void {
    this.time = time;
    const when = new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
    const isChanged = this.model.opened !== this.opened.text;
    const also = isChanged ? " The file has changed since: you can compare both versions when you save." : "";
    this.notices.append(notice(`Your unsaved changes of ${when} were restored.${also}`));
  }

  private async loadSubpages(): Promise<void> {
    const { opened, host, events } = this;
    const below = opened.place === undefined ? await positionsBelow(opened.id).catch(() => []) : [];
    if (below.length < 2) return;
    const parts = await import("./subpages.ts");
    const subpages = (this.subpages ??= parts.subpagesOf(opened.id, host, () => events.onSaved()));
    // Without the lists of the site, there is nothing to order yet.
    if (await subpages.load().catch(() => false)) this.fields.showSubpages(subpages.element);
  }

  close(): void {
    this.isClosed = true;
    this.unsaved.stop();
    document.removeEventListener("rebuilt", this.onRebuilt);
    clearTimeout(this.timer);
    this.context.forget();
  }

  /** After the preview has rebuilt the site, a saved new page is known. */
  private readonly onRebuilt = (): void => {
    void this.showLanguages();
    void this.loadPlacement();
    void this.loadSubpages();
    this.fields.rebuilt();
    void this.updateBack();
    void this.followTypes();
  };

  /** If the page types have changed since the form was opened, offers another form, which continues with its edits. */
  private async followTypes(): Promise<void> {
    const { host } = this;
    const types = await host.store.types().catch(() => host.types);
    if (types === host.types || this.isClosed) return;
    const load = async (): Promise<void> => {
      try {
        await readTypes(host);
      } catch (cause) {
        this.say(failureText(cause));
        return;
      }
      this.replace({ ...this.opened, text: this.model.opened, edits: this.state });
    };
    const again = button("Load the form again", load);
    this.notices.replaceChildren(notice("The site’s page types have changed. Your edits are kept.", again));
  }

  /** The source file; of a new page, the file that it would get if it were not below another. */
  private get file(): string {
    const { slug = "new", isDraft = false } = this.place?.state ?? {};
    return this.opened.file || `${isDraft ? "_" : ""}${slug}.json`;
  }

  private get change(): FileChange {
    const { opened, text } = this.model;
    return { file: this.file, before: opened, after: text };
  }

  get pageType(): PageType {
    return this.model.type;
  }

  /** The text of the file, as it was opened or saved last. */
  get savedText(): string | null {
    return this.model.opened;
  }

  get isEdited(): boolean {
    if (this.isReplaced) return false;
    if (this.context.unfinished.size > 0) return true;
    const { initial = {}, place } = this.opened;
    if (place === undefined) return this.model.isEdited;
    return !isEqual(this.model.page, initial) || !isEqual(this.place?.state, place);
  }

  private get beginning(): SourceOperation[] {
    const { initial } = this.opened;
    return initial === undefined ? [] : beginning(initial);
  }

  get title(): string {
    return (
      shownText(this.model.value(["title"])).trim() ||
      (this.opened.place === undefined ? "Untitled" : "New page")
    );
  }

  private onEdit(): void {
    this.time = Date.now();
    if (this.model.type !== this.type) {
      this.type = this.model.type;
      this.fields.render();
    }
    this.heading.textContent = this.title;
    this.place?.titleIs(shownText(this.model.value(["title"])));
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.fields.showFindings();
      this.updatePlacement();
      this.preview.schedule();
    }, FINDINGS_MS);
    this.unsaved.schedule();
    if (!this.isBusy) this.say(this.isEdited ? "Unsaved changes" : "");
  }

  private async loadPlacement(): Promise<void> {
    if (this.place !== undefined) await this.place.load();
    else {
      this.context.placement = (await publishedPlacement(this.opened.id)) ?? this.context.placement;
      const parent = await record((await record(this.opened.id))?.parent ?? 0).catch(() => undefined);
      this.allowed = parent && (await typesBelow(parent));
    }
    this.isPlaced = true;
    this.updatePlacement();
    this.preview.schedule();
  }

  private updatePlacement(): void {
    this.context.types = this.place?.types ?? this.allowed;
    if (this.place !== undefined)
      this.context.placement = newPlacement(this.place, this.model.value(["id"]), this.host.site);
    this.context.updateDerived();
  }

  private get edits(): Unsaved | undefined {
    return this.isEdited ? this.state : undefined;
  }

  private get state(): Unsaved {
    const { opened, operations } = this.model;
    return {
      file: this.opened.file,
      opened,
      operations,
      unfinished: Object.fromEntries([...this.context.unfinished].map(([path, { text }]) => [path, text])),
      ...(this.place === undefined ? {} : { place: { ...this.place.state } }),
      time: this.time,
    };
  }

  private replace(next: OpenedPage): void {
    if (this.isClosed) return;
    this.isReplaced = true;
    this.events.reopen(next);
  }

  private discard(): void {
    const { edits } = this;
    const text = this.model.opened;
    this.unsaved.remove();
    this.fields.begin();
    this.context.forgetRemovals();
    this.context.unfinished.clear();
    this.model.begin(text, this.beginning);
    if (this.opened.place !== undefined) this.place?.reset(this.opened.place);
    const bringBack = (): void => this.replace({ ...this.opened, text, edits });
    this.subpages?.discard();
    this.fields.render();
    this.heading.textContent = this.title;
    this.fields.showFindings();
    this.preview.schedule();
    this.notices.replaceChildren();
    if (edits !== undefined) this.say("Changes discarded. ", button("Bring them back", bringBack));
    else this.say("There were no changes.");
  }

  /** Saves the edits, if there are any. @returns whether all edits are saved */
  async save(): Promise<boolean> {
    if (this.isBusy) return false;
    const findings = this.fields.showAllFindings();
    const [unfinished] = this.context.unfinished.keys();
    if (unfinished !== undefined) {
      this.say("Not saved: a field has text that is not JSON.");
      this.fields.goTo({ path: unfinished });
      return false;
    }
    if (this.place !== undefined && !this.place.isValid) {
      // The slug follows the title.
      const isUntitled = this.place.state.slug === "" && shownText(this.model.value(["title"])) === "";
      this.say(`Not saved: the page needs a ${isUntitled ? "title" : "slug"}.`);
      if (isUntitled) this.fields.goTo({ path: "title" });
      else this.place.focus();
      return false;
    }
    const isOrdered = this.subpages === undefined ? false : await this.subpages.save();
    if (isOrdered === undefined) return false;
    if (this.place === undefined && !this.model.isEdited)
      this.say(isOrdered ? savedText(this.host) : "There are no changes to save.");
    else {
      const written = await this.write(findings);
      if (written !== "here") return written === "elsewhere";
    }
    const [first] = findings.filter(({ severity }) => severity === "error").concat(findings);
    if (first !== undefined) this.fields.goTo(first);
    return true;
  }

  /** @returns whether editing continues in this form; a new page gets another form after it was saved */
  private async write(findings: readonly ShownFinding[]): Promise<"here" | "elsewhere" | undefined> {
    const { page } = this.model;
    this.setBusy(true);
    this.say("Saving…");
    let saved;
    try {
      saved = await this.sourceToWrite();
      await this.host.store.save({ file: saved.file, before: this.model.opened, after: saved.text });
    } catch (cause) {
      this.setBusy(false);
      if (cause instanceof Conflict) await this.showConflict(cause);
      else this.say(failureText(cause));
      return undefined;
    }
    this.setBusy(false);
    const errors = findings.filter(({ severity }) => severity === "error").length;
    const done = savedText(this.host);
    const message = errors === 0 ? done : `${done} The page has ${plural(errors, "error")}.`;
    if (this.place !== undefined) {
      this.continueAsPage(saved, page, message);
      return "elsewhere";
    }
    this.model.saved(saved.text, page);
    this.unsaved.keep();
    this.notices.replaceChildren();
    if (this.isEdited) this.say(`${message} Your later changes are not saved yet.`);
    else this.say(`${message} `, ...this.events.undo(this.opened.id));
    this.events.onSaved();
    return "here";
  }

  /** While a new page is saved, its position does not change: the saved page has it. */
  private setBusy(isBusy: boolean): void {
    this.isBusy = isBusy;
    this.place?.element.toggleAttribute("disabled", isBusy);
  }

  /** Replaces the form of a new page by the form of the saved page. Edits since then stay unsaved. */
  private continueAsPage({ file, text }: SourceFile, page: JsonObject, message: string): void {
    const id = idIn(page) ?? this.opened.id;
    if (!this.isClosed) history.replaceState(null, "", `/?edit=${id}`);
    this.model.saved(text, page);
    const isEdited = this.model.isEdited || this.context.unfinished.size > 0;
    this.replace({
      id,
      file,
      text,
      edits: isEdited ? { ...this.state, file } : undefined,
      notice: notice(message, ...this.events.undo(id)),
    });
    this.unsaved.remove();
  }

  private async sourceToWrite(): Promise<SourceFile> {
    const { text, type, operations } = this.model;
    if (this.place === undefined) return { file: this.opened.file, text };
    const parent = await this.host.store.open(this.place.state.parent);
    const place = { ...this.place.state, parentFile: parent?.file, type };
    return newSource(this.host, place, operations);
  }

  private async showConflict(cause: Conflict): Promise<void> {
    await readSync(this.host, cause.current).catch(() => undefined);
    this.model.sync = this.host.sync;
    const theirs = pageOf(cause.current);
    const followed = theirs && this.place === undefined ? this.model.ontoFollowed(theirs) : undefined;
    if (followed !== undefined) {
      const { label, fields, operations } = followed;
      const names = fields.map((one) => one.label).join(", ");
      this.replaceBy(cause.file, cause.current, operations, `Not saved yet: ${label} has changed ${names}. `);
      return;
    }
    const { conflictView, messageIfTaken } = await import("./conflict.ts");
    const taken = this.place && messageIfTaken(cause, this.model.page);
    this.say(taken ?? "Not saved: the file has changed in the meantime.");
    if (taken !== undefined) return this.place?.focus();
    const view = await conflictView(cause, {
      model: this.model,
      now: () => (this.place === undefined ? this.host.store.open(this.opened.id) : undefined),
      onChosen: (file, text, operations) => this.replaceBy(file, text, operations),
    });
    this.notices.replaceChildren(view);
    view.focus();
    view.scrollIntoView();
  }

  private replaceBy(file: string, text: string | null, operations: readonly SourceOperation[], said = "") {
    this.replace({
      ...this.opened,
      file: this.place === undefined ? file : this.opened.file,
      text,
      edits: { ...this.state, opened: text, operations },
      notice: notice(`${said}Check the page, then save.`),
    });
  }
}
