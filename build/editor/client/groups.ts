import { h, icon } from "../../browse/dom.js";
import { show } from "../../browse/own-fields.js";
import { rich } from "../../browse/rich.js";
import { isObject } from "../../source/json/object.ts";
import type { Field, FieldPath, PageField } from "../form/fields.ts";
import { isOwned } from "../form/model.ts";
import {
  addressIn,
  blockField,
  fits,
  isEmpty,
  newValue,
  onlyMember,
  pathText,
  shownMembers,
  shownText,
} from "../form/values.ts";
import { copiedBlock, copyOf, openBlockMenu } from "./blocks.ts";
import { elementId, fieldParts, type FormContext, type ListField } from "./context.ts";
import { fold } from "./folds.ts";
import { acceptImages, addressAt, pictureAt, pictureChoice } from "./images.ts";
import { leaf } from "./leaf.ts";
import { button, div, iconButton, named } from "./parts.ts";
import { addBroader, followDragging, moveButtons, partButton, rowName } from "./rows.ts";

const PLUS = "M8 2v12M2 8h12";

/** The element of a field of any kind, with its members or elements. An empty one takes one line. */
export function fieldBlock(context: FormContext, field: Field, path: FieldPath): HTMLElement {
  const value = context.model.value(path);
  if (isOwned(context.model.owner, path)) return ownedField(context, field, path, value);
  const block = blockOf(context, field, path, value);
  const isOptional = !field.isRequired && !["checkbox", "derived", "list"].includes(field.control);
  if (isOptional && isEmpty(field, value)) block.classList.add("is-empty");
  return block;
}

function blockOf(context: FormContext, field: Field, path: FieldPath, value: unknown): HTMLElement {
  if (fits(field, value) && field.control === "group") {
    const only = onlyMember(field, value);
    return only === undefined ? group(context, field, path) : single(context, field, only, path);
  }
  if (fits(field, value) && field.control === "list") return listField(context, field, path);
  return leaf(context, field, path);
}

/** The value of a field that belongs to a collection system: no editor changes it. */
function ownedField(context: FormContext, field: Field, path: FieldPath, value: unknown): HTMLElement {
  const parts = fieldParts(`From ${context.model.owner?.label ?? ""}.`, path);
  const shown = h("div", { class: "owned", tabindex: "-1" });
  const html = (text: string): Promise<HTMLElement> => rich(text, context.host.site?.site_url ?? "");
  const fill = (nodes: Node[]): void => shown.replaceChildren(...(nodes.length === 0 ? ["(empty)"] : nodes));
  void show(field, value, html).then(fill);
  context.place(path, parts, shown);
  return div("field", div("field-name", named(field.label)), shown, parts.help, parts.box);
}

/** A field that the type or the group does not have, which its finding reports: it can only be removed. */
export function unknownField(context: FormContext, path: FieldPath): HTMLElement {
  const label = path.filter((step) => typeof step === "string").join(".") || "(no name)";
  const control = h("textarea", { rows: "1", readonly: true, "aria-label": label });
  control.value = context.unfinished.get(pathText(path))?.text ?? shownText(context.model.value(path));
  const parts = fieldParts("", path);
  context.place(path, parts, control);
  const remove = (): void => {
    context.keep(path, label);
    context.set(path, undefined);
    block.replaceWith(context.removalIn(path)?.note ?? "");
    context.placed.delete(pathText(path));
  };
  const block = div("field", div("field-name", named(label)), control, button("Remove", remove), parts.box);
  return block;
}

function fieldset(context: FormContext, field: Field, path: FieldPath): HTMLFieldSetElement {
  const parts = fieldParts(field.help, path);
  const set = h(
    "fieldset",
    { class: `group is-${field.control}`, tabindex: "-1" },
    h("legend", { id: elementId(path, "legend") }, field.label),
    parts.help,
    parts.box,
  );
  context.place(path, parts, set);
  return set;
}

