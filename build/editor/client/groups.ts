import { h } from "../../browse/client/dom.js";
import { isObject } from "../../json/object.ts";
import type { Field, FieldPath } from "../form/fields.ts";
import { isEmpty, fits, newValue, onlyMember, pathText, shownMembers, shownText } from "../form/values.ts";
import { elementId, fieldParts, type FormContext } from "./context.ts";
import { button, named, div } from "./parts.ts";
import { leaf } from "./leaf.ts";
import { list } from "./rows.ts";

/** The element of a field of any kind, with its members or elements. An empty one takes one line. */
export function fieldBlock(context: FormContext, field: Field, path: FieldPath): HTMLElement {
  const value = context.model.value(path);
  const block = blockOf(context, field, path, value);
  const isOptional = !field.isRequired && !["checkbox", "derived", "list"].includes(field.control);
  if (isOptional && isEmpty(field, value)) block.classList.add("is-empty");
  return block;
}

function blockOf(context: FormContext, field: Field, path: FieldPath, value: unknown): HTMLElement {
  if (fits(field, value) && field.control === "group") {
    const only = onlyMember(field, value);
    return only === undefined ? group(context, field, path, field.label) : single(context, field, only, path);
  }
  if (fits(field, value) && field.control === "list")
    return list({ fieldBlock, fieldset, membersOf, unknownMembers }, context, field, path);
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

function group(context: FormContext, field: Field, path: FieldPath, legend: string): HTMLFieldSetElement {
  const set = fieldset(context, field, path, legend);
  const body = div("group-fields");
  const isNone = (): boolean => field.isNullable && (context.model.value(path) ?? null) === null;
  const describedBy = { "aria-describedby": elementId(path, "legend") };
  const toggle = button(
    "",
    () => {
      context.set(path, isNone() ? newValue(field) : context.none(path));
      context.renderAgain(path);
    },
    describedBy,
  );
  const render = (): void => {
    context.forget(path);
    toggle.textContent = isNone() ? "Add" : "Remove";
    body.replaceChildren(...(isNone() ? [] : membersOf(context, field, path)));
  };
  render();
  context.renderers.set(pathText(path), render);
  const open = (): void => body.querySelector<HTMLElement>("[data-path]")?.focus();
  set.append(body, field.isNullable ? toggle : button("Add", open, { ...describedBy, class: "open-group" }));
  return set;
}

/** An object of which the form shows one member: a field with the object's name. */
function single(context: FormContext, field: Field, member: Field, path: FieldPath): HTMLElement {
  const box = div("single");
  const at = [...path, member.name];
  const render = (): void => {
    context.forget(path);
    box.replaceChildren(
      fieldBlock(context, { ...member, label: field.label, help: field.help }, at),
      ...unknownMembers(
        context,
        path,
        field.fields.map(({ name }) => name),
      ),
    );
    const placed = context.placed.get(pathText(at));
    if (placed !== undefined) context.place(path, placed);
  };
  context.groups.set(pathText(path), field);
  context.renderers.set(pathText(path), render);
  render();
  return box;
}

/** The members of an object, first the one by which people recognize it. */
function membersOf(context: FormContext, field: Field, path: FieldPath): HTMLElement[] {
  const rank = ({ name }: Field): number => (name === field.naming ? 0 : 1);
  const members = shownMembers(field, context.model.value(path)).toSorted((a, b) => rank(a) - rank(b));
  return [
    ...members.map((member) =>
      fieldBlock(context, member, [...path, field.isTuple ? Number(member.name) : member.name]),
    ),
    ...unknownMembers(
      context,
      path,
      field.fields.map(({ name }) => name),
    ),
  ];
}

function unknownMembers(context: FormContext, path: FieldPath, known: readonly string[]): HTMLElement[] {
  const value = context.model.value(path);
  const others = isObject(value) ? Object.keys(value).filter((name) => !known.includes(name)) : [];
  return others.map((name) => unknownField(context, [...path, name]));
}
