import { h } from "../../browse/dom.js";
import { derive, type Derivation } from "../../model/derive.ts";
import { valueOf, valueAt } from "../../source/json/object.ts";
import { parseJson } from "../../source/json/parse.ts";
import type { Correction } from "../../findings/entry.ts";
import type { Args } from "../../findings/catalogue/index.ts";
import { messageOf } from "../../findings/finding.ts";
import {
  clocksOf,
  exampleDate,
  inZone,
  isDate,
  PICKERS,
  readDate,
  shownDate,
  type Clocks,
} from "../form/dates.ts";
import type { Choice, Field, FieldPath } from "../form/fields.ts";
import { fits, isNumber, pathText, shownText, typedValue } from "../form/values.ts";
import { elementId, fieldParts, type FormContext } from "./context.ts";
import { comboboxAt, pageField } from "./combobox.ts";
import { htmlControl } from "./html-field.ts";
import { pictureChoice } from "./images.ts";
import { button, div } from "./parts.ts";

type TextControl = HTMLInputElement | HTMLTextAreaElement;

export function leaf(context: FormContext, field: Field, path: FieldPath): HTMLElement {
  if (field.control === "html" && fits(field, context.model.value(path)))
    return htmlControl(context, field, path);
  const [control, ...beside] = controlsFor(context, field, path);
  const isFixed = context.isFixed(path);
  const parts = fieldParts(isFixed ? "The id of a page never changes." : field.help, path);
  control.id = elementId(path, "control");
  const isCheckbox = control instanceof HTMLInputElement && control.type === "checkbox";
  if (field.isRequired && !isCheckbox) control.setAttribute("aria-required", "true");
  context.place(path, parts, control, { correct: correct(context, field, path) });
  const mark =
    field.isRequired && !isFixed && h("span", { class: "mark-required", "aria-hidden": "true" }, "Required");
  const line = div("control-line", ...(isPicture(field) ? [...beside, control] : [control, ...beside]));
  const name = div("field-name", h("label", { for: control.id }, field.label), mark);
  return h(
    "div",
    { class: isCheckbox ? "field is-checkbox" : "field", "data-control": field.control },
    ...(isCheckbox ? [line, name] : [name, line]),
    parts.help,
    parts.box,
  );
}

const correct =
  (context: FormContext, field: Field, path: FieldPath) =>
  (correction: Correction): void => {
    const written = "write" in correction ? correction.write : undefined;
    const control = context.placed.get(pathText(path))?.control;
    const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
    if (isText && written !== undefined && fits(field, context.model.value(path))) {
      control.value = shownIn(context, field, written);
      control.dispatchEvent(new Event("input"));
    } else {
      context.set(path, written);
      // The corrected value may need another kind of control.
      context.renderAgain([]);
    }
    context.placed.get(pathText(path))?.focus();
  };

/** The control of a field, and the elements beside it. */
function controlsFor(context: FormContext, field: Field, path: FieldPath): [HTMLElement, ...Node[]] {
  const value = context.model.value(path);
  const { control: kind } = field;
  if (kind === "derived") return [derivedControl(context, field, path)];
  if (kind === "page" && fits(field, value)) return pageField(context, field, path);
  if (context.isFixed(path)) return [h("input", { type: "text", readonly: true, value: shownText(value) })];
  if (kind === "json" || !fits(field, value)) return [jsonControl(context, field, path)];
  if (kind === "checkbox") return [checkbox(context, field, path, (value ?? field.empty) === true)];
  if (kind === "choice" && !field.isOpen) return [select(context, field, path)];
  const control = textControl(context, field, path, value);
  if (!(control instanceof HTMLInputElement)) return [control];
  if (isPicture(field)) return [control, pictureChoice(context, path, control)];
  return [control, ...besideDate(context, field, path, control)];
}

const clocksIn = ({ host: { site } }: FormContext): Clocks => clocksOf(site ?? {});

/** The text that a control shows for a value: a date as the readers of the site write it. */
const shownIn = (context: FormContext, field: Field, value: unknown): string =>
  isDate(field) ? shownDate(shownText(value), field, clocksIn(context)) : shownText(value);

const isPicture = ({ format, picture }: Field): boolean => format === "media-url" || picture !== undefined;

