import { h, onKey } from "../../browse/dom.js";
import { inWords, shortened, withTitles } from "../../browse/own-fields.js";
import type { Thing } from "../form/things.ts";
import type { Field, FieldPath } from "../form/fields.ts";
import { valueAt } from "../../source/json/object.ts";
import { blockField, shownText } from "../form/values.ts";
import type { FormContext } from "./context.ts";
import { iconButton } from "./parts.ts";

/**
 * The name of an element of a list: the text by which people recognize it, else its title, and the id that distinguishes
 * it from others of the same name.
 */
export function rowName(element: Field, value: unknown, index: number): (Node | string)[] {
  const name = h("span", { class: "element-name", dir: "auto" });
  const block = blockField(element, value);
  if (block !== undefined) {
    void withTitles((titleOf) => {
      const words = shortened(inWords(block, valueAt(value, ["value"]), titleOf));
      name.textContent = words && `: ${words}`;
    });
    return [`${block.label} ${index + 1}`, name];
  }
  const { kind, naming, identity, fields, label } = element;
  const texts = kind === "tuple" && Array.isArray(value) ? value.map(shownText).filter(Boolean) : undefined;
  const member = fields.find((one) => one.name === naming);
  void withTitles((titleOf) => {
    const text =
      texts?.join(" · ") ??
      (member ? inWords(member, valueAt(value, [member.name]), titleOf) : inWords(element, value, titleOf));
    name.textContent = shortened(text) || `${label} ${index + 1}`;
  });
  const ids = fields.filter(({ isId }) => isId).map((one) => one.name);
  const id = ids.find((one) => one === identity?.key) ?? ids[0];
  const key = id === undefined ? "" : shownText(valueAt(value, [id]));
  return [name, ...(key === "" ? [] : [h("small", { class: "element-key" }, key)])];
}

const ICONS = {
  up: "M8 13V3M4 7l4-4 4 4",
  down: "M8 3v10M4 9l4 4 4-4",
  copy: "M5 5h9v9H5zM3 11H2V2h9v1",
  remove: "M4 4l8 8M12 4l-8 8",
};

export const partButton = (
  part: keyof typeof ICONS,
  label: string,
  nameId: string,
  click: () => void,
  disabled = false,
): HTMLElement =>
  iconButton(label, ICONS[part], click, { "data-part": part, "aria-describedby": nameId, disabled });

/** The handle of an element, and the buttons that move it. @param nameId the id of the element's name */
export const moveButtons = (
  nameId: string,
  move: (by: -1 | 1) => void,
  isFirst = false,
  isLast = false,
): HTMLElement[] => [
  h("span", { class: "drag", title: "Drag to move", "aria-hidden": "true" }, "⠿"),
  partButton("up", "Move up", nameId, () => move(-1), isFirst),
  partButton("down", "Move down", nameId, () => move(1), isLast),
];

/** Adds the broader things of a chosen one after it, such as the broader subjects of a subject. */
export async function addBroader(
  context: FormContext,
  { identity, fields }: Field,
  path: FieldPath,
  thing: Thing,
  add: (value: unknown, index: number) => void,
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
    add(next, index + 1);
    at = next;
  }
}

/** Moves elements that are dragged by their handle, or with Alt and an arrow key. */
export function followDragging(items: HTMLOListElement, move: (from: number, to: number) => void): void {
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
    if (to !== dragged) move(dragged, to);
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
    if (items.children[to] !== undefined) move(from, to);
  });
}
