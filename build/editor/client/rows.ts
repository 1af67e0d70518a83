import { h, onKey } from "../../browse/client/dom.js";
import type { Thing } from "../form/things.ts";
import type { Field, FieldPath } from "../form/fields.ts";
import { blockField, fits, newValue, pathText, shownText, valueAt } from "../form/values.ts";
import { CHOSEN } from "./combobox.ts";
import { elementId, fieldParts, type FormContext } from "./context.ts";
import { fold } from "./folds.ts";
import { button, div, iconButton } from "./parts.ts";
import { leaf } from "./leaf.ts";

/** Maximum length of the text that identifies an element, in UTF-16 units. */
const MAX_NAME = 48;

const shortened = (text: string): string =>
  text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 1)}…` : text;

/** The text by which people recognize an element of a list; empty if it has none. */
function nameOfElement({ naming, isTuple }: Field, value: unknown): string {
  if (isTuple && Array.isArray(value)) return value.map(shownText).filter(Boolean).join(" · ");
  return naming === undefined ? "" : shortened(shownText(valueAt(value, [naming])));
}

/** The id of an element, which distinguishes it from others of the same name; empty if it has none. */
function keyOfElement({ identity, fields }: Field, value: unknown): string {
  const ids = fields.filter(({ isId }) => isId).map(({ name }) => name);
  const id = ids.find((name) => name === identity?.key) ?? ids[0];
  return id === undefined ? "" : shownText(valueAt(value, [id]));
}

/** The first text in a block, by which people recognize it. */
function excerptOf(value: unknown): string {
  if (typeof value === "string") {
    const html = value.replace(/<\/(?:p|li|h\d)>/g, "$& ");
    return new DOMParser().parseFromString(html, "text/html").body.textContent.trim();
  }
  if (typeof value !== "object" || value === null) return "";
  for (const one of Object.values(value)) {
    const text = excerptOf(one);
    if (text !== "") return text;
  }
  return "";
}

/** Maximum number of blocks in a list that begins with expanded blocks. */
const MAX_EXPANDED = 3;

/** A direction, the removal, or the index that an element gets. */
type Movement = "up" | "down" | "remove" | number;

const ICONS = {
  up: "M8 13V3M4 7l4-4 4 4",
  down: "M8 3v10M4 9l4 4 4-4",
  remove: "M4 4l8 8M12 4l-8 8",
};

const partButton = <T extends keyof typeof ICONS>(
  how: T,
  label: string,
  nameId: string,
  click: (how: T) => void,
): HTMLElement =>
  iconButton(label, ICONS[how], () => click(how), { "data-part": how, "aria-describedby": nameId });

/** The handle of an element, and the buttons that move it. @param nameId the id of the element's name */
export const moveButtons = (nameId: string, move: (how: "up" | "down") => void): HTMLElement[] => [
  h("span", { class: "drag", title: "Drag to move", "aria-hidden": "true" }, "⠿"),
  partButton("up", "Move up", nameId, move),
  partButton("down", "Move down", nameId, move),
];

/** The parts of a form that rows consist of. */
export interface RowParts {
  fieldBlock: (context: FormContext, field: Field, path: FieldPath) => HTMLElement;
  fieldset: (context: FormContext, field: Field, path: FieldPath, legend: string) => HTMLFieldSetElement;
  membersOf: (context: FormContext, field: Field, path: FieldPath) => HTMLElement[];
  unknownMembers: (context: FormContext, path: FieldPath, known: readonly string[]) => HTMLElement[];
}

export function list(parts: RowParts, context: FormContext, field: Field, path: FieldPath): HTMLElement {
  const element = field.element as Field;
  const set = parts.fieldset(context, field, path, field.label);
  const items = h("ol", { class: "elements" });
  const elements = (): readonly unknown[] => {
    const value = context.model.value(path);
    return Array.isArray(value) ? value : [];
  };
  const { length } = elements();
  const isOpen = element.control === "block" && length <= MAX_EXPANDED;
  const expanded = context.expanded.get(pathText(path)) ?? Array.from({ length }, () => isOpen);
  context.expanded.set(pathText(path), expanded);
  const render = (): void => {
    context.forget(path);
    const values = elements();
    items.replaceChildren(
      ...values.map((_, index) => item(parts, context, element, [...path, index], change)),
    );
    items.hidden = values.length === 0;
    set.classList.toggle("is-empty", values.length === 0);
    menu?.show(
      Array.from(items.children, (one, k) => one.querySelector("summary")?.textContent ?? `${k + 1}`),
    );
  };
  /** Moves an element, or removes it. The focus stays at the element; if it was removed, at the one that follows it. */
  const change = (how: Movement, index: number): void => {
    const to = how === "up" ? index - 1 : how === "down" ? index + 1 : how;
    const [isExpanded = false] = expanded.splice(index, 1);
    if (to === "remove") context.model.remove(path, index);
    else {
      context.model.move(path, index, to - index);
      expanded.splice(to, 0, isExpanded);
    }
    if (elements().length === 0 && field.isNullable) context.model.set(path, context.none(path));
    context.renderAgain(path);
    context.onEdit();
    const next = to === "remove" ? Math.min(index, elements().length - 1) : to;
    const part =
      typeof how === "number" || how === "remove"
        ? "[data-part=remove]"
        : `[data-part=${how}]:not(:disabled), [data-part=remove]`;
    const buttons = items.children[next]?.querySelector(":scope > .element-buttons");
    (buttons?.querySelector<HTMLElement>(part) ?? add).focus();
  };
  const menu = element.control === "block" ? new BlockMenu(field.label, element) : undefined;
  const onAdd = (): void => {
    const added = menu === undefined ? newValue(element) : menu.newBlock();
    const index = context.model.add(path, added, menu?.index);
    expanded.splice(index, 0, true);
    render();
    context.onEdit();
    const controls = "[data-path]:is(input, textarea, select, [contenteditable])";
    items.children[index]?.querySelector<HTMLElement>(controls)?.focus();
  };
  const add = button("Add", onAdd, { class: "add", "aria-describedby": elementId(path, "legend") });
  // After a thing of the site was chosen, its row closes, and the next one can be added.
  set.addEventListener(CHOSEN, (event) => {
    const { at, thing } = (event as CustomEvent<{ at: FieldPath; thing: Thing }>).detail;
    if (pathText(at.slice(0, -1)) !== pathText(path)) return;
    event.stopPropagation();
    expanded[Number(at.at(-1))] = false;
    context.renderAgain(path);
    add.focus();
    void addBroader(context, element, path, thing, (index) => {
      expanded.splice(index, 0, false);
      context.renderAgain(path);
      context.onEdit();
    });
  });
  render();
  followDragging(items, change);
  context.renderers.set(pathText(path), render);
  set.append(items, menu === undefined ? add : div("add-block", ...menu.controls, add));
  return set;
}

/** Adds the broader things of a chosen one after it, such as the broader subjects of a subject. */
async function addBroader(
  context: FormContext,
  { identity, fields }: Field,
  path: FieldPath,
  thing: Thing,
  onAdded: (index: number) => void,
): Promise<void> {
  const broader = fields.find(({ isBroader }) => isBroader)?.name;
  if (identity === undefined || broader === undefined) return;
  const { kind, key } = identity;
  const indexOf = (value: unknown): number =>
    ((context.model.value(path) ?? []) as unknown[]).findIndex((one) => valueAt(one, [key]) === value);
  for (let at = thing.written; ;) {
    const above = at[broader];
    if (above === undefined || above === at[key] || indexOf(above) !== -1) return;
    const found = await context.host.things(kind, shownText(above)).catch(() => []);
    const next = found.find(({ written }) => written[key] === above)?.written;
    const index = indexOf(at[key]);
    if (next === undefined || index === -1) return;
    onAdded(context.model.add(path, next, index + 1));
    at = next;
  }
}

/** The choice of a new block: its type, and its place in the list. */
class BlockMenu {
  readonly controls: readonly [type: HTMLSelectElement, place: HTMLSelectElement];
  private readonly blocks: Field["blocks"];

  constructor(label: string, { blocks }: Field) {
    this.blocks = blocks;
    const types = Array.from(blocks, ([value, block]) => h("option", { value }, block.label));
    this.controls = [
      h("select", { "aria-label": `${label}: type of the new block` }, ...types),
      h("select", { "aria-label": `${label}: place of the new block` }),
    ];
  }

  /** @param names of the blocks in the list */
  show(names: readonly string[]): void {
    const places = names.map((name, index) => h("option", { value: String(index) }, `Before ${name}`));
    const end = h("option", { value: String(names.length), selected: true }, "At the end");
    this.controls[1].replaceChildren(...places, end);
  }

  get index(): number {
    return Number(this.controls[1].value);
  }

  /** With the id that Wagtail would give it. */
  newBlock(): object {
    const type = this.controls[0].value;
    const field = this.blocks.get(type);
    const hasValue = field !== undefined && field.control !== "derived";
    return { type, ...(hasValue ? { value: newValue(field) } : {}), id: crypto.randomUUID() };
  }
}

type Change = (how: Movement, index: number) => void;

function item(
  parts: RowParts,
  context: FormContext,
  element: Field,
  path: FieldPath,
  change: Change,
): HTMLElement {
  const index = Number(path.at(-1));
  const value = context.model.value(path);
  const ofBlock = blockField(element, value);
  const title = `${(ofBlock ?? element).label} ${index + 1}`;
  const nameId = elementId(path, "legend");
  const siblings = context.model.value(path.slice(0, -1));
  const isLast = Array.isArray(siblings) && index === siblings.length - 1;
  const remove = partButton("remove", "Remove", nameId, (how) => change(how, index));
  const buttons = div("element-buttons", ...moveButtons(nameId, (how) => change(how, index)), remove);
  for (const [name, isEnd] of [
    ["up", index === 0],
    ["down", isLast],
  ] as const)
    buttons.querySelector(`[data-part=${name}]`)?.toggleAttribute("disabled", isEnd);
  const isGroup = element.control === "group" && fits(element, value);
  if (ofBlock !== undefined || isGroup) {
    const details = row(parts, context, ofBlock ?? element, path, title, ofBlock !== undefined);
    return h("li", { class: `element ${isGroup ? "is-row" : "is-block"}` }, details, buttons);
  }
  if (element.control === "list" && fits(element, value))
    return h("li", { class: "element" }, list(parts, context, { ...element, label: title }, path), buttons);
  const control = leaf(context, { ...element, label: title }, path);
  control.querySelector("label")?.setAttribute("id", nameId);
  return h("li", { class: "element is-plain" }, control, buttons);
}

/** An object or a block of a list: a row with the text that identifies it, which is opened to edit. */
function row(
  parts: RowParts,
  context: FormContext,
  field: Field,
  path: FieldPath,
  title: string,
  isBlock: boolean,
): HTMLElement {
  const { box } = fieldParts({ ...field, help: "" }, path);
  const summary = h("summary", { "data-path": pathText(path), id: elementId(path, "legend") });
  const body = div("group-fields");
  const details = h("details", { class: isBlock ? "block" : "row" }, summary, div("row-body", box, body));
  const index = Number(path.at(-1));
  const expanded = context.expanded.get(pathText(path.slice(0, -1))) ?? [];
  const showName = (): void => {
    const value = context.model.value(path);
    const name = isBlock ? shortened(excerptOf(valueAt(value, ["value"]))) : nameOfElement(field, value);
    const [before, after] = isBlock ? [title, name && `: ${name}`] : ["", name || title];
    const key = isBlock ? "" : keyOfElement(field, value);
    summary.replaceChildren(
      before,
      h("span", { class: "element-name", dir: "auto" }, after),
      key === "" ? "" : h("small", { class: "element-key" }, key),
    );
  };
  const render = (): void => {
    context.forget(path);
    body.replaceChildren(
      ...(isBlock
        ? [
            parts.fieldBlock(context, field, [...path, "value"]),
            ...parts.unknownMembers(context, path, ["type", "value", "id"]),
          ]
        : parts.membersOf(context, field, path)),
    );
    showName();
  };
  details.addEventListener("toggle", () => {
    // The event comes late: the list may have been rendered again.
    if (details.isConnected) expanded[index] = details.open;
    showName();
  });
  context.place(path, { control: summary, box, describedBy: "", focus: () => summary.focus() });
  if (!isBlock) {
    context.groups.set(pathText(path), field);
    context.renderers.set(pathText(path), render);
  }
  render();
  details.open = expanded[index] === true;
  if (!isBlock) fold(details);
  return details;
}

/** Moves elements that are dragged by their handle, or with Alt and an arrow key. */
export function followDragging(
  items: HTMLOListElement,
  change: (how: Exclude<Movement, "remove">, index: number) => void,
): void {
  const indexOf = (target: EventTarget | null): number =>
    [...items.children].findIndex((one) => target instanceof Node && one.contains(target));
  let dragged = -1;
  items.addEventListener("pointerdown", ({ target }) => {
    const isHandle =
      target instanceof Element && target.closest(".elements") === items && target.matches(".drag");
    const element = items.children[indexOf(target)];
    if (element instanceof HTMLElement) element.draggable = isHandle;
  });
  items.addEventListener("dragstart", (event) => {
    if (!(event.target instanceof Element) || event.target.parentElement !== items) return;
    dragged = indexOf(event.target);
    event.dataTransfer?.setData("text/plain", "");
  });
  items.addEventListener("dragover", (event) => {
    if (dragged === -1) return;
    event.preventDefault();
    const over = indexOf(event.target);
    for (const [k, one] of [...items.children].entries())
      one.classList.toggle("is-target", k === over && k !== dragged);
  });
  items.addEventListener("drop", (event) => {
    const to = indexOf(event.target);
    if (dragged === -1 || to === -1) return;
    event.preventDefault();
    if (to !== dragged) change(to, dragged);
  });
  items.addEventListener("dragend", () => {
    dragged = -1;
    for (const one of items.children) one.classList.remove("is-target");
  });
  onKey(items, (event) => {
    const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    const from = indexOf(event.target);
    const to = from + (by ?? 0);
    if (by === undefined || from === -1 || (event.target as Element).closest(".elements") !== items) return;
    event.preventDefault();
    if (items.children[to] !== undefined) change(by < 0 ? "up" : "down", from);
  });
}