function checkbox(context: FormContext, field: Field, path: FieldPath, isChecked: boolean): HTMLElement {
  const isWritten = context.model.value(path) !== undefined;
  const control = h("input", { type: "checkbox", checked: isChecked });
  control.addEventListener("change", () => {
    // If an omitted field is checked and unchecked again, it stays omitted.
    const isKept = isWritten || field.isRequired || control.checked !== field.empty;
    context.set(path, isKept ? control.checked : undefined);
  });
  return control;
}

function select(context: FormContext, field: Field, path: FieldPath): HTMLElement {
  const control = h("select", {});
  let shown: unknown;
  // The possible page types depend on the parent.
  context.onDerive(path, () => {
    if (shown === context.types && control.childElementCount > 0) return;
    shown = context.types;
    const now = context.model.value(path) ?? field.empty;
    const isKnown = field.choices.some((choice) => choice.value === now);
    const options = offered(context, field, now).map((choice) => {
      const index = String(field.choices.indexOf(choice));
      return h("option", { value: index, selected: choice.value === now }, choice.label);
    });
    const other = isKnown ? [] : [h("option", { value: "" }, shownText(now) || "Choose…")];
    control.replaceChildren(...other, ...options);
  });
  control.addEventListener("change", () => {
    const choice = field.choices[Number(control.value)];
    if (control.value === "" || choice === undefined) return;
    context.set(path, choice.value ?? context.none(path));
  });
  return control;
}

/** The choices of a field. Of page types, only those that are possible, and the current one. */
function offered({ types }: FormContext, { choices, areTypes }: Field, value: unknown): readonly Choice[] {
  if (types === undefined || areTypes !== true) return choices;
  const rank = ({ value: type }: Choice): number => types.indexOf(String(type));
  return choices
    .filter((one) => one.value === value || rank(one) !== -1)
    .toSorted((a, b) => rank(a) - rank(b));
}

function textControl(context: FormContext, field: Field, path: FieldPath, value: unknown): TextControl {
  const isWritten = context.model.value(path) !== undefined;
  const control = emptyTextControl(context, field, path);
  const shown = (control.value = shownIn(context, field, value));
  // A line break that is already in the text stays.
  const isOneLine = field.isOneLine && !LINE_BREAK.test(control.value);
  control.addEventListener("input", () => {
    if (isOneLine) joinLines(control);
    const text = isDate(field) ? readDate(control.value, field, clocksIn(context)) : control.value;
    context.set(path, typedValue(field, control.value === shown ? shownText(value) : text, isWritten));
  });
  return control;
}

const LINE_BREAK = /[\r\n]/;

const joined = (text: string): string => text.replace(/^[\r\n]+/, "").replace(/[ \t]*[\r\n]+[ \t]*/g, " ");

/** Replaces line breaks, such as pasted ones, by spaces. */
function joinLines(control: TextControl): void {
  const { value, selectionStart } = control;
  if (!LINE_BREAK.test(value)) return;
  control.value = joined(value.replace(/[\r\n]+$/, ""));
  const caret = Math.min(joined(value.slice(0, selectionStart ?? 0)).length, control.value.length);
  control.setSelectionRange(caret, caret);
}

function emptyTextControl(context: FormContext, field: Field, path: FieldPath): TextControl {
  const combobox = comboboxAt(context, field, path);
  if (combobox !== undefined) return combobox;
  const placeholder = isPicture(field)
    ? "Address of an image"
    : shownText(field.empty) || (isDate(field) ? exampleDate(field, clocksIn(context)) : field.example);
  if (field.control === "raw-html") return sourceControl();
  if (field.control === "long-text") return h("textarea", { rows: "3", dir: "auto", placeholder });
  const isNumeric = isNumber(field);
  const control = h("input", {
    type: "text",
    dir: isNumeric ? undefined : "auto",
    inputmode: isNumeric ? (field.isInteger ? "numeric" : "decimal") : undefined,
    autocomplete: "off",
    spellcheck: field.example === undefined && !isNumeric ? "true" : "false",
    placeholder,
    class: `is-${field.control}`,
  });
  if (field.choices.length > 0) {
    const id = elementId(path, "choices");
    control.setAttribute("list", id);
    const choices = field.choices.filter(({ value }) => value !== null);
    const options = choices.map(({ value, label }) => h("option", { value: String(value) }, label));
    queueMicrotask(() => control.after(h("datalist", { id }, ...options)));
  }
  if (field.fallback !== undefined) {
    const { fallback } = field;
    context.onDerive(path, () => {
      control.placeholder = shownText(derivedValue(context, fallback, path));
    });
  }
  return control;
}

