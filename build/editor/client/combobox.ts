import { h, onKey, plural } from "../../browse/client/dom.js";
import type { Identity } from "../../page/field.ts";
import { pageIdentity, type Field, type FieldPath } from "../form/fields.ts";
import { pathText, shownText } from "../form/values.ts";
import { elementId, type FormContext } from "./context.ts";
import type { Thing } from "../form/things.ts";

/** Maximum number of suggestions in a list. */
const MAX_SUGGESTIONS = 12;

/** Milliseconds between a keystroke and the search. */
const PAUSE_MS = 120;

/** A field whose text identifies a thing of the site. */
interface Naming {
  identity: Identity;
  /** The path of the object that describes the thing; empty for the page itself. */
  owner: FieldPath;
}

/** The name of the member that identifies a thing to people: its first value, or its key if it has no values. */
const nameOf = ({ key, values }: Identity): string => values[0] ?? key;

export function namingAt(context: FormContext, field: Field, path: FieldPath): Naming | undefined {
  const owner = path.slice(0, -1);
  const group = context.groups.get(pathText(owner));
  const identity =
    owner.length === 0 ? pageIdentity(context.model.pages, context.model.type) : group?.identity;
  return identity !== undefined && nameOf(identity) === field.name ? { identity, owner } : undefined;
}

/** The control of a field that names a thing of the site: it suggests existing things, and accepts new ones. */
export function comboboxAt(
  context: FormContext,
  field: Field,
  path: FieldPath,
): HTMLInputElement | undefined {
  const naming = namingAt(context, field, path);
  return naming === undefined ? undefined : new Combobox(context, naming, path, field.label).control;
}

class Combobox {
  readonly control: HTMLInputElement;
  private readonly context: FormContext;
  private readonly naming: Naming;
  private readonly list: HTMLUListElement;
  private things: readonly Thing[] = [];
  private active = -1;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of the latest search; results of earlier searches are discarded. */
  private turn = 0;

  constructor(context: FormContext, naming: Naming, path: FieldPath, label: string) {
    this.context = context;
    this.naming = naming;
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
    let found: readonly Thing[] = [];
    try {
      if (words !== "") found = await this.context.host.things(this.naming.identity.kind, words);
    } catch {
      // Without suggestions, the editor can still type the thing.
    }
    if (mine !== this.turn || document.activeElement !== this.control) return;
    this.show(found.slice(0, MAX_SUGGESTIONS));
  }

  private show(things: readonly Thing[]): void {
    this.things = things;
    this.active = -1;
    const name = nameOf(this.naming.identity);
    this.list.replaceChildren(
      ...things.map(({ written, pages, note }, index) => {
        const others = Object.entries(written)
          .filter(([key, value]) => key !== name && typeof value !== "object" && value !== "")
          .map(([, value]) => shownText(value));
        const facts = [...others, note, pages === undefined ? undefined : plural(pages, "page")];
        return h(
          "li",
          {
            role: "option",
            id: `${this.list.id}-${index}`,
            "aria-selected": "false",
            click: () => this.choose(index),
          },
          h("span", { dir: "auto" }, shownText(written[name])),
          " ",
          h(
            "span",
            { class: "aside" },
            facts.filter((fact) => fact !== undefined && fact !== "").join(" · "),
          ),
        );
      }),
    );
    const isOpen = things.length > 0;
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
      this.activate((this.active + by + this.things.length) % this.things.length);
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

  /** Copies the members of a thing into the fields of its object. */
  private choose(index: number): void {
    const thing = this.things[index];
    if (thing === undefined) return;
    const { identity, owner } = this.naming;
    this.close();
    for (const name of new Set([identity.key, ...identity.values, ...Object.keys(thing.written)]))
      if (thing.written[name] !== undefined) this.context.model.set([...owner, name], thing.written[name]);
    this.context.renderAgain(owner);
    this.context.onEdit();
    this.context.placeFor(pathText([...owner, nameOf(identity)]))?.focus();
  }
}
