import { record, type PageRecord } from "../../browse/data.js";
import { h, onKey, plural } from "../../browse/dom.js";
import { fold } from "../../browse/words.js";
import { meantBy } from "../../model/names.ts";
import type { PageType } from "../../model/page-types.ts";
import { CLOSED_SECTION, type SectionName } from "../../model/sections.ts";
import { findingsOf, type FieldFinding } from "../findings.ts";
import { everydayWords, fieldsWithin, sectionsOf, type Field, type PageField } from "../form/fields.ts";
import { unknownFields } from "../form/model.ts";
import { pathText } from "../form/values.ts";
import type { JsonObject } from "../../source/json/object.ts";
import { findingItem, type FormContext, type ShownFinding } from "./context.ts";
import { fold as foldPart, followFolds, unfold } from "./folds.ts";
import { fieldBlock, unknownField } from "./groups.ts";
import { hasLoadedImages, type EditorHost } from "./host.ts";
import { div } from "./parts.ts";
import { SLUG_PATH, type PlaceView } from "./place.ts";

interface Shown {
  block: HTMLElement;
  words: string;
  label: string;
}

interface ShownSection {
  element: HTMLDetailsElement;
  count: HTMLElement;
  findings: readonly ShownFinding[];
}

interface FieldsOptions {
  context: FormContext;
  place: PlaceView | undefined;
  /** The source file, or the file that a new page would get if it were not below another. */
  file: () => string;
  isEdited: () => boolean;
}

/** The section of the subpages, as a field to begin with. */
export const SUBPAGES = "subpages";
type SectionId = SectionName | typeof SUBPAGES;

/** All fields of a page in their sections, with their findings, a list of the sections and a search for fields. */
export class FieldsView {
  readonly element: HTMLElement;
  private readonly options: FieldsOptions;
  private readonly list = h("ol", {});
  private readonly status = h("p", { role: "status" });
  private readonly rest = div("field-findings");
  private readonly body = div("form-sections");
  private readonly names = h("datalist", { id: "edit-field-names" });
  private readonly search = h("input", {
    type: "text",
    id: "edit-find-field",
    list: "edit-field-names",
    autocomplete: "off",
    spellcheck: "false",
    input: (event) => {
      this.find();
      // A name that was chosen from the list, not typed.
      if (!(event instanceof InputEvent && event.inputType === "insertText")) this.openNamed();
    },
  });
  private readonly count = h("p", { class: "aside", role: "status" });
  private readonly sections = new Map<SectionId, ShownSection>();
  private subpages: HTMLElement | undefined;
  private readonly shown = new Map<string, Shown>();
  private hasLatestImages = false;
  /** Whether a new page also shows mistakes in fields that the editor has not touched: once it was to be saved. */
  private isAll = false;
  /** The paths of controls that were changed, or that had the focus. */
  private readonly touched = new Set<string>();
  /** The types of pages that the page refers to, by id; undefined until they are known. */
  private readonly types = new Map<number, PageType | undefined>();

  constructor(options: FieldsOptions) {
    this.options = options;
    const { context } = options;
    onKey(this.search, (event) => {
      if (event.key === "Escape") this.endSearch();
      else if (event.key === "Enter") {
        event.preventDefault();
        const searched = fold(this.search.value.trim());
        const found = [...this.shown.values()].filter(({ block }) => !block.hidden);
        this.open(found.find(({ label }) => fold(label) === searched) ?? found[0]);
      }
    });
    const nav = h("nav", { class: "section-list", "aria-label": "Sections" }, this.list, this.status);
    const find = div(
      "find-field",
      h("label", { for: "edit-find-field" }, "Find a field"),
      this.search,
      this.names,
      this.count,
    );
    this.element = div("fields-view", nav, div("field-column", find, this.rest, this.body));
    followFolds(this.element);
    context.renderers.set("", () => this.render());
    context.model.onFollow = (field) => this.renderField(field);
    this.render();
  }

