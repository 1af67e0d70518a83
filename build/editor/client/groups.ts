import { h } from "../../browse/client/dom.js";
import { isObject } from "../../json/object.ts";
import type { Field, FieldPath } from "../form/fields.ts";
import { blockField, fits, newValue, pathText, shownText, valueAt } from "../form/values.ts";
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
  const isNone = (): boolean => field.isNullable && (context.model.value(path) ?? null) === null;
  const toggle = button(
    "",
    () => {
      context.set(path, isNone() ? newValue(field) : context.none(path));
      context.renderAgain(path);
    },
    { "aria-describedby": elementId(path, "legend") },
  );
  const render = (): void => {
    context.forget(path);
    toggle.textContent = isNone() ? "Add" : "Remove";
    const value = context.model.value(path);
    const isShown = (member: Field): boolean =>
      !isConstant(member) || valueAt(value, [member.name]) !== undefined;
    const members = isNone() ? [] : field.fields.filter(isShown);
    body.replaceChildren(
      ...members.map((member) =>
        fieldBlock(context, member, [...path, field.isTuple ? Number(member.name) : member.name]),
      ),
      ...unknownMembers(
        context,
        path,
        field.fields.map(({ name }) => name),
      ),
    );
  };
  render();
  context.renderers.set(pathText(path), render);
  set.append(body);
  if (field.isNullable) set.append(toggle);
  return set;
}

/** Whether a field has the same value on every page, such as the type of a venue, so that the form leaves it out. */
const isConstant = ({ derivation, fields }: Field): boolean =>
  derivation?.kind === "constant" || (fields.length > 0 && fields.every(isConstant));

function unknownMembers(context: FormContext, path: FieldPath, known: readonly string[]): HTMLElement[] {
  const value = context.model.value(path);
  const others = isObject(value) ? Object.keys(value).filter((name) => !known.includes(name)) : [];
  return others.map((name) => unknownField(context, [...path, name]));
}

/** Maximum length of an element's name in its heading, in UTF-16 units. */
const MAX_NAME = 48;

/** The name by which people recognize an element of a list; empty if it has none. */
function nameOfElement(element: Field, value: unknown): string {
  if (typeof value === "string") return value;
  const identifying = element.identity?.values[0];
  const names = [identifying, "name", "title", "shortTitle", "display_name", "type", "alt_text", "0"];
  const name = names.find((one) => one !== undefined && shownText(valueAt(value, [one])) !== "");
  return name === undefined ? "" : shortened(shownText(valueAt(value, [name])));
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

const shortened = (text: string): string =>
  text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 1)}…` : text;

/** Maximum number of blocks in a list that begins with expanded blocks. */
const MAX_EXPANDED = 3;

function list(context: FormContext, field: Field, path: FieldPath): HTMLElement {
  const element = field.element as Field;
  const set = fieldset(context, field, path, field.label);
  const items = h("ol", { class: "elements" });
  const length = (): number => {
    const value = context.model.value(path);
    return Array.isArray(value) ? value.length : 0;
  };
  const expanded =
    context.expanded.get(pathText(path)) ?? Array.from({ length: length() }, () => length() <= MAX_EXPANDED);
  context.expanded.set(pathText(path), expanded);
  const render = (): void => {
    context.forget(path);
    items.replaceChildren(
      ...Array.from({ length: length() }, (_, index) => item(context, element, [...path, index], change)),
    );
    items.hidden = length() === 0;
    menu?.show(
      Array.from(items.children, (one, k) => one.querySelector("summary")?.textContent ?? `${k + 1}`),
    );
  };
  const change: Change = (how, index) => {
    const [isExpanded = false] = expanded.splice(index, 1);
    if (how === "remove") context.model.remove(path, index);
    else {
      const by = how === "up" ? -1 : 1;
      context.model.move(path, index, by);
      expanded.splice(index + by, 0, isExpanded);
    }
    if (length() === 0 && field.isNullable) context.model.set(path, context.none(path));
    context.renderAgain(path);
    context.onEdit();
    // The focus stays at the element; if it was removed, at the element that follows it.
    const next = how === "up" ? index - 1 : how === "down" ? index + 1 : Math.min(index, length() - 1);
    const own = items.children[next]?.lastElementChild;
    const target = own?.querySelector<HTMLElement>(
      how === "remove" ? "[data-part=remove]" : `[data-part=${how}]:not(:disabled), [data-part=remove]`,
    );
    (target ?? add).focus();
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
  render();
  context.renderers.set(pathText(path), render);
  set.append(items, menu === undefined ? add : div("add-block", ...menu.controls, add));
  return set;
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

type Change = (how: "up" | "down" | "remove", index: number) => void;

function item(context: FormContext, element: Field, path: FieldPath, change: Change): HTMLElement {
  const index = Number(path.at(-1));
  const value = context.model.value(path);
  const ofBlock = blockField(element, value);
  const title = `${(ofBlock ?? element).label} ${index + 1}`;
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
  if (ofBlock !== undefined) {
    const details = blockDetails(context, ofBlock, path, title);
    return h("li", { class: "element is-block" }, details, buttons);
  }
  if (element.control === "list" && fits(element, value))
    return h("li", { class: "element" }, list(context, { ...element, label: title }, path), buttons);
  if (!isGroup) {
    const control = leaf(context, { ...element, label: title }, path);
    control.querySelector("label")?.setAttribute("id", nameId);
    return h("li", { class: "element is-plain" }, control, buttons);
  }
  const legend = h("span", {}, title, nameAfter(nameOfElement(element, value)));
  return h("li", { class: "element" }, group(context, element, path, legend, false), buttons);
}

const nameAfter = (name: string): HTMLElement | false =>
  name !== "" && h("span", { class: "element-name", dir: "auto" }, `: ${name}`);

/** A block of a list, which can be collapsed to one line. */
function blockDetails(context: FormContext, field: Field, path: FieldPath, title: string): HTMLElement {
  const { box } = fieldParts({ ...field, help: "" }, path);
  const summary = h("summary", { "data-path": pathText(path), id: elementId(path, "legend") });
  const details = h(
    "details",
    { class: "block" },
    summary,
    box,
    div(
      "group-fields",
      fieldBlock(context, field, [...path, "value"]),
      ...unknownMembers(context, path, ["type", "value", "id"]),
    ),
  );
  const index = Number(path.at(-1));
  const expanded = context.expanded.get(pathText(path.slice(0, -1))) ?? [];
  const onToggle = (): void => {
    // The event comes late: the list may have been rendered again.
    if (details.isConnected) expanded[index] = details.open;
    summary.replaceChildren(
      title,
      nameAfter(shortened(excerptOf(context.model.value([...path, "value"])))) || "",
    );
  };
  details.open = expanded[index] === true;
  onToggle();
  details.addEventListener("toggle", onToggle);
  context.place(path, { control: summary, box, describedBy: "", focus: () => summary.focus() });
  return details;
}