/** A text area for code. */
const sourceControl = () => h("textarea", { class: "is-source", rows: "3", spellcheck: "false", dir: "ltr" });

/** A control for JSON as text. It keeps text that is not valid JSON yet, and a finding reports the mistake. */
function jsonControl(context: FormContext, field: Field, path: FieldPath): TextControl {
  const control = sourceControl();
  const name = pathText(path);
  control.value = context.unfinished.get(name)?.text ?? context.model.written(path);
  control.addEventListener("input", () => {
    const text = control.value;
    if (text.trim() === "") {
      context.set(path, field.isRequired ? "" : undefined);
      return;
    }
    const { root, findings } = parseJson("", new TextEncoder().encode(text));
    const [first] = findings;
    if (root === undefined || first !== undefined) {
      // The words of these mistakes are about a file.
      const { mistake } = (first?.args ?? {}) as Partial<Args<"json-syntax">>;
      const isOfFile = first === undefined || mistake === "cut-off" || mistake === "other-kind";
      context.unfinished.set(name, { text, message: isOfFile ? "This is not JSON." : messageOf(first) });
      context.onEdit();
    } else context.set(path, valueOf(root), text);
  });
  return control;
}

function derivedValue(context: FormContext, row: Derivation, path: FieldPath): unknown {
  const owner = valueAt(context.model.page, path.slice(0, -1));
  if (row.kind === "place") return context.placement[row.part];
  try {
    return derive(row, owner as Record<string, unknown>, context.placement);
  } catch {
    // A value that it is derived from is missing.
    return undefined;
  }
}

function derivedControl(context: FormContext, field: Field, path: FieldPath): HTMLElement {
  const { row } = field;
  const control = h("textarea", { rows: "1", readonly: true, dir: "auto", class: "is-derived" });
  if (row !== undefined)
    context.onDerive(path, () => {
      const value = derivedValue(context, row, path);
      const text = typeof value === "object" ? JSON.stringify(value, undefined, 2) : shownText(value);
      if (control.value !== text) control.value = text;
    });
  return control;
}

/**
 * The elements beside a date or time, which itself stays a text field: a button that opens the browser's picker, and
 * the date in words, a time in the time zone of the site.
 */
function besideDate(context: FormContext, field: Field, path: FieldPath, control: HTMLInputElement) {
  if (!isDate(field)) return [];
  const kind = field.control as keyof typeof PICKERS;
  const clocks = clocksIn(context);
  const { type, written, picked } = PICKERS[kind];
  const native = h("input", { type, tabindex: "-1", "aria-hidden": "true" });
  const words = h("output", { class: "own-zone" });
  const value = (): string => shownText(context.model.value(path));
  const showWords = (chosen?: string): void => {
    const { words: text, other } = inZone(value(), clocks, chosen);
    const use = other && button(other.name, () => write(other.written));
    words.replaceChildren(text, ...(use === undefined ? [] : [" ", use]));
  };
  const write = (text: string): void => {
    control.value = shownDate(text, field, clocks);
    control.dispatchEvent(new Event("input"));
    control.focus();
  };
  const open = (): void => {
    native.value = picked(value(), field, clocks.zone);
    // Without a step of one second, the calendar would set the seconds to 00.
    if (kind !== "date") native.step = /:[0-5]\d:(?!00)\d\d/.test(native.value) ? "1" : "60";
    native.showPicker();
  };
  native.addEventListener("change", () => {
    if (native.value === "") return;
    write(written(native.value, clocks.zone));
    if (kind === "date-time") showWords(native.value);
  });
  control.addEventListener("change", () => (control.value = shownDate(value(), field, clocks)));
  const name = kind === "time" ? "Clock" : "Calendar";
  const calendar = button(name, open, { "aria-label": `${name}: ${field.label}` });
  showWords();
  // The text control listens first.
  control.addEventListener("input", () => showWords());
  return [h("span", { class: "picker" }, calendar, native), words];
}
