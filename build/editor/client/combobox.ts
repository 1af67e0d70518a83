import { response, labelOf, record, recordsOf } from "../../browse/client/data.js";
import { h, onKey, plural } from "../../browse/client/dom.js";
import { isObject, type JsonObject } from "../../json/object.ts";
import type { Identity } from "../../page/field.ts";
import { valueIn, type ObjectValue } from "../../page/model.ts";
import { fieldOf, type Field, type FieldPath } from "../form/fields.ts";
import { asWritten, pathText, shownText } from "../form/values.ts";
import { elementId, type FormContext } from "./context.ts";
import { type Thing, MAX_SUGGESTED } from "../form/things.ts";
import { drafts } from "../../browse/client/drafts.js";
import { find } from "../../browse/client/search.js";

/** Milliseconds between a keystroke and the search. */
const PAUSE_MS = 120;

/** The name of the member that identifies a thing to people: its first value, or its key if it has no values. */
const nameOf = ({ key, values }: Identity): string => values[0] ?? key;

/** The event of an object in the form that has got the values of a thing of the site. */
export const CHOSEN = "thing-chosen";

export interface Suggestion {
  text: string;
  note: string;
  choose: () => unknown;
}

type Search = (words: string) => Promise<readonly Suggestion[]>;

export const combobox = (path: FieldPath, label: string, search: Search): HTMLInputElement =>
  new Combobox(path, label, search).control;

/** The control of a field that names a thing of the site: it suggests existing things, and accepts new ones. */
export function comboboxAt(
  context: FormContext,
  field: Field,
  path: FieldPath,
): HTMLInputElement | undefined {
  const { pages, type, page } = context.model;
  const owner = path.slice(0, -1);
  const model = valueIn(pages.sourceOf(type), owner, page);
  if (model?.kind !== "object" || model.identity === undefined) return undefined;
  const { identity } = model;
  const name = nameOf(identity);
  if (name !== field.name) return undefined;
  // Copies the members of the thing into the fields of its object.
  const choose = async (thing: Thing): Promise<void> => {
    const all = { ...(await membersOf(model, identity, thing)), ...thing.written };
    for (const key of new Set([identity.key, ...identity.values, ...Object.keys(all)]))
      if (all[key] !== undefined) context.model.set([...owner, key], all[key]);
    context.renderAgain(owner);
    context.onEdit();
    const placed = context.placeFor(pathText(path));
    placed?.focus();
    placed?.control.dispatchEvent(new CustomEvent(CHOSEN, { bubbles: true, detail: { at: owner, thing } }));
  };
  return combobox(path, field.label, async (words) => {
    const things = await context.host.things(identity.kind, words);
    return things.map((thing): Suggestion => {
      const others = Object.entries(thing.written)
        .filter(([key, value]) => key !== name && typeof value !== "object" && value !== "")
        .map(([, value]) => shownText(value));
      const facts = [...others, thing.note, plural(thing.pages, "page")];
      return {
        text: shownText(thing.written[name]),
        note: facts.filter((fact) => fact !== "").join(" · "),
        choose: () => choose(thing),
      };
    });
  });
}