function group(context: FormContext, field: Field, path: FieldPath): HTMLFieldSetElement {
  const set = fieldset(context, field, path);
  const body = div("group-fields");
  const isNone = (): boolean => field.isNullable && (context.model.value(path) ?? null) === null;
  const describedBy = { "aria-describedby": elementId(path, "legend") };
  const onToggle = (): void => {
    if (!isNone()) context.keep(path, field.label);
    context.set(path, isNone() ? newValue(field) : context.none(path));
    context.renderAgain(path);
  };
  const toggle = button("", onToggle, describedBy);
  context.rendering(path, () => {
    toggle.textContent = isNone() ? "Add" : "Remove";
    const address = addressIn(field);
    const none = [
      context.removalIn(path)?.note ?? "",
      address === undefined ? "" : pictureChoice(context, [...path, ...address]),
    ];
    body.replaceChildren(...(isNone() ? none : membersOf(context, field, path)));
  });
  const open = (): void => body.querySelector<HTMLElement>("[data-path]")?.focus();
  set.append(body, field.isNullable ? toggle : button("Add", open, { ...describedBy, class: "open-group" }));
  return set;
}

/** An object of which the form shows one member: a field with the object's name. */
function single(context: FormContext, field: Field, member: Field, path: FieldPath): HTMLElement {
  const box = div("single");
  const at = [...path, member.name];
  context.rendering(path, () => {
    box.replaceChildren(
      fieldBlock(context, { ...member, label: field.label, help: field.help }, at),
      ...unknownMembers(context, path, field.fields),
    );
    const placed = context.placed.get(pathText(at));
    if (placed !== undefined) context.placed.set(pathText(path), placed);
  });
  return box;
}

function membersOf(context: FormContext, field: Field, path: FieldPath): HTMLElement[] {
  const address = addressIn(field);
  if (address !== undefined) return membersOfPicture(context, field, path, address);
  const rank = ({ name }: Field): number => (name === field.naming ? 0 : 1);
  const members = shownMembers(field, context.model.value(path)).toSorted((a, b) => rank(a) - rank(b));
  const stepTo = ({ name }: Field): string | number => (field.kind === "tuple" ? Number(name) : name);
  return [
    ...members.map((member) => fieldBlock(context, member, [...path, stepTo(member)])),
    ...unknownMembers(context, path, field.fields),
  ];
}

/** The picture first; in a closed part, the members that follow from it. */
function membersOfPicture(context: FormContext, field: Field, path: FieldPath, address: FieldPath) {
  const [, inMeta] = address;
  const all = shownMembers(field, context.model.value(path)).flatMap((member): PageField[] =>
    inMeta !== undefined && member.name === "meta"
      ? member.fields.map((one) => ({ field: one, path: [...path, "meta", one.name] }))
      : [{ field: member, path: [...path, member.name] }],
  );
  const picture = field.fields.find((one) => one.picture)?.picture;
  const following = new Set(
    inMeta === undefined ? Object.values({ ...picture, alt: "" }) : ["id", "type", "detail_url"],
  );
  const at = pathText([...path, ...address]);
  const rank = (one: PageField): number => (pathText(one.path) === at ? 0 : 1);
  const shown = (one: PageField): HTMLElement => fieldBlock(context, one.field, one.path);
  const own = all.filter((one) => !following.has(one.field.name)).sort((a, b) => rank(a) - rank(b));
  const rest = all.filter((one) => following.has(one.field.name));
  const more = h(
    "details",
    { class: "more-members" },
    h("summary", {}, "From the file"),
    div("group-fields", ...rest.map(shown)),
  );
  fold(more);
  const meta = inMeta === undefined ? undefined : field.fields.find(({ name }) => name === "meta");
  return [
    ...own.map(shown),
    ...(rest.length === 0 ? [] : [more]),
    ...unknownMembers(context, path, field.fields),
    ...(meta === undefined ? [] : unknownMembers(context, [...path, "meta"], meta.fields)),
  ];
}

type MemberName = Pick<Field, "name">;

/** @param known the members that the object may have */
function unknownMembers(context: FormContext, path: FieldPath, known: readonly MemberName[]): HTMLElement[] {
  const value = context.model.value(path);
  const names = isObject(value) ? Object.keys(value) : [];
  const others = names.filter((name) => !known.some((one) => one.name === name));
  return others.map((name) => unknownField(context, [...path, name]));
}

/** Maximum number of blocks in a list that begins with expanded blocks. */
const MAX_EXPANDED = 3;

