import { h } from "../../browse/client/dom.js";
import { isObject } from "../../json/object.ts";
import type { Field, FieldPath } from "../form/fields.ts";
import { fits, newValue, pathText, shownText, valueAt } from "../form/values.ts";
import { elementId, fieldParts, type FormContext } from "./context.ts";
import { button, named, div } from "./parts.ts";
import { leaf } from "./leaf.ts";

/** The element of a field of any kind, with its members or elements. */
export function fieldBlock(context: FormContext, field: Field, path: FieldPath): HTMLElement {
  const value = context.model.value(path);
  if (!fits(field, value)) return leaf(context, field, path);
  if (field.control === "group") return group(context, field, path, field.label, true);
  if (field.control === "list") return list(context, field, path);
  return leaf(context, field, path);
}

/** A field that the type or the group does not have, which its finding reports: it can only be removed. */
export function unknownField(context: FormContext, path: FieldPath): HTMLElement {
  const name = pathText(path);
  const label = path.filter((step) => typeof step === "string").join(".") || "(no name)";
  const control = h("textarea", { rows: "1", readonly: true, "data-path": name, "aria-label": label });
  control.value = shownText(context.model.value(path));
  const box = h("div", { class: "field-findings", id: elementId(path, "unknown") });
  context.place(path, { control, box, describedBy: "", focus: () => control.focus() });
  const remove = (): void => {
    context.set(path, undefined);
    block.remove();
    context.placed.delete(name);
  };
  const block = div("field", div("field-name", named(label)), control, button("Remove", remove), box);
  return block;
}

/** A fieldset, which shows the findings about the whole group. */
function fieldset(
  context: FormContext,
  field: Field,
  path: FieldPath,
  legend: Node | string,
): HTMLFieldSetElement {
  const parts = fieldParts(field, path);
  const set = h(
    "fieldset",
    { class: `group is-${field.control}`, "data-path": pathText(path), tabindex: "-1" },
    h("legend", { id: elementId(path, "legend") }, legend),
    parts.help,
    parts.box,
  );
  if (parts.describedBy !== "") set.setAttribute("aria-describedby", parts.describedBy);
  const focus = (): void => set.focus();
  context.place(path, { control: set, box: parts.box, describedBy: parts.describedBy, focus });
  context.groups.set(pathText(path), field);
  return set;
}

function group(
  context: FormContext,
  field: Field,
  path: FieldPath,
  legend: Node | string,
  hasHelp: boolean,
): HTMLFieldSetElement {
  const set = fieldset(context, hasHelp ? field : { ...field, help: "" }, path, legend);
  const body = div("group-fields");
  const render = (): void => {
    context.forget(path);
    body.replaceChildren(
      ...field.fields.map((member) =>
        fieldBlock(context, member, [...path, field.isTuple ? Number(member.name) : member.name]),
      ),
      ...unknownMembers(field, context.model.value(path)).map((name) =>
        unknownField(context, [...path, name]),
      ),
    );
  };
  render();
  context.renderers.set(pathText(path), render);
  set.append(body);
  return set;
}

function unknownMembers(field: Field, value: unknown): string[] {
  const known = new Set(field.fields.map(({ name }) => name));
  return isObject(value) ? Object.keys(value).filter((name) => !known.has(name)) : [];
}

/** Maximum length of an element's name in its heading, in UTF-16 units. */
const MAX_NAME = 48;

/** The name by which people recognize an element of a list; empty if it has none. */
function nameOfElement(element: Field, value: unknown): string {
  if (typeof value === "string") return value;
  const identifying = element.identity?.values[0];
  const names = [identifying, "name", "title", "shortTitle", "display_name", "type", "alt_text", "0"];
  const name = names.find((one) => one !== undefined && shownText(valueAt(value, [one])) !== "");
  const text = name === undefined ? "" : shownText(valueAt(value, [name]));
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 1)}…` : text;
}

function list(context: FormContext, field: Field, path: FieldPath): HTMLElement {
  const element = field.element as Field;
  const set = fieldset(context, field, path, field.label);
  const items = h("ol", { class: "elements" });
  const length = (): number => {
    const value = context.model.value(path);
    return Array.isArray(value) ? value.length : 0;
  };
  const render = (): void => {
    context.forget(path);
    items.replaceChildren(
      ...Array.from({ length: length() }, (_, index) => item(context, element, [...path, index], change)),
    );
    items.hidden = length() === 0;
  };
  const change: Change = (how, index) => {
    if (how === "remove") context.model.remove(path, index);
    else context.model.move(path, index, how === "up" ? -1 : 1);
    context.renderAgain(path);
    context.onEdit();
    // The focus stays at the element; if it was removed, at the element that follows it.
    const next = how === "up" ? index - 1 : how === "down" ? index + 1 : Math.min(index, length() - 1);
    const target = items.children[next]?.querySelector<HTMLElement>(
      how === "remove" ? "[data-part=remove]" : `[data-part=${how}]:not(:disabled), [data-part=remove]`,
    );
    (target ?? add).focus();
  };
  const onAdd = (): void => {
    const index = context.model.add(path, newValue(element));
    render();
    context.onEdit();
    const added = items.children[index];
    added?.querySelector<HTMLElement>("[data-path]:is(input, textarea, select, [contenteditable])")?.focus();
  };
  const add = button("Add", onAdd, { class: "add", "aria-describedby": elementId(path, "legend") });
  render();
  context.renderers.set(pathText(path), render);
  set.append(items, add);
  return set;
}

type Change = (how: "up" | "down" | "remove", index: number) => void;

function item(context: FormContext, element: Field, path: FieldPath, change: Change): HTMLElement {
  const index = Number(path.at(-1));
  const title = `${element.label} ${index + 1}`;
  const value = context.model.value(path);
  const isGroup = element.control === "group" && fits(element, value);
  const nameId = elementId(path, "legend");
  const siblings = context.model.value(path.slice(0, -1));
  const isLast = Array.isArray(siblings) && index === siblings.length - 1;
  const part = (how: "up" | "down" | "remove", text: string, disabled = false): HTMLElement =>
    button(text, () => change(how, index), { "data-part": how, disabled, "aria-describedby": nameId });
  const buttons = div(
    "element-buttons",
    part("up", "Move up", index === 0),
    part("down", "Move down", isLast),
    part("remove", "Remove"),
  );
  if (!isGroup) {
    const block = leaf(context, { ...element, label: title }, path);
    block.querySelector("label")?.setAttribute("id", nameId);
    return h("li", { class: "element is-plain" }, block, buttons);
  }
  const name = nameOfElement(element, value);
  const legend = h(
    "span",
    {},
    title,
    name !== "" && h("span", { class: "element-name", dir: "auto" }, `: ${name}`),
  );
  return h("li", { class: "element" }, group(context, element, path, legend, false), buttons);
}