  render(): void {
    const { context, place } = this.options;
    const { model } = context;
    // The values of a new page's place have their own view.
    const isShown = ({ field, path }: PageField): boolean =>
      place === undefined || field.row?.kind !== "place" || path.join(".") === "meta.detail_url";
    const wasOpen = new Map([...this.sections].map(([name, { element }]) => [name, element.open]));
    const isOpen = (name: SectionId) => wasOpen.get(name) ?? (name !== CLOSED_SECTION && name !== SUBPAGES);
    context.forget();
    this.shown.clear();
    this.sections.clear();
    this.body.replaceChildren();
    this.list.replaceChildren();
    for (const { name, title, fields } of sectionsOf(model.pages, model.type)) {
      const blocks = fields.filter(isShown).map((one) => this.blockOf(one));
      const isFirst = this.sections.size === 0;
      if (isFirst) {
        // The text of a field that the type before had.
        const texts = Array.from(context.unfinished.keys(), (path) => [path.split(".", 1)[0], ""] as const);
        const page = { ...(Object.fromEntries(texts) as JsonObject), ...model.page };
        blocks.push(...unknownFields(page, model.fields).map((path) => unknownField(context, path)));
      }
      if (name === "publishing" && place !== undefined) {
        blocks.unshift(place.element);
        context.placed.set(SLUG_PATH, place.placed);
      }
      if (blocks.length === 0) continue;
      this.addSection(name, title, isOpen(name), blocks);
    }
    if (this.subpages !== undefined) this.addSection(SUBPAGES, "Subpages", isOpen(SUBPAGES), [this.subpages]);
    this.names.replaceChildren(...[...this.shown.values()].map(({ label }) => h("option", { value: label })));
    this.find();
  }

  private addSection(name: SectionId, title: string, open: boolean, blocks: readonly HTMLElement[]): void {
    const heading = h("h2", { tabindex: "-1" }, title);
    const element = h(
      "details",
      { class: "form-section", id: `edit-section-${name}`, open },
      h("summary", {}, heading),
      div("form-fields", ...blocks),
    );
    const count = h("span", { class: "section-count" });
    const section: ShownSection = { element, count, findings: [] };
    this.sections.set(name, section);
    this.body.append(element);
    foldPart(element);
    const click = (event: Event): void => {
      event.preventDefault();
      this.endSearch();
      const [finding] = section.findings;
      if (finding === undefined) this.goToSection(name);
      else this.goTo(finding);
    };
    this.list.append(h("li", {}, h("a", { href: `#${element.id}`, click }, title, " ", count)));
  }

  showSubpages(subpages: HTMLElement): void {
    if (this.subpages === undefined) this.addSection(SUBPAGES, "Subpages", false, [subpages]);
    this.subpages = subpages;
  }

  goToSection(name: SectionId): void {
    const element = this.sections.get(name)?.element;
    if (element === undefined) return;
    element.open = true;
    element.scrollIntoView({ block: "start" });
    element.querySelector("h2")?.focus({ preventScroll: true });
  }

  private blockOf({ path, field }: PageField): HTMLElement {
    const name = pathText(path);
    const block = fieldBlock(this.options.context, field, path);
    this.shown.set(name, { block, label: field.label, words: wordsOf(field, name) });
    return block;
  }

  /** Shows the value of a field that other code than its control has written. */
  private renderField(name: string): void {
    const { context } = this.options;
    const field = context.model.fields.find(({ path }) => pathText(path) === name);
    const before = this.shown.get(name)?.block;
    if (field === undefined || before === undefined) return;
    context.forget(field.path);
    before.replaceWith(this.blockOf(field));
    context.showAgain();
  }

  showFindings(): readonly ShownFinding[] {
    const { context, place, isEdited } = this.options;
    const unfinished = Array.from(context.unfinished, ([path, { message }]): ShownFinding => ({
      path,
      severity: "error",
      message,
      hint: "Write JSON here, or remove the text.",
    }));
    const found = this.ofPage();
    const ofTouched =
      place === undefined || this.isAll ? found : found.filter((one) => isEdited() && this.isTouched(one));
    const findings = [...(place?.findings ?? []), ...unfinished, ...ofTouched];
    const rest = context.showFindings(findings);
    for (const section of this.sections.values()) this.countIn(section, findings);
    const none =
      ofTouched.length === found.length
        ? "No findings."
        : isEdited()
          ? "No findings so far."
          : "Nothing entered yet.";
    const text = counted(findings) || none;
    if (this.status.textContent !== text) this.status.textContent = text;
    this.rest.replaceChildren(...rest.map((finding) => findingItem(finding)));
    context.updateDerived();
    return findings;
  }

  private countIn(section: ShownSection, findings: readonly ShownFinding[]): void {
    const { element, count } = section;
    const own = findings.filter(({ path }) => {
      const control = this.options.context.placeFor(path)?.control;
      return control !== undefined && element.contains(control);
    });
    section.findings = own.filter(({ severity }) => severity === "error").concat(own);
    const text = counted(own);
    if (count.textContent !== text) count.textContent = text;
    count.classList.toggle("is-error", section.findings[0]?.severity === "error");
  }

  showAllFindings(): readonly ShownFinding[] {
    this.isAll = true;
    return this.showFindings();
  }