function listField(context: FormContext, field: Field, path: FieldPath): HTMLElement {
  const element = field.element as Field;
  const set = fieldset(context, field, path);
  const items = h("ol", { class: "elements" });
  let removal: HTMLElement | undefined;
  const elements = (): readonly unknown[] => {
    const value = context.model.value(path);
    return Array.isArray(value) ? value : [];
  };
  const { length } = elements();
  const isOfBlocks = element.control === "block";
  const isOpen = isOfBlocks && length <= MAX_EXPANDED;
  const expanded = context.expanded.get(pathText(path)) ?? Array.from({ length }, () => isOpen);
  context.expanded.set(pathText(path), expanded);
  const changed = (): void => {
    context.renderAgain(path);
    context.onEdit();
  };
  const insert = (value: unknown, index: number, isExpanded = true, written?: string): void => {
    context.model.add(path, value, index);
    if (written !== undefined) context.model.set([...path, index], value, written);
    expanded.splice(index, 0, isExpanded);
    context.moved(path, (k) => (k >= index ? k + 1 : k));
  };
  const take = (index: number): void => {
    context.model.remove(path, index);
    expanded.splice(index, 1);
    context.moved(path, (k) => (k > index ? k - 1 : k));
  };
  const focusButton = (index: number, part: "up" | "down" | "remove"): void => {
    const buttons = items.children[index]?.querySelector(":scope > .element-buttons");
    const enabled = `[data-part=${part}]:not(:disabled), [data-part=remove]`;
    (buttons?.querySelector<HTMLElement>(enabled) ?? add).focus();
  };
  const focusAt = (index: number): void => {
    const controls = "[data-path]:is(input, textarea, select, [contenteditable])";
    const control = items.children[index]?.querySelector<HTMLElement>(controls);
    context.placed.get(control?.dataset["path"] ?? "")?.focus();
  };
  const changes: ListField = {
    element,
    write: (index, values, replaced = 0, written = []) => {
      const at = Math.min(index, elements().length);
      for (let k = 0; k < replaced; k++) take(at);
      for (const [k, value] of values.entries()) insert(value, at + k, true, written[k]);
      changed();
      focusAt(at + values.length - 1);
    },
    remove: (index) => {
      const [name = "", excerpt = ""] = rowName(element, elements()[index], index);
      const text = [name, excerpt].map((one) => (typeof one === "string" ? one : one.textContent)).join("");
      context.keep([...path, index], text);
      take(index);
      if (elements().length === 0 && field.isNullable) context.model.set(path, context.none(path));
      changed();
      focusButton(Math.min(index, elements().length - 1), "remove");
    },
    move: (from, to) => {
      const [isExpanded = false] = expanded.splice(from, 1);
      context.model.move(path, from, to - from);
      expanded.splice(to, 0, isExpanded);
      const by = Math.sign(from - to);
      const isBetween = (k: number): boolean => (k - from) * (k - to) <= 0;
      context.moved(path, (k) => (k === from ? to : isBetween(k) ? k + by : k));
      changed();
      focusButton(to, by > 0 ? "up" : "down");
    },
    join: (index) => {
      take(index);
      changed();
      if (index === 0) return add.focus();
      focusAt(index - 1);
      document.getSelection()?.modify("move", "forward", "documentboundary");
      return undefined;
    },
    chosen: (index, thing) => {
      expanded[index] = false;
      context.renderAgain(path);
      add.focus();
      void addBroader(context, element, path, thing, (value, at) => {
        insert(value, at, false);
        changed();
      });
    },
  };
  context.lists.set(pathText(path), changes);
  set.classList.toggle("is-blocks", isOfBlocks);
  const onAdd = (): void => {
    const { length: index } = elements();
    if (isOfBlocks) openBlockMenu(add, changes, index);
    else changes.write(index, [newValue(element)]);
  };
  const add = button("Add", onAdd, { class: "add", "aria-describedby": elementId(path, "legend") });
  if (isOfBlocks) {
    add.setAttribute("aria-haspopup", "menu");
    add.prepend(icon(PLUS));
  }
  set.append(items);
  context.rendering(path, () => {
    const { length: count } = elements();
    const rows = Array.from({ length: count }, (_, index) => item(context, changes, [...path, index]));
    items.replaceChildren(...rows);
    items.hidden = count === 0;
    set.classList.toggle("is-empty", count === 0);
    removal?.remove();
    const { index, note } = context.removalIn(path) ?? { index: 0, note: undefined };
    removal = note;
    const before = items.children[Math.min(index, count) - 1];
    if (before === undefined) items.before(note ?? "");
    else before.append(note ?? "");
  });
  followDragging(items, changes.move);
  if (isOfBlocks) followCopying(items, changes, (index) => context.model.value([...path, index]));
  set.append(add);
  return set;
}