/** The members of a thing that are copied from a page that describes it; none if the page cannot be loaded. */
async function membersOf(
  model: ObjectValue,
  { key, values, copied = [] }: Identity,
  { written, example }: Thing,
): Promise<JsonObject> {
  const isThing = (value: JsonObject): boolean =>
    copied.some((name) => value[name] !== undefined) &&
    [key, ...values].every((name) => (value[name] || undefined) === written[name]);
  const within = (value: unknown): JsonObject | undefined => {
    if (typeof value !== "object" || value === null) return undefined;
    if (isObject(value) && isThing(value)) return value;
    for (const one of Object.values(value)) {
      const found = within(one);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  if (example === undefined) return {};
  const page = await response(example).catch(() => undefined);
  const found = within(page && JSON.parse(page.text));
  const all = found && asWritten(fieldOf(model, ""), found);
  return isObject(all)
    ? Object.fromEntries(Object.entries(all).filter(([name]) => copied.includes(name)))
    : {};
}

class Combobox {
  readonly control: HTMLInputElement;
  private readonly find: Search;
  private readonly list: HTMLUListElement;
  private suggestions: readonly Suggestion[] = [];
  private active = -1;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of the latest search; results of earlier searches are discarded. */
  private turn = 0;

  constructor(path: FieldPath, label: string, search: Search) {
    this.find = search;
    const id = elementId(path, "suggestions");
    this.control = h("input", {
      type: "text",
      role: "combobox",
      dir: "auto",
      autocomplete: "off",
      spellcheck: "false",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": id,
      input: () => this.onInput(),
      blur: () => this.close(),
    });
    this.list = h("ul", { role: "listbox", id, class: "suggestions", "aria-label": `Suggestions: ${label}` });
    this.list.hidden = true;
    queueMicrotask(() => this.control.after(this.list));
    onKey(this.control, (event) => this.onKey(event));
    // Keeps the focus in the field when a suggestion is pressed.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  private onInput(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.search(), PAUSE_MS);
  }

  private async search(): Promise<void> {
    const mine = ++this.turn;
    const words = this.control.value.trim();
    let found: readonly Suggestion[] = [];
    try {
      if (words !== "") found = await this.find(words);
    } catch {
      // Without suggestions, the editor can still type a thing, or the id of a page.
    }
    if (mine !== this.turn || document.activeElement !== this.control) return;
    this.show(found);
  }

  private show(suggestions: readonly Suggestion[]): void {
    this.suggestions = suggestions;
    this.active = -1;
    this.list.replaceChildren(
      ...suggestions.map(({ text, note }, index) =>
        h(
          "li",
          {
            role: "option",
            id: `${this.list.id}-${index}`,
            "aria-selected": "false",
            click: () => this.choose(index),
          },
          h("span", { dir: "auto" }, text),
          " ",
          h("span", { class: "aside" }, note),
        ),
      ),
    );
    const isOpen = suggestions.length > 0;
    this.list.hidden = !isOpen;
    this.control.setAttribute("aria-expanded", String(isOpen));
    this.control.removeAttribute("aria-activedescendant");
  }

  private close(): void {
    this.turn++;
    clearTimeout(this.timer);
    this.show([]);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "ArrowDown" && this.list.hidden) {
      event.preventDefault();
      void this.search();
    } else if (this.list.hidden) return;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const by = event.key === "ArrowDown" ? 1 : -1;
      this.activate((this.active + by + this.suggestions.length) % this.suggestions.length);
    } else if (event.key === "Enter" && this.active >= 0) {
      event.preventDefault();
      this.choose(this.active);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    }
  }

  private activate(index: number): void {
    this.active = index;
    for (const [k, option] of [...this.list.children].entries()) {
      option.setAttribute("aria-selected", String(k === index));
      if (k === index) option.scrollIntoView({ block: "nearest" });
    }
    this.control.setAttribute("aria-activedescendant", `${this.list.id}-${index}`);
  }

  private choose(index: number): void {
    const { choose } = this.suggestions[index] ?? {};
    this.close();
    choose?.();
  }
}

/** Maximum number of search results whose types are read, and the number that is read at a time. */
const MAX_READ = 240;
const READ_AT_ONCE = 24;

/** The pages with the typed words. A reference or a link to a draft would be an error. */
export async function suggestPages(
  words: string,
  types: readonly string[] | undefined,
  choose: (id: number) => unknown,
): Promise<Suggestion[]> {
  const { ids } = await find(words);
  const found: Suggestion[] = [];
  for (let k = 0; k < Math.min(ids.length, MAX_READ) && found.length < MAX_SUGGESTED; k += READ_AT_ONCE)
    for (const { id, type, title } of await recordsOf(ids.slice(k, k + READ_AT_ONCE)))
      if (!drafts.has(id) && types?.includes(type) !== false)
        found.push({
          text: title || "Untitled",
          note: `${await labelOf(type)} · ${id}`,
          choose: () => choose(id),
        });
  return found.slice(0, MAX_SUGGESTED);
}

/** The control of a reference to a page: it shows the page's title, and suggests the pages with the typed words. */
export function pageField(
  context: FormContext,
  field: Field,
  path: FieldPath,
): [HTMLInputElement, HTMLElement] {
  const chosen = h("output", { class: "chosen-page" });
  const show = async (): Promise<void> => {
    const id = context.model.value(path);
    const page = typeof id === "number" ? await record(id).catch(() => undefined) : undefined;
    const words =
      page === undefined ? "No published page has this id." : `${await labelOf(page.type)} · ${page.id}`;
    if (context.model.value(path) !== id) return;
    control.value = page?.title ?? shownText(id);
    chosen.textContent = typeof id === "number" ? words : "";
  };
  const search = (words: string): Promise<Suggestion[]> =>
    suggestPages(words, field.reference?.types, (id) => {
      context.set(path, id);
      void show();
    });
  const control = combobox(path, field.label, search);
  control.placeholder = "Type the title of a page";
  control.value = shownText(context.model.value(path));
  control.addEventListener("input", () => {
    if (control.value.trim() !== "") return;
    context.set(path, field.isNullable ? context.none(path) : undefined);
    void show();
  });
  // A text that chooses no page is no value.
  control.addEventListener("change", () => void show());
  void show();
  return [control, chosen];
}
