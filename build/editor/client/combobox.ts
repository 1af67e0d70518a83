import { response, labelOf, record, recordsOf } from "../../browse/data.js";
import { h, onKey, pageHref, plural } from "../../browse/dom.js";
import { isObject, type JsonObject } from "../../source/json/object.ts";
import { valueIn, type Identity, type ObjectValue } from "../../model/model.ts";
import { fieldOf, type Field, type FieldPath } from "../form/fields.ts";
import { asWritten, pathText, shownText } from "../form/values.ts";
import { elementId, type FormContext } from "./context.ts";
import { type Thing, MAX_SUGGESTED } from "../form/things.ts";
import { drafts } from "../../browse/drafts.js";
import { find } from "../../browse/search.js";

/** Milliseconds between a keystroke and the search. */
const PAUSE_MS = 120;

export interface Suggestion {
  text: string;
  note: string;
  choose: () => unknown;
}

type Search = (words: string) => Promise<readonly Suggestion[]>;

/** The control of a field that names a thing of the site: it suggests existing things, and accepts new ones. */
export function comboboxAt(context: FormContext, field: Field, path: FieldPath) {
  const { pages, type, page } = context.model;
  const owner = path.slice(0, -1);
  const model = valueIn(pages.sourceOf(type), owner, page);
  if (model?.kind !== "object" || model.identity === undefined) return undefined;
  const { identity } = model;
  // The member that identifies the thing to people.
  const name = identity.values[0] ?? identity.key;
  if (name !== field.name) return undefined;
  // Copies the members of the thing into the fields of its object.
  const choose = async (thing: Thing): Promise<void> => {
    const all = { ...(await membersOf(model, identity, thing)), ...thing.written };
    for (const key of new Set([identity.key, ...identity.values, ...Object.keys(all)]))
      if (all[key] !== undefined) context.model.set([...owner, key], all[key]);
    context.renderAgain(owner);
    context.onEdit();
    context.placeFor(pathText(path))?.focus();
    context.lists.get(pathText(owner.slice(0, -1)))?.chosen(Number(owner.at(-1)), thing);
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
async function membersOf(model: ObjectValue, identity: Identity, thing: Thing): Promise<JsonObject> {
  const { key, values, copied = [] } = identity;
  const { written, example } = thing;
  const isThing = (value: JsonObject): boolean =>
    copied.some((name) => value[name] !== undefined) &&
    [key, ...values].every((name) => (value[name] || undefined) === written[name]);
  if (example === undefined) return {};
  const page = await response(example).catch(() => undefined);
  const things: JsonObject[] = [];
  JSON.parse(page?.text ?? "null", (_name, value: unknown) => {
    if (isObject(value) && isThing(value)) things.push(value);
    return value;
  });
  const [found] = things;
  const all = found && asWritten(fieldOf(model, ""), found);
  return isObject(all)
    ? Object.fromEntries(Object.entries(all).filter(([name]) => copied.includes(name)))
    : {};
}

/** A text field that suggests the results of a search for its text. */
export function combobox(path: FieldPath, label: string, search: Search): HTMLInputElement {
  const id = elementId(path, "suggestions");
  const list = h("ul", { role: "listbox", id, class: "suggestions", "aria-label": `Suggestions: ${label}` });
  let suggestions: readonly Suggestion[] = [];
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of the latest search; results of earlier searches are discarded. */
  let turn = 0;

  const show = (found: readonly Suggestion[]): void => {
    suggestions = found;
    active = -1;
    list.replaceChildren(
      ...suggestions.map(({ text, note }, index) =>
        h(
          "li",
          { role: "option", id: `${id}-${index}`, "aria-selected": "false", click: () => choose(index) },
          h("span", { dir: "auto" }, text),
          " ",
          h("span", { class: "aside" }, note),
        ),
      ),
    );
    const isOpen = suggestions.length > 0;
    list.hidden = !isOpen;
    control.setAttribute("aria-expanded", String(isOpen));
    control.removeAttribute("aria-activedescendant");
  };
  const close = (): void => {
    turn++;
    clearTimeout(timer);
    show([]);
  };
  const choose = (index: number): void => {
    const suggestion = suggestions[index];
    close();
    suggestion?.choose();
  };
  const suggest = async (): Promise<void> => {
    const mine = ++turn;
    const words = control.value.trim();
    let found: readonly Suggestion[] = [];
    try {
      if (words !== "") found = await search(words);
    } catch {
      // Without suggestions, the editor can still type a thing, or the id of a page.
    }
    if (mine === turn && document.activeElement === control) show(found);
  };
  const activate = (index: number): void => {
    active = index;
    for (const [k, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(k === index));
      if (k === index) option.scrollIntoView({ block: "nearest" });
    }
    control.setAttribute("aria-activedescendant", `${id}-${index}`);
  };
  const control = h("input", {
    type: "text",
    role: "combobox",
    dir: "auto",
    autocomplete: "off",
    spellcheck: "false",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": id,
    input: () => {
      clearTimeout(timer);
      timer = setTimeout(() => void suggest(), PAUSE_MS);
    },
    blur: close,
  });
  onKey(control, (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (list.hidden && event.key === "ArrowDown") void suggest();
    else if (list.hidden) return;
    else if (by !== undefined) activate((active + by + suggestions.length) % suggestions.length);
    else if (event.key === "Enter" && active >= 0) choose(active);
    else if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else return;
    event.preventDefault();
  });
  list.hidden = true;
  queueMicrotask(() => control.after(list));
  // Keeps the focus in the field when a suggestion is pressed.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  return control;
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
export function pageField(context: FormContext, field: Field, path: FieldPath): [HTMLElement, HTMLElement] {
  const chosen = h("output", { class: "chosen-page" });
  const show = async (): Promise<void> => {
    const id = context.model.value(path);
    const page = typeof id === "number" ? await record(id).catch(() => undefined) : undefined;
    const words =
      page === undefined
        ? "No published page has this id."
        : h("a", { href: pageHref(page.id) }, `${await labelOf(page.type)} · ${page.id}`);
    if (context.model.value(path) !== id) return;
    control.value = page?.title ?? shownText(id);
    chosen.replaceChildren(typeof id === "number" ? words : "");
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