/** Copies the block whose title has the focus, and pastes a copied one after it. */
function followCopying(items: HTMLElement, { element, write }: ListField, block: (index: number) => unknown) {
  const indexOf = ({ target }: Event): number =>
    [...items.children].findIndex((one) => one.querySelector("summary") === target);
  items.addEventListener("copy", (event) => {
    const index = indexOf(event);
    if (index === -1 || document.getSelection()?.isCollapsed === false) return;
    event.clipboardData?.setData("text/plain", JSON.stringify(block(index)));
    event.preventDefault();
  });
  items.addEventListener("paste", (event) => {
    const index = indexOf(event);
    const copied = copiedBlock(element, event.clipboardData?.getData("text/plain") ?? "");
    if (index !== -1 && copied !== undefined) write(index + 1, [copied]);
  });
}

function item(context: FormContext, list: ListField, path: FieldPath): HTMLElement {
  const { element } = list;
  const index = Number(path.at(-1));
  const { length } = context.model.value(path.slice(0, -1)) as unknown[];
  const value = context.model.value(path);
  const nameId = elementId(path, "legend");
  const isOfBlocks = element.control === "block";
  const copy = (): void => list.write(index + 1, [copyOf(value)]);
  const buttons = div(
    "element-buttons",
    ...moveButtons(nameId, (by) => list.move(index, index + by), index === 0, index === length - 1),
    isOfBlocks && partButton("copy", "Copy", nameId, copy),
    partButton("remove", "Remove", nameId, () => list.remove(index)),
  );
  if (isOfBlocks && blockField(element, value) !== undefined) {
    const plus = iconButton("Add before", PLUS, () => openBlockMenu(plus, list, index), {
      class: "plus",
      "aria-haspopup": "menu",
      "aria-describedby": nameId,
    });
    return h("li", { class: "element is-block" }, plus, row(context, element, path), buttons);
  }
  if (element.control === "group" && fits(element, value))
    return h("li", { class: "element is-row" }, row(context, element, path), buttons);
  // Without a value, it is removed.
  const field = { ...element, label: `${element.label} ${index + 1}`, isRequired: false };
  if (element.control === "list" && fits(element, value))
    return h("li", { class: "element" }, listField(context, field, path), buttons);
  const control = leaf(context, field, path);
  control.querySelector("label")?.setAttribute("id", nameId);
  return h("li", { class: "element is-plain" }, control, buttons);
}

const MEMBERS_OF_BLOCK = [{ name: "type" }, { name: "value" }, { name: "id" }];

/** An object or a block of a list: a row with the text that identifies it, which is opened to edit. */
function row(context: FormContext, element: Field, path: FieldPath): HTMLElement {
  const block = blockField(element, context.model.value(path));
  const index = Number(path.at(-1));
  const parts = fieldParts("", path);
  const summary = h("summary", { id: elementId(path, "legend") });
  const body = div("group-fields");
  const className = block === undefined ? "row" : "block";
  const details = h("details", { class: className }, summary, div("row-body", parts.box, body));
  const expanded = context.expanded.get(pathText(path.slice(0, -1))) ?? [];
  const picture = addressAt(context, block ?? element, block === undefined ? path : [...path, "value"]);
  const showName = (): void => {
    const name = rowName(element, context.model.value(path), index);
    if (picture !== undefined) name.unshift(pictureAt(context, picture, "row-picture"));
    summary.replaceChildren(...name);
  };
  if (picture !== undefined) acceptImages(details, context, picture);
  context.rowNames.set(pathText(path), showName);
  details.addEventListener("toggle", () => {
    // The event comes late: the list may have been rendered again.
    if (details.isConnected) expanded[index] = details.open;
    showName();
  });
  context.place(path, parts, summary);
  context.rendering(path, () => {
    const members =
      block === undefined
        ? membersOf(context, element, path)
        : [
            fieldBlock(context, block, [...path, "value"]),
            ...unknownMembers(context, path, MEMBERS_OF_BLOCK),
          ];
    body.replaceChildren(...members);
    showName();
  });
  details.open = expanded[index] === true;
  if (block === undefined) fold(details);
  return details;
}