  /** Marks fields of a form as touched when they are changed, or lose the focus. */
  follow(form: HTMLFormElement): void {
    // A new finding would move what is being pressed away from the pointer.
    let released = Promise.resolve();
    form.addEventListener("pointerdown", () => {
      released = new Promise((resolve) => {
        for (const end of ["pointerup", "pointercancel"])
          addEventListener(end, () => setTimeout(resolve), { once: true });
      });
    });
    for (const event of ["input", "change", "focusout"] as const)
      form.addEventListener(event, ({ target }) => {
        const field = target instanceof Element ? target.closest("[data-path]") : null;
        const path = field?.getAttribute("data-path") ?? "";
        if (path === "" || this.touched.has(path)) return;
        this.touched.add(path);
        if (event === "focusout") void released.then(() => this.showFindings());
      });
  }

  begin(): void {
    this.isAll = false;
    this.touched.clear();
  }

  private isTouched({ path }: Pick<ShownFinding, "path">): boolean {
    const shown = this.options.context.placeFor(path)?.control.getAttribute("data-path") ?? "";
    return [...this.touched].some((one) => one === shown || one.startsWith(`${shown}.`));
  }

  goTo({ path }: Pick<ShownFinding, "path">): void {
    const placed = this.options.context.placeFor(path);
    if (placed === undefined) return;
    this.reveal(placed.control);
    placed.focus();
    placed.control.scrollIntoView({ block: "center" });
  }

  async loadImages(list: EditorHost["images"]): Promise<void> {
    if (await hasLoadedImages(this.options.context.host, list)) this.showFindings();
  }

  rebuilt(): void {
    this.types.clear();
    void this.loadImages(this.options.context.host.images);
    this.showFindings();
  }

  private typeOf(id: number): PageType | undefined {
    if (!this.types.has(id)) {
      this.types.set(id, undefined);
      const known = (page: PageRecord | undefined): void => {
        this.types.set(id, page?.type);
        if (page !== undefined) this.showFindings();
      };
      // Without the lists of the site, the next build reports it.
      void record(id).then(known, () => undefined);
    }
    return this.types.get(id);
  }

  /** The findings of the rules of one page. If an image seems to be missing, it may be newer than the list. */
  private ofPage(): readonly FieldFinding[] {
    const { context, place, file } = this.options;
    const { model, host } = context;
    const typeOf = (id: number): PageType | undefined => this.typeOf(id);
    const found = findingsOf(model.pages, file(), model.text, host.site, place?.state.isDraft, typeOf);
    if (!this.hasLatestImages && found.some(({ code }) => code === "media-missing")) {
      this.hasLatestImages = true;
      void this.loadImages(host.latestImages);
    }
    return found;
  }

  private reveal(control: HTMLElement): void {
    this.endSearch();
    unfold(control);
  }

  private open(found: Shown | undefined): void {
    const controls =
      ":is(input, textarea, select, [contenteditable], summary, button):not(:disabled, [aria-hidden=true])";
    const control = found?.block.querySelector<HTMLElement>(controls);
    if (control == null) return;
    this.reveal(control);
    control.focus();
    found?.block.scrollIntoView({ block: "center" });
  }

  private endSearch(): void {
    if (this.search.value === "") return;
    this.search.value = "";
    this.find();
  }

  private find(): void {
    const { value } = this.search;
    const searched = fold(value.trim());
    const meant = meantBy(value.trim());
    const shown = [...this.shown.values()];
    this.element.classList.toggle("is-finding", searched !== "");
    for (const { block, words } of shown)
      block.hidden =
        searched !== "" &&
        !searched.split(/\s+/).every((word) => words.includes(word)) &&
        !words.startsWith(`${meant} `);
    const found = shown.filter(({ block }) => !block.hidden);
    for (const { element } of this.sections.values())
      element.hidden = searched !== "" && !found.some(({ block }) => element.contains(block));
    this.count.textContent = searched === "" ? "" : plural(found.length, "field");
  }

  private openNamed(): void {
    const { value } = this.search;
    this.open([...this.shown.values()].find(({ label }) => label === value));
  }
}

function counted(findings: readonly ShownFinding[]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  const counts = [errors > 0 && plural(errors, "error"), warnings > 0 && plural(warnings, "warning")];
  return counts.filter((count) => count !== false).join(", ");
}

const wordsOf = (field: Field, path: string): string =>
  `${path} ${fold(`${path} ${field.label} ${field.help} ${everydayWords(field.name, field.control)}${labelsIn(field)}`)}`;

/** The labels of everything in a group, or in the elements or blocks of a list, with a space before each. */
const labelsIn = (field: Field): string =>
  fieldsWithin(field)
    .map((one) => ` ${one.label}${labelsIn(one)}`)
    .join("");
