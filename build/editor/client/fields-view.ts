import { h, onKey, plural } from "../../browse/client/dom.js";
import { fold } from "../../browse/client/words.js";
import { meantBy } from "../../page/names.ts";
import { everydayWords, fieldsWithin, type Field, type PageField } from "../form/fields.ts";
import { fieldGroups, unknownFields } from "../form/model.ts";
import { pathText } from "../form/values.ts";
import type { FormContext } from "./context.ts";
import { button, div } from "./parts.ts";
import { fieldBlock, unknownField } from "./groups.ts";

/** A field in the form, with the words that find it. */
interface Shown {
  block: HTMLElement;
  words: string;
  section: HTMLElement;
}

/** All fields of a page: required and filled ones first, empty ones behind a button; with a search for fields. */
export class FieldsView {
  readonly element = div("fields-view");
  private readonly context: FormContext;
  private readonly isShown: (field: PageField) => boolean;
  private readonly first = div("form-fields");
  private readonly empty = h("div", { class: "form-fields", id: "edit-empty-fields" });
  private readonly derived = div("form-fields");
  private readonly derivedGroup = h(
    "details",
    { class: "derived-fields" },
    h("summary", {}, "Derived fields"),
    h("p", { class: "help" }, "The build derives these values. You cannot change them here."),
    this.derived,
  );
  private readonly toggle = button("", () => this.showEmpty(Boolean(this.empty.hidden)), {
    class: "show-empty",
    "aria-controls": "edit-empty-fields",
  });
  private readonly search = h("input", {
    type: "text",
    id: "edit-find-field",
    autocomplete: "off",
    spellcheck: "false",
    input: () => this.find(),
  });
  private readonly count = h("p", { class: "aside", role: "status" });
  private shown: Shown[] = [];

  /** @param isShown whether a field is shown here; a new page's position has its own view. */
  constructor(context: FormContext, isShown: (field: PageField) => boolean) {
    this.context = context;
    this.isShown = isShown;
    onKey(this.search, (event) => {
      if (event.key === "Escape") {
        this.search.value = "";
        this.find();
      } else if (event.key === "Enter") {
        event.preventDefault();
        const found = this.shown.find(({ block }) => !block.hidden);
        found?.block.querySelector<HTMLElement>("input, textarea, select, [contenteditable]")?.focus();
      }
    });
    this.element.append(
      div("find-field", h("label", { for: "edit-find-field" }, "Find a field"), this.search, this.count),
      this.first,
      this.toggle,
      this.empty,
      this.derivedGroup,
    );
    context.renderers.set("", () => this.render());
    this.render();
  }

  render(): void {
    const { context } = this;
    const opens = this.shown.length > 0 && !this.empty.hidden;
    context.forget();
    const fields = context.model.fields.filter(this.isShown);
    const { first, empty } = fieldGroups(fields, context.model.page);
    const derived = first.filter(({ field }) => field.control === "derived");
    this.shown = [];
    this.fill(
      this.first,
      first.filter(({ field }) => field.control !== "derived"),
    );
    this.first.append(
      ...unknownFields(context.model.page, context.model.fields).map((path) => unknownField(context, path)),
    );
    this.fill(this.empty, empty);
    this.fill(this.derived, derived);
    this.toggle.hidden = empty.length === 0;
    this.showEmpty(opens);
    this.find();
  }

  showEmpty(isShown: boolean): void {
    this.empty.hidden = !isShown;
    this.toggle.setAttribute("aria-expanded", String(isShown));
    this.toggle.textContent = isShown ? "Hide empty fields" : "Show empty fields";
  }

  /** Makes a control visible: ends the search, shows empty fields, and expands blocks, if needed. */
  reveal(control: HTMLElement): void {
    if (this.search.value !== "") {
      this.search.value = "";
      this.find();
    }
    if (this.empty.contains(control)) this.showEmpty(true);
    for (let at = control.closest("details"); at; at = at.parentElement?.closest("details") ?? null)
      at.open = true;
  }

  private fill(section: HTMLElement, fields: readonly PageField[]): void {
    const blocks = fields.map(({ path, field }) => {
      const block = fieldBlock(this.context, field, path);
      this.shown.push({ block, section, words: wordsOf(field, pathText(path)) });
      return block;
    });
    section.replaceChildren(...blocks);
  }

  /** Shows only the fields that match the search, including empty ones. */
  private find(): void {
    const asked = fold(this.search.value.trim());
    const meant = meantBy(this.search.value.trim());
    this.element.classList.toggle("is-finding", asked !== "");
    for (const { block, words } of this.shown)
      block.hidden =
        asked !== "" &&
        !asked.split(/\s+/).every((word) => words.includes(word)) &&
        !words.startsWith(`${meant} `);
    const found = this.shown.filter(({ block }) => !block.hidden);
    this.derivedGroup.hidden = !found.some(({ section }) => section === this.derived);
    if (asked !== "") this.derivedGroup.open = true;
    this.count.textContent = asked === "" ? "" : plural(found.length, "field");
  }
}

const wordsOf = (field: Field, path: string): string =>
  `${path} ${fold(`${path} ${field.label} ${field.help} ${everydayWords(field.name, field.control)}${labelsIn(field)}`)}`;

/** The labels of everything in a group, or in the elements or blocks of a list, with a space before each. */
const labelsIn = (field: Field): string =>
  fieldsWithin(field)
    .map((one) => ` ${one.label}${labelsIn(one)}`)
    .join("");
